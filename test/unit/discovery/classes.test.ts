import { describe, expect, test } from 'vitest';
import { brief, row } from './rows.ts';

describe('classes that are tools', () => {
  test('fields and a method', () => {
    const found = row(
      `export class WeatherTool extends MCPTool<Input> { name = 'weather'; description = 'W'; schema = z.object({ city: z.string() }); async execute(input) {} }`,
    );
    expect(found).toMatchObject({
      way: 'class',
      name: 'weather',
      from: 'property',
      schema: 'z.object({ city: z.string() })',
      key: 'schema',
      whole: 'schema = z.object({ city: z.string() });',
      certain: true,
    });
    expect(found.span).toMatch(/^export class WeatherTool/);
  });

  test('static fields, modifiers and an output', () => {
    expect(
      row(
        `class CountTool extends Base { static toolName = 'count'; public description = 'C'; public override argsShape = { ...A, q: z.string() };
          public override outputSchema = Out; protected async execute() {} }`,
      ),
    ).toMatchObject({
      name: 'count',
      key: 'argsShape',
      schema: '{ ...A, q: z.string() }',
      output: 'Out',
      certain: true,
    });
  });

  test('getters with one return', () => {
    expect(
      row(
        `class W extends BaseTool { get name() { return 'w'; } get description() { return 'W'; } get inputSchema() { return S.shape; } async run() {} }`,
      ),
    ).toMatchObject({ name: 'w', schema: 'S.shape', certain: true });
  });

  test('fields that a compiler moved into the constructor', () => {
    expect(
      row(
        `class W extends MCPTool { constructor() { super(...arguments); this.name = 'w'; this.description = 'W'; this.schema = z.object({}); } async execute() {} }`,
        '/w/a.js',
      ),
    ).toMatchObject({ name: 'w', schema: 'z.object({})', whole: 'this.schema = z.object({})' });
  });

  test('the class gives the name when no field does', () => {
    expect(
      row(`class Weather extends Tool { description = 'W'; inputSchema = S; execute = async () => {}; }`),
    ).toMatchObject({
      name: 'Weather',
      from: 'class',
    });
  });

  test('class expressions', () => {
    expect(brief(`const W = class extends Tool { name = 'w'; description = 'W'; inputSchema = S; run() {} };`)).toEqual(
      ['w: S'],
    );
  });

  test('what a handler is called does not matter in a class of tools', () => {
    expect(
      row(`class W extends AtlasTool { name = 'w'; description = 'W'; argsShape = S; executeWithClient() {} }`).certain,
    ).toBe(true);
  });

  test.each([
    [
      'a base class that holds what it is given',
      `abstract class BaseTool { constructor(p) { this.name = p.name; this.inputSchema = p.inputSchema; } run() {} }`,
    ],
    ['an abstract field', `abstract class BaseTool { abstract inputSchema: Shape; abstract name: string; }`],
    ['a class with a schema and no more', `class Model { schema = S; name = 'm'; }`],
    ['a description alone', `class Model { description = 'd'; schema = S; }`],
    ['a prompt', `class GreetPrompt extends MCPPrompt { name = 'g'; description = 'd'; schema = S; }`],
    [
      'a prompt with a handler',
      `class Greet extends Prompt { name = 'g'; description = 'd'; schema = S; execute() {} }`,
    ],
    ['a schema that is text', `class XTool { name = 'x'; description = 'd'; schema = 'text'; execute() {} }`],
  ])('not %s', (_, text) => {
    expect(brief(text)).toEqual([]);
  });

  test('a shape in a field is no definition of its own', () => {
    expect(
      brief(
        `class XTool { name = 'x'; description = 'd'; argsShape = { input: z.string(), handler: z.string() }; execute() {} }`,
      ),
    ).toHaveLength(1);
    expect(brief(`export const mock = { argsShape: { input: z.string(), description: 'd' } };`)).toEqual([]);
  });
});

describe('a class that registers itself', () => {
  const fields = `name = 'x'; description = 'd'; argsShape = { q: z.string() }; execute() {}`;

  test('a plain read of the field is the same tool as the class', () => {
    const found = row(
      `class XTool { ${fields} register(server: McpServer) { server.registerTool(this.name, { inputSchema: this.argsShape }, this.execute); } }`,
    );
    expect(found).toMatchObject({ way: 'class', name: 'x', schema: '{ q: z.string() }' });
  });

  test('what is done to the schema on the way is what counts', () => {
    const found = row(
      `class XTool { ${fields} register(server: McpServer) { server.registerTool(this.name, { inputSchema: z.object(this.argsShape).strict() }, this.execute); } }`,
    );
    expect(found).toMatchObject({ way: 'registerTool', schema: 'z.object(this.argsShape).strict()', certain: false });
  });

  test('a registration that does not read the fields stands beside the class', () => {
    expect(
      brief(
        `class XTool { ${fields} register(server: McpServer) { server.registerTool('y', { inputSchema: Y }, f); } }`,
      ),
    ).toEqual(['x: { q: z.string() }', 'y: Y']);
  });
});
