import { describe, expect, test } from 'vitest';
import { INSTALL_MS, type SdkName } from '../helpers/sdk.ts';
import { Facts, saysSdk, V1 } from './facts.ts';

/** `server.tool(name, description, schema, handler)` takes shapes; what it makes of a schema differs from version to version. */
const TOOLS = `${V1}
import { z } from 'zod';
const server = new McpServer({ name: 'facts', version: '1.0.0' });
const done = async () => ({ content: [] });
server.tool('shape', 'D', { a: z.string() }, done);
server.tool('whole', 'D', z.object({ a: z.string() }).strict(), done);
server.tool('bare', done);
`;

/** What the SDK itself lists of the schema, or why it refuses it. */
const SCRIPT = `${V1}
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { z } from 'zod';
const server = new McpServer({ name: 'facts', version: '1.0.0' });
let said;
try {
  const has = async (first) => ({ content: [{ type: 'text', text: String('a' in (first ?? {})) }] });
  server.tool('whole', 'D', z.object({ a: z.string() }).strict(), has);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'c', version: '1.0.0' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const [{ inputSchema }] = (await client.listTools()).tools;
  const { content } = await client.callTool({ name: 'whole', arguments: { a: 'x' } });
  said = { inputSchema, receives: content[0].text === 'true' };
} catch (error) {
  said = { refuses: error.message };
}
console.log(JSON.stringify(said));
`;

const SDKS: readonly SdkName[] = ['mcp-v1-1.20', 'mcp-v1-1.23', 'mcp-v1-1.29', 'mcp-v1-1.32'];

describe.each(SDKS)('%s', (sdk) => {
  test('a schema that is handed to `server.tool` is what the SDK makes of it', { timeout: INSTALL_MS }, async () => {
    const [facts, said] = await Promise.all([
      Facts.of(sdk, { 'tools.ts': TOOLS }),
      saysSdk(sdk, 'positional', SCRIPT) as Promise<{ inputSchema?: object; receives?: boolean; refuses?: string }>,
    ]);
    try {
      const { advertised, mountError } = facts.offer('whole');
      expect(mountError).toBe(said.refuses);
      expect(advertised).toEqual(said.inputSchema ?? null);
      if (said.refuses === undefined) {
        const value = said.receives ? { a: 'x' } : {};
        expect(await facts.call('whole', { a: 'x' })).toEqual({ accepts: true, value });
      }
      expect(facts.advertised('shape')).toMatchObject({ properties: { a: { type: 'string' } }, required: ['a'] });
      expect(await facts.call('shape', { a: 'x' })).toEqual({ accepts: true, value: { a: 'x' } });
      expect(await facts.call('bare', {})).toEqual({ accepts: true, value: {} });
    } finally {
      facts.dispose();
    }
  });
});
