import { beforeAll, describe, expect, it, test } from 'vitest';
import type { JsonFinding, JsonReport } from '../../server/src/reporters/json.ts';
import { at, folder, type GitRepository, manifest, repository, serverModule } from '../helpers/repository.ts';
import { type Ended, toolContracts } from './cli.ts';

async function check(root: string, ...args: string[]): Promise<JsonReport & { readonly ended: Ended }> {
  const ended = await toolContracts(root, 'check', '--format', 'json', ...args);
  if (ended.out === '') throw new Error(ended.err);
  return { ...(JSON.parse(ended.out) as JsonReport), ended };
}

/** Source text of a finding's range. */
function textAt(repo: GitRepository, { file, range }: Pick<JsonFinding, 'file' | 'range'>): string {
  const lines = repo.text(file).split('\n');
  const offset = ({ line, character }: { line: number; character: number }) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return repo.text(file).slice(offset(range.start), offset(range.end));
}

/** What is reported about removals: tool, the names in the message's first words, where. */
function removals(repo: GitRepository, { findings }: JsonReport): string[] {
  return findings
    .filter(({ rule }) => rule === 'undocumented-input-removal')
    .map((finding) => `${finding.tools.join()} ${/^(.*?) of /.exec(finding.message)?.[1]} @ ${textAt(repo, finding)}`);
}

/** What a package was at the tag v1.2.0 and is now. */
interface Case {
  readonly before: string;
  readonly now: string;
  /** Code before the registration, then and now. */
  readonly constants?: readonly [before: string, now: string];
  /** More files of now. */
  readonly extra?: { readonly [path: string]: string };
}

/** One repository with a package for each case, whose only tool is `go`, and what one check says of each. */
async function checkCases(cases: { readonly [name: string]: Case }, ...args: string[]) {
  const folderOf = (name: string) => `packages/${Object.keys(cases).indexOf(name)}`;
  const repo = repository();
  const write = (side: 0 | 1) => {
    for (const [name, { before, now, constants, extra = {} }] of Object.entries(cases)) {
      const folder = folderOf(name);
      const server = serverModule({ go: side === 0 ? before : now }, constants?.[side]);
      repo.write({ [`${folder}/package.json`]: manifest(name, '1.0.0'), [`${folder}/src/server.ts`]: server });
      if (side === 1) for (const [path, text] of Object.entries(extra)) repo.write({ [`${folder}/${path}`]: text });
    }
  };
  write(0);
  repo.commit('v1.2.0');
  write(1);
  const again = async () => {
    const report = await check(repo.root, ...args);
    return (name: string): JsonReport => ({
      ...report,
      findings: report.findings.filter(({ file }) => file.startsWith(`${folderOf(name)}/`)),
    });
  };
  return { repo, folderOf, of: await again(), again };
}
type Checked = Awaited<ReturnType<typeof checkCases>>;

/** A repository whose tag v1.2.0 has one server module, and whose disk has another. */
function changed(
  before: { readonly [tool: string]: string },
  now: { readonly [tool: string]: string },
  extra: { readonly [path: string]: string } = {},
): GitRepository {
  const repo = repository({ 'src/server.ts': serverModule(before) });
  repo.commit('v1.2.0');
  repo.write({ 'src/server.ts': serverModule(now), ...extra });
  return repo;
}

