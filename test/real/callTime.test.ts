import { afterAll, afterEach, expect, test } from 'vitest';
import { type Changes, Evaluated, makeWorkspace, removeWorkspaces } from '../helpers/evaluate.ts';

const HEAD =
  "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nconst server = new McpServer({ name: 'a', version: '1.0.0' });\nconst done = async () => ({ content: [] });\n";

let evaluated: Evaluated | undefined;
afterEach(() => evaluated?.dispose());
afterAll(removeWorkspaces);

async function evaluate(files: Changes): Promise<Evaluated> {
  evaluated = await new Evaluated(makeWorkspace(files)).update();
  return evaluated;
}

/** Names of a tool's inputs, and the text that each was made by. */
function inputs(workspace: Evaluated, tool: string): { [name: string]: string | undefined } {
  const { graph } = workspace.contract(tool);
  const fields = Object.entries(graph?.nodes[graph.root]?.fields ?? {});
  return Object.fromEntries(fields.map(([name, node]) => [name, workspace.textOf(graph?.nodes[node]?.origin?.place)]));
}

test('a schema that a handler makes', async () => {
  const workspace = await evaluate({
    'tools.ts': `${HEAD}
const first = { name: 'first', description: 'd', inputSchema: z.object({ a: z.string() }), handler() { return z.object({ b: z.string().max(3) }); } };
const second = { name: 'second', description: 'd', inputSchema: first.handler(), handler: done };
const third = { name: 'third', description: 'd', inputSchema: z.object({ c: z.number() }), handler: done };
for (const tool of [first, second, third]) server.registerTool(tool.name, { description: 'd', inputSchema: tool.inputSchema }, tool.handler);
`,
  });
  expect(workspace.names()).toEqual(['first', 'second', 'third']);
  expect(inputs(workspace, 'first')).toEqual({ a: 'z.string()' });
  expect(inputs(workspace, 'second')).toEqual({ b: 'z.string().max(3)' });
  expect(inputs(workspace, 'third')).toEqual({ c: 'z.number()' });
});

test('a function that registers and changes what schemas are made of', async () => {
  const workspace = await evaluate({
    'tools.ts': `${HEAD}
const shape: Record<string, z.ZodType> = { a: z.string() };
function register(to: McpServer) {
  shape.b = z.number();
  to.registerTool('one', { inputSchema: { x: z.string() } }, done);
}
const made = () => { register({ registerTool() {} } as never); return z.object(shape); };
server.registerTool('two', { inputSchema: made() }, done);
`,
  });
  expect(inputs(workspace, 'one')).toEqual({ x: 'z.string()' });
  expect(inputs(workspace, 'two')).toEqual({ a: 'z.string()', b: 'z.number()' });
});

test('a refinement that calls a handler answers calls', async () => {
  const workspace = await evaluate({
    'tools.ts': `${HEAD}
const pier = { name: 'pier', description: 'd', inputSchema: z.object({ at: z.string() }), run(value: string) { return value === 'north'; } };
server.registerTool(pier.name, { description: 'd', inputSchema: pier.inputSchema }, done);
server.registerTool('moor', { inputSchema: z.object({ at: z.string().refine((value) => pier.run(value), 'no pier') }) }, done);
`,
  });
  const { probes } = workspace.pipeline;
  const found: { [at: string]: boolean } = {};
  const subjects = workspace.result.subjects.filter(({ contract }) => contract.name === 'moor');
  await workspace.pipeline.survive(
    subjects,
    async () => {
      for (const at of ['north', 'east']) {
        const [offer] = workspace.offers('moor');
        if (offer) found[at] = (await probes.call(offer, { at })).accepts;
      }
    },
    (_, reason) => expect.fail(reason),
  );
  expect(found).toEqual({ north: true, east: false });
});

test('after an edit of a file that had to be whole', async () => {
  const text = (max: number) => `${HEAD}
const first = { name: 'first', description: 'd', inputSchema: z.object({ a: z.string() }), handler() { return z.object({ b: z.string().max(${max}) }); } };
server.registerTool('second', { inputSchema: first.handler() }, done);
`;
  const workspace = await evaluate({ 'tools.ts': text(3) });
  await workspace.update({ 'tools.ts': text(4) });
  expect(inputs(workspace, 'second')).toEqual({ b: 'z.string().max(4)' });
});
