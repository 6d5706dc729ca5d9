import type { Candidate, Contract, Offer, SurfaceId, Unevaluated } from '../../../shared/src/model.ts';
import { Modules } from '../evaluation/modules.ts';
import { SandboxEnded } from '../evaluation/process.ts';
import type { ExportRequest, Job, JobResult } from '../evaluation/sandbox/messages.ts';
import type { Sandbox } from '../evaluation/sandbox.ts';
import { toContract, toUnevaluated } from '../evaluation/toContract.ts';
import type { Packages } from '../files/packages.ts';
import { Resolver } from '../files/resolution.ts';
import { type Evaluated, EvaluatedSet, type Subject } from './evaluated.ts';
import { type ExportValue, exportValues } from './exports.ts';
import { joinRegistrations } from './join.ts';
import { type OfferGroup, offerGroups, toOffers } from './offers.ts';
import { type Prepared, prepare, type SandboxOptions, warmUp } from './prepared.ts';
import { type Probes, probesOf } from './probes.ts';
import { nameByRecords } from './recordNames.ts';

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
  readonly unevaluated: readonly Unevaluated[];
  /** Ids of the contracts that were evaluated or joined anew: what was concluded from the old ones is void. */
  readonly fresh: ReadonlySet<string>;
  /** Files whose text has moved on and does not parse: their results are of an older text. */
  readonly stale: ReadonlySet<string>;
  /** Sentences for people about the workspace. */
  readonly notes: readonly string[];
}

/** Candidates that are evaluated while the next files are compiled. */
const BATCH = 50;

/** The incremental whole over one tree of files: what changed, what must run again, what is stale. */
export class Pipeline {
  readonly packages: Packages;
  readonly probes: Probes;
  private readonly resolver: Resolver;
  private readonly modules: Modules;
  private readonly sandbox: Sandbox;
  private readonly evaluated = new EvaluatedSet();
  private readonly offers = new Map<string, readonly Offer[]>();
  /** Joined contracts of the last answer, to see which ones a change elsewhere has joined anew. */
  private joined = new Map<string, Contract>();
  private readonly surfaceNotes = new Map<string, string>();
  private scanned = false;

  constructor(private readonly options: PipelineOptions) {
    const { packages, sandbox } = options.prepared ?? prepare(options);
    this.packages = packages;
    this.sandbox = sandbox;
    this.resolver = new Resolver(options.tree, this.packages);
    this.modules = new Modules(options.tree, this.resolver, options.schemaKeysOf);
    sandbox.supply = (files, lowered) => this.modules.supply(files, lowered);
    sandbox.supplyAhead = (files, given) => this.modules.supplyAhead(files, given);
    this.probes = probesOf(this.sandbox);
  }

  /** Process id of the sandbox, for measurements. */
  get sandboxPid(): number | undefined {
    return this.sandbox.pid;
  }

  /** The module text that the present results of a file are about. */
  analysedText(file: string): string | undefined {
    return this.modules.known(file)?.text;
  }

