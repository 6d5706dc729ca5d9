import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import type { Diff } from './diffs.ts';
import { PROJECT } from './project.ts';

const CLI = process.env.TOOL_CONTRACTS_CLI ?? join(PROJECT, 'dist/server/cli.cjs');
const TIMEOUT_MS = 100_000;

/**
 * What the built command line says of a workspace.
 *
 * @param args options beside `--format json`
 * @throws with what it printed when it could not run
 */
export function check(root: string, args: readonly string[] = []): Promise<JsonReport> {
  return answer<JsonReport>('check', root, args);
}

/** What the built command line says changed in a workspace since its baseline. @throws as `check` */
export function diff(root: string): Promise<Diff> {
  return answer<Diff>('diff', root, []);
}

function answer<T>(command: string, root: string, args: readonly string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const argv = [CLI, command, root, '--format', 'json', ...args];
    execFile(process.execPath, argv, { maxBuffer: 64 << 20, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      // Exit status 1 is findings.
      if (error && error.code !== 1)
        reject(new Error(`${command} ${root}: ${(stderr || error.message).slice(0, 300)}`));
      else
        try {
          resolve(JSON.parse(stdout) as T);
        } catch {
          reject(new Error(`${command} ${root} printed no JSON: ${`${stdout}${stderr}`.slice(0, 300)}`));
        }
    });
  });
}
