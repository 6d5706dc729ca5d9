import type { Candidate, Contract, Offer, SurfaceId, Unevaluated } from '../../../shared/src/model.ts';
import { Modules } from '../evaluation/modules.ts';
import { SandboxEnded } from '../evaluation/process.ts';
import type { ExportRequest, Job } from '../evaluation/sandbox/messages.ts';
import type { EvaluatedJob, Sandbox } from '../evaluation/sandbox.ts';
import { toContract, toUnevaluated } from '../evaluation/toContract.ts';
import type { Packages } from '../files/packages.ts';
import { Resolver } from '../files/resolution.ts';
import { isOfferedAlike, isRegisteredAlike, sameContracts, withoutRegistrations } from './alike.ts';
import { withoutAltered } from './alteringSinks.ts';
import { type Evaluated, EvaluatedSet, type Subject } from './evaluated.ts';
import { type ExportValue, exportValues } from './exports.ts';
import { isRegistration, joinRegistrations } from './join.ts';
import { Offering, type OfferingHost } from './offering.ts';
import { type Prepared, prepare, type SandboxOptions, warmUp } from './prepared.ts';
import { type Probes, probesOf } from './probes.ts';
import { nameByRecords } from './recordNames.ts';
import { scan } from './scan.ts';

export interface PipelineOptions extends SandboxOptions {
  /** Packages and a sandbox that are at work already; made here when there are none. */
  readonly prepared?: Prepared;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly schemaKeysOf: (file: string) => readonly string[];
  readonly surfacesOf: (file: string) => 'auto' | readonly SurfaceId[];
  /** Which of the selected files are searched for tools; all when it is absent. */
  readonly wants?: (file: string) => boolean;
  readonly log: (line: string) => void;
}

/** What a tree of files offers now, and what is new since the last answer. */
export interface PipelineResult {
  readonly subjects: readonly Subject[];
  /** Of tools that choose between schemas, the ones that are not chosen here: see `Contract.unchosen`. */
  readonly unchosen: readonly Subject[];
  readonly unevaluated: readonly Unevaluated[];
  /** Ids of the contracts that were evaluated or joined anew: what was concluded from the old ones is void. */
  readonly fresh: ReadonlySet<string>;
  /** Files whose text has moved on and does not parse: their results are of an older text. */
  readonly stale: ReadonlySet<string>;
  /** Sentences for people about the workspace. */
  readonly notes: readonly string[];
}

/** Tools that are known while others are still being evaluated. */
export interface EarlyTools extends Pick<PipelineResult, 'subjects' | 'fresh'> {
  /** The sandbox process that holds their schema objects. */
  readonly generation: number;
}

/** Looks at tools as soon as they are known. Whatever it cannot do is done when everything is known. */
export type EarlyCheck = (tools: EarlyTools) => Promise<void>;

/** What a change of files touches. */
interface Affected {
  readonly open: readonly Candidate[];
  /** What is known of those among them whose own text is the same. */
  readonly held: ReadonlyMap<string, Evaluated>;
}

const NO_OFFERS: readonly Offer[] = [];

interface Joined extends Pick<PipelineResult, 'fresh' | 'stale'> {
  readonly all: readonly Evaluated[];
  readonly contracts: readonly Contract[];
}

/** The incremental whole over one tree of files: what changed, what must run again, what is stale. */
export class Pipeline {
  readonly packages: Packages;
  readonly probes: Probes;
  private readonly resolver: Resolver;
  private readonly modules: Modules;
  private readonly sandbox: Sandbox;
  private readonly evaluated = new EvaluatedSet();
  private readonly offering: Offering;
  /** Joined contracts of the last answer, to see which ones a change elsewhere has joined anew. */
  private joined = new Map<string, Contract>();
  private readonly subjects = new WeakMap<Contract, Subject>();
  private scanned = false;

  constructor(private readonly options: PipelineOptions) {
    const { packages, sandbox } = options.prepared ?? prepare(options);
    this.packages = packages;
    this.sandbox = sandbox;
    this.resolver = new Resolver(options.tree, this.packages);
    this.modules = new Modules(options.tree, this.resolver, options.schemaKeysOf);
    sandbox.supplier = this.modules;
    this.probes = probesOf(this.sandbox);
    this.offering = new Offering(this.offeringHost());
  }

  /** Which of its sandbox processes answers now: schema objects of another one are gone. */
  get generation(): number {
    return this.sandbox.generation;
  }

  /** Process id of the sandbox, for measurements. */
  get sandboxPid(): number | undefined {
    return this.sandbox.pid;
  }

  /** The module text that the present results of a file are about. */
  analysedText(file: string): string | undefined {
    return this.modules.known(file)?.text;
  }

