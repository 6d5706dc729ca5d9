import { describe, expect, test } from 'vitest';
import { evaluateFiles, InProcess, outline } from '../../helpers/inProcess.ts';
import { evaluate, schemaOf, tool, ZOD } from './source.ts';

/** Registers every definition of a list that a program keeps. */
const LOOP =
  "for (const t of tools) server.registerTool(t.label, { description: 'd', inputSchema: t.accepts }, t.act);\n";

describe('top-level statements that are kept', () => {
  test.each([
    ['an assignment', 'let S: any;\nS = z.object({ a: z.string() });', 'S'],
    ['a member', 'const o: any = {};\no.S = z.object({ a: z.string() });', 'o.S'],
    ['a deep member', 'const o: any = { p: {} };\no.p["S"] = z.object({ a: z.string() });', 'o.p.S'],
    ['??=', 'let S: any;\nS ??= z.object({ a: z.string() });', 'S'],
    ['Object.assign', 'const o: any = {};\nObject.assign(o, { S: z.object({ a: z.string() }) });', 'o.S'],
    [
      'Object.defineProperty',
      'const o: any = {};\nObject.defineProperty(o, "S", { get: () => z.object({ a: z.string() }) });',
      'o.S',
    ],
    ['push', 'const list: any[] = [];\nlist.push(z.object({ a: z.string() }));', 'list[0]'],
    ['set', 'const map = new Map<string, any>();\nmap.set("S", z.object({ a: z.string() }));', 'map.get("S")'],
    [
      'a registry',
      'class Registry { tools: any[] = []; register(t: any) { this.tools.push(t); } }\nconst registry = new Registry();\nregistry.register(z.object({ a: z.string() }));',
      'registry.tools[0]',
    ],
    [
      'add on a registry',
      'const toolRegistry = new Set<any>();\ntoolRegistry.add(z.object({ a: z.string() }));',
      '[...toolRegistry][0]',
    ],
    [
      'if',
      'const o: any = {};\nif (1 + 1 === 2) { o.S = z.object({ a: z.string() }); } else { o.S = z.any(); }',
      'o.S',
    ],
    ['for', 'const o: any = {};\nfor (const key of ["a"]) { o[key] = z.string(); }', 'z.object(o)'],
    ['for in', 'const o: any = {};\nfor (const key in { a: 1 }) o[key] = z.string();', 'z.object(o)'],
    ['&&', 'const o: any = {};\ntrue && (o.S = z.object({ a: z.string() }));', 'o.S'],
    ['a comma', 'const o: any = {};\no.a = z.string(), o.S = z.object({ a: o.a });', 'o.S'],
    [
      'an enum as compilers write it',
      'var K: any;\n(function (K: any) { K["A"] = "a"; })(K || (K = {}));',
      'z.object({ a: z.string().default(K.A).unwrap() })',
    ],
    ['try', 'let S: any;\ntry { S = z.object({ a: z.string() }); } catch {}', 'S'],
    ['a prototype', 'class C {}\n(C.prototype as any).S = z.object({ a: z.string() });', '(new C() as any).S'],
  ])('%s', async (_title, code, schema) => {
    expect(await schemaOf(code, schema)).toBe('{a: string}');
  });

  test.each([
    ['a call', 'main();'],
    ['a method', 'server.connect(transport);'],
    ['an exit', 'process.exit(1);'],
    ['a throw under a condition', "if (!process.env.KEY_THAT_NOBODY_SETS) { throw new Error('no key'); }"],
    ['a throw', "throw new Error('ran');"],
    ['a loop that never ends', 'while (true) {}'],
    ['an exit beside an assignment', 'let x = 1;\nif (x) { x = 2; process.exit(1); }'],
    ['a listener', "process.on('SIGINT', () => {});\napp.listen(3000);"],
    ['a function that is called at once', "(async () => { await main(); })();\n(() => { throw new Error('ran'); })();"],
    ['void', 'void main();'],
    [
      'a package of its own',
      "import express from 'not-installed';\nconst app = express();\napp.set('x', 1);\napp.register(1);",
    ],
    ['a guard that calls', 'main() && (globalThis.x = 1);'],
  ])('not kept: %s', async (_title, code) => {
    expect(await schemaOf(`${code}\nconst S = z.object({ a: z.string() });`, 'S')).toBe('{a: string}');
  });

  test('one that fails is nobody else’s reason', async () => {
    const code = 'const o: any = {};\no.a.b.c = 1;\no.S = z.object({ a: z.string() });';
    expect(await schemaOf(code, 'o.S')).toBe('{a: string}');
  });

  test('run once and in order, though modules and packages come one by one', async () => {
    const made = await evaluateFiles({
      'registry.ts': 'export const tools: any[] = [];\nexport const count = { runs: 0 };',
      'a.ts': `${ZOD}export const A = z.object({ a: z.string() });`,
      'b.ts': `${ZOD}import { A } from './a.js';\nexport const B = A.extend({ b: z.string() });`,
      'tools.ts': `${ZOD}import { tools, count } from './registry.js';\nimport { A } from './a.js';\nimport { B } from './b.js';
function define(name: string, schema: any) { count.runs++; return { label: name, accepts: schema, act: () => {} }; }
tools.push(define('one', A)), tools.push(define('two', B));
for (const schema of [A, B]) tools.push(define('more' + tools.length, schema));
${LOOP}${tool('z.object({ n: z.literal(count.runs) })', 'count')}`,
    });
    expect(made.names()).toEqual(['count', 'more2', 'more3', 'one', 'two']);
    expect(outline(made.tool('count'))).toBe('{n: 4}');
  });

  test('run once though a function within them misses a module', async () => {
    const made = await evaluateFiles({
      'a.ts': `${ZOD}export const A = z.object({ a: z.string() });`,
      'tools.ts': `${ZOD}import { A } from './a.js';\nconst tools: any[] = [];\nconst late = () => A;
for (const name of ['x', 'y']) tools.push({ label: name, accepts: name === 'y' ? late() : z.object({}), act: () => {} });\n${LOOP}`,
    });
    expect(made.names()).toEqual(['x', 'y']);
  });
});

