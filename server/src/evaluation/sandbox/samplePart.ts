import type { Json } from '../../../../shared/src/model.ts';

/** A value to try; undefined leaves it out. */
export interface Candidate {
  readonly value: Json | undefined;
  /** Steps from the value to where the path ends; absent when the value is not on the path. */
  readonly end?: readonly (string | number)[];
}

/** Where in the schema a value is being made. */
export interface At {
  readonly mode: 'min' | 'max';
  /** How many schemas of the path have been reached; -1 away from the path. */
  readonly path: number;
  readonly depth: number;
  /** For people, such as `stops[0].gate`. */
  readonly name: string;
}

/** Candidates, and when there was none the reason, as a sentence without its full stop; empty when there were some. */
export type Candidates = Generator<Candidate, string>;
/** Candidates that are yet to be parsed, and the reason when a part that must be there has none. */
export type Untried = Generator<Candidate, string | undefined>;

/** Alternatives of one part that its parent may ask for. */
export const ALTERNATIVES = 4;

/** The candidates of a part of a value, each made when it is first asked for. */
export class Part {
  private readonly made: Candidate[] = [];
  private end: string | undefined;

  constructor(private readonly candidates: Candidates) {}

  /** Why it has no candidates; undefined when it has some, or none was asked for. */
  get reason(): string | undefined {
    return this.made.length === 0 ? this.end : undefined;
  }

  /** The candidate of a number, or undefined when there are fewer. */
  get(index: number): Candidate | undefined {
    while (this.made.length <= index) {
      const next = this.candidates.next();
      if (next.done) {
        this.end ??= next.value;
        return undefined;
      }
      this.made.push(next.value);
    }
    return this.made[index];
  }

  *all(limit: number): Generator<Candidate> {
    for (let index = 0; index < limit; index++) {
      const candidate = this.get(index);
      if (!candidate) return;
      yield candidate;
    }
  }
}

/** A clause with the name of the part that it is about. */
export function named(at: At, clause: string): string {
  return at.name ? `${at.name}: ${clause}` : clause;
}

/** Why there is no value for a path that the schema does not have. */
export function offPath(at: At): string {
  return named(at, 'the path leads to a part that the schema does not have');
}
