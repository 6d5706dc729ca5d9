import { describe, expect, test } from 'vitest';
import type { Contract, SchemaNode } from '../../../shared/src/model.ts';
import { evaluateFiles, type InProcess } from '../../helpers/inProcess.ts';
import { evaluate, tool, ZOD } from './source.ts';

/** `kind: text of the expression that made it`, for the nodes of a tool's structure and history. */
function origins(made: InProcess, name = 't'): string[] {
  return (made.tool(name).graph?.nodes ?? []).map((node) => `${node.kind}: ${made.textOf(node.origin?.place)}`);
}

function nodeBy(made: InProcess, contract: Contract, text: string): SchemaNode {
  const found = contract.graph?.nodes.find((node) => made.textOf(node.origin?.place) === text);
  if (!found) throw new Error(`no node made by ${text}; there are ${origins(made, contract.name ?? '')}`);
  return found;
}

describe('the origin of a node is the expression that first made it', () => {
  test.each([
    ['an object', 'z.object({ a: z.string() })', ['object: z.object({ a: z.string() })', 'string: z.string()']],
    [
      'a chain',
      "z.object({ a: z.string().min(2).describe('x') }).strict()",
      [
        "object: z.object({ a: z.string().min(2).describe('x') }).strict()",
        "string: z.string().min(2).describe('x')",
        "object: z.object({ a: z.string().min(2).describe('x') })",
        'string: z.string().min(2)',
        'string: z.string()',
      ],
    ],
    [
      'wrappers',
      'z.object({ a: z.array(z.number()).optional(), b: z.string().nullable().default(null) })',
      [
        'object: z.object({ a: z.array(z.number()).optional(), b: z.string().nullable().default(null) })',
        'optional: z.array(z.number()).optional()',
        'default: z.string().nullable().default(null)',
        'array: z.array(z.number())',
        'nullable: z.string().nullable()',
        'number: z.number()',
        'string: z.string()',
      ],
    ],
    [
      'a union',
      'z.object({ u: z.union([z.string(), z.literal(1)]), d: z.discriminatedUnion("k", [z.object({ k: z.literal("x") })]) })',
      [
        'object: z.object({ u: z.union([z.string(), z.literal(1)]), d: z.discriminatedUnion("k", [z.object({ k: z.literal("x") })]) })',
        'union: z.union([z.string(), z.literal(1)])',
        'union: z.discriminatedUnion("k", [z.object({ k: z.literal("x") })])',
        'string: z.string()',
        'literal: z.literal(1)',
        'object: z.object({ k: z.literal("x") })',
        'literal: z.literal("x")',
      ],
    ],
    [
      'in an optional chain',
      'z?.object?.({ a: z.string() })',
      ['object: z?.object?.({ a: z.string() })', 'string: z.string()'],
    ],
    [
      'with a comment',
      'z /* the one */\n  .object({ // fields\n a: z.string() })',
      ['object: z /* the one */\n  .object({ // fields\n a: z.string() })', 'string: z.string()'],
    ],
    [
      'in parentheses and casts',
      '(z.object({ a: (z.string() as any) }) as any)!',
      ['object: z.object({ a: (z.string() as any) })', 'string: z.string()'],
    ],
    ['a pipe', 'z.object({ p: z.string().transform(Number).pipe(z.number()) })', undefined],
  ])('%s', async (_title, schema, expected) => {
    const made = await evaluate('', schema);
    if (expected) expect(origins(made)).toEqual(expected);
    else
      for (const node of made.tool('t').graph?.nodes ?? [])
        expect(node.kind === 'transform' || node.origin).toBeTruthy();
  });

  test.each([
    ['a const', 'const name = z.string().min(1);', 'z.object({ a: name })', 'z.string().min(1)'],
    [
      'an arrow that is called',
      'const text = (max: number) => z.string().max(max);',
      'z.object({ a: text(3) })',
      'z.string().max(max)',
    ],
    [
      'a generic helper',
      'function maybe<T extends z.ZodTypeAny>(x: T) { return x.optional(); }',
      'z.object({ a: maybe(z.string()) })',
      'x.optional()',
    ],
    ['a template tag', 'const t = (_: any, s: any) => s;', `z.object({ a: t\`\${z.string()}\` })`, 'z.string()'],
    [
      'a field of a shape',
      'const S = z.object({ a: z.string().max(3) });',
      'z.object({ a: S.shape.a })',
      'z.string().max(3)',
    ],
    ['a static field', 'class C { static a = z.string().max(4); }', 'z.object({ a: C.a })', 'z.string().max(4)'],
    [
      'a member of a namespace',
      'namespace N { export const a = z.string().max(5); }',
      'z.object({ a: N.a })',
      'z.string().max(5)',
    ],
    ['a record', 'const all = { a: z.string().max(6) };', 'z.object({ a: all.a })', 'z.string().max(6)'],
    [
      'a list that is mapped',
      "const all = ['x'].map((x) => z.literal(x));",
      'z.object({ a: all[0]! })',
      'z.literal(x)',
    ],
    ['a comma', '', 'z.object({ a: (0, z.string)() })', '(0, z.string)()'],
    ['an alias', 'const { string } = z;', 'z.object({ a: string() })', 'string()'],
    ['a conditional', '', 'z.object({ a: Math.PI > 3 ? z.string() : z.number() })', 'z.string()'],
  ])('by %s', async (_title, code, schema, expected) => {
    const made = await evaluate(code, schema);
    const { graph } = made.tool('t');
    const field = graph?.nodes[graph.nodes[0]?.fields?.a ?? -1];
    expect(made.textOf(field?.origin?.place)).toBe(expected);
  });

  test('later sightings change nothing', async () => {
    const made = await evaluate(
      'const make = () => shared;\nconst shared = z.string();\nmake();',
      'z.object({ a: make(), b: make() })',
    );
    const field = made.tool('t').graph?.nodes[1];
    expect(made.textOf(field?.origin?.place)).toBe('z.string()');
  });

  test('one object is one uid, also across tools', async () => {
    const made = await evaluateFiles({
      's.ts': `${ZOD}export const S = z.object({ a: z.string() });`,
      'a.ts': `${ZOD}import { S } from './s.js';\n${tool('S', 'one')}${tool('z.object({ s: S })', 'two')}`,
    });
    const one = made.tool('one').graph?.nodes[0];
    const two = made.tool('two').graph?.nodes[1];
    expect(one?.uid).toBe(two?.uid);
    expect(one?.uid).not.toBe(made.tool('two').graph?.nodes[0]?.uid);
  });

  test('zod 3 and zod/mini', async () => {
    const text = "import { z as z3 } from 'zod-3';\nimport * as mini from 'zod/mini';\n";
    const made = await evaluateFiles({
      'tools.ts': `${text}${tool("z3.object({ a: z3.string().min(2).optional() }).strict().describe('x')", 'three')}${tool('mini.object({ a: mini.optional(mini.string().check(mini.minLength(2))) })', 'mini')}`,
    });
    expect(origins(made, 'three')).toEqual([
      "object: z3.object({ a: z3.string().min(2).optional() }).strict().describe('x')",
      'optional: z3.string().min(2).optional()',
      'string: z3.string().min(2)',
      'object: z3.object({ a: z3.string().min(2).optional() }).strict()',
      'string: z3.string()',
      'object: z3.object({ a: z3.string().min(2).optional() })',
    ]);
    expect(origins(made, 'mini').slice(0, 3)).toEqual([
      'object: mini.object({ a: mini.optional(mini.string().check(mini.minLength(2))) })',
      'optional: mini.optional(mini.string().check(mini.minLength(2)))',
      'string: mini.string().check(mini.minLength(2))',
    ]);
    expect(made.tool('three').graph?.nodes.every((node) => node.zod === 3)).toBe(true);
  });
});

