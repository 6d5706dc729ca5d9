import type { JsonObject, Outcome } from '../../../../shared/src/model.ts';
import type { Driver, DriverHost, DriverSession, Mounted } from '../../evaluation/sandbox/driver.ts';
import type { WireOffer } from '../../evaluation/sandbox/messages.ts';
import { SDKS, type SdkSurface } from '../sdks.ts';
import { type McpSdk, McpServer } from './mcpServer.ts';
import { sdkDriver } from './sdkDriver.ts';

/**
 * A driver of an MCP SDK: the workspace's own `McpServer`, spoken to in raw JSON-RPC over its in-memory transport.
 *
 * @param load imports what is used of the SDK
 */
export function mcpDriver(id: SdkSurface, load: (host: DriverHost, from: string) => Promise<McpSdk>): Driver {
  return sdkDriver(id, {
    load,
    identity: (sdk) => sdk.McpServer,
    session: (sdk, version) => new McpSession(SDKS[id].package, version, sdk),
  });
}

class McpSession implements DriverSession {
  private readonly offered = new Map<string, McpServer>();
  /** Calls go one after another, so that what a handler received belongs to the call that is under way. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly sdk: string,
    readonly version: string,
    private readonly copy: McpSdk,
  ) {}

  async offer(tools: readonly Mounted[]): Promise<readonly WireOffer[]> {
    this.release(tools.map((tool) => tool.contract));
    const server = new McpServer(this.copy);
    const offers = await server.offer(tools);
    for (const offer of offers) if (offer.mountError === undefined) this.offered.set(offer.contract, server);
    return offers;
  }

  call(contract: string, args: JsonObject): Promise<Outcome> {
    const server = this.offered.get(contract);
    if (!server) return Promise.resolve({ accepts: false, error: 'The tool is not offered.' });
    const answer = this.last.then(() => server.call(contract, args));
    this.last = answer;
    return answer;
  }

  release(contracts: readonly string[]): void {
    for (const contract of contracts) {
      this.offered.get(contract)?.remove(contract);
      this.offered.delete(contract);
    }
  }
}
