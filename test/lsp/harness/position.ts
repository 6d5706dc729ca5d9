import type { Position, Range } from 'vscode-languageserver-protocol/node';

/**
 * Offset of a needle in a text.
 *
 * @param occurrence 0 for the first. Without it the needle must be there exactly once.
 * @throws when the needle is not there, or is there several times and no occurrence was chosen
 */
export function offsetOf(text: string, needle: string, occurrence?: number): number {
  const offsets: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) offsets.push(at);
  if (occurrence === undefined && offsets.length > 1) {
    throw new Error(`${JSON.stringify(needle)} is in the text ${offsets.length} times: say which occurrence.`);
  }
  const offset = offsets[occurrence ?? 0];
  if (offset === undefined) {
    throw new Error(`${JSON.stringify(needle)} is in the text ${offsets.length} times: there is no such occurrence.`);
  }
  return offset;
}

/** Position of a needle's first character: line and UTF-16 character from 0. Throws as `offsetOf` does. */
export function position(text: string, needle: string, occurrence?: number): Position {
  return positionAt(text, offsetOf(text, needle, occurrence));
}

/** Range of a needle. Throws as `offsetOf` does. */
export function range(text: string, needle: string, occurrence?: number): Range {
  const start = offsetOf(text, needle, occurrence);
  return { start: positionAt(text, start), end: positionAt(text, start + needle.length) };
}

/** The text that a range of a document covers, to say in a test what a diagnostic is about. */
export function textAt(text: string, { start, end }: Range): string {
  return text.slice(offsetAt(text, start), offsetAt(text, end));
}

/** Position of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Offset of a position; one beyond the end of a line or of the text is the end of it, as the protocol says. */
export function offsetAt(text: string, { line, character }: Position): number {
  let start = 0;
  const breaks = /\r\n|\n|\r/g;
  for (let at = 0; at < line; at++) {
    if (!breaks.exec(text)) return text.length;
    start = breaks.lastIndex;
  }
  const end = breaks.exec(text)?.index ?? text.length;
  return Math.min(start + character, end);
}
