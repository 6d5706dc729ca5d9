import type { Config } from '../../../shared/src/config.ts';
import type { Contract, Finding, Unevaluated } from '../../../shared/src/model.ts';
import type { Unread } from '../baseline/changeFiles.ts';
import { SandboxEnded } from '../evaluation/process.ts';
import { assemble, type Checked, checkSubject } from './index.ts';
import { memoized } from './memo.ts';
import type { Probe, SourceText, Subject } from './rule.ts';

/** What the pipeline answers, as far as rules look at it. */
export interface CheckInput {
  readonly subjects: readonly Subject[];
  readonly unevaluated: readonly Unevaluated[];
  /** Contracts about which everything concluded before is void. */
  readonly fresh: ReadonlySet<string>;
  /** Contract changes that could not be read. */
  readonly unread?: readonly Unread[];
}

/** Tools that are known before all others are. */
export interface EarlyInput extends Pick<CheckInput, 'subjects' | 'fresh'> {
  /** The sandbox process that holds them. */
  readonly generation: number;
}

interface Early {
  readonly generation: number;
  readonly contracts: Map<string, Contract>;
  probe?: Probe;
}

export interface CheckerOptions {
  readonly probe: Probe;
  /** Does work for many tools, of which one may end the sandbox process: see Pipeline.survive. */
  readonly survive: (
    subjects: readonly Subject[],
    work: (subject: Subject) => Promise<void>,
    givenUp: (subject: Subject, reason: string) => void,
  ) => Promise<void>;
  readonly textOf: (file: string) => string | undefined;
  /** The sandbox process that answers now. */
  readonly generation: () => number;
  /** The configuration that holds for a file. */
  readonly configOf: (file: string) => Config;
  readonly onDefect: (rule: string, error: unknown) => void;
}

/** Runs the rules over tools that are new since the last check, and keeps what they said of the others. */
export class Checker {
  private readonly checked = new Map<string, Checked>();
  private readonly givenUp = new Map<string, Unevaluated>();
  private readonly source: SourceText;
  /** What was asked before everything was known. */
  private early: Early | undefined;

  constructor(private readonly options: CheckerOptions) {
    this.source = { text: ({ file, span }) => options.textOf(file)?.slice(span.start, span.end) };
  }

  /**
   * Checks tools while others are still being evaluated. What cannot be checked now, since the process that held the
   * tools has ended, is left to `check`.
   */
  async prepare({ subjects, fresh, generation }: EarlyInput): Promise<void> {
    for (const id of fresh) this.checked.delete(id);
    if (this.early?.generation !== generation) this.early = { generation, contracts: new Map() };
    const probe = this.earlyProbe(this.early, subjects);
    await Promise.all(
      subjects.map(async (subject) => {
        try {
          await this.checkOne(subject, probe);
        } catch (error) {
          if (!(error instanceof SandboxEnded)) throw error;
        }
      }),
    );
  }

  async check(input: CheckInput): Promise<Finding[]> {
    const { options } = this;
    const ids = new Set(input.subjects.map(({ contract }) => contract.id));
    for (const known of [this.checked, this.givenUp]) {
      for (const id of known.keys()) if (!ids.has(id) || input.fresh.has(id)) known.delete(id);
    }
    const open = input.subjects.filter(({ contract: { id } }) => !this.checked.has(id) && !this.givenUp.has(id));
    const probeOf = this.probes(open);
    await options.survive(
      open,
      (subject) => this.checkOne(subject, probeOf(subject)),
      (subject, reason) => this.givenUp.set(subject.contract.id, unchecked(subject, reason)),
    );
    this.early = undefined;
    return assemble({
      contracts: input.subjects.map(({ contract }) => contract),
      unevaluated: [...input.unevaluated, ...this.givenUp.values()],
      unread: input.unread ?? [],
      checked: [...this.checked.values()],
      source: this.source,
      configOf: options.configOf,
    });
  }

  /** @throws SandboxEnded: not a rule's defect, so the whole tool is tried anew, or given up */
  private async checkOne(subject: Subject, probe: Probe): Promise<void> {
    const { configOf, onDefect } = this.options;
    const config = configOf(subject.contract.candidate.file);
    const checked = await checkSubject(subject, probe, this.source, config, ({ rule, error }) => {
      if (error instanceof SandboxEnded) throw error;
      onDefect(rule, error);
    });
    this.checked.set(subject.contract.id, checked);
  }

  /** One for all parts of a first check: they share schema objects. */
  private earlyProbe(early: Early, subjects: readonly Subject[]): Probe {
    for (const { contract } of subjects) early.contracts.set(contract.id, contract);
    early.probe ??= memoized(this.options.probe, early.contracts);
    return early.probe;
  }

  /** Once a process has ended over a question, the answers of the others are asked for again. */
  private probes(subjects: readonly Subject[]): (subject: Subject) => Probe {
    const early = this.early?.generation === this.options.generation() ? this.early : undefined;
    const shared = this.earlyProbe(early ?? { generation: 0, contracts: new Map() }, subjects);
    const tried = new Set<Subject>();
    return (subject) => {
      if (tried.has(subject)) return this.options.probe;
      tried.add(subject);
      return shared;
    };
  }

  clear(): void {
    this.checked.clear();
    this.givenUp.clear();
    this.early = undefined;
  }
}

/** A tool whose calls end the process: what it advertises is known, what it does with a call is not. */
function unchecked({ contract }: Subject, reason: string): Unevaluated {
  const { candidate, name, files } = contract;
  const span = candidate.schema?.span ?? candidate.span;
  return {
    candidate,
    name,
    reason,
    whenCalled: true,
    at: { file: candidate.file, span },
    trail: [],
    files,
  };
}
