import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Contract, Offer, Unevaluated } from '../../shared/src/model.ts';
import { Random } from '../bench/workspace/random.ts';
import { type Changes, Evaluated, makeWorkspace, manifest, removeWorkspaces } from '../helpers/evaluate.ts';
import { RandomWorkspace } from './randomEdits.ts';

const running: Evaluated[] = [];
afterEach(() => {
  for (const evaluated of running.splice(0)) evaluated.dispose();
});
afterAll(removeWorkspaces);

async function open(files: Changes): Promise<Evaluated> {
  const evaluated = new Evaluated(makeWorkspace({ 'package.json': manifest(), ...files }));
  running.push(evaluated);
  return evaluated.update();
}

/** Names of the tools that were evaluated anew by the last update. */
function fresh({ result }: Evaluated): string[] {
  return result.subjects
    .filter(({ contract }) => result.fresh.has(contract.id))
    .map(({ contract }) => contract.name ?? '?')
    .sort();
}

const ZOD = "import { z } from 'zod';\n";
function tool(name: string, schema: string): string {
  return `server.registerTool('${name}', { description: 'd', inputSchema: ${schema} }, async () => ({ content: [] }));\n`;
}
const FILES = {
  'base.ts': `${ZOD}export const Base = z.object({ a: z.string() });`,
  'middle.ts': "export * from './base.js';",
  'one.ts': `${ZOD}import { Base } from './middle.js';\n${tool('one', 'Base')}${tool('alone', 'z.object({})')}`,
  'two.ts': `${ZOD}import { Base } from './base.js';\n${tool('two', 'Base.strict()')}`,
  'three.ts': `${ZOD}${tool('three', 'z.object({ c: z.string() })')}`,
};

