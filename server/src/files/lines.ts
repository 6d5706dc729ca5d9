import type { Span } from '../../../shared/src/model.ts';

/** 0-based line and 0-based UTF-16 character, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Half-open, as in LSP. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Turns UTF-16 offsets of one text into LSP positions and back. Lines end at `\n`, `\r\n` and `\r`, as LSP says; what
 * lies outside the text is moved to its nearest end, never an error, because the text may have changed since.
 */
export class LineMap {
  readonly #starts: number[] = [0];
  /** For each line the offset of its end, before the line break. */
  readonly #ends: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let offset = 0; offset < text.length; offset++) {
      const unit = text.charCodeAt(offset);
      if (unit !== LINE_FEED && unit !== CARRIAGE_RETURN) continue;
      this.#ends.push(offset);
      if (unit === CARRIAGE_RETURN && text.charCodeAt(offset + 1) === LINE_FEED) offset++;
      this.#starts.push(offset + 1);
    }
    this.#ends.push(text.length);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The position of an offset. An offset inside a line break is the end of its line. */
  position(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    const end = this.#ends[low] ?? this.#length;
    return { line: low, character: Math.min(inside, end) - (this.#starts[low] ?? 0) };
  }

  /** The offset of a position. A character beyond its line is the line's end. */
  offset(position: Position): number {
    if (position.line < 0) return 0;
    const start = this.#starts[position.line];
    if (start === undefined) return this.#length;
    return Math.min(start + Math.max(0, position.character), this.#ends[position.line] ?? this.#length);
  }

  range(span: Span): Range {
    return { start: this.position(span.start), end: this.position(span.end) };
  }

  span(range: Range): Span {
    return { start: this.offset(range.start), end: this.offset(range.end) };
  }

  /** The span of a line without its line break, or undefined when the text has no such line. */
  line(line: number): Span | undefined {
    const start = this.#starts[line];
    const end = this.#ends[line];
    return start === undefined || end === undefined ? undefined : { start, end };
  }
}