const entry = (tool: string, paths: readonly string[], release = '1.2.0') =>
  `export const CONTRACT_CHANGES = {
  ${tool}: {
    lastRelease: '${release}',
    triggers: [${paths.map((path) => `{ path: '${path}', when: 'present' }`).join(', ')}],
    message: '\`${tool}\` lost ${paths.map((path) => `\`${path}\``).join(', ')}.',
  },
};
`;

interface Row {
  readonly what: string;
  readonly before: string;
  readonly now: string;
  /** Path that is removed, as it is written in the message and in an entry. */
  readonly path: string;
  /** Source text of the object it went from. */
  readonly at: string;
  readonly constants?: readonly [string, string];
}

const ROWS: readonly Row[] = [
  {
    what: 'the root, a raw shape',
    before: '{ from: z.string(), avoid: z.string().optional() }',
    now: '{ from: z.string() }',
    path: 'avoid',
    at: '{ from: z.string() }',
  },
  {
    what: 'the root, an object',
    before: 'z.object({ from: z.string(), avoid: z.string().optional() })',
    now: 'z.object({ from: z.string() })',
    path: 'avoid',
    at: 'z.object({ from: z.string() })',
  },
  {
    what: 'an object in an object',
    before: '{ vehicle: z.object({ engine: z.string(), axles: z.number() }) }',
    now: '{ vehicle: z.object({ axles: z.number() }) }',
    path: 'vehicle.engine',
    at: 'z.object({ axles: z.number() })',
  },
  {
    what: 'an array',
    before: '{ stops: z.array(z.object({ gate: z.string(), lane: z.number() })).min(1) }',
    now: '{ stops: z.array(z.object({ lane: z.number() })).min(1) }',
    path: 'stops[].gate',
    at: 'z.object({ lane: z.number() })',
  },
  {
    what: 'a record',
    before: '{ boats: z.record(z.string(), z.object({ crew: z.number(), flag: z.string() })) }',
    now: '{ boats: z.record(z.string(), z.object({ crew: z.number() })) }',
    path: 'boats.*.flag',
    at: 'z.object({ crew: z.number() })',
  },
  {
    what: 'a variant of a discriminated union',
    before: `{ area: z.discriminatedUnion('kind', [z.object({ kind: z.literal('box'), top: z.number(), pad: z.number() }), z.object({ kind: z.literal('ring'), pad: z.number() })]) }`,
    now: `{ area: z.discriminatedUnion('kind', [z.object({ kind: z.literal('box'), top: z.number() }), z.object({ kind: z.literal('ring'), pad: z.number() })]) }`,
    path: 'area.pad',
    at: `z.object({ kind: z.literal('box'), top: z.number() })`,
  },
  {
    what: 'a variant of a plain union',
    before:
      '{ spot: z.union([z.object({ x: z.number(), y: z.number(), z: z.number() }), z.object({ berth: z.string() })]) }',
    now: '{ spot: z.union([z.object({ x: z.number(), y: z.number() }), z.object({ berth: z.string() })]) }',
    path: 'spot.z',
    at: 'z.object({ x: z.number(), y: z.number() })',
  },
  {
    what: 'a schema that refers to itself',
    before: '{ tree: Tree }',
    now: '{ tree: Tree }',
    path: 'tree.leaf',
    at: 'z.object({ get kids() { return z.array(Tree); } })',
    constants: [
      'const Tree = z.object({ leaf: z.string().optional(), get kids() { return z.array(Tree); } });',
      'const Tree = z.object({ get kids() { return z.array(Tree); } });',
    ],
  },
  {
    what: 'a side of an intersection',
    before: '{ both: z.object({ a: z.string() }).and(z.object({ b: z.string(), c: z.string() })) }',
    now: '{ both: z.object({ a: z.string() }).and(z.object({ b: z.string() })) }',
    path: 'both.c',
    at: 'z.object({ a: z.string() })',
  },
  {
    what: 'behind optional, nullable, default and a transform',
    before:
      '{ a: z.object({ deep: z.string(), kept: z.string() }).transform((a) => a).nullable().optional(), b: z.number().default(1) }',
    now: '{ a: z.object({ kept: z.string() }).transform((a) => a).nullable().optional(), b: z.number().default(1) }',
    path: 'a.deep',
    at: 'z.object({ kept: z.string() })',
  },
];

describe('an input that went from', () => {
  let checked: Checked;
  let documented: Awaited<ReturnType<Checked['again']>>;
  beforeAll(async () => {
    checked = await checkCases(Object.fromEntries(ROWS.map((row) => [row.what, row])));
    for (const { what, path } of ROWS) {
      checked.repo.write({ [`${checked.folderOf(what)}/src/contractChanges.ts`]: entry('go', [path]) });
    }
    documented = await checked.again();
  });

  it.each(ROWS)('$what is reported there, with a call', ({ what, path, at: place }) => {
    const report = checked.of(what);
    expect(removals(checked.repo, report)).toEqual([`go "${path}" @ ${place}`]);
    expect(report.findings).toHaveLength(1);
    const [finding] = report.findings;
    expect(finding?.severity).toBe('error');
    expect(finding?.witness?.expected).toMatchObject({ by: 'baseline', name: 'v1.2.0', accepts: true });
    expect(finding?.message).toContain('silently ignored');
    expect(report.baseline).toEqual({ kind: 'tag', release: '1.2.0' });
  });

  it.each(ROWS)('$what is not reported when an entry documents it', ({ what }) => {
    expect(documented(what).findings).toEqual([]);
  });
});

const POLICIES: [string, string, RegExp, boolean][] = [
  ['strip', 'z.object({ from: z.string() })', /silently ignored/, true],
  ['strict', 'z.strictObject({ from: z.string() })', /is rejected/, false],
  ['loose', 'z.looseObject({ from: z.string() })', /reaches the handler unvalidated/, true],
  ['catchall', 'z.object({ from: z.string() }).catchall(z.string())', /reaches the handler unvalidated/, true],
];

describe('the message and the call say what becomes of the input', () => {
  let checked: Checked;
  beforeAll(async () => {
    const row = ([policy, now]: (typeof POLICIES)[number]) =>
      [policy, { before: now.replace('from:', 'avoid: z.string(), from:'), now }] as const;
    checked = await checkCases(Object.fromEntries(POLICIES.map(row)));
  });

  it.each(POLICIES)('%s', (policy, _, message, accepts) => {
    const { findings } = checked.of(policy);
    expect(findings.map(({ rule }) => rule)).toEqual(['undocumented-input-removal']);
    expect(findings[0]?.message).toMatch(message);
    expect(findings[0]?.witness?.arguments).toHaveProperty('avoid');
    expect(findings[0]?.witness?.actual.accepts).toBe(accepts);
    const received = findings[0]?.witness?.actual.received as { avoid?: unknown } | undefined;
    expect(received?.avoid !== undefined).toBe(policy === 'loose' || policy === 'catchall');
  });
});

test('several inputs that went from one object are one finding', async () => {
  const repo = changed({ go: '{ a: z.string(), b: z.number(), c: z.boolean() }' }, { go: '{ c: z.boolean() }' });
  expect(removals(repo, await check(repo.root))).toEqual(['go "a" and "b" @ { c: z.boolean() }']);
  repo.write({ 'src/contractChanges.ts': entry('go', ['a']) });
  expect(removals(repo, await check(repo.root))).toEqual(['go "b" @ { c: z.boolean() }']);
});

const UNCOVERED: [string, string][] = [
  ['of another tool', entry('stay', ['avoid'])],
  ['for another input', entry('go', ['avoided'])],
  ['of a release before the last one', entry('go', ['avoid'], '1.1.9')],
  ['with another trigger', entry('go', ['avoid']).replace(`when: 'present'`, `when: 'string'`)],
  ['under another name', entry('go', ['avoid']).replace('CONTRACT_CHANGES', 'CHANGES')],
];

describe('an entry does not cover', () => {
  let checked: Checked;
  beforeAll(async () => {
    const [before, now] = ['{ from: z.string(), avoid: z.string() }', '{ from: z.string() }'];
    const row = ([what, text]: (typeof UNCOVERED)[number]) =>
      [what, { before, now, extra: { 'src/contractChanges.ts': text } }] as const;
    checked = await checkCases(Object.fromEntries(UNCOVERED.map(row)));
  });

  it.each(UNCOVERED)('%s', (what) => {
    expect(removals(checked.repo, checked.of(what))).toEqual(['go "avoid" @ { from: z.string() }']);
  });
});

const FIELDS = `lastRelease: '1.2.0', triggers: [{ path: 'avoid', when: 'present' }], message: 'go: avoid'`;

const FORMS: [string, { readonly [path: string]: string }][] = [
  ['a list with a tool', { 'src/contractChanges.ts': `export const CONTRACT_CHANGES = [{ tool: 'go', ${FIELDS} }];` }],
  ['a Map', { 'src/contractChanges.ts': `export const CONTRACT_CHANGES = new Map([['go', { ${FIELDS} }]]);` }],
  [
    'grouped triggers',
    {
      'src/contractChanges.ts': `export const CONTRACT_CHANGES = { go: { lastRelease: '1.2.0', triggers: { present: ['avoid'], string: [] }, message: 'x' } } as const;`,
    },
  ],
  [
    'kind',
    { 'src/contractChanges.ts': `export const CONTRACT_CHANGES = { go: { ${FIELDS.replace('when', 'kind')} } };` },
  ],
  [
    'type',
    { 'src/contractChanges.ts': `export const CONTRACT_CHANGES = { go: { ${FIELDS.replace('when', 'type')} } };` },
  ],
  [
    'computed names, over files, behind a barrel',
    {
      'src/changes/go.ts': `import { GO } from './names.js';\nexport const go = { [GO]: { ${FIELDS} } };`,
      'src/changes/names.ts': `export const GO = 'go';`,
      'src/changes/all.ts': `import { go } from './go.js';\nconst all = { ...go };\nexport { all as CONTRACT_CHANGES };`,
      'src/changes/index.ts': `export { CONTRACT_CHANGES } from './all.js';`,
    },
  ],
  [
    'CommonJS',
    { 'changes.cjs': `const CONTRACT_CHANGES = { go: { ${FIELDS} } };\nmodule.exports = { CONTRACT_CHANGES };` },
  ],
];

describe('contract changes are read however they are written', () => {
  let checked: Checked;
  beforeAll(async () => {
    const [before, now] = ['{ avoid: z.string() }', '{ to: z.boolean().optional() }'];
    checked = await checkCases(Object.fromEntries(FORMS.map(([what, extra]) => [what, { before, now, extra }])));
  });

  it.each(FORMS)('%s', (what) => {
    expect(checked.of(what).findings).toEqual([]);
  });
});

test('contract changes are found under the name that is set', async () => {
  const extra = {
    'tool-contracts.json': '{ "contractChanges": { "name": "BREAKS" } }',
    'src/breaks.ts': `export const BREAKS = { go: { ${FIELDS} } };`,
  };
  const repo = changed({ go: '{ avoid: z.string() }' }, { go: '{ to: z.boolean().optional() }' }, extra);
  const { findings, ended } = await check(repo.root);
  expect(findings).toEqual([]);
  expect(ended.status).toBe(0);
});

const UNREADABLE: [string, string, string | undefined, RegExp][] = [
  [
    'one that throws',
    `const fail = () => { throw new Error('no table'); };\nexport const CONTRACT_CHANGES = { go: { ${FIELDS} }, ...fail() };`,
    `new Error('no table')`,
    /no table/,
  ],
  ['no record', 'export const CONTRACT_CHANGES = 7;', 'CONTRACT_CHANGES', /it is a number/],
  [
    'triggers of no known form',
    `export const CONTRACT_CHANGES = { go: { lastRelease: '1.2.0', triggers: ['avoid'], message: 'x' } };`,
    `{ lastRelease: '1.2.0', triggers: ['avoid'], message: 'x' }`,
    /a trigger is \{ path/,
  ],
  [
    'no release',
    `export const CONTRACT_CHANGES = { go: { triggers: [{ path: 'avoid', when: 'present' }], message: 'x' } };`,
    `{ triggers: [{ path: 'avoid', when: 'present' }], message: 'x' }`,
    /has no "lastRelease"/,
  ],
  ['a syntax error', `export const CONTRACT_CHANGES = { go: { ${FIELDS} };`, undefined, /does not parse/],
  ['an endless loop', `export const CONTRACT_CHANGES = (() => { for (;;); })();`, 'CONTRACT_CHANGES', /did not finish/],
];

describe('contract changes that cannot be read document nothing, and that is said where they stand', () => {
  let checked: Checked;
  beforeAll(async () => {
    const [before, now] = ['{ from: z.string(), avoid: z.string() }', '{ from: z.string() }'];
    const row = ([what, text]: (typeof UNREADABLE)[number]) =>
      [what, { before, now, extra: { 'src/contractChanges.ts': text } }] as const;
    checked = await checkCases(Object.fromEntries(UNREADABLE.map(row)));
  });

  it.each(UNREADABLE)('%s', (what, _, place, reason) => {
    const report = checked.of(what);
    expect(removals(checked.repo, report)).toEqual(['go "avoid" @ { from: z.string() }']);
    const said = report.findings.filter(({ rule }) => rule === 'not-evaluated');
    expect(said.map(({ file }) => file)).toEqual([`${checked.folderOf(what)}/src/contractChanges.ts`]);
    expect(said[0]?.message).toMatch(reason);
    if (said[0] && place !== undefined) expect(textAt(checked.repo, said[0])).toBe(place);
  });
});

const HARMLESS: [string, string, string][] = [
  [
    'a union that takes it elsewhere',
    '{ a: z.object({ x: z.string(), y: z.string().optional() }) }',
    '{ a: z.union([z.object({ x: z.string() }).strict(), z.object({ x: z.string(), y: z.string() })]) }',
  ],
  ['an object that became a record', '{ a: z.object({ x: z.string() }) }', '{ a: z.record(z.string(), z.string()) }'],
  ['an object that became anything', '{ a: z.object({ x: z.string() }) }', '{ a: z.any() }'],
  [
    'the same written otherwise',
    'z.object({ a: z.string(), b: z.string() })',
    '{ ...z.object({ b: z.string(), a: z.string() }).shape }',
  ],
  [
    'a new optional input',
    '{ a: z.string() }',
    '{ a: z.string(), b: z.number().default(3), c: z.string().optional() }',
  ],
  ['an input that takes more', '{ a: z.string() }', '{ a: z.union([z.string(), z.number()]).nullable().optional() }'],
  ['an object that opens', 'z.strictObject({ a: z.string() })', 'z.looseObject({ a: z.string() })'],
];

describe('nothing is reported for', () => {
  let checked: Checked;
  beforeAll(async () => {
    const cases = Object.fromEntries(HARMLESS.map(([what, before, now]) => [what, { before, now }]));
    checked = await checkCases(cases, '--rule', 'dropped-catchall=off');
  });

  it.each(HARMLESS)('%s', (what) => {
    expect(checked.of(what).findings).toEqual([]);
  });
});

const NARROWED: [string, string, string, string, RegExp][] = [
  ['newly required', '{ a: z.string() }', '{ a: z.string(), b: z.number() }', 'b: z.number()', /"b" is required/],
  ['no longer optional', '{ a: z.string().optional() }', '{ a: z.string() }', 'a: z.string()', /leaves it out/],
  [
    'another type',
    '{ a: z.number() }',
    '{ a: z.boolean() }',
    'a: z.boolean()',
    /takes a boolean, and no longer a number/,
  ],
  ['nullable no longer', '{ a: z.string().nullable() }', '{ a: z.string() }', 'a: z.string()', /no longer null/],
  [
    'a closed object, nested',
    '{ a: z.object({ x: z.string() }) }',
    '{ a: z.strictObject({ x: z.string() }) }',
    'z.strictObject({ x: z.string() })',
    /Undeclared keys of "a" are rejected now/,
  ],
  [
    'keys that are no longer kept',
    'z.looseObject({ x: z.string() })',
    'z.object({ x: z.string() })',
    'z.object({ x: z.string() })',
    /deleted now/,
  ],
];

describe('breaking changes', () => {
  let checked: Checked;
  beforeAll(async () => {
    checked = await checkCases(Object.fromEntries(NARROWED.map(([what, before, now]) => [what, { before, now }])));
  });

  it.each(NARROWED)('%s', (what, _before, _now, place, message) => {
    const { findings } = checked.of(what);
    expect(findings.map((finding) => [finding.rule, finding.severity, textAt(checked.repo, finding)])).toEqual([
      ['breaking-input-change', 'warning', place],
    ]);
    expect(findings[0]?.message).toMatch(message);
    expect(findings[0]?.witness).not.toBeNull();
  });

  it('are documented by an entry whose message names the input', async () => {
    const repo = changed(
      { go: '{ a: z.string() }' },
      { go: '{ a: z.string(), b: z.number() }' },
      { 'src/contractChanges.ts': entry('go', []).replace('lost', 'wants `b` now; lost') },
    );
    expect((await check(repo.root)).findings).toEqual([]);
  });
});

test('a likely rename is reported at the new property, which is named', async () => {
  const repo = changed(
    { go: '{ from: z.string(), avoid: z.string() }' },
    { go: '{ from: z.string(), shun: z.string() }' },
  );
  const { findings } = await check(repo.root);
  expect(findings.map((finding) => [finding.rule, textAt(repo, finding)])).toEqual([
    ['breaking-input-change', 'shun: z.string()'],
    ['undocumented-input-removal', 'shun: z.string()'],
  ]);
  expect(findings[1]?.message).toContain('it is "shun" now');
});

describe('what is compared with', () => {
  const before = { go: '{ from: z.string(), avoid: z.string() }' };
  const now = { go: '{ from: z.string() }' };
  const gone = ['go "avoid" @ { from: z.string() }'];

  it('is the newest version among the tags that lead here', async () => {
    const repo = repository({ 'src/server.ts': serverModule(now) });
    repo.commit('v1.9.0');
    repo.write({ 'src/server.ts': serverModule(before) });
    repo.commit('v1.10.0', 'latest', 'v2.0.0-rc.1');
    repo.git('checkout', '--quiet', '-b', 'other');
    repo.write({ 'src/server.ts': serverModule(now) });
    repo.commit('v3.0.0');
    repo.git('checkout', '--quiet', 'main');
    repo.write({ 'src/server.ts': serverModule(now) });
    const report = await check(repo.root);
    expect(report.baseline).toEqual({ kind: 'tag', release: '1.10.0' });
    expect(removals(repo, report)).toEqual(gone);
  });

  it('is in a monorepo the tag of the package itself', async () => {
    const repo = repository({
      'packages/a/package.json': manifest('@harbour/a', '1.0.0'),
      'packages/a/src/server.ts': serverModule(before),
      'packages/b/package.json': manifest('@harbour/b', '2.0.0'),
      'packages/b/src/server.ts': serverModule(before),
    });
    repo.commit('@harbour/a@1.0.0', 'b-v2.0.0', 'v9.0.0');
    repo.write({ 'packages/a/src/server.ts': serverModule(now) });
    repo.commit('@harbour/a@1.1.0');
    repo.write({ 'packages/b/src/server.ts': serverModule(now) });
    const report = await check(repo.root);
    expect(report.findings.map(({ file, message }) => [file, /of ([\d.]+) /.exec(message)?.[1]])).toEqual([
      ['packages/b/src/server.ts', '2.0.0'],
    ]);
    expect(report.baseline).toBeNull();
    expect(report.baselines).toEqual([
      { package: 'packages/a', kind: 'tag', release: '1.1.0', name: '@harbour/a@1.1.0' },
      { package: 'packages/b', kind: 'tag', release: '2.0.0', name: 'b-v2.0.0' },
    ]);
  });

  it('is the folder that is opened, also inside a repository', async () => {
    const repo = repository({
      'packages/a/package.json': manifest('a', '1.0.0'),
      'packages/a/src/server.ts': serverModule({ go: 'Input' }, `import { Input } from '../../shared/input.js';`),
      'packages/shared/input.ts': `import { z } from 'zod';\nexport const Input = z.object({ from: z.string(), avoid: z.string() });\n`,
    });
    repo.commit('v1.0.0');
    repo.write({
      'packages/shared/input.ts': `import { z } from 'zod';\nexport const Input = z.object({ from: z.string() });\n`,
    });
    const { findings } = await check(repo.file('packages/a'));
    expect(findings.map(({ rule, file }) => [rule, file])).toEqual([
      ['undocumented-input-removal', '../shared/input.ts'],
    ]);
  });

  it('is what the setting names: a tag, a file', async () => {
    const repo = repository({ 'src/server.ts': serverModule(before) });
    repo.commit('spring');
    repo.write({ 'src/server.ts': serverModule(now) });
    repo.commit('v1.0.0');
    expect((await check(repo.root)).findings).toEqual([]);
    repo.write({ 'tool-contracts.json': '{ "baseline": "spring" }' });
    const report = await check(repo.root);
    expect(report.baseline).toEqual({ kind: 'tag', release: 'spring' });
    expect(removals(repo, report)).toEqual(gone);
    const inputSchema = { type: 'object', properties: { from: { type: 'string' }, near: { type: 'string' } } };
    repo.write({ 'old.json': JSON.stringify({ version: 1, release: '0.9.0', tools: { go: { inputSchema } } }) });
    const other = await check(repo.root, '--baseline', 'old.json');
    expect(other.baseline).toEqual({ kind: 'file', release: '0.9.0' });
    expect(removals(repo, other)).toEqual(['go "near" @ { from: z.string() }']);
    expect(other.findings[0]?.witness?.expected.name).toContain('a JSON Schema validator');
  });

  it('is a recorded file before a tag, and one that is older than the tag is a hint', async () => {
    const repo = repository({ 'src/server.ts': serverModule(now) });
    const inputSchema = { type: 'object', properties: { from: { type: 'string' }, near: { type: 'string' } } };
    repo.write({
      'tool-contracts.lock.json': JSON.stringify({ version: 1, release: '0.9.0', tools: { go: { inputSchema } } }),
    });
    repo.commit('v1.0.0');
    const report = await check(repo.root);
    expect(removals(repo, report)).toEqual(['go "near" @ { from: z.string() }']);
    expect(report.ended.err).toContain('tool-contracts.lock.json holds release 0.9.0, and v1.0.0 was tagged since');
  });
});

describe('where there is no baseline, a sentence says so and nothing is called documented', () => {
  const tools = serverModule({ go: '{ from: z.string() }' });

  it('no repository', async () => {
    // The project's own repository ignores the folder, so it is in none.
    const repo = at(folder('plain'));
    repo.write({ 'package.json': manifest('plain', '1.0.0'), 'src/server.ts': tools });
    const { out } = await toolContracts(repo.root, 'check');
    expect(out.replace(/\s+/g, ' ')).toContain('There is no baseline: the folder is in no git repository. Record one');
  });

  it('no tag', async () => {
    const repo = repository({ 'src/server.ts': tools });
    repo.commit('latest');
    const report = await check(repo.root);
    expect(report.baseline).toBeNull();
    expect(report.baselines[0]?.reason).toMatch(/^There is no baseline: no tag that leads here is a version\./);
  });

  it('no commit', async () => {
    const repo = repository({ 'src/server.ts': tools });
    expect((await check(repo.root)).baselines[0]?.reason).toMatch(/no tag that leads here is a version/);
  });

  it('a shallow clone', async () => {
    const origin = repository({ 'src/server.ts': tools });
    origin.commit('v1.0.0');
    origin.commit();
    const root = folder('clone');
    origin.git('clone', '--quiet', '--depth=1', `file://${origin.root}`, root);
    const { ended, baselines } = await check(root);
    expect(ended.err).toMatch(/There is no baseline: this is a shallow clone.*git fetch --unshallow --tags/);
    expect(baselines[0]?.kind).toBeNull();
  });

  it('a tag without the package', async () => {
    const repo = repository();
    repo.commit('v1.0.0');
    repo.write({ 'packages/new/package.json': manifest('new', '1.0.0'), 'packages/new/server.ts': tools });
    const { ended } = await check(repo.root);
    expect(ended.err).toContain('v1.0.0 does not hold the package in packages/new');
  });

  it('a tag that does not exist', async () => {
    const repo = repository({ 'src/server.ts': tools });
    repo.commit('v1.0.0');
    const { ended } = await check(repo.root, '--baseline', 'v1.0.1');
    expect(ended.err).toContain(
      'The baseline "v1.0.1" is neither a file nor a tag that git knows; did you mean "v1.0.0"?',
    );
  });

  it('a lock file that cannot be used', async () => {
    const repo = repository({ 'src/server.ts': tools, 'tool-contracts.lock.json': '{ "version": 3 }' });
    const { ended } = await check(repo.root);
    expect(ended.err).toContain('tool-contracts.lock.json is of version 3, and this program knows version 1');
  });

  it('a tool of the tag that cannot be evaluated', async () => {
    const repo = changed({ go: '{ from: missing }' }, { go: '{ from: z.string() }' });
    const { ended } = await check(repo.root);
    expect(ended.err).toMatch(/Of v1\.2\.0, "go" cannot be evaluated.*missing is not defined/);
  });
});

test('a tag that was made with another zod major is compared by its schemas, and that is said', async () => {
  const zod3 = manifest('harbour', '1.0.0', {
    dependencies: { '@modelcontextprotocol/sdk': '^1.10.0', zod: '^3.22.0' },
  });
  const repo = repository({
    'package.json': zod3,
    'src/server.ts': serverModule({
      go: 'z.object({ from: z.string().email(), list: z.array(z.number().int()).nonempty() }).passthrough()',
      stay: '{ a: z.string(), b: z.string() }',
    }),
  });
  repo.commit('v1.0.0');
  repo.write({
    'package.json': manifest('harbour', '2.0.0'),
    'src/server.ts': serverModule({
      go: 'z.looseObject({ from: z.email(), list: z.array(z.int()).min(1) })',
      stay: '{ a: z.string() }',
    }),
  });
  const report = await check(repo.root);
  expect(removals(repo, report)).toEqual(['stay "b" @ { a: z.string() }']);
  expect(report.findings).toHaveLength(1);
  expect(report.ended.err).toMatch(/v1\.0\.0 was made with zod \^3\.22\.0; its tools are evaluated with 4\./);
});
