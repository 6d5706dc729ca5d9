import { expect, test } from 'vitest';
import type { MarkupContent } from 'vscode-languageserver-protocol/node';
import { repository, serverModule as toolsModule } from '../helpers/repository.ts';
import { editor, folder, serverModule } from './folders.ts';
import { BARE_CAPABILITIES, type LanguageClient, position, textAt, uriOf } from './harness/index.ts';

const SCHEMAS = `import { z } from 'zod';
export const Berth = z.object({ pier: z.string() });
export const ListBoats = z.object({ harbour: z.string(), berth: Berth.optional() }).strict();
`;

/** The hover over the first letter of a text, which must be in the file once. */
async function hoverOver(client: LanguageClient, file: string, text: string, needle: string) {
  const hover = await client.hover(file, position(text, needle));
  if (!hover) return undefined;
  return { ...(hover.contents as MarkupContent), over: hover.range && textAt(text, hover.range) };
}

async function open(source: string, capabilities?: typeof BARE_CAPABILITIES) {
  const made = folder({ 'src/schemas.ts': SCHEMAS, 'src/server.ts': source });
  const client = await editor(made.root, capabilities ? { capabilities } : {});
  return { ...made, client, over: (needle: string) => hoverOver(client, made.file('src/server.ts'), source, needle) };
}

const IMPORT = "import { ListBoats } from './schemas.js';";

test('over a tool: each object, what it does with undeclared keys, and the expression that says so', async () => {
  const { over, file } = await open(serverModule(IMPORT, 'ListBoats'));
  const hover = await over("'list_boats'");
  expect(hover?.kind).toBe('markdown');
  expect(hover?.over).toBe("'list_boats'");
  const schemas = uriOf(file('src/schemas.ts'));
  expect(hover?.value).toMatch(/^\*\*list\\_boats · MCP SDK 1\.\d+\.\d+ · zod 4\.\d+\.\d+\*\*\n\n/);
  expect(hover?.value.split('\n\n').slice(1)).toEqual([
    'Undeclared keys are',
    [
      `- **rejected** in the arguments — [.strict\\(\\)](${schemas}#L3,92)`,
      `- **deleted** from \`berth\` — [object\\(…\\)](${schemas}#L2,22)`,
    ].join('\n'),
    expect.stringMatching(
      /^\| advertised by&nbsp;.*\n\| :-- \| :-- \| :-- \| :-- \|\n\| MCP SDK 1\.\d+\.\d+&nbsp;&nbsp; \| closed&nbsp;&nbsp; \| 2&nbsp;&nbsp; \| `harbour` \|$/,
    ),
  ]);
});

test('over a schema: its key and the expression count, what is inside brackets does not', async () => {
  const inline = 'z.strictObject({ inner: z.string().max(3) }).describe("x")';
  const { over } = await open(serverModule('', inline));
  for (const needle of ['inputSchema', 'z.strictObject', '.describe']) expect(await over(needle)).toBeDefined();
  for (const needle of ['inner', 'max(3)', '"x"', 'registerTool', 'async']) expect(await over(needle)).toBeUndefined();
});

