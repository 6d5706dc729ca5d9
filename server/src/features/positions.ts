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
    else while (before < shortest && checked[before] === shown[before]) before++;
    let after = 0;
    while (after < shortest - before && checked.at(-1 - after) === shown.at(-1 - after)) after++;
    this.before = before;
    this.after = after;
  }

  range(span: Span): Range {
    const start = this.moved(span.start, this.checked, this.shown);
    const end = this.moved(span.end, this.checked, this.shown);
    return this.lines.range({ start, end: Math.max(start, end) });
  }

  /** The offset in the checked text. */
  offset(position: Position): number {
    return this.moved(this.lines.offset(position), this.shown, this.checked);
  }

  private moved(offset: number, from: string, to: string): number {
    if (offset <= this.before) return offset;
    if (offset >= from.length - this.after) return offset + to.length - from.length;
    return Math.min(offset, to.length - this.after);
  }
}
