import { SandboxEnded, SandboxProcess } from './process.ts';
import type { Job, JobResult, Method, ModuleSource, Requests } from './sandbox/messages.ts';

export interface SandboxSettings {
  readonly entry: string;
  readonly root: string;
  /** Answers Node's arguments for the permission flag; asked anew for each process, since links may have come. */
  readonly nodeArguments: () => readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly supply: (files: readonly string[]) => readonly ModuleSource[];
  readonly log: (line: string) => void;
}

/** Tools evaluated with one message: few enough that losing a process loses little. */
const CHUNK = 100;
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

  constructor(private readonly settings: SandboxSettings) {}

  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Ends the process; the next request makes a new one. */
  restart(): void {
    this.process?.dispose();
    this.process = undefined;
  }

  dispose(): void {
    this.restart();
  }

  /**
   * Sends a request to the process.
   *
   * @throws SandboxEnded when the process ended over it
   */
  async request<M extends Method>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
    const allowance = method === 'offer' || method === 'call' ? OFFER_ALLOWANCE_MS : 0;
    const process = this.current();
    try {
      return await process.request(method, params, this.settings.timeoutMs + allowance);
    } catch (error) {
      if (error instanceof SandboxEnded && this.process === process) this.process = undefined;
      throw error;
    }
  }

  /** Forgets modules; nothing to do when there is no process. */
  async invalidate(changed: readonly string[], affected: readonly string[]): Promise<void> {
    if (this.process && (changed.length > 0 || affected.length > 0))
      await this.ask('invalidate', { changed, affected });
  }

  async release(contracts: readonly string[]): Promise<void> {
    if (this.process && contracts.length > 0) await this.ask('release', { contracts });
  }

  /**
   * Evaluates tools. When the process ends over some, each is tried alone in a process of its own; the one that ends it
   * gets the reason. All results are of the process that is current in the end.
   *
   * @param progress called with the number of tools that are done
   */
  async evaluate(jobs: readonly Job[], progress: (done: number) => void = () => {}): Promise<JobResult[]> {
    const results = new Map<string, { readonly generation: number; readonly result: JobResult }>();
    const fatal = new Set<string>();
    const isCurrent = (job: Job) => {
      const known = results.get(job.candidate);
      return known !== undefined && (fatal.has(job.candidate) || known.generation === this.generation);
    };
    for (;;) {
      const open = jobs.filter((job) => !isCurrent(job));
      if (open.length === 0) break;
      for (let start = 0; start < open.length; start += CHUNK) {
        const chunk = open.slice(start, start + CHUNK);
        const done = (await this.evaluateChunk(chunk)) ?? (await this.evaluateOneByOne(chunk, fatal));
        for (const result of done) results.set(result.candidate, { generation: this.generation, result });
        progress(results.size);
      }
    }
    return jobs.flatMap((job) => results.get(job.candidate)?.result ?? []);
  }

  private async evaluateChunk(jobs: readonly Job[]): Promise<readonly JobResult[] | undefined> {
    try {
      return (await this.request('evaluate', { jobs })).results;
    } catch (error) {
      if (error instanceof SandboxEnded) return undefined;
      throw error;
    }
  }

  private async evaluateOneByOne(jobs: readonly Job[], fatal: Set<string>): Promise<JobResult[]> {
    let results: JobResult[] = [];
    for (const job of jobs) {
      try {
        results.push(...(await this.request('evaluate', { jobs: [job] })).results);
      } catch (error) {
        if (!(error instanceof SandboxEnded)) throw error;
        // What this process evaluated before is gone with it: `evaluate` asks for it again.
        results = results.filter((result) => fatal.has(result.candidate));
        fatal.add(job.candidate);
        const failure = { reason: error.message, trail: [] };
        results.push({ candidate: job.candidate, files: [job.file], environment: [], failure });
      }
    }
    return results;
  }

  private async ask(
    method: 'invalidate' | 'release',
    params: never | Requests['invalidate']['params'] | Requests['release']['params'],
  ): Promise<void> {
    try {
      await this.request(method, params as never);
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error;
    }
  }

  private current(): SandboxProcess {
    if (this.process) return this.process;
    this.generation++;
    const { settings } = this;
    const process = new SandboxProcess({
      entry: settings.entry,
      root: settings.root,
      nodeArguments: settings.nodeArguments(),
      timeoutMs: settings.timeoutMs,
      memoryMb: settings.memoryMb,
      supply: settings.supply,
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
