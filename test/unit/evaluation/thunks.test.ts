import { describe, expect, test } from 'vitest';
import { evaluateFiles, outline } from '../../helpers/inProcess.ts';
import { tool, ZOD } from './source.ts';

const S = 'z.object({ a: z.string() })';
const HANDLER = 'async () => ({ content: [] })';

async function evaluateText(text: string) {
  return evaluateFiles({ 'tools.ts': ZOD + text });
}

describe('a tool where it stands', () => {
  test.each([
    ['a function of the program', `export function register(server: any) {\n${tool(S)}}`],
    ['an async function', `export async function register(server: any) {\n await server.ready();\n${tool(S)}}`],
    ['a local const', `function register(server: any) {\n const schema = ${S};\n${tool('schema')}}`],
    [
      'a local of a local',
      `function register(server: any) {\n const part = z.string();\n const schema = z.object({ a: part });\n${tool('schema')}}`,
    ],
    [
      'a local that is declared below',
      `function register(server: any) {\n const make = () => later;\n const later = ${S};\n${tool('make()')}}`,
    ],
    ['a local function', `function register(server: any) {\n${tool('make()')}\n function make() { return ${S}; }\n}`],
    ['a local class', `function register(server: any) {\n class C { static S = ${S}; }\n${tool('C.S')}}`],
    [
      'a local enum',
      `function register(server: any) {\n enum K { A = 'a' }\n${tool(`z.object({ [K.A]: z.string() })`)}}`,
    ],
    [
      'a destructured local',
      `function register(server: any) {\n const { schema, ...others } = { schema: ${S}, b: 1 };\n${tool('schema')}}`,
    ],
    [
      'let without a value, then assigned',
      `function register(server: any) {\n let schema: any;\n schema = ${S};\n${tool('schema')}}`,
    ],
    [
      'let that is assigned in a condition',
      `function register(server: any) {\n let schema: any;\n if (1 > 0) { schema = ${S}; } else { schema = z.any(); }\n${tool('schema')}}`,
    ],
    [
      'an object that is built up',
      `function register(server: any) {\n const shape: any = {};\n shape.a = z.string();\n${tool('shape')}}`,
    ],
    [
      'a list that is built up',
      `function register(server: any) {\n const parts: any[] = [];\n parts.push(z.string());\n${tool('z.object({ a: parts[0] })')}}`,
    ],
    [
      'a nested block',
      `function register(server: any) {\n const part = z.string();\n { const schema = z.object({ a: part });\n${tool('schema')}}}`,
    ],
    ['a condition', `function register(server: any, on: boolean) {\n if (on) {\n${tool(S)}}}`],
    [
      'a switch',
      `function register(server: any, on: string) {\n switch (on) { case 'x': { const schema = ${S};\n${tool('schema')} } }}`,
    ],
    ['a try', `function register(server: any) {\n try {\n${tool(S)}} catch (error) { log(error); }}`],
    ['an arrow', `export const register = (server: any) => {\n${tool(S)}};`],
    [
      'an arrow without a body',
      `export const register = (server: any) => server.registerTool('t', { description: 'd', inputSchema: ${S} }, ${HANDLER});`,
    ],
    ['a method', `class App { start(server: any) {\n${tool(S)}} }`],
    [
      'a constructor',
      `class App { constructor(private server: any) {\n this.server.registerTool('t', { description: 'd', inputSchema: ${S} }, ${HANDLER});\n } }`,
    ],
    [
      'a factory with a parameter that has a default',
      `function register(server: any, part = z.string()) {\n${tool('z.object({ a: part })')}}`,
    ],
    [
      'a factory whose defaults need each other',
      `function register(server: any, part = z.string(), shape = { a: part }) {\n${tool('z.object(shape)')}}`,
    ],
    [
      'a namespace',
      `namespace App { const part = z.string(); export function register(server: any) {\n${tool('z.object({ a: part })')}} }`,
    ],
    [
      'a namespace with exports',
      `namespace App { export const part = z.string(); export function make() { return z.object({ a: part }); }\n export function register(server: any) {\n${tool('make()')}} }`,
    ],
    ['an immediately called function', `(() => {\n const schema = ${S};\n${tool('schema')}})();`],
    ['a callback', `main().then((server: any) => {\n${tool(S)}});`],
    ['a labelled loop', `outer: for (const server of [1]) {\n${tool(S)}}`],
    [
      'spread arguments of others',
      `const rest: any[] = [];\nserver.registerTool('t', { description: 'd', inputSchema: ${S} }, ...rest);`,
    ],
    [
      'a conditional expression',
      `server.registerTool('t', true ? { description: 'd', inputSchema: ${S} } : { description: 'e' }, ${HANDLER});`,
    ],
    [
      'a config that is a const',
      `const config = { description: 'd', inputSchema: ${S} } as const;\nserver.registerTool('t', config, ${HANDLER});`,
    ],
    [
      'a local config',
      `function register(server: any) { const config = { description: 'd', inputSchema: ${S} };\nserver.registerTool('t', config, ${HANDLER}); }`,
    ],
  ])('in or with %s', async (_title, text) => {
    const made = await evaluateText(text);
    expect(outline(made.tool('t'))).toBe('{a: string}');
  });

  test.each([
    [
      'for of',
      `for (const name of ['x', 'y']) {\n server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: z.string() }) }, ${HANDLER});\n}`,
    ],
    [
      'for of with a pattern',
      `for (const { name, schema } of [{ name: 'x', schema: z.object({ x: z.string() }) }, { name: 'y', schema: z.object({ y: z.string() }) }]) server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER});`,
    ],
    [
      'for of over entries',
      `const all = { x: z.string(), y: z.string() };\nfor (const [name, part] of Object.entries(all)) server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: part }) }, ${HANDLER});`,
    ],
    [
      'for in',
      `const all: any = { x: z.string(), y: z.string() };\nfor (const name in all) server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: all[name] }) }, ${HANDLER});`,
    ],
    [
      'forEach',
      `['x', 'y'].forEach((name) => {\n server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: z.string() }) }, ${HANDLER});\n});`,
    ],
    [
      'forEach with an index',
      `['x', 'y'].forEach((name, index, all) => server.registerTool(all[index]!, { description: 'd', inputSchema: z.object({ [name]: z.string() }) }, ${HANDLER}));`,
    ],
    [
      'map',
      `const all = ['x', 'y'].map((name) => server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: z.string() }) }, ${HANDLER}));`,
    ],
    [
      'Object.entries.forEach',
      `Object.entries({ x: z.string(), y: z.string() }).forEach(([name, part]) => server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: part }) }, ${HANDLER}));`,
    ],
    [
      'a loop in a loop',
      `for (const list of [['x'], ['y']]) for (const name of list) { const part = z.string(); server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: part }) }, ${HANDLER}); }`,
    ],
    [
      'a loop in a function over its default',
      `function register(server: any, names = ['x', 'y']) { for (const name of names) server.registerTool(name, { description: 'd', inputSchema: z.object({ [name]: z.string() }) }, ${HANDLER}); }`,
    ],
    [
      'forEach of a function by its name',
      `function register(tool: any) { server.registerTool(tool.label, { description: 'd', inputSchema: tool.accepts }, ${HANDLER}); }\n[{ label: 'x', accepts: z.object({ x: z.string() }) }, { label: 'y', accepts: z.object({ y: z.string() }) }].forEach(register);`,
    ],
    [
      'a wrapper',
      `function add(name: string, schema: any) { server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\nadd('x', z.object({ x: z.string() }));\nadd('y', z.object({ y: z.string() }));`,
    ],
    [
      'a wrapper that is a const',
      `const add = (name: string, schema: any = z.object({ y: z.string() })) => server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER});\nadd('x', z.object({ x: z.string() }));\nadd('y');`,
    ],
    [
      'a wrapper that takes an object apart',
      `function add({ label, accepts }: any) { server.registerTool(label, { description: 'd', inputSchema: accepts }, ${HANDLER}); }\nadd({ label: 'x', accepts: z.object({ x: z.string() }) });\nadd({ label: 'y', accepts: z.object({ y: z.string() }) });`,
    ],
    [
      'a wrapper with this',
      `function add(this: void, name: string, schema: any) { server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\nadd('x', z.object({ x: z.string() }));\nadd('y', z.object({ y: z.string() }));`,
    ],
    [
      'a wrapper of a wrapper',
      `function inner(name: string, schema: any) { server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\nfunction add(name: string, part: any) { inner(name, z.object({ [name]: part })); }\nadd('x', z.string());\nadd('y', z.string());`,
    ],
    [
      'a wrapper that is called in a loop',
      `function add(name: string, schema: any) { server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\nfor (const name of ['x', 'y']) add(name, z.object({ [name]: z.string() }));`,
    ],
    [
      'a wrapper that is called with locals',
      `function add(name: string, schema: any) { server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\nfunction start() { const part = z.string(); add('x', z.object({ x: part })); add('y', z.object({ y: part })); }`,
    ],
    [
      'a method that wraps',
      `class App { private add(name: string, schema: any) { this.server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER}); }\n start() { this.add('x', z.object({ x: z.string() })); this.add('y', z.object({ y: z.string() })); } }`,
    ],
    [
      'a wrapper that puts the policy on',
      `function add(name: string, shape: any) { server.registerTool(name, { description: 'd', inputSchema: z.object(shape).strip() }, ${HANDLER}); }\nadd('x', { x: z.string() });\nadd('y', { y: z.string() });`,
    ],
  ])('by %s', async (_title, text) => {
    const made = await evaluateText(text);
    expect(made.names()).toEqual(['x', 'y']);
    expect([outline(made.tool('x')), outline(made.tool('y'))]).toEqual(['{x: string}', '{y: string}']);
  });

  test('a wrapped tool is written down where the wrapper is called', async () => {
    const made = await evaluateText(
      `function add(name: string, schema: any) {\n  server.registerTool(name, { description: 'd', inputSchema: schema }, ${HANDLER});\n}\nadd('x', ${S});`,
    );
    const contract = made.tool('x');
    expect(made.textOf(contract.definedAt)).toBe(`add('x', ${S})`);
    expect(made.textOf(contract.registeredAt ?? undefined)).toMatch(/^server\.registerTool/);
  });

  test('the schema argument of server.tool is the first that is one', async () => {
    const made = await evaluateText(`server.tool('a', ${HANDLER});
server.tool('b', 'says', ${HANDLER});
server.tool('c', { a: z.string() }, ${HANDLER});
server.tool('d', 'says', { a: z.string() }, { readOnlyHint: true }, ${HANDLER});
const text = 'says', shape = { a: z.string() };
server.tool('e', text, shape, ${HANDLER});`);
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => outline(made.tool(name)))).toEqual([
      'none',
      'none',
      '{a: string}',
      '{a: string}',
      '{a: string}',
    ]);
  });

  test('a name that is computed, and one that cannot be', async () => {
    const made = await evaluateText(`const NAMES = { find: 'find_boats' } as const;
enum Tool { List = 'list_boats' }
const prefix = 'harbour';
server.registerTool(NAMES.find, { description: 'd', inputSchema: ${S} }, ${HANDLER});
server.registerTool(Tool.List, { description: 'd', inputSchema: ${S} }, ${HANDLER});
server.registerTool(\`\${prefix}_get\`, { description: 'd', inputSchema: ${S} }, ${HANDLER});
export function register(server: any, name: string) { server.registerTool(name, { description: 'd', inputSchema: ${S} }, ${HANDLER}); }`);
    expect(made.names()).toEqual(['?', 'find_boats', 'harbour_get', 'list_boats']);
  });

  test('rows of a loop that cannot be evaluated leave the others alone, and are told', async () => {
    const made = await evaluateText(`const broken: any = undefined;
const all = [{ label: 'x', accepts: () => ${S} }, { label: 'y', accepts: () => broken.missing }];
for (const t of all) server.registerTool(t.label, { description: 'd', inputSchema: t.accepts() }, ${HANDLER});`);
    expect(made.names()).toEqual(['x']);
    const [failure] = made.unevaluated.values();
    expect(failure?.reason).toMatch(/reading 'missing'/);
    expect(made.textOf(failure?.at)).toBe('broken.missing');
  });

  test.each([
    [
      'a parameter that nobody supplies',
      `export function register(server: any, schema: any) {\n${tool('schema')}}`,
      'it depends on "schema", a parameter of "register" that nothing in this file supplies',
      'schema',
    ],
    [
      'a local that awaits',
      `async function register(server: any) {\n const apis = await fetchApis();\n${tool('z.object({ a: z.enum(apis) })')}}`,
      'it depends on a value that is awaited, which is not evaluated',
      'await fetchApis()',
    ],
    [
      'an await in place',
      `async function register(server: any) {\n${tool('z.object({ a: z.enum(await kinds()) })')}}`,
      'it depends on a value that is awaited, which is not evaluated',
      'await kinds()',
    ],
    [
      'a counting loop',
      `for (let i = 0; i < 3; i++) {\n${tool('z.object({ a: z.literal(i) })')}}`,
      'it depends on "i", which only a running loop or catch has',
      'i',
    ],
    [
      'this',
      `class App { schema: any; start(server: any) {\n${tool('this.schema')}} }`,
      'it depends on "this", which only a running instance has',
      'this',
    ],
  ])('%s is a reason, at its expression', async (_title, text, reason, at) => {
    const made = await evaluateText(text);
    expect(made.failure('t').reason).toBe(reason);
    expect(made.textOf(made.failure('t').at)).toBe(at);
  });

  test('definition objects in lists, maps, helpers and returns', async () => {
    const made = await evaluateText(`const parts = { a: z.string() };
export const list = [{ name: 'in_list', description: 'd', inputSchema: z.object(parts), handler: ${HANDLER} }];
export const map = { key: { name: 'in_map', description: 'd', inputSchema: parts, handler: ${HANDLER} } };
export const made = defineTool({ name: 'in_helper', description: 'd', inputSchema: z.object(parts), handler: ${HANDLER} });
export function make() { const local = z.object(parts); return { name: 'in_return', description: 'd', inputSchema: local, handler: ${HANDLER} }; }
export const frozen = Object.freeze({ name: 'frozen', description: 'd', inputSchema: z.object(parts), handler: ${HANDLER} });
export default { name: 'as_default', description: 'd', inputSchema: z.object(parts), handler: ${HANDLER} };
function defineTool(tool: any) { return tool; }`);
    expect(made.names()).toEqual(['as_default', 'frozen', 'in_helper', 'in_list', 'in_map', 'in_return']);
    for (const name of made.names()) expect(outline(made.tool(name))).toBe('{a: string}');
  });

  test('what looks like a tool and evaluates to no object is none', async () => {
    const made =
      await evaluateText(`export const a = { name: 'a', description: 'd', inputSchema: z.string(), handler: ${HANDLER} };
export const b = { name: 'b', description: 'd', parameters: [1, 2], handler: ${HANDLER} };
export const c = { name: 'c', description: 'd', inputSchema: {}, handler: ${HANDLER} };`);
    expect(made.names().filter((name) => name !== 'c')).toEqual(
      ['a'].filter((name) => made.tool(name).candidate.certain),
    );
  });
});
