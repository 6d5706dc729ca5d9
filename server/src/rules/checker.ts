import type { Config } from '../../../shared/src/config.ts';
import type { Finding, Unevaluated } from '../../../shared/src/model.ts';
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

export interface CheckerOptions {
  readonly probe: Probe;
  /** Does work for many tools, of which one may end the sandbox process: see Pipeline.survive. */
  readonly survive: (
    subjects: readonly Subject[],
    work: (subject: Subject) => Promise<void>,
    givenUp: (subject: Subject, reason: string) => void,
  ) => Promise<void>;
  readonly textOf: (file: string) => string | undefined;
  /** The configuration that holds for a file. */
  readonly configOf: (file: string) => Config;
  readonly onDefect: (rule: string, error: unknown) => void;
}

/** Runs the rules over tools that are new since the last check, and keeps what they said of the others. */
export class Checker {
  private readonly checked = new Map<string, Checked>();
  private readonly givenUp = new Map<string, Unevaluated>();
  private readonly source: SourceText;

  constructor(private readonly options: CheckerOptions) {
    this.source = { text: ({ file, span }) => options.textOf(file)?.slice(span.start, span.end) };
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
      async (subject) => {
        const checked = await checkSubject(
          subject,
          probeOf(subject),
          this.source,
          options.configOf(subject.contract.candidate.file),
          ({ rule, error }) => {
            // Not the rule's defect: the whole tool is tried anew, or given up.
            if (error instanceof SandboxEnded) throw error;
            options.onDefect(rule, error);
          },
        );
        this.checked.set(subject.contract.id, checked);
      },
      (subject, reason) => this.givenUp.set(subject.contract.id, unchecked(subject, reason)),
    );
    return assemble({
      contracts: input.subjects.map(({ contract }) => contract),
      unevaluated: [...input.unevaluated, ...this.givenUp.values()],
      unread: input.unread ?? [],
      checked: [...this.checked.values()],
      source: this.source,
      configOf: options.configOf,
    });
  }

  /** Once a process has ended over a question, the answers of the others are asked for again. */
  private probes(subjects: readonly Subject[]): (subject: Subject) => Probe {
    const contracts = new Map(subjects.map(({ contract }) => [contract.id, contract]));
    const shared = memoized(this.options.probe, contracts);
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
  }
}

/** A tool whose calls end the process: what it advertises is known, what it does with a call is not. */
function unchecked({ contract }: Subject, reason: string): Unevaluated {
  const { candidate, name, files } = contract;
  const span = candidate.schema?.span ?? candidate.span;
  return {
    candidate,
    name,
    reason: `checking calls failed: ${reason}`,
    at: { file: candidate.file, span },
    trail: [],
    files,
  };
}
