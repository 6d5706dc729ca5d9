import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Changes, Evaluated, makeWorkspace, manifest, PROJECT, removeWorkspaces } from '../helpers/evaluate.ts';

const running: Evaluated[] = [];
afterEach(() => {
  for (const evaluated of running.splice(0)) evaluated.dispose();
});
afterAll(removeWorkspaces);

async function evaluate(files: Changes, links: Readonly<Record<string, string>> = {}, folder = ''): Promise<Evaluated> {
  const root = makeWorkspace(files);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target.replace('ROOT', root), join(root, name), 'dir');
  }
  const evaluated = new Evaluated(join(root, folder));
  running.push(evaluated);
  return evaluated.update();
}

const installed = (name: string) => join(PROJECT, 'node_modules', name);
function tool(name: string, schema: string): string {
  return `server.registerTool('${name}', { description: 'd', inputSchema: ${schema} }, async () => ({ content: [] }));\n`;
}
const fields = (evaluated: Evaluated, name: string) =>
  Object.keys(evaluated.contract(name).graph?.nodes[0]?.fields ?? {});

test('two zods in one workspace, each where it is imported', async () => {
  const text = (name: string) =>
    `import { z } from 'zod';\nimport { Shared } from '../../shared/s.js';\n${tool(name, 'z.object({ a: z.string().min(2) }).strict()')}${tool(`${name}_shared`, 'Shared')}`;
  const evaluated = await evaluate(
    {
      'package.json': manifest(),
      'packages/old/package.json': manifest(),
      'packages/new/package.json': manifest(),
      'packages/old/src/tools.ts': text('old'),
      'packages/new/src/tools.ts': text('new'),
      'packages/shared/s.ts': "import { z } from 'zod';\nexport const Shared = z.object({ s: z.string() });",
    },
    { 'packages/old/node_modules/zod': installed('zod-3'), 'packages/new/node_modules/zod': installed('zod-4-1') },
  );
  expect(evaluated.names()).toEqual(['new', 'new_shared', 'old', 'old_shared']);
  const majors = Object.fromEntries(
    evaluated.contracts().map(({ name, graph }) => [name, [...new Set(graph?.nodes.map(({ zod }) => zod))]]),
  );
  expect(majors).toEqual({ new: [4], new_shared: [4], old: [3], old_shared: [4] });
  for (const { contract, offers } of evaluated.result.subjects) {
    expect(offers[0]?.advertised, contract.name ?? '').toMatchObject({ type: 'object' });
  }
});

test('packages that only import, only require, or do both differently', async () => {
  const evaluated = await evaluate({
    'package.json': manifest(),
    'a.ts': `import { z } from 'zod';\nimport { how } from 'both';\nimport { only } from 'esm-only';\n${tool('imported', 'z.object({ [how]: z.string(), [only]: z.string() })')}`,
    'b.cjs': `const { z } = require('zod');\nconst { how } = require('both');\n${tool('required', 'z.object({ [how]: z.string() })')}`,
    'node_modules/both/package.json':
      '{ "name": "both", "version": "1.0.0", "exports": { "import": "./index.mjs", "require": "./index.cjs" } }',
    'node_modules/both/index.mjs': "export const how = 'by_import';",
    'node_modules/both/index.cjs': "exports.how = 'by_require';",
    'node_modules/esm-only/package.json':
      '{ "name": "esm-only", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
    'node_modules/esm-only/index.js': "export const only = 'esm';",
  });
  expect(fields(evaluated, 'imported')).toEqual(['by_import', 'esm']);
  expect(fields(evaluated, 'required')).toEqual(['by_require']);
});

test('a package that is linked from outside the folder, with packages of its own', async () => {
  const evaluated = await evaluate(
    {
      'store/linked/package.json': '{ "name": "linked", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'store/linked/index.js': "export { field } from 'inner';",
      'store/linked/node_modules/inner/package.json':
        '{ "name": "inner", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'store/linked/node_modules/inner/index.js': "export const field = 'of_inner';",
      'work/package.json': manifest('linked'),
      'work/tools.ts': `import { z } from 'zod';\nimport { field } from 'linked';\n${tool('t', 'z.object({ [field]: z.string() })')}`,
    },
    { 'work/node_modules/linked': 'ROOT/store/linked' },
    'work',
  );
  expect(evaluated.result.unevaluated.map(({ reason }) => reason)).toEqual([]);
  expect(fields(evaluated, 't')).toEqual(['of_inner']);
});

test('a package of the workspace is its source, and #imports lead to it', async () => {
  const evaluated = await evaluate({
    'package.json': '{ "name": "root", "private": true, "workspaces": ["packages/*"] }',
    'packages/shared/package.json':
      '{ "name": "@w/shared", "version": "1.0.0", "type": "module", "main": "dist/index.js", "exports": { ".": "./dist/index.js", "./deep": "./dist/deep.js" } }',
    'packages/shared/src/index.ts': "import { z } from 'zod';\nexport const S = z.object({ shared: z.string() });",
    'packages/shared/src/deep.ts': "import { z } from 'zod';\nexport const D = z.object({ deep: z.string() });",
    'packages/app/package.json':
      '{ "name": "app", "type": "module", "imports": { "#own/*": "./src/own/*.ts" }, "dependencies": { "@w/shared": "*", "zod": "*", "@modelcontextprotocol/sdk": "*" } }',
    'packages/app/src/own/o.ts': "import { z } from 'zod';\nexport const O = z.object({ own: z.string() });",
    'packages/app/src/tools.ts': `import { S } from '@w/shared';\nimport { D } from '@w/shared/deep';\nimport { O } from '#own/o';\n${tool('s', 'S')}${tool('d', 'D')}${tool('o', 'O')}`,
  });
  expect(evaluated.result.unevaluated.map(({ reason }) => reason)).toEqual([]);
  expect([fields(evaluated, 's'), fields(evaluated, 'd'), fields(evaluated, 'o')]).toEqual([
    ['shared'],
    ['deep'],
    ['own'],
  ]);
  expect(evaluated.textOf(evaluated.contract('s').graph?.nodes[0]?.origin?.place)).toBe(
    'z.object({ shared: z.string() })',
  );
});

test('a package that reads what it may not says so', async () => {
  const evaluated = await evaluate({
    'package.json': manifest(),
    'tools.ts': `import { z } from 'zod';\nimport { text } from 'curious';\n${tool('t', 'z.object({ a: z.literal(text) })')}${tool('u', 'z.object({})')}`,
    'node_modules/curious/package.json':
      '{ "name": "curious", "version": "1.0.0", "type": "module", "main": "index.js" }',
    'node_modules/curious/index.js':
      "import { readFileSync } from 'node:fs';\nexport const text = readFileSync('/etc/hostname', 'utf8');",
  });
  expect(evaluated.names()).toEqual(['u']);
  expect(evaluated.failure('t').reason).toMatch(/^cannot load curious\/index\.js: .*restricted/);
});
