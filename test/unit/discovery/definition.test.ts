import { describe, expect, test } from 'vitest';
import { brief, row } from './rows.ts';

const BODY = `description: 'What', inputSchema: S, execute: async () => {}`;

describe('where a definition object may stand', () => {
  test.each([
    ['a const', `export const weather = { ${BODY} };`, 'weather', 'variable'],
    ['a const with satisfies', `const t = { name: 'weather', ${BODY} } satisfies Tool;`, 'weather', 'property'],
    ['as const', `export default { name: 'weather', ${BODY} } as const;`, 'weather', 'property'],
    ['a frozen object', `const weather = Object.freeze({ ${BODY} });`, 'weather', 'variable'],
    ['a list', `export const tools = [{ name: 'weather', ${BODY} }];`, 'weather', 'property'],
    ['a spread list', `const all = [...others, ...[{ name: 'weather', ${BODY} }]];`, 'weather', 'property'],
    ['a record', `export const tools = { weather: { ${BODY} } };`, 'weather', 'key'],
    ['a record with a quoted key', `const tools = { 'get-weather': { ${BODY} } };`, 'get-weather', 'key'],
    ['nested records', `const all = { eu: { fr: { weather: { ${BODY} } } } };`, 'weather', 'key'],
    ['a record with a computed key', `const tools = { [NAMES.weather]: { ${BODY} } };`, '`NAMES.weather`', 'key'],
    ['a Map', `const tools = new Map([['weather', { ${BODY} }]]);`, 'weather', 'key'],
    ['map.set', `tools.set('weather', { ${BODY} });`, 'weather', 'argument'],
    ['push', `tools.push({ name: 'weather', ${BODY} });`, 'weather', 'property'],
    ['a return value', `function weather() { return { ${BODY} }; }`, 'weather', 'variable'],
    ['an arrow body', `const weather = (env) => ({ ${BODY} });`, 'weather', 'variable'],
    ['both branches', `const weather = on ? { ${BODY} } : null;`, 'weather', 'variable'],
    ['a default', `const weather = given ?? { ${BODY} };`, 'weather', 'variable'],
    ['a default export', `export default { ${BODY} };`, 'tools', 'file'],
    ['CommonJS exports', `exports.weather = { ${BODY} };`, 'weather', 'variable'],
    ['module.exports', `module.exports = { ${BODY} };`, 'tools', 'file'],
    ['module.exports.x', `module.exports.weather = { ${BODY} };`, 'weather', 'variable'],
    ['a helper', `export const weather = defineTool({ ${BODY} });`, 'weather', 'variable'],
    ['a helper with a name', `defineTool('weather', { ${BODY} });`, 'weather', 'argument'],
    ['a helper with a const name', `defineTool(NAMES.weatherName, { ${BODY} });`, '`NAMES.weatherName`', 'argument'],
    ['a helper of a method', `server.addTool({ name: 'weather', ${BODY} });`, 'weather', 'property'],
    ['new', `new WeatherTool({ name: 'weather', ${BODY} });`, 'weather', 'property'],
    ['helpers in helpers', `const weather = withAuth(defineTool({ ${BODY} }));`, 'weather', 'variable'],
    ['a maker that a helper calls', `const weather = defineTool((env) => ({ ${BODY} }));`, 'weather', 'variable'],
    ['awaited', `const weather = await defineTool({ ${BODY} });`, 'weather', 'variable'],
    ['toolName', `x({ toolName: 'weather', ${BODY} });`, 'weather', 'property'],
    ['id', `createTool({ id: 'weather', ${BODY} });`, 'weather', 'property'],
    ['a const as its name', `const N = 'weather'; x({ name: N, ${BODY} });`, 'weather', 'property'],
    ['in a namespace', `namespace W { export const weather = { ${BODY} }; }`, 'weather', 'variable'],
    [
      'in a list handler',
      `s.setRequestHandler(L, () => ({ tools: [{ name: 'weather', ${BODY} }] }));`,
      'weather',
      'property',
    ],
  ])('%s', (_, text, name, from) => {
    expect(row(text)).toMatchObject({ name, from, schema: 'S', key: 'inputSchema', whole: 'inputSchema: S' });
  });

  test('the anchor is the object, not the helper around it', () => {
    expect(row(`const t = defineTool({ name: 'a', ${BODY} });`).span).toBe(`{ name: 'a', ${BODY} }`);
  });

  test('a list of tuples whose second part is a definition is named by the first', () => {
    expect(brief(`const tools = [['a', { ${BODY} }], ['b', { ${BODY} }]];`)).toEqual(['a: S', 'b: S']);
  });

  test('a title is no name', () => {
    expect(row(`tools.push({ title: 'Weather', ${BODY} });`).name).toBeUndefined();
  });
});

