import { describe, expect, test } from 'vitest';
import { Modules } from '../../../server/src/evaluation/modules.ts';
import { Packages } from '../../../server/src/files/packages.ts';
import { Resolver } from '../../../server/src/files/resolution.ts';
import { evaluateFiles, outline } from '../../helpers/inProcess.ts';
import { MemoryTree } from '../../helpers/memoryTree.ts';
import { evaluate, schemaOf, tool, ZOD } from './source.ts';

const S = 'z.object({ a: z.string() })';

describe('exports and imports', () => {
  test.each([
    ['a const', `export const S = ${S};`, "import { S } from './s.js';", 'S'],
    ['a list', `const inner = ${S};\nexport { inner as S };`, "import { S } from './s.js';", 'S'],
    [
      'a name that is no identifier',
      `const inner = ${S};\nexport { inner as 'my schema' };`,
      "import { 'my schema' as S } from './s.js';",
      'S',
    ],
    ['let with a later assignment', `export let S: any;\nS = ${S};`, "import { S } from './s.js';", 'S'],
    ['destructured', `export const { S, ...others } = { S: ${S}, b: 1 };`, "import { S } from './s.js';", 'S'],
    ['destructured from a list', `export const [, S = 1] = [0, ${S}] as any;`, "import { S } from './s.js';", 'S'],
    ['default expression', `export default ${S};`, "import S from './s.js';", 'S'],
    ['default function', `export default function () { return ${S}; }`, "import make from './s.js';", 'make()'],
    [
      'default named function',
      `export default function make() { return ${S}; }`,
      "import make from './s.js';",
      'make()',
    ],
    [
      'default async function',
      `export default async function () {}\nexport const S = ${S};`,
      "import f, { S } from './s.js';",
      'S',
    ],
    ['default class', `export default class { static S = ${S}; }`, "import C from './s.js';", 'C.S'],
    ['default arrow', `export default () => (${S});`, "import make from './s.js';", 'make()'],
    ['default as', `const S = ${S};\nexport { S as default };`, "import { default as S } from './s.js';", 'S'],
    ['export =', `const S = ${S};\nexport = { S };`, "import s = require('./s.js');", 's.S'],
    ['a namespace import', `export const S = ${S};`, "import * as s from './s.js';", 's.S'],
    ['default and namespace', `export default 1;\nexport const S = ${S};`, "import one, * as s from './s.js';", 's.S'],
    [
      'a function that is used before it stands there',
      `export const S = make();\nfunction make() { return ${S}; }`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'a const that is used before it stands there',
      `export const T = () => S;\nexport const S = ${S};`,
      "import { T } from './s.js';",
      'T()',
    ],
    [
      'a static field and a private member',
      `export class C { static #hidden = z.string();\n static S = z.object({ a: C.#hidden }); }`,
      "import { C } from './s.js';",
      'C.S',
    ],
    [
      'a static block',
      `export class C { static S: any; static { this.S = ${S}; } }`,
      "import { C } from './s.js';",
      'C.S',
    ],
    [
      'a generator and an async function as values',
      `function* g() { yield ${S}; }\nasync function f() {}\nexport const S = g().next().value;\nexport { f };`,
      "import { S, f } from './s.js';",
      'S',
    ],
    [
      'a tagged template',
      `const tag = (t: any, s: any) => s;\nexport const S = tag\`x\${z.object({ a: z.string() })}\`;`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'comma, label, regular expression',
      `loop: for (;;) { break loop; }\nexport const S = (0, z.object({ a: z.string().regex(/[/"'\`]\\//) }));`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'optional chains',
      `const o: any = { z };\nexport const S = o?.z.object({ a: o.z?.string?.() })!;`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'a lazy getter',
      `const o = { get S() { return ${S}; } };\nexport const S = o.S;`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'several on one line',
      `export const a = z.string(), S = z.object({ a }), b = 2;`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'import.meta',
      `export const S = z.object({ a: z.string().describe(import.meta.url) });`,
      "import { S } from './s.js';",
      'S',
    ],
    [
      'a type that is exported with the values',
      `interface T {}\ntype U = 1;\nconst S = ${S};\nexport { S, T, U };`,
      "import { S, T } from './s.js';",
      'S',
    ],
  ])('%s', async (_title, text, code, schema) => {
    expect(await schemaOf(code, schema, { 's.ts': ZOD + text })).toBe('{a: string}');
  });

  test.each([
    ['export *', "export * from './s.js';", "import { S } from './index.js';", 'S'],
    ['export * as', "export * as all from './s.js';", "import { all } from './index.js';", 'all.S'],
    ['export { } from', "export { S as T } from './s.js';", "import { T } from './index.js';", 'T'],
    ['export { default }', "export { default } from './d.js';", "import S from './index.js';", 'S'],
    ['export { default as }', "export { default as S } from './d.js';", "import { S } from './index.js';", 'S'],
    ['import and export', "import { S } from './s.js';\nexport { S };", "import { S } from './index.js';", 'S'],
    [
      'import type beside it',
      "import type { X } from './s.js';\nimport { type X as Y, S } from './s.js';\nexport type { X };\nexport { S, type Y };",
      "import { S } from './index.js';",
      'S',
    ],
    ['a barrel of barrels', "export * from './more/index.js';", "import { S } from './index.js';", 'S'],
    ['two stars', "export * from './d.js';\nexport * from './s.js';", "import * as all from './index.js';", 'all.S'],
    [
      'a star of a package',
      "export * from 'zod';",
      "import { object, string } from './index.js';",
      'object({ a: string() })',
    ],
    [
      'barrels that import each other',
      "export * from './circle.js';\nexport * from './s.js';",
      "import { S } from './index.js';",
      'S',
    ],
  ])('%s', async (_title, index, code, schema) => {
    const files = {
      'index.ts': index,
      's.ts': `${ZOD}export const S = ${S};\nexport interface X {}`,
      'd.ts': `${ZOD}export default ${S};`,
      'more/index.ts': "export * from '../s.js';",
      'circle.ts': "export * from './index.js';\nexport const nothing = 0;",
    };
    expect(await schemaOf(code, schema, files)).toBe('{a: string}');
  });

  test("a namespace has what is a value, sorted as Node's is", async () => {
    const files = {
      'index.ts': "import { T } from './s.js';\nexport { zed, S, T, U } from './s.js';\nexport { T as V };",
      's.ts': `${ZOD}export const zed = z.string();\nexport const S = z.number();\nexport interface T {}\nexport type U = 1;`,
    };
    expect(
      await schemaOf("import * as all from './index.js';", 'z.object({ k: z.literal(Object.keys(all)) })', files),
    ).toBe('{k: "S"|"zed"}');
    expect(await schemaOf("import * as all from './index.js';", 'z.object({ ...all })', files)).toBe(
      '{S: number, zed: string}',
    );
  });

  test('functions and classes are called by the name of what holds them', async () => {
    const code =
      'const f = () => 1, g = function () {}, C = class {}, named = function other() {}, x = { y: () => 1 };\nexport default () => 1;';
    const schema = 'z.object({ n: z.literal([f.name, g.name, C.name, named.name, x.y.name]) })';
    expect(await schemaOf(code, schema)).toBe('{n: "f"|"g"|"C"|"other"|"y"}');
  });

  test('shebang, byte order mark and CRLF', async () => {
    const text = `\uFEFF#!/usr/bin/env node\r\n${ZOD.trim()}\r\nconst S = z.object({\r\n  a: z.string(),\r\n}); // end\r\n${tool('S').trim()}\r\n`;
    const made = await evaluateFiles({ 'tools.ts': text });
    const contract = made.tool('t');
    expect(outline(contract)).toBe('{a: string}');
    expect(made.textOf(contract.graph?.nodes[1]?.origin?.place)).toBe('z.string()');
  });

  test('var that is declared twice', async () => {
    const code = 'var S = z.object({ a: z.string() });\nvar S;\nfunction f() { return S; }\nvar f;';
    expect(await schemaOf(code, 'f()', {}, 'tools.js')).toBe('{a: string}');
  });

  test('a long chain of imports', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `c${index}.ts`,
        `import { x as y } from './c${index + 1}.js';\nexport const x = y;`,
      ]),
    );
    const files = { ...chain, 'c300.ts': `${ZOD}export const x = ${S};` };
    expect(await schemaOf("import { x } from './c0.js';", 'x', files)).toBe('{a: string}');
  });

  test('no semicolons', async () => {
    const code = `const a = z.string()\nconst list = [a]\nconst S = z.object({ a: list[0] })\n;[1].forEach(() => {})\nconst T = S`;
    expect(await schemaOf(code, 'T')).toBe('{a: string}');
  });
});

