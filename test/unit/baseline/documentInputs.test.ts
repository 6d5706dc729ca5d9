import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../server/src/baseline/contractChanges.ts';
import { documentInputs } from '../../../server/src/rules/contractChanges/document.ts';
import { applyEdits } from '../../../server/src/rules/index.ts';

const SRC = join(import.meta.dirname, 'virtual/src');
const CHANGES = join(SRC, 'contractChanges.ts');
const WORDS = '[Say why, and what to send instead.]';
const TOOL_FILE = `import { z } from 'zod';\n\nexport const go = z.object({});\n`;

interface Known {
  readonly tool: string;
  readonly lastRelease?: string;
  /** Source text of the entry's literal; absent: it was not written as one. */
  readonly literal?: string;
}

/** Documents `avoid` of the tool `go` (release 2.0.0) and answers the texts of the files that were written. */
function document(
  files: { readonly [file: string]: string },
  known: readonly Known[],
  gone: readonly { path: string; renamedTo?: string }[] = [{ path: 'avoid' }],
  tool = 'go',
): { [file: string]: string } {
  const text = files[CHANGES] ?? '';
  const entries = known.map(({ tool: name, lastRelease = '1.0.0', literal }): Entry => {
    const start = literal === undefined ? -1 : text.indexOf(literal);
    if (literal !== undefined && start < 0) throw new Error(`no ${literal}`);
    const at = { file: CHANGES, span: { start, end: start + (literal?.length ?? 0) } };
    return { tool: name, lastRelease, triggers: [], message: '', ...(literal !== undefined && { at }) };
  });
  const edits = documentInputs(
    [{ tool, release: '2.0.0', gone }],
    {
      name: 'CONTRACT_CHANGES',
      files: CHANGES in files ? [{ file: CHANGES, entries }] : [],
      toolFiles: Object.keys(files).filter((file) => file !== CHANGES),
    },
    (file) => files[file],
  );
  if (!edits) return {};
  const changed = new Set(edits.map(({ file }) => file));
  return Object.fromEntries(
    [...changed].map((file) => [
      file,
      applyEdits(
        files[file] ?? '',
        edits.filter((edit) => edit.file === file),
      ),
    ]),
  );
}

/** What the file of changes is afterwards. */
function changes(text: string, known: readonly Known[], ...rest: [gone?: { path: string }[], tool?: string]): string {
  return document({ [CHANGES]: text, [join(SRC, 'tools.ts')]: TOOL_FILE }, known, ...rest)[CHANGES] ?? 'nothing';
}

