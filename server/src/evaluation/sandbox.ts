import { SandboxEnded, SandboxProcess } from './process.ts';
import type {
  Forget,
  Job,
  JobResult,
  Method,
  ModuleForm,
  ModuleSource,
  Requests,
  WireObject,
} from './sandbox/messages.ts';

export interface SandboxSettings {
  readonly entry: string;
  readonly root: string;
  /** Answers Node's arguments for the permission flag; asked anew for each process, since links may have come. */
  readonly nodeArguments: () => readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly log: (line: string) => void;
}

/** Compiles the modules that a sandbox runs. */
export interface ModuleSupplier {
  /** Just these, in this form from now on. */
  supply(files: readonly string[], form: ModuleForm): readonly ModuleSource[];
  /** What jobs of some files will most likely ask for, but for what is given already. */
  supplyAhead(files: readonly string[], given: ReadonlySet<string>): readonly ModuleSource[];
  /** What was asked for, and what will most likely be asked for next. */
  supplyWithImports(files: readonly string[], given: ReadonlySet<string>): readonly ModuleSource[];
}

/** What came of a job, with the objects of the message that it came with. */
export type EvaluatedJob = JobResult & { readonly objects: readonly WireObject[] };

/** Tools evaluated with one message: few enough to tell how far it is. */
const CHUNK = 100;
/** How much of the time limit an import may take: one that never settles is told before the process is ended. */
const IMPORT_PART = 0.7;
/** Times that the process may end without a tool to blame before evaluation is given up. */
const UNEXPLAINED = 3;
/** Importing SDKs and listing many tools take longer than one tool's evaluation, and are not the user's code. */
const OFFER_ALLOWANCE_MS = 30_000;

/**
 * The sandbox of a workspace folder: a process that is made when it is first needed and anew when it ended. What was
 * evaluated in a process is gone with it; `generation` tells processes apart.
 */
export class Sandbox {
  private process: SandboxProcess | undefined;
  generation = 0;
  private wasWarned = false;
  /** Where modules come from. Whoever sends the first job sets it. */
  supplier: ModuleSupplier = { supply: () => [], supplyAhead: () => [], supplyWithImports: () => [] };
  /** Files whose modules the present process has. */
  private readonly given = new Set<string>();
  /** Goes with the next request: messages of their own would cost every edit three rounds. */
  private forgotten: Forget | undefined;

  constructor(private readonly settings: SandboxSettings) {}

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get isRunning(): boolean {
    return this.process !== undefined && !this.process.isOver;
  }

  /** Starts the process ahead of its first use. */
  warmUp(): void {
    this.current();
  }

  /** Ends the process; the next request makes a new one. */
  restart(): void {
    this.process?.dispose();
    this.process = undefined;
  }

  dispose(): void {
    this.restart();
  }

  /** Whether the process that evaluated something is the one that answers now. */
  holds(generation: number): boolean {
    return generation === this.generation && this.isRunning;
  }