describe('an edit', () => {
  test('reaches tools that share what a function remembers, although only the first of them made it', async () => {
    const base = (field: string) => `${ZOD}export const Base = z.object({ ${field}: z.string() });`;
    const remembering = `${ZOD}import { Base } from './base.ts';\nconst made = new Map();\nexport const cached = (key: string) => {\n  if (!made.has(key)) made.set(key, z.object({ of: Base }));\n  return made.get(key);\n};\n`;
    const evaluated = await open({
      'base.ts': base('a'),
      'memory.ts': remembering,
      'tools.ts': `import { cached } from './memory.ts';\n${tool('first', "cached('x')")}${tool('second', "cached('x')")}`,
      'own.ts': `${remembering}${tool('third', "cached('y')")}${tool('fourth', "cached('y')")}`,
    });
    await evaluated.update({ 'base.ts': base('b') });
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const fields = evaluated.contract(name).graph?.nodes.map((node) => Object.keys(node.fields ?? {}));
      expect(fields, name).toEqual([['of'], ['b'], []]);
    }
  });

  test.each([
    [
      'a record',
      'const made: Record<string, z.ZodType> = {};\nconst get = () => (made.x ??= z.object({ of: Base }));',
      'get()',
    ],
    [
      'a function that a helper made',
      "import { once } from './once.ts';\nconst get = once(() => z.object({ of: Base }));",
      'get()',
    ],
    [
      'a property of a function',
      'function get(): z.ZodType { return (get as any).made ??= z.object({ of: Base }); }',
      'get()',
    ],
    [
      'a static field',
      'class Schemas { static made?: z.ZodType; static get() { return (Schemas.made ??= z.object({ of: Base })); } }',
      'Schemas.get()',
    ],
  ])('reaches tools that share what %s remembers', async (_what, code, schema) => {
    const base = (field: string) => `${ZOD}export const Base = z.object({ ${field}: z.string() });`;
    const evaluated = await open({
      'base.ts': base('a'),
      'once.ts':
        'export function once<T>(make: () => T): () => T {\n  let made: T | undefined;\n  return () => (made ??= make());\n}\n',
      'tools.ts': `${ZOD}import { Base } from './base.ts';\n${code}\n${tool('first', schema)}${tool('second', schema)}`,
    });
    await evaluated.update({ 'base.ts': base('b') });
    for (const name of ['first', 'second']) {
      const fields = evaluated.contract(name).graph?.nodes.map((node) => Object.keys(node.fields ?? {}));
      expect(fields?.slice(0, 1), name).toEqual([['of']]);
      expect(fields?.flat(), name).toContain('b');
      expect(fields?.flat(), name).not.toContain('a');
    }
  });

  test('evaluates what depends on it, and nothing else', async () => {
    const evaluated = await open(FILES);
    expect(fresh(evaluated)).toEqual(['alone', 'one', 'three', 'two']);
    await evaluated.update({ 'three.ts': `${ZOD}${tool('three', 'z.object({ d: z.string() })')}` });
    expect(fresh(evaluated)).toEqual(['three']);
    await evaluated.update({ 'base.ts': `${ZOD}export const Base = z.object({ b: z.string() });` });
    expect(fresh(evaluated)).toEqual(['alone', 'one', 'two']);
    expect(Object.keys(evaluated.contract('one').graph?.nodes[0]?.fields ?? {})).toEqual(['b']);
    expect(Object.keys(evaluated.contract('two').graph?.nodes[0]?.fields ?? {})).toEqual(['b']);
    await evaluated.update({ 'base.ts': `${ZOD}export const Base = z.object({ b: z.string() });` });
    expect(fresh(evaluated)).toEqual([]);
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
  });

  describe('of one of the files that a loop registers', () => {
    const list = (name: string, schema: string) =>
      `${ZOD}export const tools = [{ name: '${name}', description: 'd', inputSchema: ${schema}, handler: async () => ({ content: [] }) }];`;
    const files = (loop: string) => ({
      'a.ts': list('a', 'z.object({ a: z.string() })'),
      'b.ts': list('b', 'z.object({ b: z.string() })'),
      'index.ts': `${ZOD}import { tools as a } from './a.js';\nimport { tools as b } from './b.js';\nfor (const tool of [...a, ...b]) {\n  ${loop}\n}\n`,
    });
    const edited = { 'a.ts': list('a', 'z.strictObject({ a: z.number() })') };

    test.each([
      [
        'their schemas',
        'server.registerTool(tool.name, { description: "d", inputSchema: tool.inputSchema }, tool.handler);',
      ],
      [
        'their shapes',
        'server.registerTool(tool.name, { description: "d", inputSchema: tool.inputSchema.shape }, tool.handler);',
      ],
    ])('as %s, leaves the tools of the others as they are', async (_, loop) => {
      const evaluated = await open(files(loop));
      const [before] = evaluated.offers('b');
      await evaluated.update(edited);
      expect(evaluated.names()).toEqual(['a', 'b']);
      expect(evaluated.contract('a').graph?.nodes[1]?.kind).toBe('number');
      expect(evaluated.offers('b')[0]).toEqual(before);
      expect(await evaluated.pipeline.probes.call(evaluated.offers('b')[0] as Offer, { b: 'x' })).toEqual({
        accepts: true,
        value: { b: 'x' },
      });
    });

    test('evaluates anew what the loop makes of them', async () => {
      const evaluated = await open(
        files(
          'server.registerTool(tool.name, { description: "d", inputSchema: tool.inputSchema.extend({ page: z.number() }) }, tool.handler);',
        ),
      );
      await evaluated.update(edited);
      expect(fresh(evaluated)).toEqual(['a', 'b']);
    });

    test('tells no more of those whose definitions stand', async () => {
      const evaluated = await open(
        files('server.registerTool(tool.name, { description: "d", inputSchema: tool.inputSchema }, tool.handler);'),
      );
      await evaluated.update(edited);
      expect(fresh(evaluated)).toEqual(['a']);
      await evaluated.update({ 'b.ts': list('c', 'z.object({ b: z.string() })') });
      expect(fresh(evaluated)).toEqual(['c']);
      await evaluated.update({ 'a.ts': 'export const tools = [];' });
      expect(evaluated.names()).toEqual(['c']);
    });
  });

  test('of a file that nobody imports and that offers nothing changes nothing', async () => {
    const evaluated = await open({ ...FILES, 'readme.md': 'x', 'other.ts': 'export const x = 1;' });
    await evaluated.update({ 'readme.md': 'y', 'other.ts': 'export const x = 2;' });
    expect(fresh(evaluated)).toEqual([]);
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
  });

  test('that is half-typed keeps the last good result, marked stale', async () => {
    const evaluated = await open(FILES);
    await evaluated.update({ 'two.ts': `${FILES['two.ts']}\nconst half = z.object({ a: ` });
    expect(fresh(evaluated)).toEqual([]);
    expect([...evaluated.result.stale]).toEqual([evaluated.path('two.ts')]);
    expect(evaluated.contract('two').stale).toBe(true);
    expect(evaluated.contract('one').stale).toBeUndefined();
    await evaluated.update({ 'base.ts': `${ZOD}export const Base = z.object({ later: z.string() });` });
    expect(Object.keys(evaluated.contract('two').graph?.nodes[0]?.fields ?? {})).toEqual(['later']);
    await evaluated.update({ 'two.ts': FILES['two.ts'] });
    expect(evaluated.result.stale.size).toBe(0);
    expect(evaluated.contract('two').stale).toBeUndefined();
  });

  test('of a schema that is half-typed keeps what depends on it', async () => {
    const evaluated = await open(FILES);
    await evaluated.update({ 'base.ts': `${ZOD}export const Base = z.object({ a: z.str` });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
    await evaluated.update({ 'one.ts': `${FILES['one.ts']}${tool('more', 'Base.loose()')}` });
    expect(evaluated.names()).toEqual(['alone', 'more', 'one', 'three', 'two']);
  });

  test('of a file that was never whole', async () => {
    const evaluated = await open({ ...FILES, 'two.ts': `${FILES['two.ts']}\nconst half = z.object({ a: ` });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three']);
    expect(evaluated.failure('two').reason).toMatch(/^the file does not parse: /);
    await evaluated.update({ 'two.ts': FILES['two.ts'] });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
    expect(evaluated.result.unevaluated).toEqual([]);
  });

  test('that mends what failed elsewhere', async () => {
    const evaluated = await open({ ...FILES, 'base.ts': 'export const Other = 1;' });
    expect(evaluated.names()).toEqual(['alone', 'three']);
    expect(evaluated.failure('one').reason).toBe('"./middle.js" does not export "Base"');
    expect(evaluated.failure('two').reason).toBe('"./base.js" does not export "Base"');
    await evaluated.update({ 'base.ts': FILES['base.ts'] });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
    expect(evaluated.result.unevaluated).toEqual([]);
  });
});