describe('keys', () => {
  test.each([
    'inputSchema',
    'input_schema',
    'inputParams',
    'argsShape',
    'paramsSchema',
    'inputShape',
    'zodSchema',
    'parameters',
  ])('%s', (key) => {
    expect(row(`x({ name: 'a', description: 'A', ${key}: S, handler });`)).toMatchObject({
      key,
      schema: 'S',
      certain: true,
    });
  });

  test.each(['schema', 'args', 'input'])('%s counts beside a description or a handler with a name', (key) => {
    expect(row(`x({ name: 'a', description: 'A', ${key}: S });`)).toMatchObject({ key, schema: 'S', certain: false });
    expect(row(`x({ name: 'a', ${key}: S, async execute() {} });`)).toMatchObject({ key, schema: 'S', certain: false });
    expect(brief(`x({ name: 'a', ${key}: S });`)).toEqual([]);
    expect(brief(`x.push({ ${key}: S, fn });`)).toEqual([]);
  });

  test('a weak key is certain where the place says tool, too', () => {
    expect(row(`defineTool({ name: 'a', description: 'A', schema: S, handler });`).certain).toBe(true);
  });

  test('the strong key wins over a weak one beside it', () => {
    expect(row(`x({ name: 'a', description: 'A', schema: 1, args: Q, inputSchema: S });`).key).toBe('inputSchema');
  });

  test('keys of the configuration come first and are strong', () => {
    const options = { schemaKeys: ['contract'] };
    expect(row(`x({ name: 'a', contract: C, inputSchema: S });`, undefined, options)).toMatchObject({
      key: 'contract',
      schema: 'C',
    });
    expect(brief(`x({ name: 'a', contract: C });`)).toEqual([]);
  });

  test('a schema one level deeper', () => {
    expect(
      row(`x({ name: 'a', description: 'A', schema: { inputSchema: S, outputSchema: O }, handler });`),
    ).toMatchObject({
      key: 'inputSchema',
      schema: 'S',
      whole: 'inputSchema: S',
    });
    expect(row(`x({ name: 'a', description: 'A', schema: { input: S, output: O }, handler });`).schema).toBe('S');
  });

  test('a shape with fields of those names stays a shape', () => {
    expect(row(`x({ name: 'a', description: 'A', schema: { input: z.string(), limit: z.number() } });`).schema).toBe(
      '{ input: z.string(), limit: z.number() }',
    );
    expect(
      brief(`x({ name: 'a', description: 'A', inputSchema: { inputSchema: z.string(), description: z.string() } });`),
    ).toEqual(['a: { inputSchema: z.string(), description: z.string() }']);
  });

  test('the output is taken along', () => {
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S, outputSchema: O.shape });`).output).toBe('O.shape');
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S });`).output).toBeNull();
  });

  test('a spread beside the schema does not hide it', () => {
    expect(row(`x({ ...base, name: 'a', inputSchema: { ...Common, q: z.string() } });`).schema).toBe(
      '{ ...Common, q: z.string() }',
    );
  });
});

describe('what the schema may be', () => {
  test.each([
    `'text'`,
    '`text`',
    '1',
    'true',
    'null',
    'undefined',
    '() => S',
    'function () {}',
    '[A, B]',
    'new Map()',
    '/x/',
    `JSON.stringify(S)`,
    `{ a: 1, b: 'two' }`,
    `'a' + b`,
    `-x`,
  ])('%s is no schema', (value) => {
    expect(brief(`defineTool({ name: 'a', description: 'A', inputSchema: ${value}, handler });`)).toEqual([]);
  });

  test.each([
    'S',
    'S.shape',
    'schemas["a"]',
    'z.object({})',
    'make()',
    'on ? A : B',
    'S ?? T',
    '{}',
    '{ q: z.string() }',
    '{ q }',
    '{ ...Q }',
    'new ZodThing()',
    '(S as any)',
    '<any>S',
    `{ message: { type: z.string(), description: 'What' } }`,
  ])('%s may be one', (value) => {
    expect(brief(`defineTool({ name: 'a', description: 'A', inputSchema: ${value}, handler });`)).toHaveLength(1);
  });

  test('plain JSON Schema is a candidate with a name and a description, and under a strong key', () => {
    const json = `{ type: 'object', properties: { q: { type: 'string' } } }`;
    expect(row(`x({ name: 'a', description: 'A', inputSchema: ${json} });`).schema).toBe(json);
    expect(row(`x({ name: 'a', description: 'A', parameters: ${json} });`).schema).toBe(json);
    expect(brief(`x({ name: 'a', description: 'A', schema: ${json}, handler });`)).toEqual([]);
    expect(brief(`x.push({ description: 'A', inputSchema: ${json} });`)).toEqual([]);
  });

  test('JSON Schema with computed parts is no shape', () => {
    expect(
      brief(`x({ name: 'a', description: 'A', schema: { type: 'integer', minimum: least() }, handler });`),
    ).toEqual([]);
  });

  test('a raw shape with a field called type is a shape', () => {
    expect(brief(`x({ name: 'a', description: 'A', schema: { type: z.string() }, handler });`)).toHaveLength(1);
  });
});

