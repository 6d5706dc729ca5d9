import { SDKS } from '../sdks.ts';
import type { McpSdk } from './mcpServer.ts';
import { mcpDriver } from './mcpSession.ts';

const SDK = SDKS['mcp-v1'].package;

/** MCP SDK v1, 1.12 to 1.32: `server/mcp.js`, `inMemory.js` and `types.js`. */
export const mcpV1 = mcpDriver('mcp-v1', async (host, from) => {
  const [server, transport, types] = await Promise.all(
    ['server/mcp.js', 'inMemory.js', 'types.js'].map((entry) => host.load(`${SDK}/${entry}`, from)),
  );
  return { ...server, ...transport, ListToolsResult: types?.ListToolsResultSchema } as unknown as McpSdk;
});
