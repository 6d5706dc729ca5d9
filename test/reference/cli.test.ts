import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/src/model.ts';
import { type Ended, toolContracts } from '../cli/cli.ts';
import type { Changes } from '../helpers/evaluate.ts';
import { INSTALL_MS, sdkWorkspace } from '../helpers/sdk.ts';

const SCHEMA =
  "import { z } from 'zod';\nexport const Berth = z.looseObject({ pier: z.string(), at: z.date().optional() });\nexport const Boat = z.looseObject({ name: z.string() });\n";
const IMPORTED = "import { Berth, Boat } from './schemas.ts';\n";
const FILES = {
  'schemas.ts': SCHEMA,
  'v1.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n${IMPORTED}
const server = new McpServer({ name: 's', version: '1.0.0' });
server.registerTool('boat', { inputSchema: Boat }, async () => ({ content: [] }));
server.registerTool('berth', { inputSchema: Berth }, async () => ({ content: [] }));\n`,
  'v2.ts': `import { McpServer } from '@modelcontextprotocol/server';\n${IMPORTED}
const server = new McpServer({ name: 's', version: '1.0.0' });
server.registerTool('boat_v2', { inputSchema: Boat }, async () => ({ content: [] }));\n`,
  'ai.ts': `import { generateText, tool } from 'ai';\n${IMPORTED}
const boatTool = tool({ description: 'D', inputSchema: Boat });
export const ask = (model: never) => generateText({ model, prompt: 'p', tools: { boat_ai: boatTool, berth_ai: tool({ description: 'D', inputSchema: Berth }) } });\n`,
  'any.ts': `${IMPORTED}export const anywhere = { name: 'anywhere', description: 'D', inputSchema: Boat, handler: async () => 1 };\n`,
};

describe('a workspace on several surfaces', () => {
  let root: string;
  const cli = (...args: string[]): Promise<Ended> => toolContracts(root, ...args);
  const advertised = async (...args: string[]): Promise<Json> =>
    JSON.parse((await cli('advertise', ...args)).out) as Json;

  beforeAll(async () => {
    root = await sdkWorkspace('all', 'cli', FILES);
  }, INSTALL_MS);

  test('is listed with all of them, and what cannot be listed on each', async () => {
    const { out, status } = await cli('list');
    expect(status).toBe(0);
    const lines = out.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
    expect(lines).toEqual(
      expect.arrayContaining([
        'cli · AI SDK 7.0.173 · MCP SDK 1.32.2 · MCP SDK 2.4.0 · zod 4.6.7 · 6 tools',
        expect.stringMatching(/boat_ai loose 1 input AI SDK 7\.0\.173$/),
        expect.stringMatching(/berth_ai cannot be listed: Date cannot be represented/),
        expect.stringMatching(/boat loose 1 input MCP SDK 1\.32\.2$/),
        expect.stringMatching(/berth cannot be listed: Date cannot be represented/),
        expect.stringMatching(/boat_v2 loose 1 input MCP SDK 2\.4\.0$/),
        '6 tools',
      ]),
    );
    const anywhere = lines.filter((line) => line.includes('anywhere'));
    expect(anywhere.map((line) => line.replace(/^.*input /, '')).sort()).toEqual([
      'AI SDK 7.0.173',
      'MCP SDK 1.32.2',
      'MCP SDK 2.4.0',
    ]);
  });

  test('advertise prints the schema of the surface that is asked for', async () => {
    const [v1, v2, ai] = [
      await advertised('anywhere', '--surface', 'mcp-v1'),
      await advertised('anywhere', '--surface', 'mcp-v2'),
      await advertised('anywhere', '--surface', 'ai-sdk'),
    ] as JsonObject[];
    const common = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: {},
    };
    expect(v1).toEqual({ $schema: 'http://json-schema.org/draft-07/schema#', ...common });
    expect(v2).toEqual({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...common });
    expect(ai).toEqual({ $schema: 'http://json-schema.org/draft-07/schema#', ...common });
  });

  test('advertise needs no surface where there is one, and says which there are', async () => {
    expect(await advertised('boat_ai')).toMatchObject({ additionalProperties: {} });
    expect(await advertised('boat_v2', '--surface', 'mcp-v2')).toMatchObject({ type: 'object' });
    expect(await cli('advertise', 'anywhere')).toMatchObject({
      status: 2,
      err: 'tool-contracts: anywhere is offered on ai-sdk and mcp-v1 and mcp-v2; choose one with --surface.\n',
    });
    expect(await cli('advertise', 'boat', '--surface', 'ai-sdk')).toMatchObject({
      status: 2,
      err: 'tool-contracts: boat is not offered on ai-sdk; it is on mcp-v1.\n',
    });
    expect(await cli('advertise', 'berth_ai')).toMatchObject({
      status: 2,
      err: 'tool-contracts: berth_ai cannot be listed: Date cannot be represented in JSON Schema\n',
    });
  });
});

/** A package in the workspace's own `node_modules` in place of the one that is installed further up. */
const stub = (name: string, version: string, index: string, exports: Json = './index.mjs'): Changes => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, type: 'module', exports }),
  [`node_modules/${name}/index.mjs`]: index,
});

describe('an SDK that is not as it should be', () => {
  const AI_FILES = { 'schemas.ts': SCHEMA, 'ai.ts': FILES['ai.ts'] };

  test('of a newer major version is driven the same way, and said to be unknown', { timeout: INSTALL_MS }, async () => {
    const real = '../../../../node_modules/ai/dist';
    const root = await sdkWorkspace('ai-7', 'newer', {
      ...AI_FILES,
      ...stub('ai', '8.1.0', `export * from '${real}/index.js';`, { '.': './index.mjs', './test': './test.mjs' }),
      'node_modules/ai/test.mjs': `export * from '${real}/test/index.js';`,
    });
    const { out, err } = await toolContracts(root, 'list', '--format', 'json');
    const { tools } = JSON.parse(out) as { tools: { name: string; surface: Json; listed: boolean }[] };
    expect(tools.find(({ name }) => name === 'boat_ai')).toMatchObject({
      surface: { id: 'ai-sdk', sdk: 'ai', version: '8.1.0' },
      listed: true,
    });
    expect(err).toBe(
      'ai 8.1.0 is newer than what this version was tested with (7); what is said of it may be wrong.\n',
    );
  });

  test('is too old: the schema alone judges, and it is said why', { timeout: INSTALL_MS }, async () => {
    const root = await sdkWorkspace('ai-7', 'older', {
      ...AI_FILES,
      ...stub('ai', '4.3.19', 'export const tool = (it) => it;'),
    });
    const { out, err } = await toolContracts(root, 'list', '--format', 'json');
    const { tools } = JSON.parse(out) as { tools: { name: string; surface: Json }[] };
    expect(tools.map(({ name, surface }) => [name, surface])).toEqual([
      ['boat_ai', { id: 'contract' }],
      ['berth_ai', { id: 'contract' }],
    ]);
    expect(err).toBe('ai 4.3.19 is too old to be driven: 5.0 or newer is needed.\n');
  });

  test('is not installed, twice: one row for the schema alone, and both are said', {
    timeout: INSTALL_MS,
  }, async () => {
    const manifest = {
      name: 'absent',
      type: 'module',
      dependencies: { zod: '*', ai: '*', '@modelcontextprotocol/server': '*' },
    };
    const root = await sdkWorkspace('mcp-v1-1.32', 'absent', {
      'package.json': JSON.stringify(manifest),
      'schemas.ts': SCHEMA,
      'any.ts': FILES['any.ts'],
    });
    const { out, err } = await toolContracts(root, 'list', '--format', 'json');
    const { tools } = JSON.parse(out) as { tools: { name: string; surface: Json }[] };
    expect(tools.map(({ name, surface }) => [name, surface])).toEqual([['anywhere', { id: 'contract' }]]);
    expect(err.split('\n').filter(Boolean).sort()).toEqual([
      '@modelcontextprotocol/server is not installed: run your package manager.',
      'ai is not installed: run your package manager.',
    ]);
  });
});
