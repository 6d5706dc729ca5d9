import { SDKS } from '../sdks.ts';
import type { McpSdk } from './mcpServer.ts';
import { mcpDriver } from './mcpSession.ts';

/** MCP SDK v2: everything is in one package, also what its client holds a list against. */
export const mcpV2 = mcpDriver('mcp-v2', async (host, from) => {
  const { McpServer, InMemoryTransport, specTypeSchemas } = await host.load(SDKS['mcp-v2'].package, from);
  const { ListToolsResult } = (specTypeSchemas ?? {}) as { ListToolsResult?: unknown };
  return { McpServer, InMemoryTransport, ListToolsResult } as McpSdk;
});
