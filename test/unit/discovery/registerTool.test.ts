import { describe, expect, test } from 'vitest';
import { brief, row, rows } from './rows.ts';

const V1 = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nconst server = new McpServer({ name: 'a', version: '1' });\n`;

describe('registerTool(name, config, handler)', () => {
  test('takes name, schema and output from a literal config', () => {
    const found = row(
      `${V1}server.registerTool('dim', { description: 'Dim', inputSchema: z.object({ level: z.number() }), outputSchema: Out }, async () => {});`,
    );
    expect(found).toMatchObject({
      way: 'registerTool',
      certain: true,
      claim: 'mcp-v1',
      name: 'dim',
      from: 'argument',
      schema: 'z.object({ level: z.number() })',
      key: 'inputSchema',
      whole: 'inputSchema: z.object({ level: z.number() })',
      output: 'Out',
      property: undefined,
    });
    expect(found.span).toMatch(/^server\.registerTool\('dim'.*\)$/);
    expect(found.found.candidate.id).toBe('/w/tools.ts#0');
  });

  test('numbers candidates in source order', () => {
    const all = rows(`${V1}server.registerTool('a', {}, f); server.registerTool('b', {}, f);`);
    expect(all.map(({ found, name }) => [found.candidate.id, name])).toEqual([
      ['/w/tools.ts#0', 'a'],
      ['/w/tools.ts#1', 'b'],
    ]);
  });

  test('a config without schema is a tool that takes nothing', () => {
    const found = row(`${V1}server.registerTool('ping', {}, async () => {});`);
    expect(found).toMatchObject({ name: 'ping', schema: null, shown: undefined, output: null, certain: true });
  });

  test('unwraps casts, parentheses and assertions around the schema', () => {
    const found = row(`${V1}server.registerTool('x', { inputSchema: (Shape.shape as unknown) satisfies Y }, f);`);
    expect(found).toMatchObject({ schema: 'Shape.shape', shown: 'Shape.shape' });
    expect(found.whole).toBe('inputSchema: (Shape.shape as unknown) satisfies Y');
  });

  test('a shorthand property is both the property and the expression', () => {
    const found = row(`${V1}server.registerTool('x', { inputSchema }, f);`);
    expect(found).toMatchObject({ schema: 'inputSchema', whole: 'inputSchema' });
  });

  test('quoted keys count', () => {
    expect(row(`${V1}server.registerTool('x', { 'inputSchema': S }, f);`).schema).toBe('S');
  });

  test('a config that comes from elsewhere is read by property', () => {
    const found = row(`import { config } from './c.js';\n${V1}server.registerTool('x', config, f);`);
    expect(found).toMatchObject({
      schema: 'config',
      property: 'inputSchema',
      output: 'config',
      outputProperty: 'outputSchema',
      certain: true,
    });
  });

  test('a config const of the module is the same tool as the call, shown where the schema is written', () => {
    const found = row(
      `const config = { title: 'X', description: 'x', inputSchema: S.shape };\n${V1}server.registerTool('x', config, f);`,
    );
    expect(found).toMatchObject({
      way: 'registerTool',
      schema: 'config',
      property: 'inputSchema',
      shown: 'S.shape',
      whole: 'inputSchema: S.shape',
      output: null,
      outputProperty: undefined,
    });
  });

  test('a spread that may bring the schema is read by property', () => {
    expect(row(`${V1}server.registerTool('x', { ...base, description: 'x' }, f);`)).toMatchObject({
      schema: "{ ...base, description: 'x' }",
      property: 'inputSchema',
    });
  });

  test('a spread before the schema cannot replace it, one after can', () => {
    expect(row(`${V1}server.registerTool('x', { ...base, inputSchema: S }, f);`)).toMatchObject({
      schema: 'S',
      property: undefined,
    });
    expect(row(`${V1}server.registerTool('x', { inputSchema: S, ...base }, f);`)).toMatchObject({
      schema: '{ inputSchema: S, ...base }',
      property: 'inputSchema',
      shown: 'S',
    });
  });

  test('a getter is read by property', () => {
    expect(row(`${V1}server.registerTool('x', { get inputSchema() { return S } }, f);`)).toMatchObject({
      property: 'inputSchema',
    });
  });

  test('the last of two properties wins', () => {
    expect(row(`${V1}server.registerTool('x', { inputSchema: A, inputSchema: B }, f);`).schema).toBe('B');
  });

  test('says the text of a name that a const, an object or an enum of the file holds', () => {
    expect(
      brief(
        `${V1}const NAME = 'a'; const NAMES = { B: 'b' } as const; const F = Object.freeze({ C: 'c' }); enum E { D = 'd' }
        server.registerTool(NAME, {}, f); server.registerTool(NAMES.B, {}, f); server.registerTool(F.C, {}, f);
        server.registerTool(E.D, {}, f); server.registerTool(Imported.X, {}, f); server.registerTool(\`p_\${x}\`, {}, f);`,
      ).map((line) => line.split(':')[0]),
    ).toEqual(['a', 'b', 'c', 'd', '`Imported.X`', `\`\`p_\${x}\`\``]);
  });

  test('a name that a later spread may replace is not known', () => {
    const text = `${V1}const NAMES = { A: 'a', ...more }; server.registerTool(NAMES.A, {}, f);`;
    expect(row(text).found.candidate.name?.text).toBeUndefined();
  });

  test('a name that is assigned again is not known by its first text', () => {
    expect(row(`${V1}let name = 'a'; server.registerTool(name, {}, f);`).found.candidate.name?.text).toBeUndefined();
  });

  test('a loop is one candidate at the call, and its definitions are others', () => {
    const all = rows(
      `${V1}const tools = [{ name: 'a', description: 'A', inputSchema: A, handler }];
      for (const t of tools) server.registerTool(t.name, { inputSchema: t.inputSchema }, t.handler);`,
    );
    expect(all.map(({ way, name, schema, certain }) => [way, name, schema, certain])).toEqual([
      ['definition', 'a', 'A', true],
      ['registerTool', '`t.name`', 't.inputSchema', true],
    ]);
  });

  test('optional calls, element access and casts of the receiver', () => {
    expect(
      brief(
        `${V1}server?.registerTool('a', { inputSchema: A }, f); (server as any)['registerTool']('b', { inputSchema: B }, f); server!.registerTool('c', { inputSchema: C }, f);`,
      ),
    ).toEqual(['a: A', 'b: B', 'c: C']);
  });

  test('conditionals stay whole: both branches may be offered', () => {
    expect(row(`${V1}server.registerTool('x', { inputSchema: open ? A : B }, f);`).schema).toBe('open ? A : B');
  });

  test('what stands in the config is no tool of its own, what stands in the handler may be', () => {
    expect(
      brief(
        `${V1}server.registerTool('x', { inputSchema: { schema: z.string(), description: z.string() }, _meta: { name: 'n', inputSchema: M, description: 'd' } },
          async () => generateText({ tools: { inner: { description: 'd', inputSchema: I, execute } } }));`,
      ),
    ).toEqual(['x: { schema: z.string(), description: z.string() }', 'inner: I']);
  });

  test('a helper that makes the schema in the config is no tool of its own', () => {
    expect(
      brief(
        `${V1}server.registerTool('x', { inputSchema: makeTool('y', 'What', { q: z.string() }, async () => {}) }, f);`,
      ),
    ).toHaveLength(1);
  });

  test('registerToolTask has the same form', () => {
    const found = row(
      `${V1}server.experimental.tasks.registerToolTask('long', { description: 'd', inputSchema: S }, { createTask, getTask });`,
    );
    expect(found).toMatchObject({ way: 'registerTool', name: 'long', schema: 'S', certain: true, claim: 'mcp-v1' });
  });

  test('registerAppTool takes the server first', () => {
    const found = row(
      `import { registerAppTool } from '@modelcontextprotocol/ext-apps/server';\n${V1}registerAppTool(server, 'app', { inputSchema: S }, f);`,
    );
    expect(found).toMatchObject({ way: 'registerAppTool', name: 'app', schema: 'S', certain: true, claim: 'mcp-v1' });
  });

  test('an untyped receiver is a candidate that nothing claims', () => {
    const found = row(`export const add = (server) => server.registerTool('x', { inputSchema: S }, f);`, '/w/a.js');
    expect(found).toMatchObject({ way: 'registerTool', certain: true, claim: undefined, schema: 'S' });
  });

  test('a receiver that may be anything is certain only with a name, a description and a handler', () => {
    expect(row(`ctx.registerTool('x', { inputSchema: S }, f);`).certain).toBe(false);
    expect(row(`ctx.registerTool('x', { description: 'd', inputSchema: S }, f);`).certain).toBe(true);
  });

  test('an imported function of that name, with or without the server in front', () => {
    expect(
      brief(
        `import { registerTool } from './r.js'; registerTool('a', { description: 'd', inputSchema: A }, f); registerTool(server, 'b', { description: 'd', inputSchema: B }, f);`,
      ),
    ).toEqual(['a: A', 'b: B']);
  });

  test('other forms under the same name are not read as this one', () => {
    expect(brief(`server.registerTool(tool);`)).toEqual([]);
    expect(brief(`server.registerTool(tool, async () => {});`)).toEqual([]);
    expect(brief(`server.registerTool(...parts);`)).toEqual([]);
    expect(brief(`server.registerTool({ name: 'x', description: 'd', inputSchema: S }, options, handler);`)).toEqual([
      'x: S',
    ]);
    expect(row(`registry.registerTool({ name: 'x', description: 'd', inputSchema: S, handler });`)).toMatchObject({
      way: 'tool',
      name: 'x',
      schema: 'S',
    });
    expect(row(`registry.registerTool('x', 'd', { a: z.string() }, async () => {});`)).toMatchObject({
      way: 'positional',
      schema: '{ a: z.string() }',
    });
  });

  test('a half-typed call is no reason to throw', () => {
    expect(() => rows(`${V1}server.registerTool('x', { inputSchema: `)).not.toThrow();
    expect(() => rows(`${V1}server.registerTool(`)).not.toThrow();
    expect(() => rows(`server.tool('x', {, }; class { `)).not.toThrow();
  });

  test('a concatenation of thousands of parts does not exhaust the stack', () => {
    const long = Array.from({ length: 20_000 }, () => "'x'").join(' + ');
    expect(brief(`${V1}server.registerTool('x', { description: ${long}, inputSchema: S }, f);`)).toEqual(['x: S']);
  });
});