  /** A module as the sandbox runs it, when it was evaluated. */
  codeOf(file: string): ReturnType<Modules['codeOf']> {
    return this.modules.codeOf(file);
  }

  /** Whether the present results of a file are about an older text, because the present one does not parse. */
  isStale(file: string): boolean {
    return this.modules.known(file)?.stale ?? false;
  }

  /** What a file offers as its syntax has it, at the text that the present results are about. */
  candidatesIn(file: string): readonly Candidate[] {
    return this.modules.known(file)?.candidates ?? [];
  }

  /**
   * Takes over changed files and evaluates what they touch; the first time, everything.
   *
   * @param changed files whose text may have changed, came or went
   * @param progress called with the number of candidates that are done, of how many
   * @param early called the first time with tools that are known before the others are, a part at a time
   */
  async update(
    changed: readonly string[],
    progress: (done: number, total: number) => void = () => {},
    early?: EarlyCheck,
  ): Promise<PipelineResult> {
    const affected = this.scanned ? this.affectedBy(changed) : undefined;
    const evaluated = affected
      ? await this.evaluate(affected.open, progress, affected.held)
      : await this.evaluateEverything(progress, early);
    this.scanned = true;
    return this.answer(evaluated);
  }

  /** Evaluates exports of the tree's modules to data. */
  exportValues(requests: readonly ExportRequest[]): Promise<ExportValue[]> {
    return exportValues(requests, this.sandbox, this.modules);
  }

  /** Forgets everything that depends on packages and resolution; the next update evaluates everything anew. */
  reset(): void {
    this.packages.clear();
    this.resolver.clear();
    this.modules.clear();
    this.evaluated.clear();
    this.offering.clear();
    this.joined.clear();
    this.scanned = false;
    this.sandbox.restart();
  }

  dispose(): void {
    this.sandbox.dispose();
  }

  /**
   * Does work that asks the sandbox questions, for many tools at once. When the process ends over it, each tool that is
   * not done is tried alone; the one that ends it again is given up.
   *
   * @param givenUp called with a tool that ended the process, and the reason
   */
  async survive(
    subjects: readonly Subject[],
    work: (subject: Subject) => Promise<void>,
    givenUp: (subject: Subject, reason: string) => void,
  ): Promise<void> {
    await this.offering.revive(subjects.map(({ contract }) => contract));
    const done = new Set<Subject>();
    const run = async (subject: Subject) => {
      await work(subject);
      done.add(subject);
    };
    const settled = await Promise.allSettled(subjects.map(run));
    const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    if (errors.length === 0) return;
    const defect = errors.find((error) => !(error instanceof SandboxEnded));
    if (defect) throw defect;
    for (const subject of subjects) {
      if (done.has(subject)) continue;
      try {
        await this.offering.revive([subject.contract]);
        await run(subject);
      } catch (error) {
        if (!(error instanceof SandboxEnded)) throw error;
        givenUp(subject, error.message);
      }
    }
  }

  /** Finds and evaluates all candidates; answers the ids of the contracts that `early` was not told of. */
  private async evaluateEverything(
    progress: (done: number, total: number) => void,
    early: EarlyCheck | undefined,
  ): Promise<ReadonlySet<string>> {
    const { tree, include, exclude, wants, surfacesOf } = this.options;
    warmUp({ packages: this.packages, sandbox: this.sandbox }, surfacesOf);
    const checks: Promise<void>[] = [];
    const files = tree.list(include, exclude).filter((file) => wants?.(file) !== false);
    const left = await scan(files, {
      candidatesOf: (file) => this.modules.offering(file)?.candidates ?? [],
      evaluate: (candidates) => this.evaluate(candidates, () => {}),
      settle: async (ids) => {
        const result = early && (await this.answerEarly(ids));
        if (result) checks.push(early(result));
      },
      progress,
    });
    await Promise.all(checks);
    return left;
  }

