import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { workspace } from '../unit/files/workspace.ts';
import { project, toolContracts } from './cli.ts';

/** Checks tools of a file; answers the lists of tools and of findings, as `rule: tools` each. */
async function check(tools: string): Promise<{ names: (string | null)[]; found: string[] }> {
  const at = workspace({
    'package.json': '{ "dependencies": { "@modelcontextprotocol/sdk": "*", "zod": "*" } }',
    'tools.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'tools', version: '1' });
const done = async () => ({ content: [] });
const Boats = z.strictObject({ a: z.string() });
const on = process.env.TOOL_CONTRACTS_TEST_CHOICE === '1';
${tools}`,
  });
  symlinkSync(join(project, 'node_modules'), at('node_modules'), 'dir');
  const { out } = await toolContracts(at(''), 'check', '--format', 'json');
  const report = JSON.parse(out) as JsonReport;
  return {
    names: report.tools.map(({ name }) => name),
    found: report.findings.map(({ rule, tools: hit }) => `${rule}: ${hit.join()}`),
  };
}

const tool = (schema: string, name = 't'): string =>
  `server.registerTool('${name}', { inputSchema: ${schema} }, done);\n`;
const LOST = ['dropped-catchall: t'];

test.each([
  ['the branch that is not chosen', tool('on ? Boats.shape : { b: z.string() }'), LOST],
  ['the branch that is chosen', tool('on ? { b: z.string() } : Boats.shape'), LOST],
  ['a branch within a branch', tool('on ? Boats : process.env.OTHER ? z.object(Boats.shape) : Boats'), LOST],
  ['a const', `const Chosen = on ? z.object(Boats.shape) : Boats;\n${tool('Chosen')}`, LOST],
  ['an operator', tool('(on && Boats.shape) || { b: z.string() }'), LOST],
  ['the same in both branches', `const Plain = z.object(Boats.shape);\n${tool('on ? Plain : Plain')}`, LOST],
  [
    'a local of a function',
    `function start() {\n  const here = process.env.HERE === '1';\n  ${tool('here ? Boats.shape : Boats')}}\nstart();`,
    LOST,
  ],
  ['branches without a fault', tool('on ? Boats : z.strictObject(Boats.shape)'), []],
  ['a branch that fails where it is not chosen', tool("on ? z.object({ b: JSON.parse('{') }) : Boats"), []],
  [
    'a branch that fails where it is chosen',
    tool("on ? Boats : z.object({ b: JSON.parse('{') })"),
    ['not-evaluated: t'],
  ],
  ['a condition that is a literal', tool('false ? Boats.shape : { b: z.string() }'), []],
  ['a condition that is a const', `const OFF = false;\n${tool('!OFF ? Boats : Boats.shape')}`, []],
  ['a fallback of what is there', tool('Boats ?? Boats.shape'), []],
])('%s', async (_what, text, expected) => {
  expect(await check(text)).toEqual({ names: ['t'], found: expected });
});

test('a condition that each round of a loop, or each call, supplies', async () => {
  const loop = `for (const one of [{ name: 'looped', schema: Boats }]) {
  server.registerTool(one.name, { inputSchema: one.schema ? one.schema : Boats.shape }, done);
}
function add(isStrict: boolean) {
  ${tool('isStrict ? Boats : Boats.shape', 'added')}}
add(true);`;
  const { names, found } = await check(loop);
  expect(names.sort()).toEqual(['added', 'looped']);
  expect(found).toEqual([]);
});

test('a tool that another one chooses stays a tool', async () => {
  const { names, found } =
    await check(`export const other = { name: 'other', description: 'd', inputSchema: Boats, execute: done };
${tool('on ? other.inputSchema : z.object({ b: z.string() })')}`);
  expect(names.sort()).toEqual(['other', 't']);
  expect(found).toEqual([]);
});
