import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PREVIEW_CLOSED, PREVIEWS_CHANGED, TOOL_FILES, type ToolFilesParams } from '../../shared/src/protocol.ts';
import { repository, serverModule as toolsModule } from '../helpers/repository.ts';
import { installedSdk } from '../helpers/sdkInstallation.ts';
import { editor, folder, serverModule } from './folders.ts';
import { type LanguageClient, PROJECT, position, uriOf } from './harness/index.ts';

const STRICT = 'export const ListBoats = z.strictObject({ harbour: z.string() });';

/** The one tool of a name, as the server offers it to choose from. */
async function toolNamed(client: LanguageClient, name: string) {
  const { tools } = await client.tools();
  const found = tools.filter((tool) => tool.name === name);
  expect(found).toHaveLength(1);
  const [tool] = found;
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

/** The URI of the only document on what a tool's surface advertises. */
async function onlyPreview(client: LanguageClient, name: string): Promise<string> {
  const { surfaces } = await toolNamed(client, name);
  expect(surfaces).toHaveLength(1);
  return surfaces[0]?.uri ?? '';
}

function uriIn(item: { readonly uri: string } | { readonly reason: string } | undefined): string {
  if (!item || 'reason' in item) throw new Error(`no document: ${item?.reason}`);
  return item.uri;
}

test('the document of a surface is what its SDK lists, byte for byte, and valid JSON', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats.shape') });
  const client = await editor(root);
  const tool = await toolNamed(client, 'list_boats');
  expect(tool).toMatchObject({ file: uriOf(file('src/server.ts')), place: 'src/server.ts:7' });
  const { version } = JSON.parse(
    readFileSync(join(PROJECT, 'node_modules/@modelcontextprotocol/sdk/package.json'), 'utf8'),
  ) as { version: string };
  expect(tool.surfaces.map(({ surface, title }) => [surface, title])).toEqual([['mcp-v1', `MCP SDK ${version}`]]);
  const uri = uriIn(tool.surfaces[0]);
  expect(uri).toMatch(/^tool-contract:.*\/src\/server\.ts\/list_boats\.mcp-v1\.json\?list_boats$/);
  expect(JSON.parse(await client.preview(uri))).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { harbour: { type: 'string' } },
    required: ['harbour'],
  });
});

test('a URI that an editor spells in its own way is the same document', async () => {
  const { root } = folder({
    'src/my server.ts': serverModule(STRICT, 'ListBoats').replace('list_boats', 'list/boats & more'),
  });
  const client = await editor(root);
  const uri = await onlyPreview(client, 'list/boats & more');
  expect(uri).not.toMatch(/list\/boats/);
  const text = await client.preview(uri);
  expect(JSON.parse(text)).toMatchObject({ type: 'object', additionalProperties: false });
  // VS Code leaves out an empty authority, and decodes and encodes again.
  expect(await client.preview(uri.replace('tool-contract:///', 'tool-contract:/').replaceAll('%20', ' '))).toBe(text);
});

test('a document that is open is told to have changed, and only when it has', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  const uri = await onlyPreview(client, 'list_boats');
  await client.preview(uri);
  client.documents.open(file('src/server.ts'));
  const before = client.at;
  const { version } = client.documents.change(file('src/server.ts'), `${source}// nothing that matters\n`);
  await client.publicationOf(file('src/server.ts'), { version });
  client.documents.change(file('src/server.ts'), source.replace('harbour: z', 'port: z'));
  const told = await client.previewChanged(uri, before);
  expect(JSON.parse(told).properties).toEqual({ port: { type: 'string' } });
  expect(await client.preview(uri)).toBe(told);
  const closed = client.at;
  client.notify(PREVIEW_CLOSED, { uri });
  client.documents.change(file('src/server.ts'), source);
  // The answer comes behind all that the server has to tell.
  await client.tools();
  await expect(client.notification(PREVIEWS_CHANGED, { after: closed, deadlineMs: 1 })).rejects.toThrow('Waited');
});

test('asked right after an edit, the document is that of the new text', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  const uri = await onlyPreview(client, 'list_boats');
  client.documents.open(file('src/server.ts'));
  for (const name of ['a', 'b', 'c']) {
    client.documents.change(file('src/server.ts'), source.replace('harbour: z', `${name}: z`));
    expect(Object.keys(JSON.parse(await client.preview(uri)).properties)).toEqual([name]);
  }
});

