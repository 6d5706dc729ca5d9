import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../shared/src/model.ts';
import { Evaluated, PROJECT } from '../helpers/evaluate.ts';

/** What a client says it can do, so that a server lists the tools that need it too. */
const CAPABILITIES = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

/** What the running server answers to `tools/list`, as a user starts it. */
async function listed(server: string, args: readonly string[]): Promise<Tool[]> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(PROJECT, 'node_modules/@modelcontextprotocol', server, 'dist/index.js'), ...args],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: CAPABILITIES });
  const tools: Tool[] = [];
  try {
    await client.connect(transport);
    let cursor: string | undefined;
    do {
      const page = await client.listTools({ ...(cursor !== undefined && { cursor }) });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  } finally {
    await client.close();
  }
  return tools;
}

/** The same value with every object's keys in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tool-contracts-served-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['server-everything', ['stdio'], 19],
  ['server-filesystem', [folder], 14],
  ['server-memory', [], 9],
] as const)('%s', (server, args, count) => {
  let tools: Tool[] = [];
  let evaluated: Evaluated;

  beforeAll(async () => {
    evaluated = new Evaluated(join(PROJECT, 'node_modules/@modelcontextprotocol', server), {
      include: ['dist/**/*.js'],
      exclude: ['**/__tests__/**', '**/*.test.js'],
    });
    [tools] = await Promise.all([listed(server, args), evaluated.update()]);
  });
  afterAll(() => evaluated.dispose());

  test('every tool that the running server lists is evaluated, and no other', () => {
    expect(evaluated.result.unevaluated).toEqual([]);
    expect(evaluated.names()).toEqual(tools.map(({ name }) => name).sort());
    expect(tools.length).toBeGreaterThanOrEqual(count);
  });

  test('each has the input and output schema that the running server lists', () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      const offers = evaluated.offers(name);
      expect(offers.map(({ surface }) => surface.id)).toEqual(['mcp-v1']);
      const [offer] = offers;
      expect(offer?.mountError ?? offer?.listError, name).toBeUndefined();
      expect(sorted(offer?.advertised as Json), name).toEqual(sorted(inputSchema));
      expect(sorted(offer?.outputSchema ?? undefined), name).toEqual(sorted(outputSchema));
    }
  });
});
