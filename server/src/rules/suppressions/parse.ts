import type { Span } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import { LineMap } from '../../files/lines.ts';

/** A comment that silences rules on the next line, or in its whole file. */
export interface Suppression {
  readonly file: string;
  /** The comment. */
  readonly span: Span;
  readonly codes: readonly string[];
  /** 0-based line that is silenced; undefined for the whole file. */
  readonly line: number | undefined;
}

const MARK = 'tool-contracts-ignore-';
const COMMENT = /\/\/[ \t]*tool-contracts-ignore-(next-line|file)(?![\w-])([^\r\n]*)/g;

/**
 * The suppression comments of a file, in order: `// tool-contracts-ignore-next-line CODE, CODE: reason` and
 * `// tool-contracts-ignore-file CODE: reason`. Text in strings and templates that looks like one is none. A comment
 * that stands on a line of its own right above another one silences the same line as that one does.
 */
export function parseSuppressions(file: string, text: string): Suppression[] {
  if (!text.includes(MARK)) return [];
  const source = parse(file, text);
  const lines = new LineMap(text);
  const found = [...text.matchAll(COMMENT)]
    .filter(({ index }) => isLineComment(source, index))
    .map((match) => {
      const end = match.index + match[0].trimEnd().length;
      const [list = ''] = (match[2] ?? '').split(':');
      const codes = list.split(',').flatMap((code) => code.trim() || []);
      return { nextLine: match[1] === 'next-line', span: { start: match.index, end }, codes };
    });
  const stacked = new Set(
    found
      .filter(({ nextLine, span }) => nextLine && isAloneOnLine(text, lines, span))
      .map(({ span }) => lines.position(span.start).line),
  );
  return found.map(({ nextLine, span, codes }) => {
    let line = lines.position(span.start).line + 1;
    while (stacked.has(line)) line++;
    return { file, span, codes, line: nextLine ? line : undefined };
  });
}

function isAloneOnLine(text: string, lines: LineMap, { start }: Span): boolean {
  const line = lines.line(lines.position(start).line);
  return line !== undefined && text.slice(line.start, start).trim() === '';
}

function isLineComment(source: ts.SourceFile, position: number): boolean {
  let token: ts.Node = source;
  for (;;) {
    const child = token
      .getChildren(source)
      .find((node) => node.pos <= position && (position < node.end || node.kind === ts.SyntaxKind.EndOfFileToken));
    if (!child) break;
    token = child;
  }
  // Within a token (a string, a template, JSX text) there are no comments; before it they are its trivia.
  if (position >= token.getStart(source) || token.kind === ts.SyntaxKind.JsxText) return false;
  const { text } = source;
  const comments = [
    ...(ts.getLeadingCommentRanges(text, token.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, token.pos) ?? []),
  ];
  return comments.some(({ pos, kind }) => pos === position && kind === ts.SyntaxKind.SingleLineCommentTrivia);
}