describe('JSON', () => {
  test.each([
    ['default', "import data from './d.json';", 'data.kinds'],
    ['with attributes', "import data from './d.json' with { type: 'json' };", 'data.kinds'],
    ['assert', "import data from './d.json' assert { type: 'json' };", 'data.kinds'],
    ['a named import', "import { kinds } from './d.json';", 'kinds'],
    ['a namespace', "import * as data from './d.json';", 'data.kinds'],
    ['await import', "const { default: data } = await import('./d.json', { with: { type: 'json' } });", 'data.kinds'],
    ['await import, read at once', "const data = (await import('./d.json')).default;", 'data.kinds'],
  ])('%s', async (_title, code, kinds) => {
    expect(await schemaOf(code, `z.object({ k: z.enum(${kinds}) })`, { 'd.json': '{"kinds": ["x", "y"]}' })).toBe(
      '{k: "x"|"y"}',
    );
  });

  test('that does not parse is said, where it is', async () => {
    const made = await evaluate("import data from './d.json';", 'z.object({ k: z.enum(data.kinds) })', {
      'd.json': '{"kinds": [}',
    });
    expect(made.failure('t').reason).toMatch(/^d\.json is no JSON: /);
    expect(made.textOf(made.failure('t').at)).toBe('{"kinds": [}');
  });
});