describe('the receiver of a call is followed', () => {
  test('through a chain, to the object it began with', async () => {
    const made = await evaluate('const Base = z.object({ a: z.string() });', "Base.strict().describe('x').partial()");
    const { graph } = made.tool('t');
    const chain: string[] = [];
    for (let node = graph?.nodes[0]; node; node = node.from === undefined ? undefined : graph?.nodes[node.from]) {
      chain.push(`${node.origin?.method} ${node.policy}`);
    }
    expect(chain).toEqual(['partial strict', 'describe strict', 'strict strict', 'object strip']);
  });

  test('in recursion', async () => {
    const code =
      'const nest = (n: number): any => (n === 0 ? z.object({}) : z.object({ n: nest(n - 1).strict() })).describe(String(n));';
    const made = await evaluate(code, 'nest(3)');
    const { graph } = made.tool('t');
    const described = graph?.nodes.filter((node) => node.origin?.method === 'describe') ?? [];
    expect(described.map(({ description }) => description)).toEqual(['3', '2', '1', '0']);
    for (const node of described) expect(graph?.nodes[node.from ?? -1]?.origin?.method).toBe('object');
  });

  test('not where the receiver is no schema', async () => {
    const made = await evaluate('const lib = { make: () => z.object({ a: z.string() }) };', 'lib.make()');
    expect(made.tool('t').graph?.nodes[0]?.from).toBeUndefined();
  });

  test('after a call that threw', async () => {
    const code =
      'const Base = z.object({ a: z.string() });\nfunction attempt(f: any) { try { return Base.extend(f()); } catch { return Base; } }\nattempt(() => { throw new Error(); });';
    const made = await evaluate(code, 'attempt(() => { throw 1; }).strict()');
    const { graph } = made.tool('t');
    expect(made.textOf(graph?.nodes[graph.nodes[0]?.from ?? -1]?.origin?.place)).toBe('z.object({ a: z.string() })');
  });
});

