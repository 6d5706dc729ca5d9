import { expect, test } from 'vitest';
import { codes, editor, folder, serverModule } from './folders.ts';

const STRICT = 'export const ListBoats = z.strictObject({ harbour: z.string() });';
const GUILTY = { 'src/server.ts': serverModule(STRICT, 'ListBoats.shape') };

test.each([
  null,
  { toolContracts: null },
  { toolContracts: 'yes' },
  { toolContracts: { rules: 7, include: 'src', evaluation: { timeout: 'long' } } },
])('settings %j: the defaults hold and the check goes on', async (settings) => {
  const { root, file } = folder(GUILTY);
  const client = await editor(root, { settings });
  expect(codes(await client.diagnosticsOf(file('src/server.ts')))).toEqual(['dropped-catchall']);
});

test('a setting of the wrong type is named in one sentence', async () => {
  const { root } = folder(GUILTY);
  const client = await editor(root, { settings: { toolContracts: { rules: 7 } } });
  expect((await client.ready()).message).toMatch(/Settings toolContracts: "rules" is ignored/);
});

test("a severity that is set replaces the rule's own, and off silences it", async () => {
  const { root, file } = folder(GUILTY);
  const client = await editor(root, { settings: { toolContracts: { rules: { 'dropped-catchall': 'error' } } } });
  const [diagnostic] = await client.diagnosticsOf(file('src/server.ts'));
  expect(diagnostic?.severity).toBe(1);
  const before = client.at;
  client.configure({ toolContracts: { rules: { 'dropped-catchall': 'off' } } });
  await client.diagnosticsOf(file('src/server.ts'), {
    after: before,
    where: ({ diagnostics }) => diagnostics.length === 0,
  });
});

test('a broken tsconfig.json is said once, and the rest goes on', async () => {
  const { root, file } = folder({
    'src/boats.ts': `import { z } from 'zod';\n${STRICT}\n`,
    'src/server.ts': serverModule("import { ListBoats } from './boats.js';", 'ListBoats.shape'),
    'tsconfig.json': '{ "compilerOptions": { "paths": ',
  });
  const client = await editor(root);
  expect(codes(await client.diagnosticsOf(file('src/server.ts')))).toEqual(['dropped-catchall']);
  expect((await client.ready()).message).toMatch(/tsconfig\.json/);
});

test('a package.json that is no JSON is said, and the rest goes on', async () => {
  const { root, file } = folder({ ...GUILTY, 'package.json': 'name: harbour' });
  const client = await editor(root);
  await client.diagnosticsOf(file('src/server.ts'));
  expect((await client.ready()).message).toContain('package.json');
});

test('a package that is not installed is the reason of the tools that need it, and of no other', async () => {
  const { root, file } = folder({
    ...GUILTY,
    'src/other.ts': serverModule(
      "import { shape } from 'no-such-package';\nexport const Odd = z.object(shape);",
      'Odd',
    ),
  });
  const client = await editor(root);
  const [diagnostic] = await client.diagnosticsOf(file('src/other.ts'));
  expect(diagnostic?.code).toBe('not-evaluated');
  expect(diagnostic?.message).toContain('no-such-package');
  expect(codes(await client.diagnosticsOf(file('src/server.ts')))).toEqual(['dropped-catchall']);
});

test('tool-contracts.json with faults: the valid part holds', async () => {
  const { root, file } = folder({
    ...GUILTY,
    'tool-contracts.json': '{ "rules": { "dropped-catchall": "hint" }, "nonsense": 1 }',
  });
  const client = await editor(root);
  const [diagnostic] = await client.diagnosticsOf(file('src/server.ts'));
  expect(diagnostic?.severity).toBe(4);
  expect((await client.ready()).message).toContain('nonsense');
});

test('two folders with their own packages are checked side by side', async () => {
  const one = folder(GUILTY, 'one');
  const two = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') }, 'two');
  const client = await editor([one.root, two.root]);
  expect(codes(await client.diagnosticsOf(one.file('src/server.ts')))).toEqual(['dropped-catchall']);
  client.documents.open(two.file('src/server.ts'));
  client.documents.change(two.file('src/server.ts'), serverModule(STRICT, 'ListBoats.shape'));
  expect(
    codes(
      await client.diagnosticsOf(two.file('src/server.ts'), { where: ({ diagnostics }) => diagnostics.length > 0 }),
    ),
  ).toEqual(['dropped-catchall']);
});

test('a folder without tools says what was looked for', async () => {
  const { root } = folder({ 'src/index.ts': 'export const a = 1;\n' });
  const client = await editor(root);
  expect((await client.ready()).message).toContain('No tools found');
});

test('an initialiser that loops is stopped, and every other tool is checked', async () => {
  const { root, file } = folder({
    ...GUILTY,
    'src/loop.ts': serverModule(
      'const forever = () => { for (;;); };\nexport const Odd = z.object({ a: z.string().max(forever()) });',
      'Odd',
    ),
  });
  const client = await editor(root, { settings: { toolContracts: { evaluation: { timeout: 500 } } } });
  const [diagnostic] = await client.diagnosticsOf(file('src/loop.ts'));
  expect(diagnostic?.code).toBe('not-evaluated');
  expect(diagnostic?.message).toContain('0.5 seconds');
  expect(codes(await client.diagnosticsOf(file('src/server.ts')))).toEqual(['dropped-catchall']);
});

test('a package of a monorepo has its own severities', async () => {
  const pkg = (name: string) =>
    JSON.stringify({ name, type: 'module', dependencies: { '@modelcontextprotocol/sdk': '*', zod: '*' } });
  const { root, file } = folder({
    'packages/one/package.json': pkg('one'),
    'packages/one/tool-contracts.json': '{ "rules": { "dropped-catchall": "error" } }',
    'packages/one/src/server.ts': serverModule(STRICT, 'ListBoats.shape'),
    'packages/two/package.json': pkg('two'),
    'packages/two/src/server.ts': serverModule(STRICT, 'ListBoats.shape'),
  });
  const client = await editor(root);
  const severityIn = async (path: string) => (await client.diagnosticsOf(file(path)))[0]?.severity;
  expect(await severityIn('packages/one/src/server.ts')).toBe(1);
  expect(await severityIn('packages/two/src/server.ts')).toBe(2);
});

test('the status of a workspace of several folders is that of all of them', async () => {
  const one = folder(GUILTY, 'one');
  const two = folder({ ...GUILTY, 'src/other.ts': serverModule(STRICT, 'ListBoats') }, 'two');
  const three = folder({ 'src/index.ts': 'export const a = 1;\n' }, 'three');
  const client = await editor([one.root, two.root, three.root]);
  const status = await client.status({ where: ({ state, tools }) => state === 'ready' && tools === 3 });
  expect(status.problems).toBe(2);
  expect(status.message).toBeUndefined();
  expect(status.surfaces).toEqual([expect.stringMatching(/^MCP SDK 1\.\d+\.\d+ · zod 4\.\d+\.\d+$/)]);
});
