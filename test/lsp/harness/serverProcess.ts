import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** The root of the project, which the built server and every test workspace lie in; also seen from a bundle in it. */
export const PROJECT = projectAbove(import.meta.dirname);

/** The command that people start the server with. */
export const BUILT_SERVER: readonly [string, ...string[]] = [
  process.execPath,
  resolve(PROJECT, 'dist/server/server.cjs'),
  '--stdio',
];

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A language server as a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** When it was spawned, by `performance.now()`. */
  readonly spawnedAt = performance.now();
  /** Resolves when the process has ended and what it wrote was read. Never rejects. */
  readonly exited: Promise<Exit>;
  #stderr = '';
  #exit: Exit | undefined;

  /**
   * @param command program and arguments
   * @param environment variables beside those of this process
   * @throws when a script among the arguments does not exist, as before a build
   */
  constructor(command: readonly [string, ...string[]], cwd: string, environment: NodeJS.ProcessEnv = {}) {
    const [program, ...args] = command;
    const missing = args.find((arg) => /\.[cm]?js$/.test(arg) && !existsSync(arg));
    if (missing) throw new Error(`${missing} does not exist. Build first: npm run build`);
    this.#child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-50_000);
    });
    this.#child.stdin.on('error', () => {});
    this.exited = new Promise((done) => {
      this.#child.once('error', (error) => {
        this.#stderr += `${error.message}\n`;
        if (this.#child.pid === undefined) done(this.#ended({ code: null, signal: null }));
      });
      this.#child.once('exit', (code, signal) => {
        const end = () => done(this.#ended({ code, signal }));
        this.#child.once('close', end);
        // A process that outlives the server and shares its streams keeps them open.
        setTimeout(end, 1_000).unref();
      });
    });
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }
  get stdin(): Writable {
    return this.#child.stdin;
  }
  get stdout(): Readable {
    return this.#child.stdout;
  }
  /** The last 50,000 characters that the server wrote to its standard error. */
  get stderr(): string {
    return this.#stderr;
  }
  /** How it ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Ends the process, and only this process, at once. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  #ended(exit: Exit): Exit {
    this.#exit = exit;
    return exit;
  }
}

function projectAbove(folder: string): string {
  if (existsSync(resolve(folder, 'esbuild.mjs'))) return folder;
  const parent = resolve(folder, '..');
  if (parent === folder) throw new Error('The harness is not inside the project.');
  return projectAbove(parent);
}

/** Says how a process ended, for a sentence. */
export function describeExit({ code, signal }: Exit): string {
  if (signal) return `was ended by ${signal}`;
  return code === null ? 'could not be started' : `exited with code ${code}`;
}