describe('a new entry', () => {
  const literal = `{
    lastRelease: '1.0.0',
    triggers: [{ path: 'old', when: 'present' }],
    message: '\`stay\` no longer takes \`old\`.',
  }`;
  const record = `// Kept.
export const CONTRACT_CHANGES = {
  // About stay.
  stay: ${literal}, // and behind it
} satisfies Changes; // the end
`;

  it('stands behind the last one, and everything else is as it was', () => {
    expect(changes(record, [{ tool: 'stay', literal }])).toBe(
      record.replace(
        ', // and behind it\n',
        `, // and behind it
  go: {
    lastRelease: '2.0.0',
    triggers: [{ path: 'avoid', when: 'present' }],
    message: '\`go\` no longer takes \`avoid\`. ${WORDS}',
  },
`,
      ),
    );
  });

  it('follows quotes, quoted keys, tabs, order, kind and the missing comma', () => {
    const entry = `{\r\n\t\t"message": "\`stay\` lost \`old\`",\r\n\t\t"triggers": [{ "kind": "present", "path": "old" }],\r\n\t\t"lastRelease": "1.0.0"\r\n\t}`;
    const text = `export const CONTRACT_CHANGES = {\r\n\t"stay": ${entry}\r\n}\r\n`;
    expect(changes(text, [{ tool: 'stay', literal: entry }])).toBe(
      `export const CONTRACT_CHANGES = {\r\n\t"stay": ${entry},\r\n\t"go": {\r\n\t\t"message": "\`go\` no longer takes \`avoid\`. ${WORDS}",\r\n\t\t"triggers": [{ "kind": "present", "path": "avoid" }],\r\n\t\t"lastRelease": "2.0.0"\r\n\t}\r\n}\r\n`,
    );
  });

  it('is an element of a list with its tool', () => {
    const entry = `{ tool: 'stay', lastRelease: '1.0.0', triggers: { present: ['old'] }, message: 'x' }`;
    expect(changes(`export const CONTRACT_CHANGES = [\n  ${entry},\n];\n`, [{ tool: 'stay', literal: entry }])).toBe(
      `export const CONTRACT_CHANGES = [\n  ${entry},\n  { tool: 'go', lastRelease: '2.0.0', triggers: { present: ['avoid'] }, message: '\`go\` no longer takes \`avoid\`. ${WORDS}' },\n];\n`,
    );
  });

  it('is a pair of a Map', () => {
    const entry = `{ lastRelease: '1.0.0', triggers: [], message: 'x' }`;
    const text = `export const CONTRACT_CHANGES = new Map([['stay', ${entry}]]);\n`;
    expect(changes(text, [{ tool: 'stay', literal: entry }])).toBe(
      `export const CONTRACT_CHANGES = new Map([['stay', ${entry}], ['go', { lastRelease: '2.0.0', triggers: [{ path: 'avoid', when: 'present' }], message: '\`go\` no longer takes \`avoid\`. ${WORDS}' }]]);\n`,
    );
  });

  it('stands in its place where the others are sorted, and quotes only the key that needs it', () => {
    const entry = (of: string) => `{ lastRelease: '1.0.0', triggers: [], message: '${of}' }`;
    const text = `export const CONTRACT_CHANGES = {
  a: ${entry('a')},
  // z is the last
  z: ${entry('z')},
};
`;
    const known = ['a', 'z'].map((tool) => ({ tool, literal: entry(tool) }));
    expect(changes(text, known, [{ path: 'b' }], 'go-on')).toBe(
      text.replace(
        '  // z is',
        `  'go-on': { lastRelease: '2.0.0', triggers: [{ path: 'b', when: 'present' }], message: '\`go-on\` no longer takes \`b\`. ${WORDS}' },\n  // z is`,
      ),
    );
  });

  it.each([
    ['an empty record', 'export const CONTRACT_CHANGES = {};\n', 'export const CONTRACT_CHANGES = {\n@};\n'],
    [
      'an empty record with a comment, behind another name',
      'const all: Changes = {\n  // none yet\n};\nexport { all as CONTRACT_CHANGES };\n',
      'const all: Changes = {\n  // none yet\n@};\nexport { all as CONTRACT_CHANGES };\n',
    ],
    [
      'a frozen record of spreads',
      'export const CONTRACT_CHANGES = Object.freeze({\n  ...nav,\n  ...search,\n} as const);\n',
      'export const CONTRACT_CHANGES = Object.freeze({\n  ...nav,\n  ...search,\n@} as const);\n',
    ],
  ])('goes into %s', (_, text, expected) => {
    const entry = `  go: {\n    lastRelease: '2.0.0',\n    triggers: [{ path: 'avoid', when: 'present' }],\n    message: '\`go\` no longer takes \`avoid\`. ${WORDS}',\n  },\n`;
    expect(changes(text, [])).toBe(expected.replace('@', entry));
  });

  it('is not written where the changes are made in a way that has no place for it', () => {
    expect(changes('export const CONTRACT_CHANGES = make();\n', [])).toBe('nothing');
  });

  it('names several inputs, those with a new name with it', () => {
    const text = changes('export const CONTRACT_CHANGES = {};\n', [], [
      { path: 'a', renamedTo: 'b' },
      { path: 'stops[].gate' },
      { path: 'c' },
    ] as { path: string }[]);
    expect(text).toContain(
      `message: '\`go\` no longer takes \`a\` (send \`b\` instead), \`stops[].gate\` and \`c\`. ${WORDS}'`,
    );
    expect(text).toContain(`    triggers: [
      { path: 'a', when: 'present' },
      { path: 'stops[].gate', when: 'present' },
      { path: 'c', when: 'present' },
    ],
`);
  });
});

