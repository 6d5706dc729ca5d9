import { expect, test } from 'vitest';
import { COMMAND_COMPARE_BASELINE, COMMAND_PREVIEW, type InitializationOptions } from '../../shared/src/protocol.ts';
import { repository, serverModule as toolsModule } from '../helpers/repository.ts';
import { editor, folder, serverModule } from './folders.ts';
import { type LanguageClient, uriOf } from './harness/index.ts';

const STRICT = 'export const ListBoats = z.strictObject({ harbour: z.string() });';
/** An editor that has the commands of this extension. */
const VSCODE = { initializationOptions: { commands: [COMMAND_PREVIEW, COMMAND_COMPARE_BASELINE] } };

/** What stands above the lines of a file: line, and the titles above it. */
async function shown(client: LanguageClient, file: string): Promise<string[]> {
  const lines = new Map<number, string[]>();
  for (const { range, command } of await client.codeLenses(file)) {
    expect(range.end).toEqual(range.start);
    lines.set(range.start.line, [...(lines.get(range.start.line) ?? []), command?.title ?? '']);
  }
  return [...lines].map(([line, titles]) => `${line}: ${titles.join(' | ')}`.replace(/\d+\.\d+ ·/, 'N.N ·'));
}

test('above a tool stand its SDK, its key policy and inputs, and the preview of it', async () => {
  const { root, file, text } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  const client = await editor(root, VSCODE);
  const lenses = await client.codeLenses(file('src/server.ts'));
  const line = text('src/server.ts')
    .split('\n')
    .findIndex((one) => one.startsWith('server.registerTool'));
  expect(await shown(client, file('src/server.ts'))).toEqual([`${line}: MCP SDK N.N · strict · 1 input | Preview`]);
  expect(lenses.map(({ command }) => [command?.command, command?.arguments])).toEqual([
    ['', undefined],
    [COMMAND_PREVIEW, [{ file: uriOf(file('src/server.ts')), tool: 'list_boats' }]],
  ]);
});

test.each([
  ['z.object({ a: z.string(), b: z.number() })', 'strips unknown keys · 2 inputs'],
  ['z.looseObject({ a: z.string() })', 'keeps unknown keys · 1 input'],
  ['z.object({}).catchall(z.string())', 'typed unknown keys · 0 inputs'],
  ['z.strictObject({ a: z.string() }).and(z.object({ b: z.string() }))', 'several key policies · 2 inputs'],
  [
    'z.discriminatedUnion("k", [z.strictObject({ k: z.literal("a") }), z.strictObject({ k: z.literal("b"), x: z.string() })])',
    'strict · 2 inputs',
  ],
  ['{ a: z.string() }', 'strips unknown keys · 1 input'],
  ['z.object({ at: z.date() })', 'cannot be listed: Date cannot be represented in JSON Schema'],
])('of %s it says %s', async (schema, words) => {
  const { root, file } = folder({ 'src/server.ts': serverModule('', schema) });
  const client = await editor(root);
  expect(await shown(client, file('src/server.ts'))).toEqual([`6: MCP SDK N.N · ${words}`]);
});

test('a client that does not say that it has the commands gets words alone', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  for (const options of [{}, null, { commands: 'all' }, { commands: ['something.else'] }]) {
    const client = await editor(root, { initializationOptions: options as InitializationOptions });
    expect(await shown(client, file('src/server.ts'))).toEqual([`6: MCP SDK N.N · strict · 1 input`]);
  }
});

test('what breaks callers of the last release is counted, and leads to the comparison', async () => {
  const repo = repository({ 'src/server.ts': toolsModule({ go: '{ a: z.string(), b: z.string(), c: z.string() }' }) });
  repo.commit('v1.2.0');
  const client = await editor(repo.root, VSCODE);
  const file = repo.file('src/server.ts');
  client.documents.open(file);
  expect(await shown(client, file)).toEqual([expect.stringMatching(/strips unknown keys · 3 inputs \| Preview$/)]);
  client.documents.change(file, toolsModule({ go: '{ a: z.number(), d: z.string().optional() }' }));
  expect(await shown(client, file)).toEqual([
    expect.stringMatching(/strips unknown keys · 2 inputs · 3 breaking since v1\.2\.0 \| Preview$/),
  ]);
  const [line] = await client.codeLenses(file);
  expect(line?.command?.command).toBe(COMMAND_COMPARE_BASELINE);
});