test('while the code does not parse, the last good schema stands, marked', async () => {
  const schemas = `import { z } from 'zod';\n${STRICT}\n`;
  const { root, file } = folder({
    'src/schemas.ts': schemas,
    'src/server.ts': serverModule("import { ListBoats } from './schemas.js';", 'ListBoats'),
  });
  const client = await editor(root);
  const uri = await onlyPreview(client, 'list_boats');
  const good = await client.preview(uri);
  client.documents.open(file('src/schemas.ts'));
  client.documents.change(file('src/schemas.ts'), `${schemas}\nexport const X = z.string(\n`);
  await client.previewChanged(uri, 0);
  const stale = await client.preview(uri);
  expect(stale).toBe(
    `// Stale: src/schemas.ts does not parse (line 5). This is the schema of the\n// last good text.\n${good}`,
  );
  const after = client.at;
  client.documents.change(file('src/schemas.ts'), schemas);
  await client.previewChanged(uri, after);
  expect(await client.preview(uri)).toBe(good);
});

test('a list that fails says why, and who is not listed with it', async () => {
  const { root } = folder({
    'src/server.ts': toolsModule({
      boats: '{ harbour: z.string() }',
      tides: '{ at: z.date() }',
      berths: '{ free: z.boolean() }',
    }),
  });
  const client = await editor(root);
  const failing = await client.preview(await onlyPreview(client, 'tides'));
  expect(unwrapped(failing)).toMatch(
    /^MCP SDK [\d.]+ cannot list this tool: Date cannot be represented in JSON Schema\. It takes down the tools beside it, berths, boats: tools\/list of a server that has both fails as a whole\.$/,
  );
  const beside = await client.preview(await onlyPreview(client, 'boats'));
  expect(unwrapped(beside)).toMatch(
    /^Not listed together with tides, which MCP SDK [\d.]+ cannot list, so that tools\/list of a server that has both fails as a whole: Date cannot be represented in JSON Schema\. \{/,
  );
});

test('a tool that is gone, renamed or not evaluated says so', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  const uri = await onlyPreview(client, 'list_boats');
  await client.preview(uri);
  client.documents.open(file('src/server.ts'));
  client.documents.change(file('src/server.ts'), source.replace("'list_boats'", "'get_boats'"));
  await client.previewChanged(uri, 0);
  expect(unwrapped(await client.preview(uri))).toBe('There is no tool list_boats any more. It was in src/server.ts:7.');
  client.documents.change(file('src/server.ts'), source.replace('z.string()', 'z.string().max(nothing.here)'));
  expect(unwrapped(await client.preview(uri))).toMatch(
    /^list_boats could not be evaluated, so there is nothing to show: .*nothing.* \(src\/server\.ts:4\)\.$/,
  );
  // It is chosen like any other, and says so.
  expect((await toolNamed(client, 'list_boats')).surfaces).toHaveLength(1);
});

test('the tool at the cursor is the current one, and those of the file come first', async () => {
  const { root, file, uri } = folder({
    'src/a.ts': toolsModule({ first: '{ a: z.string() }', second: '{ b: z.string() }' }),
    'src/schemas.ts': `import { z } from 'zod';\n${STRICT}\n`,
    'src/z.ts': serverModule("import { ListBoats } from './schemas.js';", 'ListBoats'),
  });
  const client = await editor(root);
  const names = async (path: string, needle?: string) => {
    const text = readFileSync(file(path), 'utf8');
    const { tools, current } = await client.tools({
      uri: uri(path),
      ...(needle !== undefined && { position: position(text, needle) }),
    });
    return [
      current === undefined ? undefined : tools[current]?.name,
      ...tools.map(({ name, nearness }) => `${name} ${nearness}`),
    ];
  };
  expect(await names('src/a.ts', 'b: z.string')).toEqual([
    'second',
    'first here',
    'second here',
    'list_boats elsewhere',
  ]);
  expect(await names('src/z.ts')).toEqual([undefined, 'list_boats here', 'first elsewhere', 'second elsewhere']);
  expect(await names('src/schemas.ts', 'harbour')).toEqual([
    undefined,
    'list_boats uses',
    'first elsewhere',
    'second elsewhere',
  ]);
  const preview = await client.tools({ uri: await onlyPreview(client, 'first') });
  expect(preview.tools[preview.current ?? -1]?.name).toBe('first');
});