describe('an entry that is there is extended', () => {
  /** The file before and after, with `@` and what stands for it. */
  function extended(entry: string, parts: { readonly [mark: string]: string }, lastRelease = '2.0.0') {
    const plain = Object.keys(parts).reduce((text, mark) => text.replace(mark, ''), entry);
    const filled = Object.entries(parts).reduce((text, [mark, part]) => text.replace(mark, () => part), entry);
    const around = (inner: string) => `export const CONTRACT_CHANGES = { go: ${inner} /* kept */ };\n`;
    return { got: changes(around(plain), [{ tool: 'go', lastRelease, literal: plain }]), wanted: around(filled) };
  }
  const more = ` \`go\` no longer takes \`avoid\`. ${WORDS}`;

  it.each([
    [
      'a list of triggers in one line',
      `{ lastRelease: '2.0.0', triggers: [{ path: 'a', when: 'present' }@1], message: 'Old.@2' }`,
      { '@1': `, { path: 'avoid', when: 'present' }`, '@2': more },
    ],
    [
      'a list of triggers on lines, with a comment',
      `{\n  triggers: [\n    { type: 'present', path: 'a' }, // first@1\n  ],\n  lastRelease: '2.0.0',\n  message: \`Old.@2\`,\n}`,
      {
        '@1': `\n    { type: 'present', path: 'avoid' },`,
        '@2': ` \\\`go\\\` no longer takes \\\`avoid\\\`. ${WORDS}`,
      },
    ],
    [
      'no triggers yet',
      `{ lastRelease: "2.0.0", triggers: [@1], message: "Old. @2" }`,
      { '@1': '{ path: "avoid", when: "present" }', '@2': more.trimStart() },
    ],
    [
      'grouped triggers',
      `{ lastRelease: '2.0.0', triggers: { string: ['b'], present: ['a'@1] }, message: 'One. ' + 'Two.@2' }`,
      { '@1': `, 'avoid'`, '@2': more },
    ],
    [
      'grouped triggers without the group',
      `{ lastRelease: '2.0.0', triggers: { @1string: ['b'] }, message: TEXT@2 }`,
      { '@1': `present: ['avoid'], `, '@2': ` + '${more}'` },
    ],
    [
      'triggers of a constant',
      `{ lastRelease: '2.0.0', triggers: @1OLD@2, message: 'Old.@3' }`,
      { '@1': '[...', '@2': `, { path: 'avoid', when: 'present' }]`, '@3': more },
    ],
  ])('%s', (_, entry, parts) => {
    const { got, wanted } = extended(entry, parts as { [mark: string]: string });
    expect(got).toBe(wanted);
  });

  it('and is about the release that is compared with, when its own is older', () => {
    const literal = `{ lastRelease: '1.9.0', triggers: [], message: 'Old.' }`;
    const text = changes(`export const CONTRACT_CHANGES = { go: ${literal} };\n`, [
      { tool: 'go', lastRelease: '1.9.0', literal },
    ]);
    expect(text).toContain(`lastRelease: '2.0.0'`);
  });
});

describe('without contract changes a file is made', () => {
  const made = (files: { readonly [file: string]: string }) => document(files, []);

  it('beside the tools, in their language and style', () => {
    const tools = `import { z } from "zod"\nexport function register() {\n    const a = z.object({})\n    return a\n}\n`;
    const files = { [join(SRC, 'tools/a.mts')]: tools, [join(SRC, 'tools/deep/b.mts')]: tools };
    expect(made(files)).toEqual({
      [join(SRC, 'tools/contractChanges.mts')]:
        `/** What callers of a previous release are told when they still send an input that is gone, by the name of the tool. */
export const CONTRACT_CHANGES = {
    go: {
        lastRelease: "2.0.0",
        triggers: [{ path: "avoid", when: "present" }],
        message: "\`go\` no longer takes \`avoid\`. ${WORDS}",
    },
}
`,
    });
  });

  it('as CommonJS beside CommonJS', () => {
    const file = join(SRC, 'server.cjs');
    const [written] = Object.entries(made({ [file]: `const { z } = require('zod');\nmodule.exports = { z };\n` }));
    expect(written?.[0]).toBe(join(SRC, 'contractChanges.cjs'));
    expect(written?.[1]).toContain('\nexports.CONTRACT_CHANGES = {\n  go: {\n');
  });

  it('or one of that name that exports something else is added to', () => {
    const there = 'export const other = 1;\n';
    const files = { [join(SRC, 'server.ts')]: TOOL_FILE, [join(SRC, 'contractChanges.ts')]: there };
    const edits = documentInputs(
      [{ tool: 'go', release: '2.0.0', gone: [{ path: 'avoid' }] }],
      { name: 'CONTRACT_CHANGES', files: [], toolFiles: [join(SRC, 'server.ts')] },
      (file) => files[file],
    );
    expect(applyEdits(there, edits ?? [])).toMatch(
      /^export const other = 1;\n\n\/\*\* .* \*\/\nexport const CONTRACT_CHANGES = \{\n/,
    );
  });
});