/** `owner's expression <- read`, for what flowed into a node or a registered shape. */
function flowsOf(made: InProcess, contract: Contract, node = contract.graph?.nodes[0]): string[] {
  const flows = contract.form === 'raw-shape' && node?.id === 0 ? contract.rebuiltFrom : (node?.rebuiltFrom ?? []);
  return flows.map(({ owner, read }) => {
    const from = contract.graph?.nodes[owner];
    return `${made.textOf(from?.origin?.place)} <- ${made.textOf(read)}`;
  });
}

const STRICT = 'z.object({ a: z.string(), b: z.number() }).strict()';
const ZODS = ['zod', 'zod-4-4', 'zod-4-1', 'zod-3'];

describe.each(ZODS)('a whole shape that flows on, with %s', (zod) => {
  const S = `import { z } from '${zod}';\nimport z2 from '${zod}';\nconst S = ${STRICT};\n`;
  const FLOW = `${STRICT} <- S.shape`;

  async function flows(code: string, schema: string, files = {}): Promise<string[]> {
    const made = await evaluateFiles({ 'tools.ts': `${S}${code}\n${tool(schema)}`, ...files });
    return flowsOf(made, made.tool('t'));
  }

  test.each([
    ['registered', '', 'S.shape', FLOW],
    ['in an object', '', 'z.object(S.shape)', FLOW],
    ['in a strict object', '', 'z.object(S.shape).strict()', undefined],
    ['spread', '', 'z.object({ ...S.shape, c: z.string() })', FLOW],
    ['spread and registered', '', '{ ...S.shape, c: z.string() }', FLOW],
    ['spread in a spread', '', 'z.object({ ...{ ...S.shape }, c: z.string() })', FLOW],
    ['spread under a condition', 'const on = true;', 'z.object({ ...(on ? S.shape : {}), ...(on && S.shape) })', FLOW],
    ['in a const', 'const shape = S.shape;', 'z.object(shape)', FLOW],
    ['in a const, spread', 'const shape = S.shape;', 'z.object({ ...shape })', FLOW],
    ['in a const, registered', 'const shape = S.shape;', 'shape', FLOW],
    ['in a member', 'const all = { inner: { shape1: S.shape } };', 'z.object(all.inner.shape1)', FLOW],
    ['taken apart by its name', 'const { shape } = S;', 'z.object(shape)', `${STRICT} <- shape`],
    [
      'taken apart by another name',
      'const { shape: fields } = S;',
      'z.object({ ...fields })',
      `${STRICT} <- shape: fields`,
    ],
    ['the rest', 'const { a, ...others } = S.shape;', 'z.object(others)', FLOW],
    ['the rest, spread', 'const { a, ...others } = S.shape;', 'z.object({ ...others, a: z.number() })', FLOW],
    [
      'the rest in a function',
      'function without(shape: any) { const { a, ...others } = shape; return others; }',
      'z.object(without(S.shape))',
      FLOW,
    ],
    [
      'the rest of a parameter',
      'const without = ({ a, ...others }: any) => others;',
      'z.object(without(S.shape))',
      FLOW,
    ],
    ['the rest of a const', 'const shape = S.shape;\nconst { a, ...others } = shape;', 'z.object(others)', FLOW],
    ['Object.assign', '', 'z.object(Object.assign({}, S.shape, { c: z.string() }))', FLOW],
    ['Object.assign of a const', 'const shape = S.shape;', 'z.object(Object.assign({}, shape))', FLOW],
    [
      'Object.assign of a list that is spread',
      '',
      'z.object(Object.assign({}, ...[S].map((one: any) => one.shape)))',
      `${STRICT} <- one.shape`,
    ],
    ['by a string', '', "z.object(S['shape'])", `${STRICT} <- S['shape']`],
    ['in an optional chain', 'const all: any = { S };', 'z.object({ ...all.S?.shape })', `${STRICT} <- all.S?.shape`],
    [
      'at the end of an optional chain',
      'const all: any = { S };',
      'z.object(all?.S.shape)',
      `${STRICT} <- all?.S.shape`,
    ],
    ['Object.assign, registered', '', 'Object.assign({}, S.shape, { c: z.string() })', FLOW],
    ['entries, registered', '', 'Object.fromEntries(Object.entries(S.shape))', FLOW],
    ['Object.assign in a const, spread', 'const all = Object.assign({}, S.shape);', 'z.object({ ...all })', FLOW],
    ['entries', '', 'z.object(Object.fromEntries(Object.entries(S.shape)))', FLOW],
    [
      'entries that are filtered',
      '',
      "z.object(Object.fromEntries(Object.entries(S.shape).filter(([key]) => key !== 'a')))",
      FLOW,
    ],
    ['entries of a const', 'const shape = S.shape;', 'z.object(Object.fromEntries(Object.entries(shape)))', FLOW],
    [
      'entries that are made optional',
      '',
      'z.object(Object.fromEntries(Object.entries(S.shape).map(([key, field]: any) => [key, field.optional()])))',
      FLOW,
    ],
    [
      'keys that are reduced',
      '',
      'z.object(Object.keys(S.shape).reduce((all: any, key) => ({ ...all, [key]: (S.shape as any)[key] }), {}))',
      FLOW,
    ],
    [
      'a helper that omits',
      'function omit(shape: any, key: string) { const copy = { ...shape }; delete copy[key]; return copy; }',
      "z.object(omit(S.shape, 'a'))",
      FLOW,
    ],
    [
      'a helper that loops',
      'function copy(shape: any) { const all: any = {}; for (const key in shape) all[key] = shape[key]; return all; }',
      'z.object(copy(S.shape))',
      FLOW,
    ],
    [
      'a helper of a const',
      'function copy(shape: any) { const all: any = {}; for (const key in shape) all[key] = shape[key]; return all; }\nconst shape = S.shape;',
      'z.object(copy(shape))',
      FLOW,
    ],
    [
      'a helper that is given the schema',
      'const rebuild = (schema: any) => z.object(schema.shape);',
      'rebuild(S)',
      `${STRICT} <- schema.shape`,
    ],
    [
      'a helper that returns the shape',
      'const fields = (schema: any) => schema.shape;',
      'z.object(fields(S))',
      `${STRICT} <- schema.shape`,
    ],
    [
      'a method that returns the shape',
      'class C { schema = S; get fields() { return this.schema.shape; } }',
      'z.object(new C().fields)',
      `${STRICT} <- this.schema.shape`,
    ],
    [
      'of an extended object',
      'const E = S.extend({ c: z.string() });',
      'z.object(E.shape)',
      'S.extend({ c: z.string() }) <- E.shape',
    ],
    [
      'of a chain',
      '',
      "z.object(S.omit({ a: true }).describe('x').shape)",
      "S.omit({ a: true }).describe('x') <- S.omit({ a: true }).describe('x').shape",
    ],
    [
      'of a merged object',
      'const M = z.object({ c: z.string() }).merge(S);',
      'z.object(M.shape)',
      'z.object({ c: z.string() }).merge(S) <- M.shape',
    ],
    ['into extend', 'const P = z.object({ c: z.string() });', 'P.extend(S.shape)', FLOW],
    ['into extend, spread', 'const P = z.object({ c: z.string() });', 'P.extend({ ...S.shape, d: z.string() })', FLOW],
    ['with a cast', '', 'z.object((S as any).shape as any)', `${STRICT} <- (S as any).shape`],
    ['with a non-null assertion', '', 'z.object(S!.shape)', `${STRICT} <- S!.shape`],
    [
      'taken apart twice',
      'const all = { s: S };\nconst { s: { shape } } = all;',
      'z.object(shape)',
      `${STRICT} <- shape`,
    ],
    [
      'taken apart of what is frozen',
      'const all = Object.freeze({ s: S });\nconst { s: { shape } } = all;',
      'z.object(shape)',
      `${STRICT} <- shape`,
    ],
    [
      'taken apart within',
      'const { shape: { a, ...others } } = S;',
      'z.object(others)',
      `${STRICT} <- shape: { a, ...others }`,
    ],
    [
      'taken apart in a function',
      'function paged(s: any) { const { shape } = s; return z.object({ ...shape }); }',
      'paged(S)',
      `${STRICT} <- shape`,
    ],
    [
      'of a parameter',
      'const paged = ({ shape }: any) => z.object({ ...shape, c: z.string() });',
      'paged(S)',
      `${STRICT} <- shape`,
    ],
    [
      'of one of several parameters, each with its default',
      `function paged(n: number, { schema: { shape: fields } }: any = { schema: S }, last: string = 'c',) { return z.object({ ...fields, [last + n]: z.string() }); }`,
      'paged(1)',
      `${STRICT} <- shape: fields`,
    ],
    [
      'of a parameter with overloads',
      'function paged({ shape }: typeof S): any;\nfunction paged({ shape }: any, n?: number) { return z.object({ ...shape }); }',
      'paged(S)',
      `${STRICT} <- shape`,
    ],
    [
      "of a method's parameter",
      'abstract class P { abstract q({ shape }: any): any; set s({ shape }: any) {} async w({ shape }: any, ...more: any[]) {} paged({ shape }: any = S) { return z.object({ ...shape }); } }\nclass Q extends P { q() {} }',
      'new Q().paged(undefined)',
      `${STRICT} <- shape`,
    ],
    [
      'of a parameter, the rest',
      'const paged = ({ shape: { a, ...others } }: any, b = 1) => z.object(others);',
      'paged(S, 2)',
      `${STRICT} <- shape: { a, ...others }`,
    ],
    ['of what a list holds', 'const [made] = [S].map(({ shape }) => z.object(shape));', 'made!', `${STRICT} <- shape`],
    [
      'by keys of a loop',
      'const out: any = {};\nfor (const k of Object.keys(S.shape)) out[k] = (S.shape as any)[k];',
      'z.object(out)',
      FLOW,
    ],
    [
      'by keys of a loop in a function',
      'function copy(s: any) { const out: any = {}; for (const k in s.shape) { if (k !== "a") out[k] = s.shape[k].optional(); } return out; }',
      'z.object(copy(S))',
      `${STRICT} <- s.shape`,
    ],
    [
      'by keys in a const',
      'const keys = Object.keys(S.shape);\nconst out: any = {};\nfor (const k of keys) out[k] = (S.shape as any)[k];',
      'z.object(out)',
      FLOW,
    ],
    [
      'by entries of a loop, registered',
      'const out: any = {};\nfor (const [k, field] of Object.entries(S.shape)) out[k] = field;',
      'out',
      FLOW,
    ],
    [
      'by a function for each key',
      'function copy() { const out: any = {}; Object.keys(S.shape).forEach((k) => { out[k] = (S.shape as any)[k]; }); return out; }',
      'z.object(copy())',
      FLOW,
    ],
    [
      'by a function for each of a const',
      'const entries = Object.entries(S.shape);\nfunction copy() { const out: any = {}; entries.forEach(([k, field]) => { out[k] = field; }); return out; }',
      'z.object(copy())',
      FLOW,
    ],
    ['entries in a const', 'const entries = Object.entries(S.shape);', 'z.object(Object.fromEntries(entries))', FLOW],
    [
      'entries in a const that are changed',
      'const entries = Object.entries(S.shape);\nconst open = entries.map(([k, field]: any) => [k, field.optional()]);',
      'z.object(Object.fromEntries(open as any))',
      FLOW,
    ],
    [
      'entries that are flattened',
      '',
      'z.object(Object.fromEntries([S].flatMap((s) => Object.entries(s.shape))))',
      `${STRICT} <- s.shape`,
    ],
    [
      'of two by one helper',
      'const fields = (s: any) => s.shape;\nconst T = z.object({ t: z.string() });',
      'z.object(Object.assign({}, fields(S), fields(T)))',
      `${STRICT} <- s.shape + z.object({ t: z.string() }) <- s.shape`,
    ],
    [
      'of two',
      'const T = z.object({ t: z.string() });',
      'z.object({ ...S.shape, ...T.shape })',
      `${FLOW} + z.object({ t: z.string() }) <- T.shape`,
    ],
  ])('%s', async (_title, code, schema, expected) => {
    const found = await flows(code, schema);
    if (expected) expect([...new Set(found)].join(' + ')).toBe(expected);
    else expect(found).toEqual([]);
  });

  test('of its definition', async () => {
    const reads =
      zod === 'zod-3' ? ['S._def.shape()'] : ['S.def.shape', 'S._def.shape', 'S._zod.def.shape', 'definition.shape'];
    const code = 'const definition: any = (S as any).def;';
    for (const read of reads) {
      const found = await flows(code, `z.object({ ...${read}, c: z.string() })`);
      expect(found).toEqual([`${STRICT} <- ${read}`]);
      expect(await flows(code, `z.object({ a: ${read}.a })`)).toEqual([]);
    }
  });

  test('of a parameter of a function that registers', async () => {
    const made = await evaluateFiles({
      'tools.ts': `${S}import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 's', version: '1' });
function register(name: string, { shape }: any, extra: any = {}) {
  server.registerTool(name, { inputSchema: z.object({ ...shape, ...extra }) }, async () => ({ content: [] }));
}
register('one', S);
[S].forEach(({ shape }, index) => {
  server.registerTool('many' + index, { inputSchema: shape }, async () => ({ content: [] }));
});`,
    });
    expect(Object.keys(made.tool('one').graph?.nodes[0]?.fields ?? {})).toEqual(['a', 'b']);
    expect(Object.keys(made.tool('many0').graph?.nodes[0]?.fields ?? {})).toEqual(['a', 'b']);
  });

  test('through a function that calls itself', async () => {
    const made = await evaluateFiles({
      'tools.ts': `import { z } from '${zod}';
const inner = z.object({ n: z.string() }).strict();
const S = z.object({ inner, last: z.string() }).strict();
const open = (s: any): any => s instanceof z.ZodObject
  ? z.object(Object.fromEntries(Object.entries(s.shape).map(([key, field]) => [key, open(field)])))
  : s;
${tool('open(S)')}`,
    });
    const contract = made.tool('t');
    expect(flowsOf(made, contract)).toEqual(['z.object({ inner, last: z.string() }).strict() <- s.shape']);
    const below = contract.graph?.nodes[contract.graph.nodes[0]?.fields?.inner ?? -1];
    expect(flowsOf(made, contract, below)).toEqual(['z.object({ n: z.string() }).strict() <- s.shape']);
  });

  test('a strict object of it keeps it on the object that it was called on', async () => {
    const made = await evaluateFiles({ 'tools.ts': `${S}${tool('z.object(S.shape).strict()')}` });
    const contract = made.tool('t');
    const inner = nodeBy(made, contract, 'z.object(S.shape)');
    expect(contract.graph?.nodes[0]?.from).toBe(inner.id);
    expect(flowsOf(made, contract, inner)).toEqual([FLOW]);
  });

  test.each([
    ['re-exported', "export { shape } from './s.js';", "import { shape } from './index.js';", 'shape'],
    ['a namespace', "export * as s from './s.js';", "import { s } from './index.js';", 's.shape'],
    ['a star', "export * from './s.js';", "import * as s from './index.js';", '({ ...s.shape })'],
  ])('from another file: %s', async (_title, index, code, shape) => {
    const made = await evaluateFiles({
      'tools.ts': `import { z } from '${zod}';\n${code}\n${tool(`z.object(${shape})`)}${tool(shape, 'raw')}`,
      'index.ts': index,
      's.ts': `${S}export const shape = S.shape;`,
    });
    for (const name of ['t', 'raw']) expect(flowsOf(made, made.tool(name))).toEqual([FLOW]);
  });

  test.each([
    ['single fields', '', 'z.object({ a: S.shape.a, c: S.shape["b"] })'],
    ['single fields of a const', 'const shape = S.shape;', 'z.object({ a: shape.a })'],
    ['single fields taken apart', 'const { a, b } = S.shape;', 'z.object({ a, b })'],
    ['single fields taken apart twice', 'const { shape: { a, b } } = S;', 'z.object({ a, b })'],
    ['a field within the arguments', '', 'z.object({ list: z.array(S.shape.a), opt: S.shape.b.optional() })'],
    ['the keys alone', '', 'z.object({ key: z.enum(Object.keys(S.shape) as any) })'],
    [
      'the keys alone, as a record',
      '',
      'z.object(Object.fromEntries(Object.keys(S.shape).map((key) => [key, z.boolean()])))',
    ],
    [
      'the keys, to a function that borrows a field',
      'const columns = (keys: string[]) => ({ a: S.shape.a, by: z.enum(keys as any) });',
      'z.object(columns(Object.keys(S.shape)))',
    ],
    [
      'itself, to a function that borrows fields',
      'const said = (shape: any) => { const { a } = S.shape; return { a, by: z.string().describe(Object.keys(shape).join()) }; };',
      'z.object({ ...said(S.shape) })',
    ],
    ['a field in an optional chain', '', 'z.object({ a: S?.shape.a, c: S?.shape["b"] })'],
    [
      'fields whose keys are written in a loop',
      'const out: any = {};\nfor (const k of ["a"]) out[k] = (S.shape as any)[k];',
      'z.object(out)',
    ],
    [
      'fields whose keys are given',
      'function pick(s: any, keys: string[]) { const out: any = {}; for (const k of keys) out[k] = s.shape[k]; return z.object(out); }',
      'pick(S, ["a"])',
    ],
    ['one entry', 'const [[name, field]] = Object.entries(S.shape) as any;', 'z.object({ [name]: field })'],
    [
      'other fields in a loop',
      'const out: any = {};\nfor (const k of Object.keys(S.shape)) out[k] = z.boolean();',
      'z.object(out)',
    ],
    [
      'a field and the keys in a const',
      'const keys = Object.keys(S.shape);',
      'z.object({ a: S.shape.a, by: z.enum(keys as any) })',
    ],
    ['the shape of what is no schema', 'const at = ({ shape }: any) => shape;', 'at({ shape: { a: z.string() } })'],
    ['nothing in an optional chain', 'const all: any = {};', 'z.object({ a: z.string(), ...all.S?.shape })'],
    ['its own methods', '', 'S.partial().required().omit({ a: true }).describe("x")'],
    ['a strict twin of the same shape', 'const T = S.strip();', 'T'],
    [
      'a plain constant that both are made of',
      'const shape = { a: z.string() };\nconst A = z.object(shape).strict();\nconst B = z.object(shape);\nconst C = z.object(A.shape);',
      'B',
    ],
    [
      'a plain constant, after the read',
      'const shape = { a: z.string() };\nconst A = z.object(shape).strict();\nconst B = (C: any) => z.object(shape);\nconst C = z.object(A.shape);',
      'B(C)',
    ],
    ['a schema within', '', 'z.object({ s: S, list: z.array(S) })'],
    ['a wrapped object of it', '', 'z.object({ inner: z.object(S.shape) })'],
    [
      'a helper that returns something else',
      'const count = (shape: any) => ({ n: z.literal(Object.keys(shape).length) });',
      'z.object(count(S.shape))',
    ],
    [
      'a definition that holds it',
      'const define = (t: any) => t;\nconst t = define({ inner: S.shape, other: z.object({ x: z.string() }) });',
      't.other',
    ],
  ])('not: %s', async (_title, code, schema) => {
    expect(await flows(code, schema)).toEqual([]);
  });

  test('Base and Base.strict() that share one shape are told apart, whichever is read first', async () => {
    const made = await evaluateFiles({
      'tools.ts': `import { z } from '${zod}';\nconst Base = z.object({ a: z.string() });\nconst Strict = Base.strict();
const ofStrict = Strict.shape;\nconst ofBase = Base.shape;
${tool('z.object({ ...ofStrict, x: z.object(ofBase) })', 'one')}${tool('z.object({ ...ofBase, x: z.object(ofStrict) })', 'two')}`,
    });
    const one = made.tool('one');
    expect(flowsOf(made, one)).toEqual(['Base.strict() <- Strict.shape']);
    expect(flowsOf(made, one, nodeBy(made, one, 'z.object(ofBase)'))).toEqual([
      'z.object({ a: z.string() }) <- Base.shape',
    ]);
    expect(flowsOf(made, made.tool('two'))).toEqual(['z.object({ a: z.string() }) <- Base.shape']);
  });

  test('an inner object of a rebuilt shape', async () => {
    const made = await evaluateFiles({
      'tools.ts': `${S}${tool('z.object({ list: z.array(z.object({ ...S.shape })) })')}`,
    });
    const contract = made.tool('t');
    expect(flowsOf(made, contract)).toEqual([]);
    expect(flowsOf(made, contract, nodeBy(made, contract, 'z.object({ ...S.shape })'))).toEqual([FLOW]);
  });

  test('a library function outside the workspace', async () => {
    const made = await evaluateFiles({
      'tools.ts': `${S}import { strip } from './lib/index.js';\n${tool('strip(S.shape)')}`,
      // Not instrumented: what it makes of its arguments is only seen from outside.
      'lib/index.js': `import { z } from '${zod}';\nexport const strip = new Function('z', 'return (shape) => z.object({ ...shape })')(z);`,
    });
    expect(flowsOf(made, made.tool('t'))).toEqual([FLOW]);
  });
});
