import type { Candidate, Contract, Offer, Unevaluated } from '../../../shared/src/model.ts';

/** What is known of a candidate after evaluating it. */
export interface Evaluated {
  readonly candidate: Candidate;
  /** Empty: it is no tool, or `unevaluated` says why it is not known. */
  readonly contracts: readonly Contract[];
  readonly unevaluated?: Unevaluated;
  /** Workspace files whose change makes it worth evaluating anew. */
  readonly files: readonly string[];
  /** The sandbox process that holds its schema objects. */
  readonly generation: number;
}

/** A tool with what its surfaces make of it. */
export interface Subject {
  readonly contract: Contract;
  readonly offers: readonly Offer[];
}

/** All candidates of a workspace, by file. */
export class EvaluatedSet {
  private readonly byFile = new Map<string, Evaluated[]>();

  /** Replaces what is known of a file's candidates. */
  set(file: string, evaluated: readonly Evaluated[]): void {
    if (evaluated.length === 0) this.byFile.delete(file);
    else this.byFile.set(file, [...evaluated]);
  }

  /** Replaces what is known of one candidate. */
  replace(evaluated: Evaluated): void {
    const { file, id } = evaluated.candidate;
    const known = this.byFile.get(file) ?? [];
    const index = known.findIndex((each) => each.candidate.id === id);
    if (index < 0) known.push(evaluated);
    else known[index] = evaluated;
    this.byFile.set(file, known);
  }

  of(file: string): readonly Evaluated[] {
    return this.byFile.get(file) ?? [];
  }

  files(): string[] {
    return [...this.byFile.keys()];
  }

  *all(): Generator<Evaluated> {
    for (const evaluated of this.byFile.values()) yield* evaluated;
  }

  clear(): void {
    this.byFile.clear();
  }
}
