import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { Packages } from '../../../server/src/files/packages.ts';
import { fromSnapshot } from '../../../server/src/reporters/fromSnapshot.ts';
import { countFindings, countTools } from '../../../server/src/reporters/report.ts';
import type { Finding } from '../../../shared/src/model.ts';
import { workspace } from '../files/workspace.ts';
import { dropped, found, tool, tree } from './found.ts';
import { report } from './look.ts';

test('offsets become positions, and files are relative to the root', () => {
  const [finding] = report({ findings: [dropped] }).findings;
  expect(finding?.at).toEqual({
    file: 'src/tools/boats.ts',
    range: { start: { line: 1, character: 15 }, end: { line: 1, character: 30 } },
  });
  expect(finding?.related).toEqual([
    {
      at: {
        file: 'src/schemas/boats.ts',
        range: { start: { line: 2, character: 25 }, end: { line: 2, character: 39 } },
      },
      message: '`ListBoats` is strict here',
    },
  ]);
});

test('whatever order the pipeline finds things in, the report is the same', () => {
  const { tools, findings } = found();
  const forwards = report();
  const backwards = report({ tools: tools.toReversed(), findings: findings.toReversed() });
  expect(backwards).toEqual(forwards);
  expect(forwards.findings.map((finding) => finding.at.file)).toEqual([
    'src/schemas/tides.ts',
    'src/tools/boats.ts',
    'src/tools/tides.ts',
  ]);
  expect(forwards.tools.map((row) => row.name)).toEqual(['list_boats', 'get_boat', 'report_position', 'tide_table']);
});

test('findings at one place are ordered by rule', () => {
  const at = (rule: string): Finding => ({ ...dropped, rule });
  const rules = report({ findings: [at('b'), at('c'), at('a')] }).findings.map((finding) => finding.rule);
  expect(rules).toEqual(['a', 'b', 'c']);
});

test('a tool on two surfaces has two rows and counts once', () => {
  const boats = tool('src/tools/boats.ts', 'get_boat', 'strict');
  const [offer] = boats.offers;
  if (!offer) throw new Error('no offer');
  const two = report({
    tools: [{ ...boats, offers: [offer, { ...offer, surface: { id: 'ai-sdk', version: '6.0.0' } }] }],
  });
  expect(two.tools.map((row) => row.surface?.id)).toEqual(['ai-sdk', 'mcp-v1']);
  expect(countTools(two)).toEqual({ all: 1, evaluated: 1 });
  expect(two.packages).toMatchObject([{ tools: 1, surfaces: [{ id: 'ai-sdk' }, { id: 'mcp-v1' }] }]);
});

test('what is not known is said: no surface, not evaluated, not listed', () => {
  const boats = tool('src/tools/boats.ts', 'get_boat', 'strict');
  const [offer] = boats.offers;
  if (!offer) throw new Error('no offer');
  const rows = (offers: readonly (typeof offer)[]) => report({ tools: [{ ...boats, offers }] }).tools;
  expect(rows([])).toMatchObject([{ surface: null, listed: false, evaluated: true, policy: 'strict' }]);
  expect(rows([{ ...offer, advertised: null, listError: 'Date cannot be represented' }])).toMatchObject([
    { listed: false, listError: 'Date cannot be represented' },
  ]);
  expect(rows([{ ...offer, advertised: null, mountError: 'already registered' }])).toMatchObject([
    { listed: false, listError: 'already registered' },
  ]);
  expect(rows([offer])[0]).not.toHaveProperty('listError');
  const unknown = report().tools.find((row) => row.name === 'tide_table');
  expect(unknown).toMatchObject({
    evaluated: false,
    listed: false,
    surface: null,
    policy: null,
    zod: '4.6.7',
  });
  expect(unknown?.failure?.at.range.start).toEqual({ line: 0, character: 17 });
});

test('packages are told apart in a monorepo, and their versions of zod', () => {
  const at = workspace({
    'package.json': '{ "name": "root" }',
    'packages/api/package.json': '{ "name": "@harbour/api" }',
    'packages/api/node_modules/zod/package.json': '{ "version": "3.25.76" }',
    'packages/api/src/a.ts': "\r\n\r\n  tool('ä');",
    'packages/nameless/package.json': '{',
    'packages/nameless/b.ts': '',
    'node_modules/zod/package.json': '{ "version": "4.6.7" }',
  });
  const template = tool('src/tools/boats.ts', 'get_boat', 'strict');
  const at2 = (file: string) => {
    const definedAt = { file: at(file), span: { start: 6, end: 9 } };
    const candidate = { ...template.contract.candidate, file: at(file) };
    return { contract: { ...template.contract, candidate, definedAt }, offers: template.offers };
  };
  const disk = new DiskTree(at(''));
  const made = fromSnapshot(
    {
      tools: [at2('packages/nameless/b.ts'), at2('packages/api/src/a.ts')],
      findings: [],
      durationMs: 0,
      notes: ['a', 'a'],
    },
    disk,
    new Packages(disk),
    'x',
  );
  expect(made.packages.map(({ name, folder, zod }) => ({ name, folder, zod }))).toEqual([
    { name: '@harbour/api', folder: 'packages/api', zod: ['3.25.76'] },
    { name: 'nameless', folder: 'packages/nameless', zod: ['4.6.7'] },
  ]);
  expect(made.tools[0]?.at.range.start).toEqual({ line: 2, character: 2 });
  expect(made).toMatchObject({ root: 'x', notes: ['a'] });
});

test('a file that is gone by now has its findings at its start', () => {
  const gone = { file: join(tree.root, 'src/gone.ts'), span: { start: 40, end: 50 } };
  const [finding] = report({ findings: [{ ...dropped, at: gone }] }).findings;
  expect(finding?.at).toEqual({
    file: 'src/gone.ts',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  });
});

test('findings are counted by severity', () => {
  expect(countFindings(report())).toEqual({ error: 0, warning: 1, information: 2, hint: 0 });
});
