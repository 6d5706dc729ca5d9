import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const made: string[] = [];

/** A git repository in a folder inside the project, so that zod and the SDK resolve. */
export interface GitRepository {
  readonly root: string;
  file(path: string): string;
  /** Writes files; null deletes one. */
  write(files: { readonly [path: string]: string | null }): void;
  text(path: string): string;
  /** Commits everything that is there, and tags it. */
  commit(...tags: string[]): void;
  git(...args: string[]): string;
}

/** `package.json` of an ordinary package. */
export function manifest(name: string, version: string, more: object = {}): string {
  const dependencies = { '@modelcontextprotocol/sdk': '*', zod: '*' };
  return `${JSON.stringify({ name, version, type: 'module', dependencies, ...more }, null, 2)}\n`;
}

/** Makes a repository without a commit that is deleted when the file's tests are over. */
export function repository(files: { readonly [path: string]: string | null } = {}, name = 'repository'): GitRepository {
  const root = folder(name);
  const repo = at(root);
  repo.git('init', '--quiet', '--initial-branch=main');
  repo.write({ 'package.json': manifest('harbour', '1.0.0'), ...files });
  return repo;
}

/** A folder without a repository of its own. */
export function folder(name: string): string {
  const parent = join(PROJECT, '.vscode-test/repositories');
  mkdirSync(parent, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parent, `${name}-`)));
  made.push(root);
  return root;
}

/** The repository that is in a folder. */
export function at(root: string): GitRepository {
  const file = (path: string) => join(root, path);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: environment(), encoding: 'utf8' });
  return {
    root,
    file,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) rmSync(file(path), { force: true });
        else {
          mkdirSync(dirname(file(path)), { recursive: true });
          writeFileSync(file(path), text);
        }
      }
    },
    text: (path) => readFileSync(file(path), 'utf8'),
    commit(...tags) {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', tags[0] ?? 'change');
      for (const tag of tags) git('tag', tag);
    },
    git,
  };
}

/** Nothing of the person's own settings, no signing, no hooks, the same times each run. */
function environment(): NodeJS.ProcessEnv {
  const who = { NAME: 'Test', EMAIL: 'test@example.com', DATE: '2026-01-01T00:00:00Z' };
  return {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
}

afterAll(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A server module that registers tools with the given input schemas. */
export function serverModule(tools: { readonly [name: string]: string }, before = ''): string {
  const registrations = Object.entries(tools).map(
    ([name, schema]) => `server.registerTool('${name}', { inputSchema: ${schema} }, async () => ({ content: [] }));`,
  );
  return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
${before}
const server = new McpServer({ name: 'harbour', version: '1.0.0' });
${registrations.join('\n')}
`;
}
