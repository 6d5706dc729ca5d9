import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository, serverModule } from '../helpers/repository.ts';
import { codes, editor } from './folders.ts';

/** Files of contract changes as people write them. */
const FORMS: { readonly [form: string]: string } = {
  'with CRLF':
    "export const CONTRACT_CHANGES = {\r\n  other: {\r\n    lastRelease: '1.0.0',\r\n    triggers: [{ path: 'x', when: 'present' }],\r\n    message: '`other`: `x` is gone.',\r\n  },\r\n};\r\n",
  'with a byte order mark':
    "\uFEFFexport const CONTRACT_CHANGES = {\n  other: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: '`other`: `x` is gone.' },\n};\n",
  'with tabs and double quotes':
    'export const CONTRACT_CHANGES = {\n\tother: {\n\t\tlastRelease: "1.0.0",\n\t\ttriggers: [{ path: "x", when: "present" }],\n\t\tmessage: "`other`: `x` is gone.",\n\t}\n}\n',
  'as const, with comments':
    "export const CONTRACT_CHANGES = {\n  // Kept.\n  'other': { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' }, // why\n  /* end */\n} as const;\n",
  'empty, with satisfies':
    "interface E { lastRelease: string; triggers: { path: string; when: 'present' | 'string' }[]; message: string }\nexport const CONTRACT_CHANGES = {} satisfies Record<string, E>;\n",
  frozen:
    "export const CONTRACT_CHANGES = Object.freeze({\n  other: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' },\n});\n",
  'a list':
    "export const CONTRACT_CHANGES = [\n  { tool: 'other', lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' },\n];\n",
  'a list in one line':
    "export const CONTRACT_CHANGES = [{ tool: 'other', lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' }];\n",
  'an empty list':
    'export const CONTRACT_CHANGES: { tool: string; lastRelease: string; triggers: unknown[]; message: string }[] = [];\n',
  'a Map':
    "export const CONTRACT_CHANGES = new Map([\n  ['other', { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' }],\n]);\n",
  'triggers by kind':
    "export const CONTRACT_CHANGES = {\n  other: { lastRelease: '1.0.0', triggers: { present: ['x'], string: [] }, message: 'other: x is gone.' },\n};\n",
  'kind instead of when':
    "export const CONTRACT_CHANGES = {\n  other: { lastRelease: '1.0.0', triggers: [{ kind: 'present', path: 'x' }], message: 'other: x is gone.' },\n};\n",
  spread:
    "const more = { other: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' } };\nexport const CONTRACT_CHANGES = { ...more };\n",
  'computed names':
    "const OTHER = 'other';\nexport const CONTRACT_CHANGES = {\n  [OTHER]: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' },\n};\n",
  'parts that are variables of their name':
    "const lastRelease = '1.1.0';\nconst triggers = [{ path: 'x', when: 'present' }];\nconst message = '`go`: `x` is gone.';\nexport const CONTRACT_CHANGES = { go: { lastRelease, triggers, message } };\n",
  'an older entry of the tool, in a template':
    "export const CONTRACT_CHANGES = {\n  go: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: `\\`go\\`: \\`x\\` is gone.` },\n};\n",
  'an entry of the tool with triggers by kind':
    "export const CONTRACT_CHANGES = {\n  go: { lastRelease: '1.2.0', triggers: { present: ['x'] }, message: '`go`: `x` is gone.' },\n};\n",
  'a message of two parts':
    "export const CONTRACT_CHANGES = {\n  go: {\n    lastRelease: '1.2.0',\n    triggers: [\n      { path: 'x', when: 'present' }, // x\n    ],\n    message: '`go`: `x` ' +\n      'is gone.',\n  },\n};\n",
  'an older entry that tells of an input which came back':
    "export const CONTRACT_CHANGES = {\n  go: { lastRelease: '1.1.0', triggers: [{ path: 'avoid', when: 'present' }], message: '`go`: `avoid` is gone.' },\n};\n",
  'triggers in a variable':
    "const LAST = '1.2.0';\nconst triggers = [{ path: 'x', when: 'present' }];\nexport const CONTRACT_CHANGES = { go: { lastRelease: LAST, triggers, message: '`go`: `x` is gone.' } };\n",
  'an entry that a function makes':
    "function entry(path: string) { return { lastRelease: '1.2.0', triggers: [{ path, when: 'present' }], message: 'other: ' + path + ' is gone.' }; }\nexport const CONTRACT_CHANGES = { other: entry('x') };\n",
  'exported below':
    "const CONTRACT_CHANGES = {\n  other: { lastRelease: '1.0.0', triggers: [{ path: 'x', when: 'present' }], message: 'other: x is gone.' },\n};\nexport { CONTRACT_CHANGES };\n",
  'an empty record on a line of its own':
    'export const CONTRACT_CHANGES: Record<string, { lastRelease: string; triggers: { path: string; when: string }[]; message: string }> =\n  {};\n',
};

const BEFORE = {
  go: '{ from: z.string(), avoid: z.string(), deep: z.array(z.object({ a: z.string(), b: z.string() })) }',
};
const NOW = { go: '{ from: z.string(), deep: z.array(z.object({ a: z.string() })) }' };

test.each(Object.entries(FORMS))('the entry that is added to one %s mends the finding', async (_, text) => {
  const repo = repository({ 'src/server.ts': serverModule(BEFORE), 'src/contractChanges.ts': text });
  repo.commit('v1.2.0');
  const client = await editor(repo.root);
  const file = repo.file('src/server.ts');
  client.documents.open(file);
  const { version } = client.documents.change(file, serverModule(NOW));
  const found = await client.diagnosticsOf(file, { version, where: ({ diagnostics }) => diagnostics.length > 0 });
  expect(new Set(codes(found))).toEqual(new Set(['undocumented-input-removal']));
  const actions = found[0] ? await client.codeActions(file, found[0].range) : [];
  const action = actions.find(({ title }) => title === 'Add a CONTRACT_CHANGES entry');
  if (!action) throw new Error('no fix');
  const after = (await client.apply(action)).get(repo.file('src/contractChanges.ts')) ?? '';
  await client.diagnosticsOf(file, { where: ({ diagnostics }) => diagnostics.length === 0 });

  const parsed = ts.transpileModule(after, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  expect(parsed.diagnostics).toEqual([]);
  if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  expect(after.match(/'avoid'|"avoid"/g), after).toHaveLength(1);
  // But for the release of an older entry of the tool, nothing that was there is another one.
  const others = text.replace(/lastRelease: '1\.[01]\.0'|lastRelease(?=,)/g, (release) =>
    text.includes('go: {') ? 'lastRelease: ' : release,
  );
  expect(isWithin(others, after), after).toBe(true);
});

/** Whether a text is left when characters are taken out of another one. */
function isWithin(text: string, longer: string): boolean {
  let at = 0;
  for (const character of longer) if (character === text[at]) at++;
  return at === text.length;
}
