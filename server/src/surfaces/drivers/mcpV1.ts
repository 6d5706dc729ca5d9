import type { JsonObject, Outcome } from '../../../../shared/src/model.ts';
import {
  type Driver,
  type DriverHost,
  type DriverSession,
  type Mounted,
  NotInstalled,
} from '../../evaluation/sandbox/driver.ts';
import type { WireOffer } from '../../evaluation/sandbox/messages.ts';
import { messageOf } from '../../evaluation/sandbox/schema.ts';
import { SDK, supports } from '../mcpV1.ts';
import { type McpV1Sdk, McpV1Server } from './mcpV1Server.ts';

/** Sessions by the SDK's server class, which tells two installed copies apart. */
const sessions = new WeakMap<object, McpV1Session>();

/** MCP SDK v1: the workspace's own `McpServer`, spoken to in raw JSON-RPC over its in-memory transport. */
export const mcpV1: Driver = {
  id: 'mcp-v1',
  async open(host, from) {
    const version = host.version(SDK, from);
    if (version === undefined) throw new NotInstalled(`${SDK} is not installed: run your package manager.`);
    if (!supports(version)) {
      throw new NotInstalled(`${SDK} ${version} is too old to be driven: 1.12 or newer is needed.`);
    }
    const sdk = await load(host, from);
    let session = sessions.get(sdk.McpServer);
    if (!session) {
      session = new McpV1Session(sdk, version);
      sessions.set(sdk.McpServer, session);
    }
    return session;
  },
};

async function load(host: DriverHost, from: string): Promise<McpV1Sdk> {
  try {
    const [server, transport, types] = await Promise.all(
      ['server/mcp.js', 'inMemory.js', 'types.js'].map((entry) => host.load(`${SDK}/${entry}`, from)),
    );
    return { ...server, ...transport, ...types } as unknown as McpV1Sdk;
  } catch (error) {
    throw new NotInstalled(`${SDK} cannot be loaded: ${messageOf(error)}`);
  }
}

class McpV1Session implements DriverSession {
  readonly sdk = SDK;
  private readonly offered = new Map<string, McpV1Server>();
  /** Calls go one after another, so that what a handler received belongs to the call that is under way. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly copy: McpV1Sdk,
    readonly version: string,
  ) {}

  async offer(tools: readonly Mounted[]): Promise<readonly WireOffer[]> {
    this.release(tools.map((tool) => tool.contract));
    const server = new McpV1Server(this.copy);
    const offers = await server.offer(tools);
    for (const { contract } of offers) this.offered.set(contract, server);
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
