import { describe, expect, test } from 'vitest';
import { brief } from './rows.ts';

describe('what only looks like a tool', () => {
  test.each([
    [
      'the shape of z.object',
      `const S = z.object({ name: z.string(), description: z.string(), inputSchema: z.object({}) });`,
    ],
    ['a field called schema in a shape', `const S = z.strictObject({ schema: z.string(), handler: z.string() });`],
    [
      'deep in a chain of zod',
      `export const S = z.array(z.object({ tool: z.object({ name: z.string(), parameters: z.any() }) })).min(1);`,
    ],
    ['in extend', `const S = Base.extend({ description: z.string(), schema: z.string() });`],
    ['in merge of an object', `const S = Base.safeExtend({ description: z.string(), args: A });`],
    ['in meta', `const S = Base.meta({ description: 'd', input: X });`],
    ['a const that is a shape', `const shape = { name: z.string(), description: z.string(), schema: z.object({}) };`],
    [
      'zod under another name',
      `import { z as zed } from 'zod'; const S = zed.object({ name: n, description: d, inputSchema: i });`,
    ],
    [
      'zod/mini functions',
      `import { object, string } from 'zod/mini'; const S = object({ name: n, description: d, inputSchema: i });`,
    ],
    [
      'what a schema makes of its input',
      `const S = z.string().transform((n) => ({ name: n, description: 'd', inputSchema: I, handler }));`,
    ],
    ['a prompt', `server.registerPrompt('p', { title: 'P', description: 'd', argsSchema: S }, async () => ({}));`],
    ['server.prompt', `server.prompt('p', 'd', { q: z.string() }, async () => ({}));`],
    ['prompts in a list', `const prompts = [{ name: 'p', description: 'd', args: S, handler }];`],
    ['prompts under a key', `export default { prompts: { p: { description: 'd', inputSchema: S, handler } } };`],
    [
      'a prompt by its variable',
      `export const greetPrompt = { name: 'g', description: 'd', argsSchema: S, callback: handler };`,
    ],
    [
      'a prompt by its messages',
      `export const greet = { name: 'g', description: 'd', argsSchema: S, callback: ({ who }) => ({ messages: [] }) };`,
    ],
    [
      'a prompt by the messages that it returns',
      `export const greet = { name: 'g', description: 'd', args: S, async handler(args) { const messages = []; return { messages }; } };`,
    ],
    ['a typed prompt', `const p: PromptDefinition = { name: 'p', description: 'd', schema: S, handler };`],
    [
      'arguments of a prompt',
      `const p = { name: 'p', arguments: [{ name: 'a', description: 'd', required: true, schema: S }] };`,
    ],
    ['a resource', `server.registerResource('r', uri, { description: 'd', schema: S }, async () => ({}));`],
    ['a request handler', `server.setRequestHandler({ name: 'x', description: 'd', schema: S }, async () => ({}));`],
    ['an HTTP parameter', `x.push({ name: 'id', in: 'path', required: true, description: 'd', schema: z.string() });`],
    [
      'parameters of a route',
      `const e = { parameters: [{ name: 'id', type: 'Query', description: 'd', schema: z.string() }] };`,
    ],
    ['a route', `app.get('/x', { description: 'd', schema: S }, async () => {});`],
    ['createRoute', `const r = createRoute({ method: 'get', path: '/x', description: 'd', input: S, handler });`],
    ['routes in a list', `const routes = [{ name: 'x', description: 'd', inputSchema: S, handler }];`],
    ['a command', `defineCommand({ name: 'x', description: 'd', args: S, run() {} });`],
    [
      'a step and a workflow',
      `createStep({ id: 's', description: 'd', inputSchema: S, execute }); createWorkflow({ id: 'w', description: 'd', inputSchema: S });`,
    ],
    ['a flow', `ai.defineFlow({ name: 'f', description: 'd', inputSchema: S }, async () => {});`],
    ['a job', `schemaTask({ id: 'j', description: 'd', schema: S, run: async () => {} });`],
    ['structured output', `generateObject({ model, name: 'n', description: 'd', schema: S });`],
    ['Output.object', `generateText({ model, output: Output.object({ name: 'n', description: 'd', schema: S }) });`],
    ['responseFormat', `agent.run({ responseFormat: { name: 'n', description: 'd', schema: S } });`],
    ['a Convex query', `export const list = query({ description: 'd', args: S, handler: async () => {} });`],
    ['an Astro action', `export const server = { go: defineAction({ input: S, handler: async () => {} }) };`],
    ['a collection', `export const posts = defineCollection({ name: 'posts', description: 'd', schema: S, handler });`],
    [
      'the settings of a story',
      `const meta = { title: 'Button', component: Button, parameters: { layout: 'centered' } };`,
    ],
    [
      'arguments of a story',
      `export const Primary = { name: 'p', description: 'd', args: { primary: true, label: 'x' } };`,
    ],
    ['examples of a tool', `const e = { examples: [{ name: 'e', description: 'd', input: { city: 'Rome' } }] };`],
    [
      'a command class',
      `class Greet extends Command { static description = 'd'; static args = { name: A.string() }; async run() {} }`,
    ],
    ['types', `interface T { name: string; description: string; inputSchema: S; } type U = { name: 'x'; schema: S };`],
    [
      'an object that repeats tools',
      `const listed = tools.map((t) => ({ name: t.name, description: t.description, inputSchema: t.inputSchema }));`,
    ],
    [
      'the same in a loop',
      `for (const t of tools) out.push({ name: t.name, description: t.description, inputSchema: t.schema.shape });`,
    ],
    [
      'the same from a pair',
      `Object.entries(tools).map(([name, t]) => ({ name, description: t.description, inputSchema: t.schema }));`,
    ],
    ['a test', `test('x', { schema: z.string() }, async () => {}); describe('y', { a: z.string() }, () => {});`],
    ['an event', `emitter.on('x', { a: z.string() }, () => {});`],
    [
      'a call of a tool',
      `client.callTool('x', { a: make() }, async () => {}); logTool('x', { a: make() }, async () => {});`,
    ],
    ['a tooltip', `createTooltip('x', 'y', { a: make() }, () => {});`],
  ])('%s', (_, text) => {
    expect(brief(text)).toEqual([]);
  });

  test('the innermost word decides', () => {
    expect(
      brief(`export default { workflows: { tools: { a: { description: 'd', inputSchema: S, handler } } } };`),
    ).toEqual(['a: S']);
    expect(brief(`const routes = [defineTool({ name: 'a', description: 'd', inputSchema: S, handler })];`)).toEqual([
      'a: S',
    ]);
    expect(brief(`const promptTools = [{ name: 'a', description: 'd', inputSchema: S, handler }];`)).toEqual(['a: S']);
  });

  test('the own name of a tool may be any word', () => {
    expect(
      brief(
        `const tools = { createRoute: { description: 'd', inputSchema: S, handler }, runWorkflow: { description: 'd', inputSchema: T, handler } };`,
      ),
    ).toEqual(['createRoute: S', 'runWorkflow: T']);
    expect(
      brief(`export const getPrompt = { name: 'get_prompt', description: 'd', inputSchema: S, handler };`),
    ).toEqual(['get_prompt: S']);
  });

  test('tools in an agent or a server are found, the agent itself is none', () => {
    expect(
      brief(
        `new Agent({ name: 'agent', description: 'd', inputSchema: I, tools: { a: tool({ description: 'd', inputSchema: S, execute }) } });`,
      ),
    ).toEqual(['a: S']);
  });

  test('an OpenAI function is a tool although it stands in a list with a type', () => {
    expect(brief(`const tools = [{ type: 'function', name: 'a', description: 'd', parameters: S, execute }];`)).toEqual(
      ['a: S'],
    );
  });
});
