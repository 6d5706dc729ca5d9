import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { residentMemory } from './residentMemory.ts';
import type {
  Forget,
  FromSandbox,
  Method,
  ModuleForm,
  ModuleSource,
  Requests,
  Sealed,
  ToSandbox,
} from './sandbox/messages.ts';

/** Why a sandbox process ended, as the reason of the tool that ended it. */
export class SandboxEnded extends Error {
  constructor(
    readonly how: 'time' | 'memory' | 'exit',
    message: string,
    /** The candidate whose evaluation was under way. */
    readonly during?: string,
  ) {
    super(message);
  }
}

/** A sandbox process that ended before it was ready: no tool can be evaluated, and none is to blame. */
export class SandboxNotStarted extends Error {
  constructor(why: string) {
    super(
      `The process that evaluates tools did not start: ${why}. Install Tool Contracts anew, or run it with another version of Node.`,
    );
  }
}

export interface ProcessOptions {
  /** Path of the built sandbox entry point. */
  readonly entry: string;
  /** Working folder: the workspace's. */
  readonly root: string;
  /** Arguments for Node: permission flags. */
  readonly nodeArguments: readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Compiles modules that evaluation asks for. */
  readonly supply: (files: readonly string[], form: ModuleForm) => readonly ModuleSource[];
  /** What user code printed. */
  readonly printed: (text: string) => void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timeoutMs: number;
  timer?: NodeJS.Timeout;
}

const MEMORY_WATCH_MS = 250;
/** Node's own stacks, code and libraries come on top of what the user's code may use. */
const MEMORY_BASE_MB = 256;
const STARTUP_MS = 30_000;

/**
 * One sandbox process. It is over when it exits, runs out of time or of memory: then every request that waits is
 * rejected with `SandboxEnded`, and a new process has to be made.
 */
