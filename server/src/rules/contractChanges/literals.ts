import type { TextEdit } from '../../../../shared/src/model.ts';
import { ts } from '../../discovery/typescript.ts';
import { type CodeStyle, indentationAt } from './codeStyle.ts';

/** An edit of the one file that is at hand. */
export type Edit = Omit<TextEdit, 'file'>;

/** An element to put into a literal, and before which of those that are there; without one at the end. */
export interface Insertion {
  readonly text: string;
  readonly before?: ts.Node;
}

type Literal = ts.ObjectLiteralExpression | ts.ArrayLiteralExpression;

/** Whether the elements of a literal stand on lines of their own; an empty one tells nothing. */
export function isMultiline(literal: Literal): boolean {
  const [first] = elementsOf(literal);
  const source = literal.getSourceFile();
  return first !== undefined && source.text.slice(literal.getStart(), first.getStart()).includes('\n');
}

/** The indentation that elements of a literal have, or would have. */
export function elementIndent(literal: Literal, { indent }: CodeStyle): string {
  const { text } = literal.getSourceFile();
  const [first] = elementsOf(literal);
  if (first && isMultiline(literal)) return indentationAt(text, first.getStart());
  return indentationAt(text, literal.getStart()) + indent;
}

/**
 * Puts elements into an object or array literal. Nothing that is there moves: comments stay with what they stand at, and
 * a trailing comma is written where there was one.
 */
export function insertInto(literal: Literal, insertions: readonly Insertion[], style: CodeStyle): Edit[] {
  const elements = elementsOf(literal);
  const edits = new Map<number, string>();
  const put = (at: number, text: string) => edits.set(at, (edits.get(at) ?? '') + text);
  const last = elements.at(-1);
  const isSpread = last ? isMultiline(literal) : true;
  const indent = elementIndent(literal, style);
  const appended = insertions.filter(({ before }) => !before).map(({ text }) => text);
  for (const { text, before } of insertions) {
    if (before) put(startWithComments(before), isSpread ? `${text},${style.newline}${indent}` : `${text}, `);
  }
  if (appended.length > 0 && last) append(literal, last, appended, isSpread, indent, style, put);
  else if (appended.length > 0) {
    const lines = appended.map((text) => `${style.newline}${indent}${text},`).join('');
    put(endOfContent(literal), lines + (hasLineBreakInside(literal) ? '' : closing(literal, style)));
  }
  return [...edits].map(([at, text]) => ({ span: { start: at, end: at }, text }));
}

function append(
  literal: Literal,
  last: ts.Node,
  texts: readonly string[],
  isSpread: boolean,
  indent: string,
  style: CodeStyle,
  put: (at: number, text: string) => void,
): void {
  const hasComma = elementList(literal).hasTrailingComma ?? false;
  if (!isSpread) {
    put(hasComma ? afterComma(last) : last.end, texts.map((text) => (hasComma ? ` ${text},` : `, ${text}`)).join(''));
    return;
  }
  // What stands behind the last element on its line is about it.
  const { text } = literal.getSourceFile();
  const from = hasComma ? afterComma(last) : last.end;
  const comments = ts.getTrailingCommentRanges(text, from) ?? [];
  const at = comments.at(-1)?.end ?? from;
  const lines = texts.map((one) => `${style.newline}${indent}${one}`);
  if (hasComma) put(at, lines.map((line) => `${line},`).join(''));
  else {
    put(last.end, ',');
    put(at, lines.join(','));
  }
}

function elementList(literal: Literal): ts.NodeArray<ts.Node> {
  return ts.isObjectLiteralExpression(literal) ? literal.properties : literal.elements;
}

/** The elements of an object or array literal. */
export function elementsOf(literal: Literal): readonly ts.Node[] {
  return elementList(literal);
}

function afterComma(element: ts.Node): number {
  const { text } = element.getSourceFile();
  const rest = ts.getTrailingCommentRanges(text, element.end)?.at(-1)?.end ?? element.end;
  return text.indexOf(',', rest) + 1;
}

/** Where an element begins, with the comments on the lines above it. */
function startWithComments(element: ts.Node): number {
  const { text } = element.getSourceFile();
  return ts.getLeadingCommentRanges(text, element.pos)?.[0]?.pos ?? element.getStart();
}

/** The end of what is in an empty literal: its comments. */
function endOfContent(literal: Literal): number {
  const { text } = literal.getSourceFile();
  const open = literal.getStart() + 1;
  return open + text.slice(open, literal.end - 1).trimEnd().length;
}

function hasLineBreakInside(literal: Literal): boolean {
  const { text } = literal.getSourceFile();
  return text.slice(endOfContent(literal), literal.end - 1).includes('\n');
}

function closing(literal: Literal, { newline }: CodeStyle): string {
  return newline + indentationAt(literal.getSourceFile().text, literal.getStart());
}
