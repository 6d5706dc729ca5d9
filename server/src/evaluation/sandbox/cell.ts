import { type Attempt, Need, type Reads, type TrailStep } from './needs.ts';

const UNSET = 0;
const RUNNING = 1;
const DONE = 2;
const FAILED = 3;

/** A top-level binding: its initialiser runs when it is first read, and its value or error is kept. */
export class LazyCell {
  private state: typeof UNSET | typeof RUNNING | typeof DONE | typeof FAILED = UNSET;
  /** The value, or what was thrown. */
  private value: unknown;
  private trail: readonly TrailStep[] = [];
  private reads: Reads | undefined;

  constructor(
    private readonly host: { readonly attempt: Attempt },
    private readonly step: TrailStep,
    private readonly initializer: () => unknown,
  ) {}

  /** @throws what the initialiser throws, each time the same; Need when something is not here yet */
  get(): unknown {
    const { attempt } = this.host;
    if (this.state === UNSET) return attempt.reading((reads) => this.run(attempt, reads));
    if (this.state === RUNNING) {
      throw new ReferenceError(`Cannot access '${this.step.name}' before initialization: its own value needs it`);
    }
    if (this.reads) attempt.used(this.reads);
    if (this.state === DONE) return this.value;
    attempt.trails.set(this.value, this.trail);
    throw this.value;
  }

  /** An assignment. */
  set(value: unknown): void {
    this.value = value;
    this.state = DONE;
  }

  private run(attempt: Attempt, reads: Reads): unknown {
    this.state = RUNNING;
    this.reads = reads;
    try {
      const value = this.initializer();
      // An assignment that the initialiser made itself is older than its result.
      this.set(value);
      attempt.finished(() => this.reset());
      return value;
    } catch (error) {
      if (error instanceof Need) {
        this.state = UNSET;
        throw error;
      }
      this.trail = [...(attempt.trails.get(error) ?? []), this.step];
      attempt.trails.set(error, this.trail);
      this.state = FAILED;
      this.value = error;
      attempt.finished(() => this.reset());
      throw error;
    }
  }

  private reset(): void {
    this.state = UNSET;
    this.value = undefined;
  }
}