test('two tools of one name in a file have documents of their own', async () => {
  const one = serverModule(STRICT, 'ListBoats');
  const other =
    "\nserver.registerTool('list_boats', { inputSchema: z.object({ other: z.string() }) }, async () => ({ content: [] }));\n";
  const { root } = folder({ 'src/server.ts': one + other });
  const client = await editor(root);
  const { tools } = await client.tools();
  const texts = await Promise.all(tools.map(({ surfaces }) => client.preview(uriIn(surfaces[0]))));
  expect(texts.map((text) => Object.keys(JSON.parse(text).properties))).toEqual([['harbour'], ['other']]);
});

test('the contract is what the author wrote: of a shape that is handed over whole, its object', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats.shape') });
  const client = await editor(root);
  const { contract } = await toolNamed(client, 'list_boats');
  const uri = uriIn(contract);
  expect(uri).toContain('list_boats.contract.json');
  expect(JSON.parse(await client.preview(uri))).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: false,
    required: ['harbour'],
  });
  client.documents.open(file('src/server.ts'));
  client.documents.replace(file('src/server.ts'), 'z.strictObject', 'z.looseObject');
  await client.previewChanged(uri, 0);
  expect(JSON.parse(await client.preview(uri)).additionalProperties).toEqual({});
});

test('a tool without an SDK has no contract to compare with, and says why', async () => {
  const { root } = folder({
    'package.json': JSON.stringify({ name: 'bare', version: '1.0.0', type: 'module', dependencies: { zod: '*' } }),
    'src/tools.ts': `import { z } from 'zod';
export const list = { name: 'list', description: 'Lists.', inputSchema: z.object({ a: z.string() }), handler: () => 1 };
`,
  });
  const client = await editor(root);
  const { contract, surfaces } = await toolNamed(client, 'list');
  expect(surfaces[0]?.surface).toBe('contract');
  expect(JSON.parse(await client.preview(uriIn(surfaces[0])))).toMatchObject({ properties: { a: { type: 'string' } } });
  expect(contract).toEqual({ reason: expect.stringContaining('No SDK is installed') });
});

test('the document of the last release is what the SDK of today lists of it, and of an unchanged tool what it is', async () => {
  const before = { go: '{ from: z.string(), avoid: z.string() }', stay: '{ at: z.string() }' };
  const repo = repository({
    'src/go.ts': toolsModule({ go: before.go }),
    'src/stay.ts': toolsModule({ stay: before.stay }),
  });
  repo.commit('v1.2.0');
  const client = await editor(repo.root);
  client.documents.open(repo.file('src/go.ts'));
  client.documents.change(repo.file('src/go.ts'), toolsModule({ go: '{ from: z.string() }', fresh: '{}' }));
  const baselineOf = async (name: string) => (await toolNamed(client, name)).surfaces[0]?.baseline;
  const go = await baselineOf('go');
  expect(go).toMatchObject({ title: 'v1.2.0' });
  expect(JSON.parse(await client.preview(uriIn(go)))).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    required: ['from', 'avoid'],
  });
  const { surfaces } = await toolNamed(client, 'stay');
  expect(await client.preview(uriIn(surfaces[0]?.baseline))).toBe(await client.preview(uriIn(surfaces[0])));
  expect(await baselineOf('fresh')).toEqual({ reason: 'v1.2.0 has no tool fresh.' });
});

test('the document of a recorded release is what was recorded', async () => {
  const inputSchema = { type: 'object', properties: { old: { type: 'number', note: 'kept as it is' } } };
  const { root } = folder({
    'src/server.ts': serverModule(STRICT, 'ListBoats'),
    'tool-contracts.lock.json': JSON.stringify({
      version: 1,
      release: '0.9.0',
      tools: { list_boats: { inputSchema } },
    }),
  });
  const client = await editor(root);
  const { surfaces } = await toolNamed(client, 'list_boats');
  expect(surfaces[0]?.baseline).toMatchObject({ title: '0.9.0 (tool-contracts.lock.json)' });
  expect(JSON.parse(await client.preview(uriIn(surfaces[0]?.baseline)))).toEqual(inputSchema);
});

