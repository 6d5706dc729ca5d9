import { describe, expect, test } from 'vitest';
import { brief, row } from './rows.ts';

const V1 = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nconst server = new McpServer({ name: 'a', version: '1' });\n`;

describe('server.tool(name, [description], [shape], [annotations], handler)', () => {
  test.each([
    [`server.tool('a', async () => {});`, null],
    [`server.tool('a', 'What it does', async () => {});`, null],
    [`server.tool('a', { q: z.string() }, async () => {});`, '{ q: z.string() }'],
    [`server.tool('a', 'What', { q: z.string() }, async () => {});`, '{ q: z.string() }'],
    [`server.tool('a', \`What \${x}\`, Q.shape, async () => {});`, 'Q.shape'],
    [`server.tool('a', 'What' + more, Q.shape, handler);`, 'Q.shape'],
    [`server.tool('a', 'What', { q: z.string() }, { readOnlyHint: true }, async () => {});`, '{ q: z.string() }'],
    [`server.tool('a', 'What', { readOnlyHint: isReadOnly }, async () => {});`, null],
    [`server.tool('a', 'What', { title: 'A title' }, async () => {});`, null],
    [`server.tool('a', 'What', { title: z.string() }, async () => {});`, '{ title: z.string() }'],
    [`server.tool('a', 'What', {}, async () => {});`, '{}'],
    [`server.tool('a', 'What', (Q as any).shape, async () => {});`, '(Q as any).shape'],
  ])('%s', (text, schema) => {
    expect(row(V1 + text)).toMatchObject({ way: 'server.tool', name: 'a', schema, certain: true, claim: 'mcp-v1' });
  });

  test('what may be a description or a schema is decided by evaluating, in order', () => {
    const found = row(`${V1}server.tool('a', WHAT, inputs, handler);`);
    expect(found).toMatchObject({ schema: 'WHAT', alternatives: ['WHAT', 'inputs'], shown: 'inputs' });
  });

  test('arguments that are called annotations or a description are no alternatives', () => {
    expect(row(`${V1}server.tool(t.name, t.description, t.inputSchema.shape, t.annotations, handler);`)).toMatchObject({
      name: '`t.name`',
      schema: 't.inputSchema.shape',
      alternatives: undefined,
    });
  });

  test('plain JSON Schema in the place of a shape is a candidate', () => {
    expect(row(`${V1}server.tool('a', 'What', { type: 'object', properties: {} }, f);`).schema).toBe(
      "{ type: 'object', properties: {} }",
    );
  });

  test('an untyped server with a literal name is certain, another receiver is not', () => {
    expect(row(`this.mcpServer.tool('a', { q: z.string() }, f);`)).toMatchObject({ certain: true, claim: undefined });
    expect(row(`kit.tool('a', { q: z.string() }, f);`).certain).toBe(false);
    expect(row(`kit.tool('a', 'What it does', { q: z.string() }, async () => {});`).certain).toBe(true);
  });

  test('other forms of `tool` are not read as this one', () => {
    expect(brief(`ai.tool(definition, options);`)).toEqual([]);
    expect(brief(`server.tool(definition);`)).toEqual([]);
    expect(brief(`server.tool('a');`)).toEqual([]);
    expect(brief(`server.tool('a', 'b');`)).toEqual([]);
    expect(brief(`server.tool(...all);`)).toEqual([]);
    expect(brief(`server.tool({ name: 'a', description: 'A', schema: S }, async () => {});`)).toEqual(['a: S']);
  });

  test('`this.tool` of a class that extends McpServer', () => {
    expect(
      row(
        `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
        class Kit extends McpServer { constructor() { super(); this.tool('a', 'A', { q: z.string() }, async () => {}); } }`,
      ),
    ).toMatchObject({ claim: 'mcp-v1', certain: true, schema: '{ q: z.string() }' });
  });
});