describe('conversions to JSON Schema', () => {
  test.each([
    ['zodToJsonSchema(S)', 'S'],
    ['zodToJsonSchema(S, { strictUnions: true }) as ToolInput', 'S'],
    ['z.toJSONSchema(S, { io: "input" })', 'S'],
    ['zod.toJSONSchema(z.object({ q }))', 'z.object({ q })'],
    ['toJsonSchema(S.extend(E))', 'S.extend(E)'],
    ['S.toJSONSchema()', 'S'],
    ['zodSchema(S)', 'S'],
    ['(zodToJsonSchema(S))', 'S'],
  ])('%s parses with the argument', (text, schema) => {
    const found = row(`x({ name: 'a', description: 'A', inputSchema: ${text} });`);
    expect(found).toMatchObject({ schema, shown: schema });
    expect(text).toContain(found.converted);
    expect(found.converted).toMatch(/\)$/);
  });

  test('through a const of the module', () => {
    expect(
      row(`const Json = zodToJsonSchema(S); export const t = { name: 'a', description: 'A', inputSchema: Json };`),
    ).toMatchObject({ schema: 'S', converted: 'zodToJsonSchema(S)', whole: 'inputSchema: Json' });
  });

  test('a conversion of what is no expression is the value itself', () => {
    expect(row(`tool({ description: 'A', inputSchema: jsonSchema({ type: 'object' }), execute })`)).toMatchObject({
      schema: "jsonSchema({ type: 'object' })",
      converted: undefined,
    });
  });

  test('a helper of another name is evaluated as it stands', () => {
    expect(row(`x({ name: 'a', inputSchema: advertise(S) });`)).toMatchObject({
      schema: 'advertise(S)',
      converted: undefined,
    });
  });
});

describe('the own name of a class says nothing against it', () => {
  test.each(['AddPromptStep', 'GetRoutes', 'RunWorkflow'])('%s', (name) => {
    expect(row(`class ${name} extends Tool { specification = { summary: 'S', inputSchema: S }; }`).name).toBe(name);
    expect(row(`class ${name} { description = 'S'; inputSchema = S; execute() {} }`).name).toBe(name);
  });
});

