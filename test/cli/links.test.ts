import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { workspace } from '../unit/files/workspace.ts';
import { project, toolContracts } from './cli.ts';

const FILES = {
  'app/package.json': '{ "dependencies": { "@modelcontextprotocol/sdk": "*", "zod": "*", "made": "*" } }',
  'app/tools.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { limit } from 'made';
const server = new McpServer({ name: 'tools', version: '1' });
const Boats = z.strictObject({ a: z.string().max(limit) });
server.registerTool('boats', { inputSchema: Boats.shape }, async () => ({ content: [] }));
`,
};
const MADE = {
  'package.json': '{ "name": "made", "type": "module", "exports": "./index.js", "dependencies": { "deep": "*" } }',
  'index.js': "export { limit } from 'deep';\n",
};
const DEEP = {
  'package.json': '{ "name": "deep", "type": "module", "exports": "./index.js" }',
  'index.js': 'export const limit = 9;\n',
};

function under(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'dir');
}

/** Findings with the surfaces that answered: an SDK that cannot be loaded answers nothing. */
async function check(folder: string): Promise<string[]> {
  const { out } = await toolContracts(folder, 'check', '--format', 'json');
  const { findings } = JSON.parse(out) as JsonReport;
  return findings.map(({ rule, surfaces }) => [rule, ...surfaces].join(' '));
}

const LOST = ['dropped-catchall mcp-v1'];

test('packages behind links to links', async () => {
  const at = workspace({ ...FILES, ...under('real/made', MADE), ...under('real/made/node_modules/deep', DEEP) });
  link(at('real/made'), at('first/made'));
  link(at('first/made'), at('second/made'));
  link(at('second/made'), at('app/node_modules/made'));
  for (const name of ['zod', '@modelcontextprotocol/sdk']) {
    link(join(project, 'node_modules', name), at(`hop/${name}`));
    link(at(`hop/${name}`), at(`app/node_modules/${name}`));
  }
  expect(await check(at('app'))).toEqual(LOST);
});

test('a node_modules that is a link to one whose packages are links', async () => {
  const at = workspace({ ...FILES, ...under('real/made', MADE), ...under('real/made/node_modules/deep', DEEP) });
  link(at('real/made'), at('shared/made'));
  for (const name of ['zod', '@modelcontextprotocol/sdk'])
    link(join(project, 'node_modules', name), at(`shared/${name}`));
  link(at('shared'), at('app/node_modules'));
  expect(await check(at('app'))).toEqual(LOST);
});

test("pnpm's virtual store that all workspaces share", async () => {
  const store = 'store/v10/links';
  const made = `${store}/@/made/1.0.0/0a1b/node_modules`;
  const deep = `${store}/@/deep/1.0.0/2c3d/node_modules`;
  const at = workspace({ ...FILES, ...under(`${made}/made`, MADE), ...under(`${deep}/deep`, DEEP) });
  link(at(`${deep}/deep`), at(`${made}/deep`));
  link(at(`${made}/made`), at('app/node_modules/made'));
  for (const name of ['zod', '@modelcontextprotocol/sdk']) {
    link(join(project, 'node_modules', name), at(`app/node_modules/${name}`));
  }
  expect(await check(at('app'))).toEqual(LOST);
});
