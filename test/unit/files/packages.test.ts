import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { Packages, packageName } from '../../../server/src/files/packages.ts';
import { workspace } from './workspace.ts';

test('a file belongs to the nearest package, with all its dependencies', () => {
  const at = workspace({
    'package.json': JSON.stringify({ name: 'root', dependencies: { zod: '^4' } }),
    'packages/api/package.json': JSON.stringify({
      name: '@harbour/api',
      version: '1.6.5',
      dependencies: { zod: '^3' },
      devDependencies: { typescript: '*' },
      peerDependencies: { ai: '*' },
      optionalDependencies: { fsevents: '*' },
    }),
    'packages/api/src/deep/a.ts': '',
    'b.ts': '',
  });
  const packages = new Packages(new DiskTree(at('')));
  const api = packages.nearest(at('packages/api/src/deep/a.ts'));
  expect(api).toMatchObject({ name: '@harbour/api', version: '1.6.5', folder: at('packages/api') });
  expect([...(api?.dependencies ?? [])].sort()).toEqual(['ai', 'fsevents', 'typescript', 'zod']);
  expect(packages.nearest(at('b.ts'))?.name).toBe('root');
  expect(packages.problems()).toEqual([]);
});

test('a package.json that is no JSON says so once, marks its package, and the rest goes on', () => {
  const at = workspace({
    'package.json': JSON.stringify({ name: 'root' }),
    'packages/half/package.json': '{\n  "name": "half",\n  "dependencies": { "zod": "^4" },\n  "scripts": {',
    'packages/half/a.ts': '',
    'packages/prose/package.json': 'This is a package.',
    'packages/prose/b.ts': '',
    'packages/list/package.json': '["zod"]',
    'packages/wrong/package.json': '{ "name": 7, "version": null, "dependencies": ["zod"], "devDependencies": null }',
    'packages/good/package.json': '\ufeff{ "name": "good", /* a comment */ "dependencies": { "zod": "*", } }',
  });
  const packages = new Packages(new DiskTree(at('')));
  expect(packages.all().map((pkg) => pkg.name)).toEqual(['root', 'good', 'half', undefined, undefined, undefined]);
  expect(packages.nearest(at('packages/half/a.ts'))?.dependencies).toEqual(new Set(['zod']));
  expect(packages.nearest(at('packages/prose/b.ts'))?.folder).toBe(at('packages/prose'));
  expect(packages.at(at('packages/wrong'))).toMatchObject({ dependencies: new Set() });
  packages.all();
  expect(packages.problems()).toEqual([
    expect.stringMatching(/^packages\/half\/package\.json:4:\d+: .*what can be read of it is used/),
    'packages/list/package.json holds no JSON object and is read as an empty one.',
    expect.stringMatching(/^packages\/prose\/package\.json:1:1: /),
  ]);
});

test('packages of the workspace are known by name, the one nearer to the root first', () => {
  const at = workspace({
    'package.json': JSON.stringify({ name: 'root' }),
    'packages/api/package.json': JSON.stringify({ name: '@harbour/api' }),
    'examples/old/api/package.json': JSON.stringify({ name: '@harbour/api' }),
    'node_modules/zod/package.json': JSON.stringify({ name: 'zod' }),
  });
  const packages = new Packages(new DiskTree(at('')));
  expect([...packages.workspace()]).toEqual([
    ['root', at('')],
    ['@harbour/api', at('packages/api')],
  ]);
});

test('a package is found as Node finds it: the nearest node_modules, links followed, and its version', () => {
  const at = workspace({
    'node_modules/zod/package.json': JSON.stringify({ name: 'zod', version: '4.6.7' }),
    'packages/old/node_modules/zod/package.json': JSON.stringify({ name: 'zod', version: '3.25.76' }),
    'packages/new/a.ts': '',
    'store/sdk@1/package.json': JSON.stringify({ version: '1.32.2' }),
    'node_modules/broken/package.json': '{',
  });
  mkdirSync(at('node_modules/@mcp'));
  symlinkSync(at('store/sdk@1'), at('node_modules/@mcp/sdk'), 'dir');
  const packages = new Packages(new DiskTree(at('')));
  expect(packages.installed('zod', at('packages/new'))?.version).toBe('4.6.7');
  expect(packages.installed('zod', at('packages/old'))?.version).toBe('3.25.76');
  expect(packages.installed('zod', at('packages/gone/not/there'))?.version).toBe('4.6.7');
  const sdk = { folder: at('store/sdk@1'), from: at(''), version: '1.32.2' };
  expect(packages.installed('@mcp/sdk', at('packages/new'))).toEqual(sdk);
  expect(packages.installed('broken', at(''))).toEqual({ folder: at('node_modules/broken'), from: at('') });
  expect(packages.installed('tool-contracts-no-such-package', at('packages/new'))).toBeUndefined();
});

test('what was asked before is forgotten by clear', () => {
  const at = workspace({ 'a.ts': '' });
  const packages = new Packages(new DiskTree(at('')));
  expect(packages.installed('tool-contracts-late', at(''))).toBeUndefined();
  expect(packages.at(at(''))).toBeUndefined();
  mkdirSync(at('node_modules/tool-contracts-late'), { recursive: true });
  writeFileSync(at('package.json'), '{"name":"late"}');
  expect(packages.at(at(''))).toBeUndefined();
  packages.clear();
  expect(packages.installed('tool-contracts-late', at(''))).toBeDefined();
  expect(packages.at(at(''))?.name).toBe('late');
  expect(packages.workspace().get('late')).toBe(at(''));
});

test('the package in a specifier', () => {
  expect(packageName('zod')).toBe('zod');
  expect(packageName('zod/v4/core')).toBe('zod');
  expect(packageName('@modelcontextprotocol/sdk/server/mcp.js')).toBe('@modelcontextprotocol/sdk');
  expect(packageName('@scope')).toBe('@scope');
});
