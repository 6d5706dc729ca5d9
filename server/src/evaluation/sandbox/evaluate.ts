import type { Contracts, Row } from './contracts.ts';
import { ObjectTable } from './describe.ts';
import type { Externals } from './externals.ts';
import { FRAME_PREFIX } from './frames.ts';
import type { Job, JobResult, ModuleForm, ModuleSource, Requests, WireContract, WireFailure } from './messages.ts';
import { Attempt, Awaits, type Need } from './needs.ts';
import type { Provenance } from './provenance.ts';
import type { Registry } from './registry.ts';
import { messageOf } from './schema.ts';

/** A row's parts as the thunk answers them. */
interface RowThunks {
  readonly name: () => unknown;
  readonly schema: () => unknown;
  readonly output: () => unknown;
  readonly site: readonly [number, number] | undefined;
  readonly unchosen?: true;
}

/** What the evaluator asks of the process around it. */
export interface EvaluatorHost {
  /** Brings modules that the sandbox does not have, or not in this form. */
  supply(files: readonly string[], form: ModuleForm): Promise<readonly ModuleSource[]>;
  /** Gives the process up, since some modules have to be whole from the start. Never settles. */
  outgrown(files: readonly string[]): Promise<never>;
  /** Names of `process.env` that were read since the last question. */
  environmentReads(): readonly string[];
  /** A tool's evaluation begins. */
  begun(candidate: string): void;
}

/** Something that an attempt of a candidate missed. */
export interface Missed extends Pick<Need, 'what' | 'id'> {
  /** Null: it was not missed by a candidate's evaluation. */
  readonly candidate: string | null;
}

/** What is missed of modules, and the form in which it is brought. */
const FORMS: readonly (readonly [what: Need['what'], form: ModuleForm])[] = [
  ['module', 'plain'],
  ['lowered', 'lowered'],
  ['whole', 'whole'],
];
/** Stack frames to keep: an error deep inside zod or an SDK still has to name the user's line. */
const STACK_FRAMES = 100;
/** Waves of missing modules and packages that one tool may ask for: no chain of imports is as long. */
export const MAX_WAVES = 2_000;

/** Evaluates tools; brings modules and packages when an attempt misses them, and starts that attempt anew. */
export class Evaluator {
  constructor(
    private readonly registry: Registry,
    private readonly provenance: Provenance,
    private readonly externals: Externals,
    private readonly contracts: Contracts,
    private readonly host: EvaluatorHost,
  ) {}

  async evaluate(jobs: readonly Job[]): Promise<Requests['evaluate']['result']> {
    const table = new ObjectTable();
    const found = new Map<string, JobResult>();
    let waiting = jobs;
    for (let wave = 0; waiting.length > 0 && wave < MAX_WAVES; wave++) {
      const missed: Missed[] = [];
      const again: Job[] = [];
      for (const job of waiting) {
        const result = await this.attempt(job, table);
        if (Array.isArray(result)) {
          missed.push(...result.map(({ what, id }) => ({ what, id, candidate: job.candidate })));
          again.push(job);
        } else found.set(job.candidate, result as JobResult);
      }
      waiting = again;
      if (waiting.length > 0) await this.bring(missed);
    }
    const results = jobs.map(
      (job) =>
        found.get(job.candidate) ?? {
          candidate: job.candidate,
          files: [job.file],
          environment: [],
          failure: { reason: 'it keeps asking for modules without an end', trail: [] },
        },
    );
    return { results, objects: table.objects };
  }

  /** Brings what attempts missed, so that they can be made anew. */
  async bring(missed: readonly Missed[]): Promise<void> {
    const wanted = (what: Need['what']) => [
      ...new Set(missed.filter((each) => each.what === what).map(({ id }) => id)),
    ];
    const sources: ModuleSource[] = [];
    for (const [what, form] of FORMS) {
      const files = wanted(what);
      if (files.length > 0) sources.push(...(await this.host.supply(files, form)));
    }
    for (const url of wanted('external')) {
      // A package that ends the process when it is imported is the reason of the tool that needs it.
      const needing = missed.find((each) => each.what === 'external' && each.id === url);
      if (needing?.candidate) this.host.begun(needing.candidate);
      await this.externals.import(url);
    }
    for (const source of sources) this.registry.supply(source);
  }