  /**
   * Takes over changed files and evaluates what they touch; the first time, everything.
   *
   * @param changed files whose text may have changed, came or went
   * @param progress called with the number of candidates that are done, of how many
   */
  async update(
    changed: readonly string[],
    progress: (done: number, total: number) => void = () => {},
  ): Promise<PipelineResult> {
    const affected = this.scanned ? await this.affectedBy(changed) : undefined;
    const evaluated = affected ? await this.evaluate(affected, progress) : await this.evaluateEverything(progress);
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
    this.offers.clear();
    this.joined.clear();
    this.surfaceNotes.clear();
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
    await this.revive(subjects);
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
        await this.revive([subject]);
        await run(subject);
      } catch (error) {
        if (!(error instanceof SandboxEnded)) throw error;
        givenUp(subject, error.message);
      }
    }
  }

  /**
   * Finds and evaluates all candidates: while the sandbox evaluates the candidates of some files, the next files are
   * read and compiled.
   */
  private async evaluateEverything(progress: (done: number, total: number) => void): Promise<Set<string>> {
    const { tree, include, exclude } = this.options;
    warmUp({ packages: this.packages, sandbox: this.sandbox }, this.options.surfacesOf);
    const evaluated = new Set<string>();
    let total = 0;
    let done = 0;
    let batch: Candidate[] = [];
    /** Two batches are on their way, so that the sandbox has the next one when it is done with one. */
    const lanes: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
    const flush = () => {
      const candidates = batch;
      batch = [];
      total += candidates.length;
      const [first, second] = lanes;
      const next = first.then(async () => {
        for (const id of await this.evaluate(candidates, () => {})) evaluated.add(id);
        done += candidates.length;
        progress(done, total);
      });
      // A failure is thrown where the whole is awaited.
      next.catch(() => {});
      lanes[0] = second;
      lanes[1] = next;
    };
    for (const file of tree.list(include, exclude)) {
      if (this.options.wants?.(file) === false) continue;
      const candidates = this.modules.offering(file)?.candidates ?? [];
      if (candidates.length === 0) continue;
      batch.push(...candidates);
      if (batch.length >= BATCH) flush();
      // After each file, since the sandbox may be waiting for a module that is asked for in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    flush();
    await Promise.all(lanes);
    return evaluated;
  }

  /** Candidates that a change of files touches; undefined: all. Candidates that are gone are forgotten. */
  private async affectedBy(files: readonly string[]): Promise<Candidate[] | undefined> {
    const { changed, affected, restart } = this.modules.update(files);
    if (restart) {
      this.sandbox.restart();
      this.evaluated.clear();
      this.offers.clear();
      return undefined;
    }
    await this.sandbox.invalidate(changed, affected);
    const touched = new Set([...changed, ...affected]);
    const open: Candidate[] = [];
    let selected: ReadonlySet<string> | undefined;
    const isSelected = (file: string): boolean => {
      // An answer for a file that offered tools before needs no walk over the disk.
      if (this.evaluated.of(file).length > 0) return true;
      selected ??= new Set(this.options.tree.list(this.options.include, this.options.exclude));
      return selected.has(file);
    };
    for (const file of new Set([...files, ...this.evaluated.files()])) {
      const isNew = this.evaluated.of(file).length === 0;
      if (!touched.has(file) && !isNew) {
        for (const each of this.evaluated.of(file))
          if (each.files.some((read) => touched.has(read))) open.push(each.candidate);
        continue;
      }
      const module = this.modules.offering(file);
      const candidates = module && isSelected(file) ? module.candidates : [];
      await this.release(this.evaluated.of(file).flatMap((each) => each.contracts));
      this.evaluated.set(file, []);
      open.push(...candidates);
    }
    return open;
  }

  private async release(contracts: readonly Contract[]): Promise<void> {
    const ids = contracts.map((contract) => contract.id);
    for (const id of ids) this.offers.delete(id);
    await this.sandbox.release(ids);
  }

  /** Evaluates candidates; answers the ids of the new contracts. */
  private async evaluate(
    candidates: readonly Candidate[],
    progress: (done: number, total: number) => void,
  ): Promise<Set<string>> {
    const jobs: Job[] = [];
    for (const candidate of candidates) {
      const known = this.knownWithoutRunning(candidate);
      if (known) this.evaluated.replace(known);
      else jobs.push({ candidate: candidate.id, file: candidate.file, index: indexOf(candidate) });
    }
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    const results = await this.sandbox.evaluate(jobs, (done) => progress(done, jobs.length));
    const contracts: Contract[] = [];
    for (const result of results) {
      const candidate = byId.get(result.candidate);
      if (!candidate) continue;
      const evaluated = this.toEvaluated(candidate, result);
      this.evaluated.replace(evaluated);
      contracts.push(...evaluated.contracts);
    }
    for (const contract of contracts) this.offers.delete(contract.id);
    return new Set(contracts.map((contract) => contract.id));
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

  private toEvaluated(candidate: Candidate, result: JobResult): Evaluated {
    const { files } = result;
    const { generation } = this.sandbox;
    if ('failure' in result) {
      const unevaluated = toUnevaluated(candidate, result.failure, files, this.modules);
      return { candidate, contracts: [], unevaluated, files, generation };
    }
    const contracts = result.contracts.flatMap((wire) => toContract(candidate, wire, result, this.modules) ?? []);
    const unevaluated = result.partly && toUnevaluated(candidate, result.partly, files, this.modules);
    return { candidate, contracts, ...(unevaluated && { unevaluated }), files, generation };
  }

  /** Asks the surfaces of tools that have not been offered yet. */
  private async offerAll(contracts: readonly Contract[]): Promise<void> {
    const present = await this.broughtBack(contracts);
    for (const group of offerGroups(present, this.packages, this.options.surfacesOf)) await this.offerGroup(group);
  }

  /**
   * Brings schema objects back into the present process, as far as they are not in it.
   *
   * @returns the contracts, with others that were evaluated anew beside them, whose offers are gone too
   */
  private async broughtBack(contracts: readonly Contract[]): Promise<Contract[]> {
    const present = new Map(contracts.map((contract) => [contract.id, contract]));
    const lost = new Map<string, Candidate>();
    for (const { candidate } of contracts) if (this.isLost(candidate)) lost.set(candidate.id, candidate);
    if (lost.size > 0) {
      for (const id of await this.evaluate([...lost.values()], () => {})) {
        const contract = this.joined.get(id);
        if (contract) present.set(id, contract);
      }
    }
    return [...present.values()];
  }

  private isLost({ id, file }: Candidate): boolean {
    const evaluated = this.evaluated.of(file).find(({ candidate }) => candidate.id === id);
    return evaluated !== undefined && !this.sandbox.holds(evaluated.generation);
  }

  private async offerGroup(group: OfferGroup): Promise<void> {
    const tools = group.contracts.map((contract) => ({ contract: contract.id, name: contract.name ?? 'tool' }));
    try {
      const answer = await this.sandbox.request('offer', { surface: group.surface, from: group.from, tools });
      const { offers, note } = toOffers(group, answer);
      if (note !== undefined) this.surfaceNotes.set(`${group.surface} ${group.folder}`, note);
      for (const offer of offers) this.offers.set(offer.contract, [...(this.offers.get(offer.contract) ?? []), offer]);
      if (!answer.installed && group.surface !== 'contract') await this.standIn(group);
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error;
      await this.offerOneByOne(group, error);
    }
  }

  /** Lets the schema's own zod stand in for an SDK that cannot be driven; once, however many there are. */
  private async standIn(group: OfferGroup): Promise<void> {
    const contracts = group.contracts.filter(
      ({ id }) => !this.offers.get(id)?.some(({ surface }) => surface.id === 'contract'),
    );
    if (contracts.length > 0) await this.offerGroup({ ...group, surface: 'contract', contracts });
  }

  /** A tool whose listing ends the process must not take the others' offers with it. */
  private async offerOneByOne(group: OfferGroup, error: SandboxEnded): Promise<void> {
    const [only] = group.contracts;
    if (only && group.contracts.length === 1) {
      const offer: Offer = {
        surface: { id: group.surface },
        contract: only.id,
        advertised: null,
        outputSchema: null,
        listError: `Listing the tool failed: ${error.message}.`,
      };
      this.offers.set(only.id, [...(this.offers.get(only.id) ?? []), offer]);
      return;
    }
    for (const contract of group.contracts) {
      await this.reevaluate(contract.candidate);
      // What other surfaces made of it is gone with the process.
      this.offers.delete(contract.id);
      for (const alone of offerGroups([contract], this.packages, this.options.surfacesOf)) await this.offerGroup(alone);
    }
  }

  /** Brings tools whose schema objects are in a process that is gone back, with their offers. */
  private async revive(subjects: readonly Subject[]): Promise<void> {
    await this.offerAll(subjects.map(({ contract }) => contract).filter(({ candidate }) => this.isLost(candidate)));
  }

  private async reevaluate(candidate: Candidate): Promise<void> {
    const results = await this.sandbox.evaluate([
      { candidate: candidate.id, file: candidate.file, index: indexOf(candidate) },
    ]);
    const [result] = results;
    if (result) this.evaluated.replace(this.toEvaluated(candidate, result));
  }

  private async answer(evaluated: ReadonlySet<string>): Promise<PipelineResult> {
    const all = [...this.evaluated.all()];
    const stale = new Set(this.evaluated.files().filter((file) => this.modules.known(file)?.stale));
    const joined = joinRegistrations(all.flatMap((each) => each.contracts));
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
      if (before && !isOfferedAlike(before, contract)) this.offers.delete(contract.id);
    }
    this.joined = new Map(contracts.map((contract) => [contract.id, contract]));
    await this.offerAll(contracts.filter((contract) => !this.offers.has(contract.id)));
    return {
      subjects: contracts.map((contract) => ({ contract, offers: this.offers.get(contract.id) ?? [] })),
      unevaluated: withoutRegistrations(
        all.flatMap((each) => (each.unevaluated && each.candidate.certain ? [each.unevaluated] : [])),
      ),
      fresh,
      stale,
      notes: [...new Set([...this.packages.problems(), ...this.resolver.problems(), ...this.surfaceNotes.values()])],
    };
  }
}