describe('top-level await', () => {
  test('only what depends on it fails, at the await', async () => {
    const made = await evaluateFiles({
      'tools.ts': `${ZOD}const remote = await fetch('https://example.com');\nconst { kinds } = await remote.json();\nconst K = z.enum(kinds);\n${tool('z.object({ k: K })', 'depends')}${tool('z.object({ a: z.string() })', 'free')}`,
    });
    expect(made.names()).toEqual(['free']);
    const failure = made.failure('depends');
    expect(failure.reason).toBe(
      'it depends on a value that is awaited at the top level of a module, which is not evaluated',
    );
    expect(made.textOf(failure.at)).toBe('await remote.json()');
    expect(failure.trail).toEqual(['K']);
  });

  test('through another file', async () => {
    const made = await evaluate("import { K } from './k.js';", 'z.object({ k: K })', {
      'k.ts': `${ZOD}export const K = z.enum(await load());`,
    });
    expect(made.textOf(made.failure('t').at)).toBe('await load()');
    expect(made.failure('t').at.file).toMatch(/k\.ts$/);
  });

  test('an assignment', async () => {
    const made = await evaluate('let kinds: any;\nkinds = await load();', 'z.object({ k: z.enum(kinds) })');
    expect(made.textOf(made.failure('t').at)).toBe('await load()');
  });

  test('an assignment within a try', async () => {
    const made = await evaluate(
      'let kinds: any;\ntry { kinds = await load(); } catch { kinds = []; }',
      'z.object({ k: z.enum(kinds) })',
    );
    expect(made.textOf(made.failure('t').at)).toBe('await load()');
  });

  test('an import of a module that is awaited is no wait', async () => {
    const code = "const { S } = await import('./s.js');\nconst more = await import(`./s.js`);";
    expect(await schemaOf(code, 'S.extend({ n: more.S })', { 's.ts': `${ZOD}export const S = ${S};` })).toBe(
      '{a: string, n: {a: string}}',
    );
  });

  test('an import that is awaited within a function', async () => {
    const text = `${ZOD}export async function register(server: any) {\n  const { S } = await import('./s.js');\n  ${tool('S')}}`;
    const made = await evaluateFiles({ 'tools.ts': text, 's.ts': `${ZOD}export const S = ${S};` });
    expect(outline(made.tool('t'))).toBe('{a: string}');
  });

  test('await in the program around the schemas', async () => {
    expect(
      await schemaOf('await server.connect(transport);\nfor await (const x of y) {}\nawait using z1 = a();', S),
    ).toBe('{a: string}');
  });
});

describe('circular imports', () => {
  test('between schema modules succeed where Node would fail', async () => {
    const files = {
      'a.ts': `${ZOD}import { B } from './b.js';\nexport const name = z.string();\nexport const A = z.object({ b: B });`,
      'b.ts': `${ZOD}import { name } from './a.js';\nexport const B = z.object({ name });`,
    };
    expect(await schemaOf("import { A } from './a.js';", 'A', files)).toBe('{b: {name: string}}');
    expect(await schemaOf("import { B } from './b.js';", 'B', files)).toBe('{name: string}');
  });

  test('that need each other at once fail as Node would', async () => {
    const files = {
      'a.ts': `${ZOD}import { B } from './b.js';\nexport const A = z.object({ b: B });`,
      'b.ts': `${ZOD}import { A } from './a.js';\nexport const B = z.object({ a: A });`,
    };
    const made = await evaluate("import { A } from './a.js';", 'A', files);
    expect(made.failure('t').reason).toBe("Cannot access 'A' before initialization: its own value needs it");
    expect(made.failure('t').trail).toEqual(['B', 'A']);
    expect(made.textOf(made.failure('t').at)).toBe('A');
  });

  test('recursion in a schema', async () => {
    const code =
      'const Node: z.ZodType = z.object({ get next() { return Node.optional(); }, list: z.lazy(() => z.array(Node)) });';
    expect(await schemaOf(code, 'Node')).toBe('{next: ↺?, list: ↺[]}');
  });
});