describe('registries', () => {
  const files = {
    'registry.ts': 'export const registry = new Map<string, any>();',
    'tools/index.ts': "import './boats.js';\nimport './tides.js';",
    'tools/boats.ts': `${ZOD}import { registry } from '../registry.js';\nregistry.set('boats', z.object({ boat: z.string() }));`,
    'tools/tides.ts': `${ZOD}import { registry } from '../registry.js';\nregistry.set('tides', z.object({ tide: z.string() }));\nthrow new Error('not run');`,
    'main.ts':
      "import { registry } from './registry.js';\nimport './tools/index.js';\nfor (const [name, schema] of registry) server.registerTool(name, { description: 'd', inputSchema: schema }, async () => {});",
  };

  test('are filled by modules that are imported for nothing else', async () => {
    const made = await evaluateFiles(files);
    expect(made.names()).toEqual(['boats', 'tides']);
    expect(outline(made.tool('tides'))).toBe('{tide: string}');
  });

  test('are filled by modules behind a barrel', async () => {
    const made = await evaluateFiles({
      ...files,
      'tools/index.ts': "export * from './boats.js';\nexport { x } from './tides.js';",
    });
    expect(made.names()).toEqual(['boats', 'tides']);
  });

  test('hold each tool once after an edit of one of them', async () => {
    const lists = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        text
          .replace('new Map<string, any>()', '[] as any[]')
          .replace(/registry\.set\(/, 'registry.push(')
          .replace(/push\((.*)\);/, 'push([$1]);'),
      ]),
    );
    const made = await evaluateFiles(lists);
    expect(made.names()).toEqual(['boats', 'tides']);
    const boats = lists['tools/boats.ts']?.replace('boat:', 'hull:');
    const touched = await made.update({ 'tools/boats.ts': boats });
    expect(touched).toEqual(['main.ts', 'registry.ts', 'tools/boats.ts', 'tools/index.ts', 'tools/tides.ts']);
    expect(made.names()).toEqual(['boats', 'tides']);
    expect(outline(made.tool('boats'))).toBe('{hull: string}');
  });

  test('behind a barrel hold each tool once after an edit', async () => {
    const made = await evaluateFiles({
      'registry.ts': 'export const tools: any[] = [];',
      'index.ts': "export * from './registry.js';",
      'boats.ts': `${ZOD}import { tools } from './index.js';\nexport const boats = z.object({ boat: z.string() });\ntools.push({ label: 'boats', accepts: boats, act: () => {} });`,
      'main.ts': `import { tools } from './index.js';\nimport './boats.js';\n${LOOP}`,
    });
    expect(made.names()).toEqual(['boats']);
    await made.update({
      'boats.ts': `${ZOD}import { tools } from './index.js';\ntools.push({ label: 'ships', accepts: z.object({}), act: () => {} });`,
    });
    expect(made.names()).toEqual(['ships']);
  });
});

