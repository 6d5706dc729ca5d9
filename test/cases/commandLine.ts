import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { PROJECT } from './project.ts';

const CLI = process.env.TOOL_CONTRACTS_CLI ?? join(PROJECT, 'dist/server/cli.cjs');

/**
 * What the built command line says of a workspace.
 *
 * @param args options beside `--format json`
 * @throws with what it printed when it could not run
 */
export function check(root: string, args: readonly string[] = []): Promise<JsonReport> {
  return new Promise((resolve, reject) => {
    const argv = [CLI, 'check', root, '--format', 'json', ...args];
    execFile(process.execPath, argv, { maxBuffer: 64 << 20, timeout: 60_000 }, (error, stdout, stderr) => {
      // Exit status 1 is findings.
      if (error && error.code !== 1) reject(new Error(`check ${root}: ${stderr || error.message}`));
      else resolve(JSON.parse(stdout) as JsonReport);
    });
  });
}
