/** Evaluation reached something that is not here yet. The attempt is given up, the thing is brought, and it starts anew. */
export class Need extends Error {
  constructor(
    readonly what: 'module' | 'external',
    readonly id: string,
  ) {
    super(`needs ${what} ${id}`);
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

/** One attempt at evaluating one tool. */
export class Attempt {
  /** What it missed, also when the user's own try/catch swallowed the Need. */
  readonly needs: Need[] = [];
  /** Workspace files that it read. */
  readonly files = new Set<string>();
  /** From the failing binding outwards, by error: kept apart from errors, which may be frozen or no objects at all. */
  readonly trails = new Map<unknown, readonly TrailStep[]>();
  private readonly doubtful: (() => void)[] = [];

  miss(need: Need): Need {
    this.needs.push(need);
    return need;
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