describe('wrappers of the same file', () => {
  test('a function that hands its parameters on is one candidate, at the inner call', () => {
    const all = rows(
      `${V1}function add(name: string, shape: Shape) { server.registerTool(name, { inputSchema: shape }, f); }
      add('a', { x: z.string() }); add('b', { y: z.string() });`,
    );
    expect(all.map(({ span, schema, certain }) => [span.slice(0, 25), schema, certain])).toEqual([
      ['server.registerTool(name,', 'shape', true],
    ]);
  });

  test('a positional helper of the file is not counted beside its inner call', () => {
    expect(
      brief(
        `${V1}const addTool = (name, description, shape, cb) => server.tool(name, description, shape, cb);
        addTool('a', 'A', { x: z.string() }, async () => {});`,
      ),
    ).toEqual(['`name`: shape']);
  });

  test('wrappers of wrappers, and those that call each other', () => {
    expect(
      brief(
        `${V1}function inner(name, desc, shape, cb) { server.tool(name, desc, shape, cb); }
        function addTool(name, desc, shape, cb) { inner(name, desc, shape, cb); }
        addTool('a', 'A', { x: z.string() }, async () => {});`,
      ),
    ).toEqual(['`name`: shape']);
    expect(
      brief(
        `function addTool(name, desc, shape, cb) { defineTool(name, desc, shape, cb); }
        function defineTool(name, desc, shape, cb) { addTool(name, desc, shape, cb); }
        addTool('a', 'A', { x: z.string() }, async () => {});`,
      ),
    ).toEqual(['a: { x: z.string() }']);
  });

  test('a method that hands on is a wrapper for calls on `this`', () => {
    expect(
      brief(
        `class S { constructor(private server: McpServer) { this.registerTool('a', 'A', { x: z.string() }, async () => {}); }
          registerTool(name, description, shape, cb) { this.server.registerTool(name, { description, inputSchema: shape }, cb); } }`,
      ),
    ).toEqual(['`name`: shape']);
  });

  test('the definition that a wrapper is handed is a candidate as well', () => {
    const all = rows(
      `${V1}function registerTool(name, config, cb) { server.registerTool(name, config, cb); }
      registerTool('a', { description: 'A', inputSchema: A }, async () => {});`,
    );
    expect(all.map(({ way, name, schema }) => [way, name, schema])).toEqual([
      ['registerTool', '`name`', 'config'],
      ['tool', 'a', 'A'],
    ]);
  });

  test('a function that registers tools of its own is no wrapper', () => {
    expect(
      brief(
        `${V1}function addTool(name, desc, shape, cb) { server.tool('fixed', { z: z.string() }, cb); registry.push(name, shape); }
        addTool('a', 'A', { x: z.string() }, async () => {});`,
      ),
    ).toEqual(['fixed: { z: z.string() }', 'a: { x: z.string() }']);
  });
});
