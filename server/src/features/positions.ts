import type { Span } from '../../../shared/src/model.ts';
import { LineMap, type Position, type Range } from '../files/lines.ts';

/**
 * Positions in the text that an editor shows, for spans of the text that the last check is about: the same text, or an
 * older one while the present one does not parse. What stands before and after the one stretch that differs moves with
 * its text.
 */
export class Positions {
  private readonly lines: LineMap;
  private readonly before: number;
  private readonly after: number;

  /**
   * @param checked the text that spans are of
   * @param shown the text that positions are in
   */
  constructor(
    private readonly checked: string,
    private readonly shown: string,
  ) {
    this.lines = new LineMap(shown);
    const shortest = Math.min(checked.length, shown.length);
    let before = 0;
    if (checked === shown) before = shortest;
    else {
      while (before < shortest && checked[before] === shown[before]) before++;
      // Lines come and go as a whole: else a line that begins like its neighbour would lose its beginning to it.
      before = checked.lastIndexOf('\n', before - 1) + 1;
    }
    let after = 0;
    while (after < shortest - before && checked.at(-1 - after) === shown.at(-1 - after)) after++;
    this.before = before;
    this.after = after;
  }

  range(span: Span): Range {
    const start = this.moved(span.start, this.checked, this.shown, 'what follows');
    const end = this.moved(span.end, this.checked, this.shown, 'what precedes');
    return this.lines.range({ start, end: Math.max(start, end) });
  }

  /** The offset in the checked text. */
  offset(position: Position): number {
    return this.moved(this.lines.offset(position), this.shown, this.checked, 'what follows');
  }

  /** @param keeps what an offset stays with when a text was put in right there */
  private moved(offset: number, from: string, to: string, keeps: 'what follows' | 'what precedes'): number {
    const isBefore = offset <= this.before;
    const isAfter = offset >= from.length - this.after;
    if (isAfter && !(isBefore && keeps === 'what precedes')) return offset + to.length - from.length;
    return isBefore ? offset : Math.min(offset, to.length - this.after);
  }
}
