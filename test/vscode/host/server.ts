import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startGroup } from './group.ts';
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
  /** A package to install before. */
  readonly vsix?: string;
  /** Settings of the person, beside those that keep VS Code quiet. */
  readonly settings?: { readonly [key: string]: unknown };
}

/** What asks, advertises or covers the view is switched off. */
const QUIET = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};

/** Installs a package as a person does: for the server that will run on the same folder of data. */
async function install(parts: Parts, vsix: string, data: string): Promise<void> {
  const where = ['--server-data-dir', data, '--extensions-dir', join(data, 'extensions')];
  await promisify(execFile)(parts.node, [parts.server, '--install-extension', vsix, ...where]);
}

/** So many of its last lines are told when the server ends by itself. */
const LAST_LINES = 5;

/**
 * Starts VS Code's own server on a free port.
 *
 * @throws when it ends before it answers; the message holds what it said
 */
export async function startServer(parts: Parts, options: ServerOptions): Promise<VscodeServer> {
  const user = join(options.data, 'data', 'User');
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'settings.json'), JSON.stringify({ ...QUIET, ...options.settings }, undefined, 2));

  if (options.vsix !== undefined) await install(parts, options.vsix, options.data);
  const args = [parts.server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--server-data-dir', options.data);
  if (options.driver) args.push('--enable-smoke-test-driver');
  if (options.trusted) args.push('--disable-workspace-trust');
  const { child, ended: groupEnded, stop } = startGroup(parts.node, args, { ...process.env, ...options.env });

  const log = createWriteStream(options.log);
  const last: string[] = [];
  let isStopped = false;
  return new Promise((started, fail) => {
    const ended = new Promise<string>((tell) => {
      void groupEnded.then(() => {
        log.end();
        if (isStopped) return;
        const sentence = `The VS Code server ended by itself: ${last.join(' ')} (all of it: ${options.log})`;
        tell(sentence);
        fail(new Error(sentence));
      });
    });
    child.once('error', (error) => fail(new Error(`The VS Code server did not start: ${error.message}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`);
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
        const port = Number(/Extension host agent listening on (\d+)/.exec(line)?.[1]);
        if (!port) return;
        started({
          address: `http://127.0.0.1:${port}`,
          port,
          ended,
          stop() {
            isStopped = true;
            return stop();
          },
        });
      });
    }
  });
}
