import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';

/** A process with all the processes it starts. */
export interface Group {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
  /** Ends them all: asks, and after five seconds asks no more. */
  stop(): Promise<void>;
}

/** How long a process may take to end when it was asked to. */
const GRACE_MS = 5_000;

/** Starts a process as the head of a group of its own, which ends at the latest when this process exits. Not on Windows. */
export function startGroup(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Group {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The whole group has ended already.
    }
  };
  const atExit = () => signal('SIGKILL');
  process.once('exit', atExit);
  return {
    child,
    ended,
    async stop() {
      signal('SIGTERM');
      const hard = setTimeout(() => signal('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(hard);
      signal('SIGKILL');
      process.removeListener('exit', atExit);
    },
  };
}

/**
 * Makes Ctrl-C and its like exit this process, so that groups end with it: by itself, Node ends at a signal without the
 * `exit` event.
 *
 * @param exitCode undefined: the usual code of the signal
 */
export function exitAtSignals(exitCode?: number): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => process.exit(exitCode ?? 128 + constants.signals[name]));
  }
}