test('a tool that is not evaluated says why', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule('', 'z.object({ a: z.string().max(nothing.here) })') });
  const client = await editor(root, VSCODE);
  expect(await shown(client, file('src/server.ts'))).toEqual([expect.stringMatching(/^6: not evaluated: .*nothing/)]);
});

test('a definition that is registered elsewhere has the line, and a loop that makes many tools has one for them all', async () => {
  const { root, file } = folder({
    'src/tools.ts': `import { z } from 'zod';
export const one = {
  name: 'one', description: 'One.', inputSchema: z.strictObject({ a: z.string() }), handler: async () => 1,
};
`,
    'src/server.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { one } from './tools.js';
const server = new McpServer({ name: 'harbour', version: '1.0.0' });
server.registerTool(one.name, { inputSchema: one.inputSchema }, async () => ({ content: [] }));
for (const name of ['x', 'y']) {
  server.registerTool(name, { inputSchema: z.object({ a: z.string() }) }, async () => ({ content: [] }));
}
`,
  });
  const client = await editor(root, VSCODE);
  expect(await shown(client, file('src/tools.ts'))).toEqual([
    expect.stringMatching(/^1: MCP SDK N\.N · strict · 1 input \| Preview$/),
  ]);
  expect(await shown(client, file('src/server.ts'))).toEqual([
    expect.stringMatching(/^6: 2 tools · MCP SDK N\.N · strips unknown keys · 1 input \| Preview$/),
  ]);
});

test('while the code does not parse, lines move with the text', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  await client.ready();
  client.documents.open(file('src/server.ts'));
  client.documents.change(file('src/server.ts'), `import {\n\n${source}`);
  expect(await shown(client, file('src/server.ts'))).toEqual(['8: MCP SDK N.N · strict · 1 input']);
});

test('the editor is asked to look again when another file changes what a line says, and not when nothing does', async () => {
  const schemas = `import { z } from 'zod';\n${STRICT}\n`;
  const { root, file } = folder({
    'src/schemas.ts': schemas,
    'src/server.ts': serverModule("import { ListBoats } from './schemas.js';", 'ListBoats'),
  });
  const client = await editor(root);
  client.documents.open(file('src/schemas.ts'));
  await shown(client, file('src/server.ts'));
  client.documents.change(file('src/schemas.ts'), `${schemas}// nothing\n`);
  await client.tools();
  expect(client.answers.lensRefreshes).toBe(0);
  client.documents.change(file('src/schemas.ts'), schemas.replace('strictObject', 'looseObject'));
  await client.until('a request to look again', () => (client.answers.lensRefreshes > 0 ? true : undefined));
  expect(await shown(client, file('src/server.ts'))).toEqual(['6: MCP SDK N.N · keeps unknown keys · 1 input']);
});

test('switched off, there is no line', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  const client = await editor(root, { settings: { toolContracts: { codeLens: { enabled: false } } } });
  expect(await client.codeLenses(file('src/server.ts'))).toEqual([]);
  client.configure({ toolContracts: { codeLens: { enabled: true } } });
  expect(await client.codeLenses(file('src/server.ts'))).toHaveLength(1);
});

test('in Restricted Mode tools are shown by name, and nothing has run', async () => {
  const { root, file } = folder({
    'src/server.ts': serverModule("export const Vault = (console.log('opened'), z.strictObject({}));", 'Vault'),
  });
  const client = await editor(root, { initializationOptions: { trusted: false, commands: [COMMAND_PREVIEW] } });
  expect(await shown(client, file('src/server.ts'))).toEqual(['6: list_boats · not evaluated: workspace not trusted']);
  expect(client.answers.log.map(({ message }) => message).join('\n')).not.toContain('opened');
});
