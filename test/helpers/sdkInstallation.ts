import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * SDK releases that tests drive beside the project's own dependencies, each with the zod it needs. They are installed
 * when a test first asks for one: all of them in package.json would grow without bound.
 */
export const SDKS = {
  'mcp-v1-1.32': { '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7' },
  'mcp-v1-1.29': { '@modelcontextprotocol/sdk': '1.29.0', zod: '4.6.7' },
  'mcp-v1-1.23': { '@modelcontextprotocol/sdk': '1.23.1', zod: '4.6.7' },
  'mcp-v1-1.20': { '@modelcontextprotocol/sdk': '1.20.2', zod: '3.25.76' },
  'mcp-v2-2.4': {
    '@modelcontextprotocol/server': '2.4.0',
    '@modelcontextprotocol/client': '2.4.0',
    '@modelcontextprotocol/core': '2.4.0',
    zod: '4.6.7',
  },
  'mcp-v2-2.0': {
    '@modelcontextprotocol/server': '2.0.0',
    '@modelcontextprotocol/client': '2.0.0',
    '@modelcontextprotocol/core': '2.0.0',
    zod: '4.6.7',
  },
  'ai-7': { ai: '7.0.173', zod: '4.6.7' },
  'ai-7-zod-4.4': { ai: '7.0.173', zod: '4.4.3' },
  'ai-7-zod-4.3': { ai: '7.0.173', zod: '4.3.1' },
  'ai-6': { ai: '6.0.326', zod: '4.6.7' },
  'ai-5': { ai: '5.0.277', zod: '4.6.7' },
  all: { ai: '7.0.173', '@modelcontextprotocol/sdk': '1.32.2', '@modelcontextprotocol/server': '2.4.0', zod: '4.6.7' },
  bench: { ai: '7.0.173', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7', '@types/node': '20.19.43' },
  'both-zod-4.4': { ai: '7.0.173', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.4.3' },
} as const satisfies { readonly [name: string]: { readonly [dependency: string]: string } };
export type SdkName = keyof typeof SDKS;

/** Says that an installation is whole, and of what. */
const DONE = 'installed.json';
const run = promisify(execFile);

/**
 * The folder that an SDK is installed in. Of two test processes that install the same, the first to be done counts.
 *
 * @param project absolute path of the project, which the folder lies in
 * @throws when npm cannot install it
 */
export async function installedSdk(name: SdkName, project: string): Promise<string> {
  const all = join(project, '.vscode-test/sdks');
  const folder = join(all, name);
  const dependencies: { readonly [dependency: string]: string } = SDKS[name];
  const wanted = JSON.stringify({ name, private: true, type: 'module', dependencies }, null, 2);
  const isDone = (): boolean => existsSync(join(folder, DONE)) && readFileSync(join(folder, DONE), 'utf8') === wanted;
  if (isDone()) return folder;
  mkdirSync(all, { recursive: true });
  const fresh = mkdtempSync(join(all, '.new-'));
  writeFileSync(join(fresh, 'package.json'), wanted);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--prefer-offline'];
  await run('npm', ['install', ...options], { cwd: fresh, shell: process.platform === 'win32' });
  writeFileSync(join(fresh, DONE), wanted);
  if (!isDone()) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!isDone()) throw error;
  }
  return folder;
}