describe('what zod keeps for the whole process', () => {
  test.each(['zod', 'zod-4-1', 'zod-4-4'])('the same id again in %s, after an edit', async (zod) => {
    const text = (field: string) =>
      `import { z } from '${zod}';\nconst Port = z.object({ ${field}: z.string() }).meta({ id: 'port-${zod}' });\n${tool('z.object({ port: Port })')}`;
    const made = await evaluateFiles({ 'tools.ts': text('name') });
    expect(outline(made.tool('t'))).toBe('{port: {name: string}}');
    // Another expression makes it now.
    await made.update({
      'tools.ts': `import { z as y } from '${zod}';\ny.string().min(1);\nconst one = y.string();\n${text('code')}`,
    });
    expect(outline(made.tool('t'))).toBe('{port: {code: string}}');
  });

  test.each(['zod', 'zod-4-1'])('the same id again in %s, after a module was missed', async (zod) => {
    const code = `import { z as zz } from '${zod}';\nimport { late } from './late.js';\nconst both = () => zz.object({ a: zz.string().meta({ id: 'again-${zod}' }), b: late });`;
    expect(
      await schemaOf(code, 'both()', { 'late.ts': `import { z } from '${zod}';\nexport const late = z.number();` }),
    ).toBe('{a: string, b: number}');
  });

  test('two schemas of one id are an error of the author’s, where zod says so', async () => {
    const code =
      "import { z as zz } from 'zod-4-1';\nconst a = zz.string().meta({ id: 'twice' });\nconst b = zz.number().meta({ id: 'twice' });";
    const made = await evaluate(code, 'zz.object({ a, b })');
    expect(made.failure('t').reason).toBe('ID twice already exists in the registry');
  });

  test('a registry by a statement', async () => {
    const code =
      "const S = z.object({ a: z.string() });\nz.globalRegistry.add(S, { description: 'from a registry' });\nconst T = z.object({ b: S });\nT.register(z.globalRegistry, { description: 'by itself' });";
    const made = await evaluate(code, 'T');
    expect(
      made
        .tool('t')
        .graph?.nodes.map((node) => node.description)
        .filter(Boolean),
    ).toEqual(['by itself', 'from a registry']);
  });

  test('a registry that is written to after the first tool was read', async () => {
    const made = await evaluateFiles({
      's.ts': `${ZOD}export const S = z.object({ a: z.string() });`,
      'a.ts': `${ZOD}import { S } from './s.js';\n${tool('z.object({ s: S })', 'one')}`,
      'b.ts': `${ZOD}import { S } from './s.js';\nz.globalRegistry.add(S, { description: 'late' });\n${tool('z.object({ s: S, t: S.optional() })', 'two')}`,
    });
    const said = (name: string) => made.tool(name).graph?.nodes.map(({ description }) => description);
    expect(said('one')).toEqual([undefined, undefined, undefined]);
    expect(said('two')).toEqual([undefined, 'late', undefined, undefined]);
  });

  test('an edit of a module that sets it asks for a new process', async () => {
    const made = new InProcess({
      'a.ts': `${ZOD}z.config({ jitless: true });\nexport const a = 1;`,
      'b.ts': `${ZOD}export const b = 1;`,
    });
    expect(made.updateModules({ 'a.ts': 'export const a = 2;' }).restart).toBe(false); // not known yet
    made.knows('a.ts', 'b.ts');
    expect(made.updateModules({ 'b.ts': 'export const b = 2;' }).restart).toBe(false);
    expect(made.updateModules({ 'a.ts': `${ZOD}z.config(z.locales.de());` }).restart).toBe(true);
    expect(made.updateModules({ 'a.ts': '' }).restart).toBe(true);
    expect(made.updateModules({ 'a.ts': 'export const a = 3;' }).restart).toBe(false);
  });
});
