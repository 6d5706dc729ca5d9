import { describe, expect, test } from 'vitest';
import { rows } from './rows.ts';

/** What a source's records say: `key = variable from module`, with the claim. */
function named(text: string): string[] {
  return rows(text).flatMap(({ name, claim, certain, found: { candidate } }) => {
    const { names } = candidate;
    if (!names) return [];
    expect(certain).toBe(false);
    const from = names.module === undefined ? '' : ` from ${names.module}`;
    return [`${name} = ${names.variable}${from}${claim ? ` for ${claim}` : ''}`];
  });
}

const AI = "import { generateText, streamText, ToolLoopAgent, type ToolSet } from 'ai';";
const HERE = "import { weatherTool } from './weather.js';";

describe('a record of tools names what it holds', () => {
  test.each([
    ['handed to generateText', `generateText({ model, tools: { weather: weatherTool } });`, ' for ai-sdk'],
    ['handed to a constructor', `new ToolLoopAgent({ model, tools: { weather: weatherTool } });`, ' for ai-sdk'],
    ['typed as a ToolSet', `const all: ToolSet = { weather: weatherTool };`, ' for ai-sdk'],
    ['satisfying ToolSet', `const all = { weather: weatherTool } satisfies ToolSet;`, ' for ai-sdk'],
    ['returned as a ToolSet', `function all(): ToolSet { return { weather: weatherTool }; }`, ' for ai-sdk'],
    ['a const', `export const tools = { weather: weatherTool };`, ''],
    ['a const of another name', `const weatherTools = { weather: weatherTool } as const;`, ''],
    ['a field', `class A { tools = { weather: weatherTool }; }`, ''],
    ['returned by a function', `export const createTools = (env) => ({ weather: weatherTool });`, ''],
    ['returned by a method', `class A { getTools() { return { weather: weatherTool }; } }`, ''],
    ['a property', `start({ tools: { weather: weatherTool } });`, ''],
    ['under a quoted key', `const tools = { 'weather': weatherTool };`, ''],
    ['with a cast', `const tools = { weather: weatherTool as never };`, ''],
  ])('%s', (_, text, claim) => {
    expect(named(`${AI}\n${HERE}\n${text}`)).toEqual([`weather = weatherTool from ./weather.js${claim}`]);
  });

  test.each([
    ['an alias', "import { weatherTool as w } from './w.js'; const tools = { weather: w };", 'weatherTool from ./w.js'],
    ['a default import', "import w from './w.js'; const tools = { weather: w };", 'default from ./w.js'],
    ['a namespace', "import * as all from './all.js'; const tools = { weather: all.w };", 'w from ./all.js'],
    ['a maker', "import { make } from './w.js'; const tools = { weather: make(session) };", 'make from ./w.js'],
    ['a const of the file', 'const w = tool(D); const tools = { weather: w };', 'w'],
    ['a function of the file', 'function w() {} const tools = { weather: w() };', 'w'],
    ['shorthand', "import { weather } from './w.js'; const tools = { weather };", 'weather from ./w.js'],
    ['a const key', "import { w } from './w.js'; const K = 'weather'; const tools = { [K]: w };", 'w from ./w.js'],
  ])('%s', (_, text, told) => {
    expect(named(text)).toEqual([`weather = ${told}`]);
  });

  test.each([
    ['another record', `const colours = { weather: weatherTool };`],
    ['a tool that is written down there', `const tools = { weather: make({ description: 'D', inputSchema: S }) };`],
    ["an SDK's own tool", "import { openai } from '@ai-sdk/openai'; const tools = { web: openai.tools.web() };"],
    ['a parameter', `const createTools = (weather) => ({ weather });`],
    ['something that is no reference', `const tools = { weather: 1, b: 'x', c: () => 1 };`],
    ['a key that only running tells', `const tools = { [key()]: weatherTool };`],
    ['a shape', `server.registerTool('x', { inputSchema: { tools: { weather: weatherTool } } }, run);`],
  ])('but not %s', (_, text) => {
    expect(named(`${HERE}\n${text}`)).toEqual([]);
  });
});