describe('helpers of known libraries', () => {
  test('AI SDK: the tool is claimed, also under another name and through the namespace', () => {
    expect(
      row(`import { tool } from 'ai'; export const save = tool({ description: 'S', inputSchema: S });`),
    ).toMatchObject({
      way: 'tool',
      claim: 'ai-sdk',
      certain: true,
      name: 'save',
    });
    expect(
      row(`import { tool as t } from 'ai'; const all = { save: t({ description: 'S', parameters: S }) };`),
    ).toMatchObject({
      claim: 'ai-sdk',
      name: 'save',
      from: 'key',
    });
    expect(row(`import * as ai from 'ai'; const save = ai.tool({ inputSchema: S });`).claim).toBe('ai-sdk');
    expect(row(`const { tool } = require('ai'); const save = tool({ inputSchema: S });`).claim).toBe('ai-sdk');
  });

  test('AI SDK: plain objects among the tools of a call', () => {
    expect(
      row(
        `import { generateText } from 'ai'; generateText({ model, tools: { save: { description: 'S', inputSchema: S } } });`,
      ),
    ).toMatchObject({ name: 'save', claim: 'ai-sdk' });
  });

  test('LangChain: the function comes first', () => {
    expect(
      row(
        `import { tool } from '@langchain/core/tools'; tool(async (i) => i, { name: 'save', description: 'S', schema: S });`,
      ),
    ).toMatchObject({ way: 'tool', certain: true, claim: undefined, name: 'save', schema: 'S' });
  });

  test('FastMCP', () => {
    expect(
      row(
        `import { FastMCP } from 'fastmcp'; const server = new FastMCP({}); server.addTool({ name: 'a', parameters: S, execute });`,
      ),
    ).toMatchObject({ way: 'addTool', certain: true, claim: undefined, schema: 'S' });
  });

  test('a tool that takes nothing, where the call says that it is one', () => {
    expect(
      row(
        `import { FastMCP } from 'fastmcp'; const s = new FastMCP({}); s.addTool({ name: 'a', description: 'A', execute: async () => '' });`,
      ),
    ).toMatchObject({ way: 'addTool', certain: true, schema: null });
    expect(
      row(`import { tool } from 'ai'; const now = tool({ description: 'N', execute: async () => 1 });`),
    ).toMatchObject({
      schema: null,
      name: 'now',
    });
    expect(brief(`makeThing({ name: 'a', description: 'A', execute: async () => '' });`)).toEqual([]);
    expect(brief(`useTooltip({ name: 'a', description: 'A', handler });`)).toEqual([]);
  });

  test('decorators: the method or the class gives the name that the options lack', () => {
    expect(row(`class K { @Tool({ description: 'A', parameters: S }) async findBoats(input) {} }`)).toMatchObject({
      way: 'tool',
      name: 'findBoats',
      certain: false,
      schema: 'S',
    });
    expect(
      row(
        `class K { @CreateAction({ name: 'go', description: 'A', schema: S }) async go(args: z.infer<typeof S>) {} }`,
      ),
    ).toMatchObject({ name: 'go', schema: 'S' });
  });

  test('super({ … }) is named by the class, its field first', () => {
    expect(
      row(
        `class Distance extends BaseTool { name = 'distance'; description = 'D'; constructor() { super({ inputSchema: S }); } async run() {} }`,
      ),
    ).toMatchObject({ way: 'definition', name: 'distance', certain: true });
    expect(
      row(`class Distance extends BaseTool { constructor() { super({ description: 'D', inputSchema: S }); } }`),
    ).toMatchObject({
      name: 'Distance',
      from: 'class',
    });
  });

  test('a field of a class that holds the definition by its role is named by the class', () => {
    expect(
      row(
        `class ListSuites extends Tool<Client> { specification = { title: 'L', summary: 'S', inputSchema: z.object({}) }; handle = async () => {}; }`,
      ),
    ).toMatchObject({ name: 'ListSuites', from: 'class', schema: 'z.object({})', certain: true });
    expect(
      brief(
        `class Kit { static list = { description: 'L', inputSchema: A, handler }; static get = { description: 'G', inputSchema: B, handler }; }`,
      ),
    ).toEqual(['list: A', 'get: B']);
  });
});

describe('a tool without input', () => {
  test('an empty schema under a key that others use as well needs a description and a handler', () => {
    expect(row(`defineTool({ name: 'a', description: 'A', schema: {}, handler });`).schema).toBe('{}');
    expect(row(`x({ name: 'a', description: 'A', parameters: {}, execute() {} });`).schema).toBe('{}');
    expect(brief(`x({ name: 'a', description: 'A', parameters: {} });`)).toEqual([]);
    expect(brief(`x.push({ description: 'A', args: {}, handler });`)).toEqual([]);
  });
});

describe('how sure', () => {
  test('name, description and handler make it certain', () => {
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S, handler });`).certain).toBe(true);
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S, handler() {} });`).certain).toBe(true);
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S }, async () => {});`).certain).toBe(true);
    expect(row(`const tools = { a: { description: 'A', inputSchema: S, handler } };`).certain).toBe(true);
  });

  test('a maker that a helper calls is as certain as its result', () => {
    expect(row(`defineTool((env) => ({ name: 'a', description: 'A', schema: S, handler }));`)).toMatchObject({
      way: 'tool',
      certain: true,
    });
    expect(row(`later((env) => ({ name: 'a', description: 'A', schema: S, handler }));`)).toMatchObject({
      way: 'definition',
      certain: false,
    });
  });

  test('without one of them it is not', () => {
    expect(row(`x({ name: 'a', inputSchema: S, handler });`).certain).toBe(false);
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S });`).certain).toBe(false);
    expect(row(`const a = { description: 'A', inputSchema: S, handler };`).certain).toBe(false);
    expect(row(`x({ name: 'a', description: 'A', inputSchema: S, action: 'text' });`).certain).toBe(false);
  });

  test('a schema alone is nothing, unless the place says tool', () => {
    expect(brief(`const schemas = { getUser: { inputSchema: S, outputSchema: O } };`)).toEqual([]);
    expect(row(`const tools = { getUser: { inputSchema: S } };`).name).toBe('getUser');
    expect(row(`const getUserTool = { inputSchema: S };`).name).toBe('getUserTool');
    expect(row(`const getUser: Tool = { inputSchema: S };`).name).toBe('getUser');
    expect(row(`const all: Record<string, ToolDefinition> = { getUser: { inputSchema: S } };`).name).toBe('getUser');
  });
});