  /**
   * Asks the process about what was evaluated in it.
   *
   * @throws SandboxEnded when the process ended, over it or before
   */
  async request<M extends Method>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
    const allowance = method === 'offer' || method === 'call' ? OFFER_ALLOWANCE_MS : 0;
    const process = method === 'evaluate' || method === 'exports' ? this.current() : this.process;
    if (!process) throw new SandboxEnded('exit', 'the sandbox process is a new one');
    try {
      const { forgotten } = this;
      this.forgotten = undefined;
      return await process.request(method, params, this.settings.timeoutMs + allowance, forgotten);
    } catch (error) {
      if (error instanceof SandboxEnded && this.process === process) this.process = undefined;
      throw error;
    }
  }

  /** Forgets the text of changed modules, and what was evaluated from those that (transitively) import them. */
  invalidate(changed: readonly string[], affected: readonly string[]): void {
    for (const file of changed) this.given.delete(file);
    this.forget({ changed, affected, contracts: [] });
  }

  /** Forgets contracts, with their schema objects and offers. */
  release(contracts: readonly string[]): void {
    this.forget({ changed: [], affected: [], contracts });
  }

  private forget(more: Forget): void {
    // Whatever a process knew is gone with it.
    if (!this.process || Object.values(more).every((list: readonly string[]) => list.length === 0)) return;
    const { changed, affected, contracts } = this.forgotten ?? { changed: [], affected: [], contracts: [] };
    this.forgotten = {
      changed: [...changed, ...more.changed],
      affected: [...affected, ...more.affected],
      contracts: [...contracts, ...more.contracts],
    };
  }

  /**
   * Evaluates tools. When the process ends over one, that one gets the reason and the others are evaluated anew. All
   * results are of the process that is current in the end.
   *
   * @param progress called with the number of tools that are done
   */
  async evaluate(jobs: readonly Job[], progress: (done: number) => void = () => {}): Promise<EvaluatedJob[]> {
    const results = new Map<string, { readonly generation: number; readonly result: EvaluatedJob }>();
    const fatal = new Map<string, EvaluatedJob>();
    /** May have been the last straw only: it is tried alone in a fresh process. */
    let suspect: string | undefined;
    const importMs = this.settings.timeoutMs * IMPORT_PART;
    let unexplained = 0;
    const isOpen = ({ candidate }: Job): boolean => {
      const known = results.get(candidate);
      return !fatal.has(candidate) && !(known && this.holds(known.generation));
    };
    for (;;) {
      const open = jobs.filter(isOpen);
      if (open.length === 0) break;
      const alone = suspect === undefined ? [] : open.filter((job) => job.candidate === suspect);
      const chunk = alone.length > 0 ? alone : open.slice(0, CHUNK);
      try {
        // The process is there before it is looked at what it has.
        this.current();
        const modules = this.giving(this.supplier.supplyAhead([...new Set(chunk.map(({ file }) => file))], this.given));
        const { results: answers, objects } = await this.request('evaluate', { jobs: chunk, modules, importMs });
        for (const answer of answers) {
          results.set(answer.candidate, { generation: this.generation, result: { ...answer, objects } });
        }
        suspect = undefined;
        unexplained = 0;
      } catch (error) {
        if (!(error instanceof SandboxEnded)) throw error;
        const culprit = chunk.find((job) => job.candidate === error.during);
        if (!culprit && ++unexplained >= UNEXPLAINED)
          for (const job of open) fatal.set(job.candidate, failed(job, error));
        if (!culprit) continue;
        if (error.how === 'memory' && suspect !== culprit.candidate) suspect = culprit.candidate;
        else fatal.set(culprit.candidate, failed(culprit, error));
      }
      progress(jobs.length - jobs.filter(isOpen).length);
    }
    return jobs.flatMap(({ candidate }) => fatal.get(candidate) ?? results.get(candidate)?.result ?? []);
  }

  private giving(modules: readonly ModuleSource[]): readonly ModuleSource[] {
    for (const { file } of modules) this.given.add(file);
    return modules;
  }

  private current(): SandboxProcess {
    if (this.process && this.isRunning) return this.process;
    this.generation++;
    this.given.clear();
    this.forgotten = undefined;
    const { settings } = this;
    const process = new SandboxProcess({
      entry: settings.entry,
      root: settings.root,
      nodeArguments: settings.nodeArguments(),
      timeoutMs: settings.timeoutMs,
      memoryMb: settings.memoryMb,
      supply: (files, form) =>
        this.giving(
          form === 'plain' ? this.supplier.supplyWithImports(files, this.given) : this.supplier.supply(files, form),
        ),
      printed: (text) => settings.log(`printed by workspace code: ${text.trimEnd()}`),
    });
    process.ready.then(
      ({ node, permission }) => {
        if (permission || this.wasWarned) return;
        this.wasWarned = true;
        settings.log(
          `Node ${node} runs the sandbox without its permission flag: Workspace Trust is what protects you.`,
        );
      },
      () => {},
    );
    this.process = process;
    return process;
  }
}

function failed(job: Job, { message }: SandboxEnded): EvaluatedJob {
  const { candidate, file } = job;
  return { candidate, files: [file], environment: [], failure: { reason: message, trail: [] }, objects: [] };
}