describe('files that come and go', () => {
  test('a new file with tools', async () => {
    const evaluated = await open(FILES);
    await evaluated.update({ 'four.ts': `${ZOD}import { Base } from './base.js';\n${tool('four', 'Base')}` });
    expect(fresh(evaluated)).toEqual(['four']);
    expect(evaluated.names()).toContain('four');
  });

  test('a new file that an import was waiting for', async () => {
    const evaluated = await open({ ...FILES, 'base.ts': undefined });
    expect(evaluated.names()).toEqual(['alone', 'three']);
    expect(evaluated.failure('two').reason).toBe('cannot find "./base.js", which two.ts imports');
    await evaluated.update({ 'base.ts': FILES['base.ts'] });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
  });

  test('a file that goes: its tools go, and what imports it says so', async () => {
    const evaluated = await open(FILES);
    await evaluated.update({ 'three.ts': undefined, 'base.ts': undefined });
    expect(evaluated.names()).toEqual(['alone']);
    expect(evaluated.failure('one').reason).toBe('"./middle.js" does not export "Base"');
    expect(evaluated.failure('two').reason).toBe('cannot find "./base.js", which two.ts imports');
    await evaluated.update({ 'three.ts': FILES['three.ts'], 'base.ts': FILES['base.ts'] });
    expect(evaluated.names()).toEqual(['alone', 'one', 'three', 'two']);
  });

  test('a file that takes the place of another', async () => {
    const evaluated = await open({
      ...FILES,
      'base.ts': undefined,
      'base/index.ts': FILES['base.ts'],
      'two.ts': FILES['two.ts'].replace('./base.js', './base'),
    });
    expect(Object.keys(evaluated.contract('two').graph?.nodes[0]?.fields ?? {})).toEqual(['a']);
    await evaluated.update({ 'base.ts': `${ZOD}export const Base = z.object({ nearer: z.string() });` });
    expect(Object.keys(evaluated.contract('two').graph?.nodes[0]?.fields ?? {})).toEqual(['nearer']);
  });

  test('a tsconfig that leads an alias elsewhere', async () => {
    const config = (folder: string) => JSON.stringify({ compilerOptions: { paths: { '@s/*': [`./${folder}/*`] } } });
    const evaluated = await open({
      'tsconfig.json': config('x'),
      'x/s.ts': `${ZOD}export const S = z.object({ x: z.string() });`,
      'y/s.ts': `${ZOD}export const S = z.object({ y: z.string() });`,
      'one.ts': `import { S } from '@s/s';\n${tool('one', 'S')}`,
    });
    expect(Object.keys(evaluated.contract('one').graph?.nodes[0]?.fields ?? {})).toEqual(['x']);
    evaluated.pipeline.reset();
    await evaluated.update({ 'tsconfig.json': config('y') });
    expect(Object.keys(evaluated.contract('one').graph?.nodes[0]?.fields ?? {})).toEqual(['y']);
  });
});