/** A loop that registers definitions fails with them: where they are known by name, the loop adds nothing. */
function withoutRegistrations(unevaluated: readonly Unevaluated[]): Unevaluated[] {
  const named = unevaluated.filter(({ name }) => name !== null);
  return unevaluated.filter((one) => one.name !== null || !named.some((other) => samePlace(other.at, one.at)));
}

function indexOf(candidate: Candidate): number {
  return Number(candidate.id.slice(candidate.id.lastIndexOf('#') + 1));
}

function* candidatesOf(all: readonly Evaluated[]): Generator<Candidate> {
  for (const { candidate } of all) yield candidate;
}

/** Whether what is said about a tool stays true, as far as it depends on how the tool is joined with others. */
function isRegisteredAlike(a: Contract, b: Contract): boolean {
  const [before, after] = [a.registeredAt, b.registeredAt];
  const isThere = before === null || after === null ? before === after : samePlace(before, after);
  return isThere && samePlace(a.definedAt, b.definedAt) && isOfferedAlike(a, b);
}

function isOfferedAlike(a: Contract, b: Contract): boolean {
  return a.name === b.name && a.candidate.claim === b.candidate.claim;
}

function samePlace(a: Contract['definedAt'], b: Contract['definedAt']): boolean {
  return a.file === b.file && a.span.start === b.span.start && a.span.end === b.span.end;
}
