import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Changes, Evaluated, makeWorkspace, manifest, removeWorkspaces } from '../helpers/evaluate.ts';

const TOOL = (schema: string, name = 'one') =>
  `{ name: '${name}', description: 'D', inputSchema: ${schema}, handler: async () => ({ content: [] }) }`;
const TOOLS = (schema: string) =>
  `import { z } from 'zod';\nexport const Shared = z.strictObject({ x: z.string() });\nexport const tools = [${TOOL(schema)}];\n`;
const SINK = (schema: string) =>
  `import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport function registerAll(server: McpServer, tools: any[]) {\n  for (const tool of tools) server.registerTool(tool.name, { description: tool.description, inputSchema: ${schema} }, tool.handler);\n}\n`;
const MAIN =
  "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { registerAll } from './sink.ts';\nimport { tools } from './tools.ts';\nregisterAll(new McpServer({ name: 's', version: '1.0.0' }), tools);\n";

let evaluated: Evaluated | undefined;
afterEach(() => evaluated?.dispose());
afterAll(removeWorkspaces);

async function open(files: Changes): Promise<Evaluated> {
  evaluated = await new Evaluated(makeWorkspace({ 'package.json': manifest(), ...files })).update();
  return evaluated;
}

describe('a call elsewhere that registers what its callers hand it', () => {
  test.each(['tool.inputSchema.strict()', 'tool.inputSchema.shape', 'tool.inputSchema.extend({})'])(
    'and makes another schema of it, %s: the definition is not judged as it stands',
    async (schema) => {
      const workspace = await open({
        'main.ts': MAIN,
        'sink.ts': SINK(schema),
        'tools.ts': TOOLS('z.strictObject({ ...Shared.shape, y: z.string() })'),
      });
      expect(workspace.names()).toEqual([]);
      expect(workspace.result.unevaluated).toHaveLength(1);
      const failure = workspace.failure('one');
      expect(failure.reason).toContain('a call in sink.ts registers it');
      expect(workspace.textOf(failure.at)).toContain('z.strictObject({ ...Shared.shape');
    },
  );

  test('as it is: the definition says it all', async () => {
    const workspace = await open({
      'main.ts': MAIN,
      'sink.ts': SINK('tool.inputSchema'),
      'tools.ts': TOOLS('Shared'),
    });
    expect(workspace.names()).toEqual(['one']);
  });

  test('by the shape of a plain object, which is the same object again', async () => {
    const workspace = await open({
      'main.ts': MAIN,
      'sink.ts': SINK('tool.inputSchema.shape'),
      'tools.ts': TOOLS('z.object({ y: z.string() })'),
    });
    expect(workspace.names()).toEqual(['one']);
  });

  test('stands in another package: it has nothing to do with these', async () => {
    const workspace = await open({
      'other/package.json': manifest(),
      'other/sink.ts': SINK('tool.inputSchema.strict()'),
      'tools.ts': TOOLS('Shared'),
    });
    expect(workspace.names()).toEqual(['one']);
  });

  test('and is changed to register it as it is: the definition is judged again', async () => {
    const workspace = await open({
      'main.ts': MAIN,
      'sink.ts': SINK('tool.inputSchema.strict()'),
      'tools.ts': TOOLS('Shared'),
    });
    expect(workspace.names()).toEqual([]);
    await workspace.update({ 'sink.ts': SINK('tool.inputSchema') });
    expect(workspace.names()).toEqual(['one']);
    expect(workspace.offers('one').map(({ surface }) => surface.id)).toEqual(['mcp-v1']);
  });
});