export class SandboxProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private readonly key = randomUUID();
  private ended: SandboxEnded | SandboxNotStarted | undefined;
  private isReady = false;
  /** The candidate whose evaluation is under way. */
  private begun: string | undefined;
  /** Messages about requests that came so far. */
  private heard = 0;
  private watch: NodeJS.Timeout | undefined;
  private stderr = '';
  /** Resolves when the process is locked down. @throws SandboxNotStarted, or SandboxEnded when it is closed before */
  readonly ready: Promise<{ readonly node: string; readonly permission: boolean }>;

  constructor(private readonly options: ProcessOptions) {
    this.child = fork(options.entry, [], {
      cwd: options.root,
      execArgv: [
        '--experimental-import-meta-resolve',
        '--no-warnings',
        `--max-old-space-size=${options.memoryMb}`,
        ...options.nodeArguments,
      ],
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: environment(),
    });
    this.child.stderr?.on('data', (data: Buffer) => {
      this.stderr = (this.stderr + data.toString('utf8')).slice(-4000);
    });
    this.child.on('close', (code, signal) => this.onExit(code, signal));
    this.child.on('error', (error) => this.notStarted(error.message));
    this.ready = new Promise((resolve, reject) => this.wait(0, { resolve, reject, timeoutMs: STARTUP_MS }));
    this.ready.catch(() => {}); // whoever asks for something hears of it
    this.child.on('message', (message) => this.onMessage(message as FromSandbox));
    this.sendSealed({ key: this.key });
  }

  /** Whether the process has ended: it answers nothing any more. */
  get isOver(): boolean {
    return this.ended !== undefined;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Sends a request.
   *
   * @param timeoutMs how long one of its parts (a tool, a call) may take, not counting our own work on modules
   * @param forget what is forgotten before
   * @throws SandboxEnded when the process ends before it answers; SandboxNotStarted when it never was ready; Error when
   *   the sandbox cannot answer
   */
  request<M extends Method>(
    method: M,
    params: Requests[M]['params'],
    timeoutMs: number,
    forget?: Forget,
  ): Promise<Requests[M]['result']> {
    if (this.ended) return Promise.reject(this.ended);
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.wait(id, { resolve, reject, timeoutMs });
      this.startWatch();
      this.send({ id, method, params, ...(forget && { forget }) });
    });
  }

  /** Ends the process. */
  dispose(): void {
    this.end('exit', 'the sandbox was closed');
  }

  private wait<T>(id: number, waiting: Omit<Waiting, 'resolve'> & { resolve: (result: T) => void }): void {
    this.waiting.set(id, waiting as Waiting);
    this.startTimer();
  }

  /** The process answers one request after the other, so only the time of the first is running. */
  private startTimer(): void {
    const [first] = this.waiting.values();
    if (!first || first.timer) return;
    first.timer = setTimeout(() => {
      const { heard } = this;
      // We may have been busy ourselves while messages came: they are read before time is called.
      setImmediate(() =>
        setImmediate(() => {
          if (this.heard !== heard) first.timer?.refresh();
          else if (!this.isReady) this.notStarted(`it was not ready within ${seconds(first.timeoutMs)}`);
          else this.end('time', `it did not finish within ${seconds(first.timeoutMs)} and was stopped`);
        }),
      );
    }, first.timeoutMs);
  }

  private send(message: ToSandbox): void {
    this.sendSealed({ key: this.key, message });
  }

  private sendSealed(sealed: Sealed): void {
    if (this.child.connected) this.child.send(sealed, () => {});
  }

  private onMessage(message: FromSandbox): void {
    // An endless loop may well print.
    if (!('printed' in message)) this.heard++;
    if ('printed' in message) this.options.printed(message.printed);
    else if ('supply' in message) this.onSupply(message.supply, message.files, message.form);
    else if ('outgrown' in message) this.onOutgrown(message.outgrown);
    else if ('begun' in message) this.onBegun(message.begun);
    else if ('ready' in message) this.onReady(message.ready);
    else if ('error' in message) this.settle(message.id, (waiting) => waiting.reject(new Error(message.error)));
    else this.settle(message.id, (waiting) => waiting.resolve(message.result));
  }

  private onReady(ready: { readonly node: string; readonly permission: boolean }): void {
    this.isReady = true;
    this.settle(0, (waiting) => waiting.resolve(ready));
  }

  /** Our own work on modules is not the user's time. */
  private onSupply(id: number, files: readonly string[], form: ModuleForm): void {
    const modules = this.options.supply(files, form);
    this.refresh();
    this.send({ supplied: id, modules });
  }

  private onOutgrown(files: readonly string[]): void {
    this.options.supply(files, 'whole');
    this.end('exit', 'it was begun anew with more of the code');
  }

  private onBegun(candidate: string | null): void {
    this.begun = candidate ?? undefined;
    this.refresh();
  }

  private refresh(): void {
    const [first] = this.waiting.values();
    first?.timer?.refresh();
  }

  private settle(id: number, answer: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    this.begun = undefined;
    this.startTimer();
    if (this.waiting.size === 0) this.stopWatch();
    answer(waiting);
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null): void {
    const isFull = /heap out of memory|Allocation failed/i.test(this.stderr);
    if (!this.isReady) {
      const why = isFull ? `${this.options.memoryMb} MB of memory are too few` : firstError(this.stderr);
      this.notStarted(why ?? `it ended with ${signal ?? `code ${code}`}`);
    } else if (isFull) this.outOfMemory();
    else this.end('exit', `it ended the process (${signal ?? `code ${code}`})`);
  }

  private outOfMemory(): void {
    this.end('memory', `it used more than ${this.options.memoryMb} MB of memory and was stopped`);
  }

  private notStarted(why: string): void {
    this.endWith(new SandboxNotStarted(why.replace(/[.\s]+$/, '')));
  }

  private end(how: SandboxEnded['how'], message: string): void {
    this.endWith(new SandboxEnded(how, message, this.begun));
  }

  private endWith(reason: SandboxEnded | SandboxNotStarted): void {
    if (this.ended) return;
    this.ended = reason;
    this.stopWatch();
    this.child.kill('SIGKILL');
    for (const waiting of this.waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(reason);
    }
    this.waiting.clear();
  }

  /** Buffers lie outside V8's heap, so its limit does not hold for them: resident memory is watched. */
  private startWatch(): void {
    if (this.watch) return;
    this.watch = setInterval(() => void this.checkMemory(), MEMORY_WATCH_MS);
    this.watch.unref();
  }

  private stopWatch(): void {
    clearInterval(this.watch);
    this.watch = undefined;
  }

  private async checkMemory(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      const memory = await residentMemory(pid);
      if (memory > (this.options.memoryMb + MEMORY_BASE_MB) * 1024 * 1024) this.outOfMemory();
    } catch {
      // The process is gone, or this system does not tell: its exit is heard of anyway.
    }
  }
}

/** What Node says of a program that it cannot run: an error's own line, or the complaint about an option. */
function firstError(printed: string): string | undefined {
  const said = printed.split('\n').map((line) => /^(?:\w*Error(?: \[\w+\])?|.*node(?:\.exe)?): (.+)$/i.exec(line)?.[1]);
  return said.find((line) => line !== undefined)?.trim();
}

function seconds(ms: number): string {
  return ms === 1000 ? '1 second' : `${ms / 1000} seconds`;
}

/** A minimal environment. In an editor the runtime is Electron and has to be told to be Node. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ELECTRON_RUN_AS_NODE', 'LANG'];
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'development' };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}