  /** One attempt: a result, or what it missed. */
  private async attempt(job: Job, table: ObjectTable): Promise<JobResult | Need[]> {
    const attempt = new Attempt(() => this.host.environmentReads());
    this.registry.attempt = attempt;
    this.provenance.begin();
    this.host.begun(job.candidate);
    let rows: Row[] = [];
    let failure: WireFailure | undefined;
    Error.stackTraceLimit = STACK_FRAMES;
    try {
      const thunks = this.registry.module(job.file).runTool(job.index) as readonly RowThunks[];
      const evaluated = thunks.flatMap((row) => {
        const made = this.row(row, attempt);
        // What is not chosen fails, or has no schema, for nobody.
        return row.unchosen && ('failure' in made || !made.schema) ? [] : made;
      });
      rows = evaluated.filter((row): row is Row => !('failure' in row));
      failure = evaluated.find((row): row is { failure: WireFailure } => 'failure' in row)?.failure;
    } catch (error) {
      failure = this.failureOf(error, attempt);
    }
    if (attempt.needs.length > 0) {
      if (attempt.isTorn || attempt.isPackageTorn) this.registry.forget();
      else attempt.giveUp();
      return [...attempt.needs];
    }
    const contracts: WireContract[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        contracts.push(await this.contracts.add(`${job.candidate}:${index}`, row, { ...job, table }));
      } catch (error) {
        failure ??= { reason: messageOf(error), trail: [] };
      }
    }
    // Lazy fields are opened while they are described, and may read imports that are not here yet.
    if (attempt.needs.length > 0) {
      this.contracts.release(rows.map((_, index) => `${job.candidate}:${index}`));
      this.registry.forget();
      return [...attempt.needs];
    }
    const { files, environment } = attempt.everything();
    const common = { candidate: job.candidate, files: [...files], environment: [...environment] };
    if (contracts.length === 0 && failure) return { ...common, failure };
    return { ...common, contracts, ...(failure && { partly: failure }) };
  }

  /**
   * Does something that runs the workspace's code beside its evaluation: a refinement or a transform may read an import
   * that is not here yet. What was missed is brought, and the work is done anew.
   *
   * @throws what the work throws
   */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    for (let wave = 0; ; wave++) {
      const attempt = new Attempt();
      this.registry.attempt = attempt;
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: await work() };
      } catch (error) {
        result = { error };
      }
      const partial = attempt.needs.filter(({ what }) => what === 'whole');
      // Schema objects keep the functions that they were made with: asking them again changes nothing.
      if (partial.length > 0) await this.host.outgrown(partial.map(({ id }) => id));
      if (attempt.needs.length === 0 || wave >= MAX_WAVES) {
        if ('error' in result) throw result.error;
        return result.value;
      }
      if (attempt.isTorn) this.registry.forget();
      else attempt.giveUp();
      await this.bring(attempt.needs.map(({ what, id }) => ({ what, id, candidate: null })));
    }
  }

  private row(thunks: RowThunks, attempt: Attempt): Row | { failure: WireFailure } {
    let name: unknown = null;
    try {
      name = thunks.name();
    } catch {
      // Known by its place then; what it missed is in the attempt.
    }
    try {
      const { site, unchosen } = thunks;
      return { name, schema: thunks.schema(), output: this.outputOf(thunks), site, ...(unchosen && { unchosen }) };
    } catch (error) {
      return { failure: this.failureOf(error, attempt) };
    }
  }

  /** An output schema that fails is no reason to know nothing of the input. */
  private outputOf(thunks: RowThunks): unknown {
    try {
      return thunks.output();
    } catch {
      return undefined;
    }
  }

  /** What was thrown in an attempt, with the way to it. */
  failureOf(error: unknown, attempt: Attempt): WireFailure {
    const trail = attempt.trails.get(error) ?? [];
    if (error instanceof Awaits) return { reason: error.message, site: error.site, trail };
    const frame = frameOf(error);
    return { reason: messageOf(error), ...(frame && { frame }), trail };
  }
}

/** The innermost stack frame in generated code. */
function frameOf(error: unknown): WireFailure['frame'] {
  let stack: unknown;
  try {
    stack = (error as { stack?: unknown })?.stack;
  } catch {
    return undefined;
  }
  if (typeof stack !== 'string') return undefined;
  for (const line of stack.split('\n')) {
    const at = line.indexOf(FRAME_PREFIX);
    if (at < 0) continue;
    const match = /^(.*):(\d+):(\d+)\)?$/.exec(line.slice(at + FRAME_PREFIX.length));
    if (match?.[1]) return { file: match[1], line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}
