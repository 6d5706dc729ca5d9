import { isInsidePackage } from './frames.ts';

/** Evaluation reached something that is not here yet. The attempt is given up, the thing is brought, and it starts anew. */
export class Need extends Error {
  constructor(
    /** `lowered`, `whole`: the module in that form, see `ModuleForm`. */
    readonly what: 'module' | 'external' | 'lowered' | 'whole',
    readonly id: string,
  ) {
    super(`needs ${what} ${id}`);
  }
}

/** Makes a Need without its stack, which takes longer than everything else about it. */
export function need(what: Need['what'], id: string): Need {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return new Need(what, id);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** A top-level await that a value depends on. */
export class Awaits extends Error {
  constructor(readonly site: number) {
    super('it depends on a value that is awaited at the top level of a module, which is not evaluated');
  }
}

/** A binding that an error came through. */
export interface TrailStep {
  readonly file: string;
  readonly position: number;
  readonly name: string;
}

/** What an evaluation read, directly and through the bindings that it used. */
export class Reads {
  readonly files = new Set<string>();
  readonly environment = new Set<string>();

  add(other: Reads): void {
    for (const file of other.files) this.files.add(file);
    for (const name of other.environment) this.environment.add(name);
  }
}

/** One attempt at evaluating one tool. */
export class Attempt {
  /** What it missed, also when the user's own try/catch swallowed the Need. */
  readonly needs: Need[] = [];
  /** From the failing binding outwards, by error: kept apart from errors, which may be frozen or no objects at all. */
  readonly trails = new Map<unknown, readonly TrailStep[]>();
  /** A statement that changes things was given up half-way: nothing that was evaluated can be trusted. */
  isTorn = false;
  /** Something was missed inside a package's code. Zod never opens a lazy field again that has thrown. */
  isPackageTorn = false;
  private readonly doubtful: (() => void)[] = [];
  private reads = new Reads();

  /** @param environmentReads answers the variables of `process.env` that were read since it was last called */
  constructor(private readonly environmentReads: () => readonly string[] = () => []) {
    environmentReads();
  }

  miss(missing: Need): Need {
    this.needs.push(missing);
    this.isPackageTorn ||= isInsidePackage();
    return missing;
  }

  /** A workspace file was read. */
  touch(file: string): void {
    this.reads.files.add(file);
  }

  /** Something that was evaluated before was used. */
  used(reads: Reads): void {
    this.reads.add(reads);
  }

  /** Runs something and tells what it read; whatever is around it read that too. */
  reading<T>(run: (reads: Reads) => T): T {
    const outer = this.everything();
    const inner = new Reads();
    this.reads = inner;
    try {
      return run(inner);
    } finally {
      outer.add(this.everything());
      this.reads = outer;
    }
  }

  /** What was read so far. */
  everything(): Reads {
    for (const name of this.environmentReads()) this.reads.environment.add(name);
    return this.reads;
  }

  /** A cell was finished. After something was missed its value may be wrong, so it can be reset. */
  finished(reset: () => void): void {
    if (this.needs.length > 0) this.doubtful.push(reset);
  }

  /** Resets what was finished in doubt. */
  giveUp(): void {
    for (const reset of this.doubtful) reset();
  }
}