  /** Candidates that a change of files touches; undefined: all. Candidates that are gone are forgotten. */
  private affectedBy(files: readonly string[]): Affected | undefined {
    const { changed, affected, restart } = this.modules.update(files);
    if (restart) {
      this.sandbox.restart();
      this.evaluated.clear();
      this.offering.clear();
      return undefined;
    }
    this.sandbox.invalidate(changed, affected);
    const changedFiles = new Set(changed);
    const touched = new Set([...changed, ...affected]);
    const open: Candidate[] = [];
    const held = new Map<string, Evaluated>();
    let selected: ReadonlySet<string> | undefined;
    const isSelected = (file: string): boolean => {
      // An answer for a file that offered tools before needs no walk over the disk.
      if (this.evaluated.of(file).length > 0) return true;
      selected ??= new Set(this.options.tree.list(this.options.include, this.options.exclude));
      return selected.has(file);
    };
    for (const file of new Set([...files, ...this.evaluated.files()])) {
      const isNew = this.evaluated.of(file).length === 0;
      if (!isNew && !changedFiles.has(file)) {
        for (const evaluated of this.evaluated.of(file)) {
          // Of a file that imports what changed, every tool: functions remember what another tool made them read.
          if (!touched.has(file) && !evaluated.files.some((one) => touched.has(one))) continue;
          open.push(evaluated.candidate);
          held.set(evaluated.candidate.id, evaluated);
        }
        continue;
      }
      const module = this.modules.offering(file);
      const candidates = module && isSelected(file) ? module.candidates : [];
      this.release(this.evaluated.of(file).flatMap((each) => each.contracts));
      this.evaluated.set(file, []);
      open.push(...candidates);
    }
    return { open, held };
  }

  private release(contracts: readonly Contract[]): void {
    const ids = contracts.map((contract) => contract.id);
    for (const id of ids) this.offering.forget(id);
    this.sandbox.release(ids);
  }

  /**
   * Evaluates candidates.
   *
   * @param held what is known of those whose own text is the same
   * @returns the ids of the contracts that are not what they were
   */
  private async evaluate(
    candidates: readonly Candidate[],
    progress: (done: number, total: number) => void,
    held: ReadonlyMap<string, Evaluated> = new Map(),
  ): Promise<Set<string>> {
    const jobs: Job[] = [];
    for (const candidate of candidates) {
      const known = this.knownWithoutRunning(candidate);
      if (known) this.takeOver(known, held.get(candidate.id));
      else {
        const { id, file } = candidate;
        jobs.push({ candidate: id, file, index: indexOf(candidate), ...(held.has(id) && { isHeld: true as const }) });
      }
    }
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    const results = await this.sandbox.evaluate(jobs, (done) => progress(done, jobs.length));
    const contracts: Contract[] = [];
    for (const result of results) {
      const candidate = byId.get(result.candidate);
      if (!candidate) continue;
      const before = held.get(candidate.id);
      const evaluated = this.toEvaluated(candidate, result, before);
      this.takeOver(evaluated, before);
      const same = sameContracts(evaluated, before, result);
      contracts.push(...evaluated.contracts.filter(({ id }) => !same.has(id)));
    }
    for (const contract of contracts) this.offering.forget(contract.id);
    return new Set(contracts.map((contract) => contract.id));
  }

  /** Contracts that a candidate does not make any more are released. */
  private takeOver(evaluated: Evaluated, before: Evaluated | undefined): void {
    this.evaluated.replace(evaluated);
    if (!before) return;
    const now = new Set(evaluated.contracts.map(({ id }) => id));
    this.release(before.contracts.filter(({ id }) => !now.has(id)));
  }

  private knownWithoutRunning(candidate: Candidate): Evaluated | undefined {
    if (candidate.names) {
      return { candidate, contracts: [], files: [candidate.file], generation: this.sandbox.generation };
    }
    const { syntaxError } = this.modules.known(candidate.file) ?? {};
    const refusal = syntaxError
      ? { reason: syntaxError.message, at: syntaxError.span }
      : candidate.unevaluable && { reason: candidate.unevaluable.reason, at: candidate.unevaluable.at };
    if (!refusal) return undefined;
    const files = [candidate.file];
    const at = { file: candidate.file, span: refusal.at };
    const unevaluated: Unevaluated = {
      candidate,
      name: candidate.name?.text ?? null,
      reason: refusal.reason,
      at,
      trail: [],
      files,
    };
    return { candidate, contracts: [], unevaluated, files, generation: this.sandbox.generation };
  }

  private toEvaluated(candidate: Candidate, result: EvaluatedJob, before?: Evaluated): Evaluated {
    const { files } = result;
    const { generation } = this.sandbox;
    if ('failure' in result) {
      const unevaluated = toUnevaluated(candidate, result.failure, files, this.modules);
      return { candidate, contracts: [], unevaluated, files, generation };
    }
    const old = new Map(before?.contracts.map((contract) => [contract.id, contract]));
    const contracts = result.contracts.flatMap(
      (wire) => toContract(candidate, wire, result, this.modules, old.get(wire.id)) ?? [],
    );
    const unevaluated = result.partly && toUnevaluated(candidate, result.partly, files, this.modules);
    return { candidate, contracts, ...(unevaluated && { unevaluated }), files, generation };
  }

  private isLost({ id, file }: Candidate): boolean {
    const evaluated = this.evaluated.of(file).find(({ candidate }) => candidate.id === id);
    return evaluated !== undefined && !this.sandbox.holds(evaluated.generation);
  }