describe('what is not needed', () => {
  test('is not loaded: SDKs, clients and modules of handlers', async () => {
    const code = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import express from 'express-that-is-not-installed';
import { handler } from './handler.js';
import './side-effect.css';
const app = express();
const other = new McpServer({ name: 'x', version: '1' });
app.set('port', 3000);
app.use(handler);
other.registerTool('u', { description: 'd' }, handler);`;
    const made = await evaluate(code, S, {
      'handler.ts': "import x from 'not-installed';\nexport const handler = x();\nthrow new Error();",
    });
    expect(outline(made.tool('t'))).toBe('{a: string}');
    expect(made.loaded).toEqual(['zod']);
    expect(made.supplied).toEqual(['tools.ts']);
  });

  test('types without a value', async () => {
    const code = "import { Options } from './types.js';\nconst options: Options = { a: 1 };";
    const made = await evaluate(code, S, { 'types.ts': 'export interface Options { a: number }' });
    expect(made.supplied).toEqual(['tools.ts']);
  });
});

describe('modules that are asked for one by one', () => {
  test('a try of the author’s own does not take what is not here yet for a failure', async () => {
    const code = `import { Late } from './late.js';
const attempt = (f: () => any) => { try { return f(); } catch { return z.never(); } };
const part = attempt(() => Late);
const other = attempt(() => (undefined as any).x);`;
    const files = { 'late.ts': `${ZOD}export const Late = z.string();` };
    expect(await schemaOf(code, 'z.object({ part, other })', files)).toBe('{part: string, other: never}');
  });

  test('a tool is known to read the files that what it reads has read', async () => {
    const made = await evaluateFiles({
      'a.ts': `${ZOD}import { B } from './b.js';\nexport const A = z.object({ b: B });`,
      'b.ts': `${ZOD}export const B = z.string();`,
      'tools.ts': `import { A } from './a.js';\n${tool('A', 'one')}${tool('A', 'two')}${tool('{}', 'three')}`,
    });
    const files = (name: string) =>
      made
        .tool(name)
        .files.map((file) => made.nameOf(file))
        .sort();
    expect(files('one')).toEqual(['a.ts', 'b.ts', 'tools.ts']);
    expect(files('two')).toEqual(['a.ts', 'b.ts', 'tools.ts']);
    expect(files('three')).toEqual(['tools.ts']);
  });
});

describe('what is missing is said where it is read', () => {
  test.each([
    [
      'a package',
      "import { x } from 'not-installed-package';",
      'z.object({ a: x })',
      'the package "not-installed-package" is not installed: run your package manager',
      'x',
    ],
    [
      'a file',
      "import { x } from './nowhere.js';",
      'z.object({ a: x })',
      'cannot find "./nowhere.js", which tools.ts imports',
      'x',
    ],
    ['an export of a file', "import { y } from './s.js';", 'z.object({ a: y })', '"./s.js" does not export "y"', 'y'],
    ['a default export', "import y from './s.js';", 'z.object({ a: y })', '"./s.js" does not export "default"', 'y'],
    [
      'an export of a package',
      "import { nothingLikeThis as q } from 'zod';",
      'z.object({ a: q })',
      '"zod" does not export "nothingLikeThis"',
      'q',
    ],
    [
      'a path that a package does not export',
      "import { x } from 'zod/internals/nope';",
      'z.object({ a: x })',
      '"zod/internals/nope" is not exported by its package',
      'x',
    ],
    ['a variable', '', 'z.object({ a: nothing })', 'nothing is not defined', 'nothing'],
    [
      'a member',
      'const o: any = {};',
      'z.object({ a: o.b.c })',
      "Cannot read properties of undefined (reading 'c')",
      'o.b.c',
    ],
    ['a method', '', 'z.object({ a: z.string().nope(1) })', 'nope is not a function', 'z.string().nope(1)'],
  ])('%s', async (_title, code, schema, reason, at) => {
    const made = await evaluate(code, schema, { 's.ts': `${ZOD}export const S = ${S};` });
    expect(made.failure('t').reason).toContain(reason);
    expect(made.textOf(made.failure('t').at)).toBe(at);
  });

  test('a binding that fails takes nothing else along, and carries its trail', async () => {
    const made = await evaluateFiles({
      'key.ts':
        "export const KEY = required('KEY');\nfunction required(name: string) { if (!process.env.NOT_SET_ANYWHERE) throw new Error(name + ' is missing'); return name; }\nexport const fine = 'fine';",
      'tools.ts': `${ZOD}import { KEY, fine } from './key.js';\nconst NeedsKey = z.literal(KEY);\n${tool('z.object({ k: NeedsKey })', 'bad')}${tool('z.object({ k: z.literal(fine) })', 'good')}`,
    });
    expect(made.names()).toEqual(['good']);
    const failure = made.failure('bad');
    expect(failure.reason).toBe('KEY is missing');
    expect(failure.trail).toEqual(['KEY', 'NeedsKey']);
    expect(made.textOf(failure.at)).toBe("new Error(name + ' is missing')");
  });

  test('what is thrown without an error is at the initialiser', async () => {
    const made = await evaluate("const KEY = (() => { throw 'no key'; })();", 'z.object({ k: KEY })');
    expect(made.failure('t').reason).toBe('no key');
    expect(made.textOf(made.failure('t').at)).toBe("(() => { throw 'no key'; })()");
  });

  test('an undeclared assignment is an error as in a module, and leaks nothing', async () => {
    const made = await evaluate('function f() { leaked = 1; return z.string(); }', 'z.object({ a: f() })');
    expect(made.failure('t').reason).toBe('leaked is not defined');
    expect('leaked' in globalThis).toBe(false);
  });

  test('a write to a frozen object is an error as in a module', async () => {
    const made = await evaluate(
      'const o: any = Object.freeze({ a: 1 });\nfunction f() { o.a = 2; return z.string(); }',
      'z.object({ a: f() })',
    );
    expect(made.failure('t').reason).toMatch(/Cannot assign to read only property 'a'/);
  });

  test('a file that does not parse is said, where it does not', async () => {
    const made = await evaluate("import { S } from './s.js';", 'S', {
      's.ts': `${ZOD}export const S = z.object({ a: ;\n`,
    });
    expect(made.failure('t').reason).toBe('the file does not parse: Expression expected.');
    expect(made.failure('t').at.file).toMatch(/s\.ts$/);
    expect(made.textOf(made.failure('t').at)).toBe(';');
  });

  test('a file that is nested too deeply for any parser takes no other along', async () => {
    const deep = `${ZOD}const data = ${'{ a: '.repeat(1_500)}1${' }'.repeat(1_500)};\n${tool('z.object({ a: z.string() })', 'deep')}`;
    const made = await evaluateFiles({ 'deep.ts': deep, 'tools.ts': `${ZOD}${tool('z.object({})', 'plain')}` });
    expect(made.names()).toEqual(['plain']);
    const importing = await evaluate("import { data } from './deep.js';", 'z.object({ a: z.literal(data.a) })', {
      'deep.ts': deep.replace('const data', 'export const data'),
    });
    expect(importing.failure('t').reason).toBe('the file cannot be read: it is nested too deeply');
  });
});

test('a file is minified by the length of its lines, not by its own; where it may offer tools that is said', () => {
  const tools = "server.registerTool('boats', { inputSchema: Boats }, handler);\n";
  const minified = `${tools.trim()}${'var a=1;'.repeat(5_000)}`;
  const tree = new MemoryTree({
    'long.ts': `${`// ${'-'.repeat(120)}\n`.repeat(30_000)}${tools}`,
    'made.js': minified,
    'other.js': 'var a=1;'.repeat(5_000),
  });
  const modules = new Modules(tree, new Resolver(tree, new Packages(tree)), () => []);
  const offers = (name: string) => modules.offering(tree.path(name))?.candidates.length ?? 0;
  expect(['long.ts', 'made.js', 'other.js'].map(offers)).toEqual([1, 0, 0]);
  expect(modules.problems()).toEqual([expect.stringMatching(/^made\.js is written in very long lines/)]);
  tree.write('made.js', tools);
  expect(offers('made.js')).toBe(1);
  expect(modules.problems()).toEqual([]);
});