test('a shape that is handed over says what it loses, with the call that shows it', async () => {
  const { over } = await open(serverModule(IMPORT, 'ListBoats.shape'));
  const { value = '' } = (await over('ListBoats.shape')) ?? {};
  expect(value).toMatch(
    /\n- \*\*deleted\*\* from the arguments — \[ListBoats\.shape\]\(file:.*\): a shape becomes a plain object \\\(its own object is strict\\\)\n/,
  );
  expect(value).toMatch(/\[dropped-catchall\]\(https:.*\), shown by a call that was run:/);
  expect(value).toContain('```text\ncall  { "harbour": "text", "berths": "x" }\n');
  expect(value).toMatch(
    /\n {2}ListBoats {3}rejects: Unrecognized key: "berths"\n {2}list_boats {2}runs with \{ "harbour": "text" \}\n```$/,
  );
});

test('an object that is built from the shape of another says whose policy it does not have', async () => {
  const { over } = await open(serverModule(`${IMPORT}\nconst Paged = z.object({ ...ListBoats.shape });`, 'Paged'));
  expect((await over('inputSchema'))?.value).toMatch(
    /\*\*deleted\*\* from the arguments — \[object\\\(…\\\)\]\(.*\), built from \[ListBoats\.shape\]\(.*\) \\\(its own object is strict\\\)\n/,
  );
});

test('an editor without Markdown gets plain text', async () => {
  const { over } = await open(serverModule(IMPORT, 'ListBoats'), BARE_CAPABILITIES);
  const hover = await over("'list_boats'");
  expect(hover?.kind).toBe('plaintext');
  expect(hover?.value.split('\n').slice(2, 5)).toEqual([
    'Undeclared keys are',
    '',
    '- rejected in the arguments — .strict()',
  ]);
});

test('a list that fails and a tool that is not evaluated say why', async () => {
  const failing = await open(serverModule('', 'z.object({ at: z.date() })'));
  expect((await failing.over('inputSchema'))?.value).toContain(
    'cannot be listed: Date cannot be represented in JSON Schema',
  );
  const unknown = await open(serverModule('', 'z.object({ a: z.string().max(nothing.here) })'));
  expect((await unknown.over("'list_boats'"))?.value).toMatch(/^\*\*list\\_boats.*\*\*\n\nNot evaluated: .*nothing/);
});

test('a loop that registers many tools names them', async () => {
  const loop = `for (const tool of [{ name: 'x', input: z.strictObject({}) }, { name: 'y', input: z.object({}) }]) {
  server.registerTool(tool.name, { inputSchema: tool.input }, async () => ({ content: [] }));
}
`;
  const { over } = await open(serverModule('', '{}') + loop);
  const { value } = (await over('tool.name')) ?? {};
  expect(value).toMatch(/^\*\*2 tools\*\*/);
  expect(value).toContain(
    '| `x`&nbsp;&nbsp; | strict · 0 inputs |\n| `y`&nbsp;&nbsp; | strips unknown keys · 0 inputs |',
  );
});

test('while the code does not parse, it says so, where the text has moved to', async () => {
  const { client, file } = await open(serverModule(IMPORT, 'ListBoats'));
  const broken = `import {\n${serverModule(IMPORT, 'ListBoats')}`;
  await client.ready();
  client.documents.open(file('src/server.ts'));
  client.documents.change(file('src/server.ts'), broken);
  const hover = await hoverOver(client, file('src/server.ts'), broken, "'list_boats'");
  expect(hover?.over).toBe("'list_boats'");
  expect(hover?.value).toContain('does not parse at the moment');
});

test('what user code says is no markup of ours', async () => {
  const source = serverModule('', 'z.object({ "a|b](x)`<i>": z.object({}) })').replace('list_boats', '<b>[x](y)*|`');
  const { over } = await open(source);
  const { value = '' } = (await over('inputSchema')) ?? {};
  expect(value).toContain('\\<b\\>\\[x\\]\\(y\\)\\*\\|\\` ·');
  expect(value).toContain('- **deleted** from `` a|b](x)`<i> `` — ');
});

test('in a file without tools, and in Restricted Mode, there is none', async () => {
  const { client, file } = await open(serverModule(IMPORT, 'ListBoats'));
  expect(await client.hover(file('src/schemas.ts'), position(SCHEMAS, 'ListBoats'))).toBeNull();
  const { root, file: other } = folder({ 'src/server.ts': serverModule('', 'z.object({})') });
  const restricted = await editor(root, { initializationOptions: { trusted: false } });
  expect(await restricted.hover(other('src/server.ts'), { line: 6, character: 25 })).toBeNull();
});

const CHANGES = `export const CONTRACT_CHANGES = {
  go: {
    lastRelease: '1.2.0',
    triggers: [
      { path: 'avoid', when: 'present' },
      { path: 'stops[].gate', when: 'present' },
      { path: 'ancient', when: 'present' },
      { path: 'from', when: 'string' },
      { path: 'kept', when: 'present' },
    ],
    message: 'avoid and gate are gone.',
  },
  gone: { lastRelease: '1.0.0', triggers: [{ path: 'lost', when: 'present' }], message: 'lost is gone.' },
};
`;

test('over the path of a contract change: when the input went, and what it was', async () => {
  const repo = repository({
    'src/server.ts': toolsModule({
      go: '{ from: z.string(), avoid: z.enum(["toll", "ferry"]), stops: z.array(z.object({ gate: z.number().optional() })), kept: z.string().optional() }',
    }),
    'src/changes.ts': CHANGES,
  });
  repo.commit('v1.2.0');
  const client = await editor(repo.root);
  const server = repo.file('src/server.ts');
  client.documents.open(server);
  client.documents.change(
    server,
    toolsModule({
      go: '{ from: z.array(z.string()), stops: z.array(z.strictObject({})), kept: z.string().optional() }',
    }),
  );
  const over = async (needle: string) =>
    (await hoverOver(client, repo.file('src/changes.ts'), CHANGES, needle))?.value.split('\n\n');
  expect(await over("'avoid'")).toEqual([
    '**`avoid` of `go`**',
    'Removed since v1\\.2\\.0, where it was a required string \\("toll", "ferry"\\)\\. An argument of that name is deleted now\\.'.replaceAll(
      '\\.',
      '.',
    ),
  ]);
  expect((await over("'stops[].gate'"))?.[1]).toBe(
    'Removed since v1.2.0, where it was an optional number. A call with it is rejected now.',
  );
  expect((await over("'from'"))?.[1]).toBe('A string in v1.2.0, and a list now.');
  expect((await over("'ancient'"))?.[1]).toMatch(/^No input now, and none in v1\.2\.0: it went after 1\.2\.0/);
  expect((await over("'kept'"))?.[1]).toMatch(/It is an input of `go`\.$/);
  expect((await over("'lost'"))?.[1]).toBe('There is no tool `gone` now.');
  expect(await over("'avoid and gate")).toBeUndefined();
});