  private offeringHost(): OfferingHost {
    return {
      sandbox: this.sandbox,
      packages: this.packages,
      surfacesOf: this.options.surfacesOf,
      isLost: (candidate) => this.isLost(candidate),
      bringBack: async (candidates) => {
        const ids = await this.evaluate(candidates, () => {});
        return [...ids].flatMap((id) => this.joined.get(id) ?? []);
      },
      reevaluate: (candidate) => this.reevaluate(candidate),
    };
  }

  private async reevaluate(candidate: Candidate): Promise<void> {
    const results = await this.sandbox.evaluate([
      { candidate: candidate.id, file: candidate.file, index: indexOf(candidate) },
    ]);
    const [result] = results;
    if (result) this.evaluated.replace(this.toEvaluated(candidate, result));
  }

  /** What is known of all contracts now, joined. */
  private join(evaluated: ReadonlySet<string>): Joined {
    const all = [...this.evaluated.all()];
    const stale = new Set(this.evaluated.files().filter((file) => this.modules.known(file)?.stale));
    const rows = all.flatMap((each) => each.contracts);
    // What is not chosen is not what another file registers, and registers nothing.
    const joined = [
      ...joinRegistrations(rows.filter(({ unchosen }) => !unchosen)),
      ...rows.filter(({ unchosen }) => unchosen),
    ];
    const named = nameByRecords(joined, candidatesOf(all), (specifier, fromFile) => {
      const resolved = this.resolver.resolve(specifier, fromFile);
      return 'file' in resolved ? resolved.file : undefined;
    });
    const contracts = named.map((contract) =>
      stale.has(contract.candidate.file) ? { ...contract, stale: true } : contract,
    );
    const fresh = new Set<string>();
    for (const contract of contracts) {
      const before = this.joined.get(contract.id);
      const isChanged = before === undefined || !isRegisteredAlike(before, contract);
      if (isChanged || evaluated.has(contract.id)) fresh.add(contract.id);
      // A surface's words hold the tool's name.
      if (before && !isOfferedAlike(before, contract)) this.offering.forget(contract.id);
    }
    this.joined = new Map(contracts.map((contract) => [contract.id, contract]));
    return { all, contracts, fresh, stale };
  }

  private async answer(evaluated: ReadonlySet<string>): Promise<PipelineResult> {
    const { all, contracts: joined, fresh, stale } = this.join(evaluated);
    const failed = all.flatMap((each) => each.unevaluated ?? []);
    const { contracts, unevaluated } = withoutAltered(joined, failed, this.packages);
    await this.offering.offer(contracts.filter(({ id }) => this.offering.of(id) === undefined));
    return {
      subjects: contracts.filter(({ unchosen }) => !unchosen).map((contract) => this.subjectOf(contract)),
      unchosen: contracts.filter(({ unchosen }) => unchosen).map((contract) => this.subjectOf(contract)),
      unevaluated: withoutRegistrations(unevaluated.filter(({ candidate }) => candidate.certain)),
      fresh,
      stale,
      notes: [
        ...new Set([
          ...this.packages.problems(),
          ...this.modules.problems(),
          ...this.resolver.problems(),
          ...this.offering.notes(),
        ]),
      ],
    };
  }

  /**
   * Tools of which more files will not change what they are. When the process ends meanwhile, all of that is left for
   * later: others are being evaluated in it.
   */
  private async answerEarly(evaluated: ReadonlySet<string>): Promise<EarlyTools | undefined> {
    const { contracts, fresh } = this.join(evaluated);
    const open = contracts.filter((contract) => isSettled(contract) && this.offering.of(contract.id) === undefined);
    try {
      await this.offering.offerHastily(open);
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error;
      return undefined;
    }
    return { subjects: open.map((contract) => this.subjectOf(contract)), fresh, generation: this.sandbox.generation };
  }

  /** The same tool with the same offers is the same object: an edit asks for all of them, and few are others. */
  private subjectOf(contract: Contract): Subject {
    const offers = this.offering.of(contract.id) ?? NO_OFFERS;
    const before = this.subjects.get(contract);
    if (before?.offers === offers) return before;
    const subject = { contract, offers };
    this.subjects.set(contract, subject);
    return subject;
  }
}

/** A definition may yet be registered by a file that comes later; what registers, or claims an SDK, stands. */
function isSettled(contract: Contract): boolean {
  return isRegistration(contract) || contract.candidate.claim !== undefined;
}

function indexOf(candidate: Candidate): number {
  return Number(candidate.id.slice(candidate.id.lastIndexOf('#') + 1));
}

function* candidatesOf(all: readonly Evaluated[]): Generator<Candidate> {
  for (const { candidate } of all) yield candidate;
}