describe('a process that ended', () => {
  async function kill(evaluated: Evaluated): Promise<void> {
    const pid = evaluated.pipeline.sandboxPid;
    if (pid === undefined) throw new Error('there is no process');
    process.kill(pid, 'SIGKILL');
    // It is gone when asking it is an error.
    await expect(evaluated.pipeline.probes.parse(evaluated.contract('three').id, 0, {})).rejects.toThrow();
  }

  test('is replaced, and results are right afterwards', async () => {
    const evaluated = await open(FILES);
    const before = normalized(evaluated);
    await kill(evaluated);
    await evaluated.update({ 'three.ts': `${ZOD}${tool('three', 'z.object({ after: z.string() })')}` });
    expect(fresh(evaluated)).toEqual(['three']);
    expect(evaluated.offers('three')).toHaveLength(1);
    await evaluated.update({ 'three.ts': FILES['three.ts'] });
    expect(normalized(evaluated)).toEqual(before);
  });

  test('tools that it held are brought back for whoever asks about them', async () => {
    const evaluated = await open(FILES);
    await kill(evaluated);
    const accepted = new Map<string, boolean>();
    const givenUp: string[] = [];
    await evaluated.pipeline.survive(
      evaluated.result.subjects,
      async ({ contract, offers }) => {
        const [offer] = offers;
        const arguments_ = { a: 'x', extra: 1 };
        const parsed = await evaluated.pipeline.probes.parse(contract.id, 0, arguments_);
        const called = offer && (await evaluated.pipeline.probes.call(offer, arguments_));
        accepted.set(contract.name ?? '', parsed.accepts && called?.accepts === true);
      },
      ({ contract }) => givenUp.push(contract.name ?? ''),
    );
    expect(Object.fromEntries(accepted)).toEqual({ alone: true, one: true, three: false, two: false });
    expect(givenUp).toEqual([]);
  });

  test('over a question: the one that ends it is given up, the others are answered', async () => {
    const evaluated = await open({
      ...FILES,
      'four.ts': `${ZOD}${tool('four', 'z.object({ a: z.string().refine(() => { for (;;) {} }) })')}`,
    });
    const answered: string[] = [];
    const givenUp: string[] = [];
    await evaluated.pipeline.survive(
      evaluated.result.subjects,
      async ({ contract }) => {
        await evaluated.pipeline.probes.parse(contract.id, 0, { a: 'x', c: 'y' });
        answered.push(contract.name ?? '');
      },
      ({ contract }, reason) => givenUp.push(`${contract.name}: ${reason}`),
    );
    expect(answered.sort()).toEqual(['alone', 'one', 'three', 'two']);
    expect(givenUp).toEqual(['four: it did not finish within 5 seconds and was stopped']);
  });
});

/** Everything about the tools but what only counts within one process. */
function normalized({ result, root }: Evaluated) {
  const text = JSON.stringify({
    tools: result.subjects
      .map(({ contract, offers }) => ({ contract: withoutIds(contract), offers }))
      .sort((a, b) => (JSON.stringify(a.contract.candidate.id) < JSON.stringify(b.contract.candidate.id) ? -1 : 1)),
    unevaluated: result.unevaluated.map(sortedFiles).sort((a, b) => (a.candidate.id < b.candidate.id ? -1 : 1)),
  });
  return JSON.parse(text.replaceAll(root, '')) as unknown;
}

function withoutIds(contract: Contract): Contract {
  const { graph } = contract;
  const uids = new Map<number, number>();
  const nodes = graph?.nodes.map((node) => {
    const uid = uids.get(node.uid) ?? uids.set(node.uid, uids.size).size - 1;
    return { ...node, uid };
  });
  return sortedFiles({ ...contract, graph: graph && { ...graph, nodes: nodes ?? [] } });
}

function sortedFiles<T extends Contract | Unevaluated>(one: T): T {
  return { ...one, files: [...one.files].sort() };
}

test('300 random edits end where a fresh start does', { timeout: 240_000 }, async () => {
  const workspace = new RandomWorkspace(new Random(20261201));
  const evaluated = await open(workspace.files());
  const tools = new Set<string>();
  for (let edit = 1; edit <= 300; edit++) {
    await evaluated.update(workspace.edit());
    if (edit % 30 !== 0) continue;
    await evaluated.update(workspace.mend());
    const anew = new Evaluated(evaluated.root);
    running.push(anew);
    await anew.update();
    expect(normalized(evaluated), `after ${edit} edits`).toEqual(normalized(anew));
    anew.dispose();
    for (const name of evaluated.names()) tools.add(name);
  }
  expect(tools.size).toBeGreaterThan(10);
});
