import type { Contracts, Row } from './contracts.ts';
import type { Externals } from './externals.ts';
import type { Job, JobResult, ModuleSource, WireContract, WireFailure } from './messages.ts';
import { FRAME_PREFIX } from './module.ts';
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
}

/** Waves of missing modules and packages that one tool may ask for. */
const MAX_WAVES = 200;

/** Evaluates tools; brings modules and packages when an attempt misses them, and starts that attempt anew. */
export class Evaluator {
  constructor(
    private readonly registry: Registry,
    private readonly provenance: Provenance,
    private readonly externals: Externals,
    private readonly contracts: Contracts,
    private readonly supply: (files: readonly string[]) => Promise<readonly ModuleSource[]>,
    private readonly environmentReads: () => readonly string[],
  ) {}

  async evaluate(jobs: readonly Job[]): Promise<JobResult[]> {
    const results = new Map<string, JobResult>();
    let waiting = jobs;
    for (let wave = 0; waiting.length > 0 && wave < MAX_WAVES; wave++) {
      const missed: Need[] = [];
      const again: Job[] = [];
      for (const job of waiting) {
        const result = await this.attempt(job);
        if (Array.isArray(result)) {
          missed.push(...result);
          again.push(job);
        } else results.set(job.candidate, result as JobResult);
      }
      waiting = again;
      if (waiting.length > 0) await this.bring(missed);
    }
    return jobs.map(
      (job) =>
        results.get(job.candidate) ?? {
          candidate: job.candidate,
          files: [job.file],
          environment: [],
          failure: { reason: 'it keeps asking for modules without an end', trail: [] },
        },
    );
  }

  private async bring(needs: readonly Need[]): Promise<void> {
    const files = new Set(needs.filter((need) => need.what === 'module').map((need) => need.id));
    const urls = new Set(needs.filter((need) => need.what === 'external').map((need) => need.id));
    const [sources] = await Promise.all([
      files.size > 0 ? this.supply([...files]) : [],
      ...[...urls].map((url) => this.externals.import(url)),
    ]);
    for (const source of sources) this.registry.supply(source);
  }

  /** One attempt: a result, or what it missed. */
  private async attempt(job: Job): Promise<JobResult | Need[]> {
    const attempt = new Attempt();
    this.registry.attempt = attempt;
    this.provenance.begin();
    this.environmentReads();
    let rows: Row[] = [];
    let failure: WireFailure | undefined;
    try {
      const thunks = this.registry.module(job.file).runTool(job.index) as readonly RowThunks[];
      const evaluated = thunks.map((row) => this.row(row, attempt));
      rows = evaluated.filter((row): row is Row => !('failure' in row));
      failure = evaluated.find((row): row is { failure: WireFailure } => 'failure' in row)?.failure;
    } catch (error) {
      failure = this.failureOf(error, attempt);
    }
    if (attempt.needs.length > 0) {
      attempt.giveUp();
      return [...attempt.needs];
    }
    const contracts: WireContract[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        contracts.push(await this.contracts.add(`${job.candidate}:${index}`, job.file, row));
      } catch (error) {
        failure ??= { reason: messageOf(error), trail: [] };
      }
    }
    const common = { candidate: job.candidate, files: [...attempt.files], environment: [...this.environmentReads()] };
    return contracts.length === 0 && failure ? { ...common, failure } : { ...common, contracts };
  }

  private row(thunks: RowThunks, attempt: Attempt): Row | { failure: WireFailure } {
    let name: unknown = null;
    try {
      name = thunks.name();
    } catch {
      // Known by its place then; what it missed is in the attempt.
    }
    try {
      return { name, schema: thunks.schema(), output: this.outputOf(thunks), site: thunks.site };
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

  private failureOf(error: unknown, attempt: Attempt): WireFailure {
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
