import type { Span } from '../../../shared/src/model.ts';

/** An instrumented expression of a module: where it stands, and the name that it calls. */
export interface Site extends Span {
  /** Name of the called method or function (`object`, `strict`), `shape` for a read, empty when it has none. */
  readonly method: string;
}

/** The sites of one module; an index into it is the site's number in the generated code. */
export class SiteTable {
  readonly sites: Site[] = [];

  /** Adds a site and answers its number. */
  add(start: number, end: number, method: string): number {
    return this.sites.push({ start, end, method }) - 1;
  }
}
