import { describe, expect, test } from 'vitest';
import { rows } from './rows.ts';

const V1 = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\ndeclare const server: McpServer;\n`;
/** Whether the registering call of a source is certainly a tool. */
const certain = (text: string): boolean | undefined =>
  rows(V1 + text).find(({ way }) => way === 'registerTool' || way === 'server.tool')?.certain;

describe('a call that only hands on what it is given is certainly no tool by itself', () => {
  test.each([
    [
      'a parameter of an exported function',
      `export function add(tool) { server.registerTool(tool.name, { inputSchema: tool.schema }, f); }`,
    ],
    [
      'a destructured parameter',
      `export const add = ({ name, schema }) => server.registerTool(name, { inputSchema: schema }, f);`,
    ],
    [
      'a list that is a parameter',
      `export function addAll(tools) { for (const t of tools) server.registerTool(t.name, { inputSchema: t.schema }, f); }`,
    ],
    [
      'the same with forEach',
      `export function addAll(tools) { tools.forEach((t) => server.registerTool(t.name, { inputSchema: t.schema }, f)); }`,
    ],
    [
      'through a local',
      `export function add(tool) { const { name, schema } = tool; server.registerTool(name, { inputSchema: z.object(schema) }, f); }`,
    ],
    [
      'fields of a base class',
      `export abstract class Base { register() { server.registerTool(this.name, { inputSchema: this.shape }, f); } }`,
    ],
    ['a whole config', `export function add(name, config) { server.registerTool(name, config, f); }`],
    [
      'no schema at all',
      `export function add(tool) { server.registerTool(tool.name, { description: tool.description }, f); }`,
    ],
    [
      'a callback that somebody else calls',
      `withTools((t) => server.registerTool(t.name, { inputSchema: t.schema }, f));`,
    ],
  ])('%s', (_, text) => {
    expect(certain(text)).toBe(false);
  });

  test.each([
    [
      'a name that is written here',
      `export function add(schema) { server.registerTool('x', { inputSchema: schema }, f); }`,
    ],
    [
      'a schema that is written here',
      `export function add(prefix) { server.registerTool(prefix + 'x', { inputSchema: S }, f); }`,
    ],
    [
      'a function with callers in the file',
      `function add(tool) { server.registerTool(tool.name, { inputSchema: tool.schema }, f); } add(imported);`,
    ],
    [
      'a function handed to a loop',
      `function add(tool) { server.registerTool(tool.name, { inputSchema: tool.schema }, f); } imported.forEach(add);`,
    ],
    ['a list of the module', `for (const t of imported) server.registerTool(t.name, { inputSchema: t.schema }, f);`],
    [
      'a list of the module in a function',
      `export function addAll() { for (const t of imported) server.registerTool(t.name, { inputSchema: t.schema }, f); }`,
    ],
    [
      'a parameter with a default',
      `export function addAll(tools = all) { for (const t of tools) server.registerTool(t.name, { inputSchema: t.schema }, f); }`,
    ],
    [
      'what is awaited',
      `async function addAll() { const tools = await load(); for (const t of tools) server.registerTool(t.name, { inputSchema: t.schema }, f); }`,
    ],
    [
      'a local function that makes schemas',
      `export function add(x) { const make = () => z.object({ x }); server.registerTool(NAME, { inputSchema: make() }, f); }`,
    ],
  ])('but is one with %s', (_, text) => {
    expect(certain(text)).toBe(true);
  });

  test('a record that names the tool here makes one, whatever its schema depends on', () => {
    const text = `import { tool } from 'ai'; export const tools = (user) => ({ find: tool({ description: 'F', inputSchema: schemaFor(user) }) });`;
    expect(rows(text).map(({ name, certain: sure }) => [name, sure])).toEqual([['find', true]]);
  });

  test('helpers of known libraries alike', () => {
    const text = `import { tool } from 'ai'; export const toTools = (actions) => actions.map((a) => tool({ description: a.description, inputSchema: a.schema }));`;
    expect(rows(text).map(({ certain: sure, claim }) => [sure, claim])).toEqual([[false, 'ai-sdk']]);
  });
});