test('without a release, and with the comparing rules off, it says why there is nothing to compare with', async () => {
  const { root } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  const rules = { 'undocumented-input-removal': 'off', 'breaking-input-change': 'off' };
  const client = await editor(root, { settings: { toolContracts: { rules } } });
  const { surfaces } = await toolNamed(client, 'list_boats');
  expect(surfaces[0]?.baseline).toEqual({ reason: expect.stringContaining('switched off') });
});

test('in Restricted Mode and switched off, documents say why there is nothing, until there is', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  const uri = `tool-contract://${uriOf(file('src/server.ts')).slice('file://'.length)}/list_boats.mcp-v1.json?list_boats`;
  const client = await editor(root, { initializationOptions: { trusted: false } });
  expect(unwrapped(await client.preview(uri))).toMatch(/^Nothing is known of the tools: .* trusted one\.$/);
  expect(await client.tools()).toEqual({ tools: [], reason: expect.stringContaining('trusted') });
  const before = client.at;
  client.notify('toolContracts/trustGranted', null);
  await client.previewChanged(uri, before);
  expect(JSON.parse(await client.preview(uri))).toMatchObject({ required: ['harbour'] });
  const enabled = client.at;
  client.configure({ toolContracts: { enable: false } });
  expect(unwrapped(await client.previewChanged(uri, enabled))).toMatch(/toolContracts\.enable/);
  expect(unwrapped(await client.preview(uri))).toMatch(/toolContracts\.enable/);
});

test.each([
  'tool-contract:/nowhere/a.ts/b.mcp-v1.json?b',
  'tool-contract:',
  'file:///a',
  'tool-contract:///%/x.json?%',
])('%s is no tool of the workspace, and says so', async (uri) => {
  const { root } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats') });
  const client = await editor(root);
  expect(await client.preview(uri)).toMatch(/^\/\/ .*\n$/);
});

test('the editor knows in which files tools are defined', async () => {
  const { root, uri, file } = folder({
    'src/schemas.ts': `import { z } from 'zod';\n${STRICT}\n`,
    'src/server.ts': serverModule("import { ListBoats } from './schemas.js';", 'ListBoats'),
  });
  const client = await editor(root);
  const files = () => client.notification<ToolFilesParams>(TOOL_FILES);
  await client.ready();
  expect(await files()).toEqual({ uris: [uri('src/server.ts')] });
  client.documents.open(file('src/schemas.ts'));
  client.documents.change(file('src/schemas.ts'), serverModule(STRICT, 'ListBoats').replace('list_boats', 'other'));
  await client.notification<ToolFilesParams>(TOOL_FILES, { where: ({ uris }) => uris.length === 2 });
});

/** The comment lines before a schema as one text, with what follows. */
function unwrapped(text: string): string {
  return text
    .replace(/\n\/\/ /g, ' ')
    .replace(/^\/\/ /, '')
    .replace(/\n\s*/g, ' ')
    .trim();
}

test('a tool on two surfaces has a document for each, live both', async () => {
  const home = join(await installedSdk('bench', PROJECT), 'workspaces');
  mkdirSync(home, { recursive: true });
  const root = realpathSync(mkdtempSync(join(home, 'surfaces-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dependencies = { '@modelcontextprotocol/sdk': '*', ai: '*', zod: '*' };
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name: 'both', version: '1.0.0', type: 'module', dependencies }),
  );
  const source = `import { z } from 'zod';
export const list = { name: 'list', description: 'Lists.', inputSchema: z.object({ a: z.string() }), handler: () => 1 };
`;
  const file = join(root, 'tools.ts');
  writeFileSync(file, source);
  const client = await editor(root);
  const { surfaces } = await toolNamed(client, 'list');
  expect(surfaces.map(({ surface }) => surface)).toEqual(['mcp-v1', 'ai-sdk']);
  const texts = await Promise.all(surfaces.map(({ uri }) => client.preview(uri)));
  // The AI SDK closes what it advertises.
  expect(texts.map((text) => JSON.parse(text).additionalProperties)).toEqual([undefined, false]);
  client.documents.open(file);
  client.documents.replace(file, 'a: z.string()', 'b: z.string()');
  for (const { uri } of surfaces) {
    expect(JSON.parse(await client.previewChanged(uri, 0)).required).toEqual(['b']);
  }
  const [lens] = await client.codeLenses(file);
  expect(lens?.command?.title).toMatch(/^MCP SDK [\d.]+ and AI SDK [\d.]+ · strips unknown keys · 1 input$/);
});
