import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Parts } from './parts.ts';

/** A VS Code server that answers on 127.0.0.1. */
export interface VscodeServer {
  /** `http://127.0.0.1:41234`, without a slash at the end. */
  readonly address: string;
  readonly port: number;
  /** Settles when the server ends without having been stopped, with what it said last. */
  readonly ended: Promise<string>;
  /** Ends the server and everything it started. */
  stop(): Promise<void>;
}

/** How a server is started. */
export interface ServerOptions {
  /** Folder for everything the server and the person at it write: settings, extensions, state. */
  readonly data: string;
  /** File that gets all the server says. */
  readonly log: string;
  /** False: folders are opened in Restricted Mode until the person trusts them. */
  readonly trusted: boolean;
  /** True: the page takes a payload in its address, such as the suite to run. */
  readonly driver: boolean;
  /** Variables for the server and for the extension hosts it starts. */
  readonly env?: { readonly [name: string]: string };
}

/**
 * Starts VS Code's own server on a free port.
 *
 * @throws when it ends before it answers; the message holds what it said
 */
export function startServer(parts: Parts, options: ServerOptions): Promise<VscodeServer> {
  const args = [parts.server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--server-data-dir', options.data);
  if (options.driver) args.push('--enable-smoke-test-driver');
  if (options.trusted) args.push('--disable-workspace-trust');
  // A group of its own, so that the extension hosts and language servers it starts end with it.
  const child = spawn(parts.node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    detached: true,
  });
  const log = createWriteStream(options.log);
  const last: string[] = [];
  const exit = new Promise<void>((done) => child.once('close', () => done()));
  let stopped = false;
  const killGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The whole group has ended already.
    }
  };
  const atExit = () => killGroup('SIGKILL');
  process.once('exit', atExit);
  const stop = async () => {
    stopped = true;
    killGroup('SIGTERM');
    const hard = setTimeout(() => killGroup('SIGKILL'), 5_000);
    await exit;
    clearTimeout(hard);
    killGroup('SIGKILL');
    process.removeListener('exit', atExit);
  };
  return new Promise((started, fail) => {
    let known = false;
    const ended = new Promise<string>((done) => {
      void exit.then(() => {
        if (stopped) return;
        const sentence = `The VS Code server ended by itself: ${last.join(' ') || 'it said nothing'} (all of it: ${options.log})`;
        if (known) done(sentence);
        else fail(new Error(sentence));
      });
    });
    child.once('error', (error) => fail(new Error(`The VS Code server did not start: ${error.message}`)));
    const read = (line: string) => {
      log.write(`${line}\n`);
      last.push(line);
      if (last.length > 5) last.shift();
      const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port === undefined || known) return;
      known = true;
      started({ address: `http://127.0.0.1:${port}`, port: Number(port), ended, stop });
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read);
  });
}
