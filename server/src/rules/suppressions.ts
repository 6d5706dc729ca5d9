import type { Fix } from '../../../shared/src/model.ts';
import { ruleRow } from '../../../shared/src/rules.ts';
import { LineMap } from '../files/lines.ts';
import type { Merged } from './merge.ts';
import { parseSuppressions, type Suppression } from './suppressions/parse.ts';

/** The fix that every finding has. */
export const IGNORE: Fix = { id: 'ignore', title: 'Ignore on this line', preferred: false };

export const UNUSED = 'unused-suppression';

/** Files with their current text. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Takes away the findings that a comment silences, by rule and line, and adds one for each comment that silences
 * nothing.
 *
 * @param texts files in which comments count; a finding in another file is kept
 * @param isJudged whether a rule was able to report everything it has to say in a file; where it was not, a comment is
 *   never called unused
 */
export function applySuppressions(
  findings: readonly Merged[],
  texts: Texts,
  isJudged: (code: string, file: string) => boolean,
): Merged[] {
  const withComments = new Map<string, { readonly lines: LineMap; readonly comments: readonly Suppression[] }>();
  for (const [file, text] of texts) {
    const comments = parseSuppressions(file, text);
    if (comments.length > 0) withComments.set(file, { lines: new LineMap(text), comments });
  }
  const used = new Set<string>();
  const isSilenced = (finding: Merged): boolean => {
    const entry = withComments.get(finding.at.file);
    if (!entry) return false;
    const line = entry.lines.position(finding.at.span.start).line;
    const matching = entry.comments.filter(
      (comment) => comment.codes.includes(finding.rule) && (comment.line === undefined || comment.line === line),
    );
    for (const comment of matching) used.add(useKey(comment, finding.rule));
    return matching.length > 0;
  };
  const kept = findings.filter((finding) => !isSilenced(finding));
  const comments = [...withComments.values()].flatMap((entry) => entry.comments);
  const unusedOf = (comment: Suppression, isSelf: boolean): Merged[] => {
    const unused = comment.codes.filter(
      (code) => (code === UNUSED) === isSelf && !used.has(useKey(comment, code)) && isJudged(code, comment.file),
    );
    if (unused.length === 0 && (isSelf || comment.codes.length > 0)) return [];
    return [unusedFinding(comment, unused)];
  };
  // Comments about unused comments come second: only then is it known what they silence.
  const idle = comments.flatMap((comment) => unusedOf(comment, false)).filter((finding) => !isSilenced(finding));
  return [...kept, ...idle, ...comments.flatMap((comment) => unusedOf(comment, true))];
}

function useKey({ file, span }: Suppression, code: string): string {
  return `${file}\0${span.start}\0${code}`;
}

function unusedFinding({ file, span, codes }: Suppression, unused: readonly string[]): Merged {
  const all = unused.length === codes.length;
  const scope = unused.map((code) => (ruleRow(code) ? code : `${code}, which is no rule`)).join(' and ');
  return {
    rule: UNUSED,
    severity: 'hint',
    at: { file, span },
    message:
      codes.length === 0
        ? 'This comment silences nothing: it names no rule. Write the rule after it, then a colon and the reason.'
        : `This comment silences nothing${all && codes.length === 1 && ruleRow(codes[0] ?? '') ? `: there is no ${scope} here any more` : ` for ${scope}`}.`,
    tools: [],
    surfaces: [],
    related: [],
    witness: null,
    fixes: [
      all
        ? { id: 'remove', title: 'Remove the comment', preferred: true }
        : { id: 'remove', title: `Remove ${unused.join(', ')} from the comment`, preferred: true },
    ],
    data: { unused: [...unused], codes: [...codes] },
  };
}
