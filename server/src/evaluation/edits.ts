/** A change of the source text: something before and after a span, or instead of it. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly open: string;
  readonly close: string;
  readonly replace: boolean;
}

interface Event {
  readonly position: number;
  /** Closings come before openings at one position. */
  readonly opening: boolean;
  readonly edit: Edit;
}

/** Numbers that a piece takes in `Output.pieces`. */
const PIECE = 3;

/** Generated text with, for each copied piece, where it came from: its generated offset, source offset and length. */
export class Output {
  text = '';
  readonly pieces: number[] = [];

  /** Appends text of our own. */
  put(text: string): void {
    this.text += text;
  }

  /** Appends text that stands at an offset of the source. */
  copy(text: string, sourceOffset: number): void {
    if (text === '') return;
    this.pieces.push(this.text.length, sourceOffset, text.length);
    this.text += text;
  }

  /** Appends what was written elsewhere. */
  append(other: Output): void {
    const { pieces } = other;
    for (let index = 0; index < pieces.length; index += PIECE) {
      this.pieces.push(this.text.length + (pieces[index] ?? 0), pieces[index + 1] ?? 0, pieces[index + 2] ?? 0);
    }
    this.text += other.text;
  }
}

/**
 * Source offset of a generated offset: in the piece it lies in, else the end of the piece before it.
 *
 * @param pieces as `Output.pieces`, ascending
 */
export function sourceOffset(pieces: readonly number[], generated: number): number {
  let low = 0;
  let high = pieces.length / PIECE;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle * PIECE] ?? 0) <= generated) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  const [start = 0, source = 0, length = 0] = pieces.slice((low - 1) * PIECE, low * PIECE);
  return source + Math.min(generated - start, length);
}

/** Collects wrappings of expressions and renders parts of a text with them. */
export class Edits {
  private readonly edits: Edit[] = [];
  private events: Event[] | undefined;

  /** Puts text before and after a span. Of two with one span, the one added first is the outer one. */
  wrap(start: number, end: number, open: string, close: string): void {
    this.edits.push({ start, end, open, close, replace: false });
  }

  /** Puts text in the place of a span. Edits within the span are dropped. */
  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, open: text, close: '', replace: true });
  }

  /**
   * Renders the part of a text between two offsets with the edits that lie wholly inside it.
   *
   * @param base the text; edits' offsets refer to it
   */
  render(base: string, start: number, end: number, output: Output): void {
    const events = this.sorted();
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.position ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    let position = start;
    for (let index = low; index < events.length; index++) {
      const event = events[index];
      if (!event || event.position > end) break;
      const { edit } = event;
      if (edit.start < start || edit.end > end || event.position < position) continue;
      output.copy(base.slice(position, event.position), position);
      position = event.position;
      if (edit.replace) {
        output.put(edit.open);
        position = edit.end;
      } else if (event.opening) {
        const before = output.text.at(-1) ?? '';
        output.put((/[\w$]/.test(before) ? ' ' : '') + edit.open);
      } else output.put(edit.close);
    }
    output.copy(base.slice(position, end), position);
  }

  private sorted(): Event[] {
    if (this.events) return this.events;
    const events: (Event & { order: number })[] = [];
    this.edits.forEach((edit, order) => {
      events.push({ position: edit.start, opening: true, edit, order });
      if (!edit.replace) events.push({ position: edit.end, opening: false, edit, order: -order });
    });
    events.sort((a, b) => a.position - b.position || Number(a.opening) - Number(b.opening) || a.order - b.order);
    this.events = events;
    return events;
  }
}
