import type { Finding, TextEdit } from '../../../../shared/src/model.ts';
import { LineMap } from '../../files/lines.ts';
import { isObject } from '../values.ts';
import { parseSuppressions } from './parse.ts';

/** The edits of an `unused-suppression` fix; undefined when the comment is no longer there. */
export function resolveUnused(
  finding: Finding,
  read: (file: string) => string | undefined,
): readonly TextEdit[] | undefined {
  const { file, span } = finding.at;
  const text = read(file);
  if (text === undefined || !isObject(finding.data)) return undefined;
  const comment = parseSuppressions(file, text).find(
    (other) => other.span.start === span.start && other.span.end === span.end,
  );
  const unused = finding.data.unused;
  if (!comment || !Array.isArray(unused) || comment.codes.join() !== String(finding.data.codes)) return undefined;
  const left = comment.codes.filter((code) => !unused.includes(code));
  if (left.length > 0) {
    const written = text.slice(span.start, span.end);
    const list = written.match(/^(\/\/\s*[\w-]+\s*)([^:]*?)(\s*:|$)/);
    if (!list) return undefined;
    const start = span.start + (list[1]?.length ?? 0);
    return [{ file, span: { start, end: start + (list[2]?.length ?? 0) }, text: left.join(', ') }];
  }
  return [{ file, span: wholeLine(text, span.start, span.end), text: '' }];
}

/** A comment with the space before it, and its line when it has one for itself. */
function wholeLine(text: string, start: number, end: number): { start: number; end: number } {
  const lines = new LineMap(text);
  const { line } = lines.position(start);
  const whole = lines.line(line) ?? { start, end };
  const before = text.slice(whole.start, start);
  if (before.trim() !== '') return { start: whole.start + before.trimEnd().length, end };
  return { start: whole.start, end: lines.line(line + 1)?.start ?? whole.end };
}

/**
 * Inserts a comment that silences a finding, on a line of its own above, with the same indentation. Undefined where no
 * comment can stand, such as within a template.
 */
export function ignoreEdits(
  finding: Finding,
  read: (file: string) => string | undefined,
): readonly TextEdit[] | undefined {
  const { file, span } = finding.at;
  const text = read(file);
  if (text === undefined || span.end > text.length) return undefined;
  const lines = new LineMap(text);
  const { line } = lines.position(span.start);
  const whole = lines.line(line);
  if (!whole) return undefined;
  const indentation = text.slice(whole.start, whole.end).match(/^[ \t]*/)?.[0] ?? '';
  const next = lines.line(line + 1)?.start;
  const newLine = (next === undefined ? undefined : text.slice(whole.end, next)) || '\n';
  const comment = `${indentation}// tool-contracts-ignore-next-line ${finding.rule}: intended${newLine}`;
  const changed = text.slice(0, whole.start) + comment + text.slice(whole.start);
  const stands = parseSuppressions(file, changed).some(
    ({ span: made }) => made.start === whole.start + indentation.length,
  );
  return stands ? [{ file, span: { start: whole.start, end: whole.start }, text: comment }] : undefined;
}
