import type { Json, JsonObject, Outcome } from '../../../../shared/src/model.ts';
import { type Mounted, toJson } from '../../evaluation/sandbox/driver.ts';
import type { WireOffer } from '../../evaluation/sandbox/messages.ts';
import { messageOf } from '../../evaluation/sandbox/schema.ts';

/** What is used of an MCP SDK for TypeScript. Both versions have it, in other packages. */
export interface McpSdk {
  readonly McpServer: new (info: { name: string; version: string }) => SdkServer;
  readonly InMemoryTransport: { createLinkedPair(): [Transport, Transport] };
  /** What the SDK's own client holds a list against, where a version exports it. */
  readonly ListToolsResult?: {
    safeParse(value: unknown): { success: true } | { success: false; error: { issues: readonly SdkIssue[] } };
  };
}
interface SdkIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
interface SdkServer {
  registerTool(name: string, config: object, handler: Handler): SdkTool;
  /** Version 1 only. */
  tool?(name: string, description: string, schema: unknown, handler: Handler): SdkTool;
  connect(transport: Transport): Promise<void>;
}
type Handler = (first?: unknown) => unknown;
interface SdkTool {
  /** Undefined: the SDK has taken the tool for one without inputs. */
  readonly inputSchema?: unknown;
  enabled: boolean;
  remove(): void;
}
interface Transport {
  onmessage?: (message: Response) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
}
interface Response {
  readonly id?: number;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}
interface Registered {
  readonly contract: string;
  readonly name: string;
  /** The name on this server: a stand-in where two tools have the same. */
  readonly mountedAs: string;
  readonly tool: SdkTool;
}
/** Without one, `tool` would take what follows the name for it. */
const DESCRIPTION = 'tool';

type Listed = { readonly tools: readonly JsonObject[] } | { readonly error: string };

/** One server of the SDK with tools on it, and a client that speaks raw JSON-RPC to it. */
export class McpServer {
  private readonly server: SdkServer;
  private readonly registered = new Map<string, Registered>();
  private readonly names = new Set<string>();
  private readonly pending = new Map<number, (response: Response) => void>();
  private client: Transport | undefined;
  private lastId = 0;
  /** What the handler received during the call under way. */
  private received: { readonly value: Json } | undefined;

  constructor(private readonly sdk: McpSdk) {
    this.server = new sdk.McpServer({ name: 'tool-contracts', version: '1.0.0' });
  }

  /** Mounts tools and lists them. To be called once. */
  async offer(tools: readonly Mounted[]): Promise<WireOffer[]> {
    const failed = new Map<string, string>();
    for (const tool of tools) {
      try {
        this.register(tool);
      } catch (error) {
        failed.set(tool.contract, messageOf(error));
      }
    }
    if (this.registered.size > 0) await this.connect();
    const listed = await this.listEach();
    return tools.map(({ contract }): WireOffer => {
      const mountError = failed.get(contract);
      if (mountError !== undefined) return { contract, advertised: null, outputSchema: null, mountError };
      return (
        listed.get(contract) ?? { contract, advertised: null, outputSchema: null, listError: 'The tool is not listed.' }
      );
    });
  }

  /** Calls a tool; a second call may only start when the first has been answered. */
  async call(contract: string, args: JsonObject): Promise<Outcome> {
    const registered = this.registered.get(contract);
    if (!registered) return { accepts: false, error: 'The tool is not offered.' };
    this.received = undefined;
    const { result, error } = await this.request('tools/call', { name: registered.mountedAs, arguments: args });
    const received = this.received as { readonly value: Json } | undefined;
    if (received) return { accepts: true, value: received.value };
    const text = error?.message ?? textOf(result);
    return { accepts: false, error: text.replaceAll(registered.mountedAs, registered.name) };
  }

  /** Takes a tool off the server, so that its schema can be collected. */
  remove(contract: string): void {
    this.registered.get(contract)?.tool.remove();
    this.registered.delete(contract);
  }

  private register({ contract, name, schema, output, isPositional }: Mounted): void {
    let mountedAs = name;
    for (let count = 2; this.names.has(mountedAs); count++) mountedAs = `${name}__${count}`;
    let takesInput = schema !== undefined;
    const handler = (first?: unknown): unknown => {
      // A tool without input gets only the request's context.
      this.received = { value: takesInput ? toJson(first) : {} };
      return { content: [] };
    };
    const config = {
      ...(schema !== undefined && { inputSchema: schema }),
      ...(output !== undefined && { outputSchema: output }),
    };
    const tool =
      isPositional && takesInput && this.server.tool
        ? this.server.tool(mountedAs, DESCRIPTION, schema, handler)
        : this.server.registerTool(mountedAs, config, handler);
    if (isPositional) takesInput = tool.inputSchema !== undefined;
    this.names.add(mountedAs);
    this.registered.set(contract, { contract, name, mountedAs, tool });
  }

  private async connect(): Promise<void> {
    const [client, server] = this.sdk.InMemoryTransport.createLinkedPair();
    client.onmessage = (message) => {
      if (message.id === undefined) return;
      this.pending.get(message.id)?.(message);
      this.pending.delete(message.id);
    };
    this.client = client;
    await this.server.connect(server);
    await client.start();
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'tool-contracts', version: '1.0.0' },
    });
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  private request(method: string, params: JsonObject): Promise<Response> {
    const id = ++this.lastId;
    const response = new Promise<Response>((resolve) => this.pending.set(id, resolve));
    this.client?.send({ jsonrpc: '2.0', id, method, params });
    return response;
  }

  /** Lists all tools at once; when the list fails, each alone, since one tool takes the whole list down. */
  private async listEach(): Promise<Map<string, WireOffer>> {
    const all = [...this.registered.values()];
    const offers = new Map<string, WireOffer>();
    if (all.length === 0) return offers;
    const whole = await this.list();
    if ('tools' in whole) {
      const byName = new Map(whole.tools.map((tool) => [tool.name, tool]));
      const accepted = this.clientError(whole.tools) === undefined;
      for (const one of all) offers.set(one.contract, this.offerOf(one, byName.get(one.mountedAs), accepted));
      return offers;
    }
    for (const one of all) one.tool.enabled = false;
    for (const one of all) {
      one.tool.enabled = true;
      const alone = await this.list();
      one.tool.enabled = false;
      const failure = { contract: one.contract, advertised: null, outputSchema: null };
      offers.set(
        one.contract,
        'tools' in alone ? this.offerOf(one, alone.tools[0], false) : { ...failure, listError: alone.error },
      );
    }
    for (const one of all) one.tool.enabled = true;
    return offers;
  }

  private async list(): Promise<Listed> {
    const { result, error } = await this.request('tools/list', {});
    if (error) return { error: error.message };
    try {
      // The in-memory transport hands over the object itself; a real one writes it down.
      return JSON.parse(JSON.stringify(result)) as { tools: JsonObject[] };
    } catch (failure) {
      return { error: messageOf(failure) };
    }
  }

  private offerOf(one: Registered, tool: JsonObject | undefined, accepted: boolean): WireOffer {
    const offer = {
      contract: one.contract,
      advertised: tool?.inputSchema ?? null,
      outputSchema: tool?.outputSchema ?? null,
    };
    if (!tool) return { ...offer, listError: 'The tool is not listed.' };
    const rejected = accepted ? undefined : this.clientError([tool]);
    return rejected === undefined ? offer : { ...offer, listError: rejected };
  }

  /** Why the SDK's own client refuses a list that the server sends. */
  private clientError(tools: readonly JsonObject[]): string | undefined {
    const read = this.sdk.ListToolsResult?.safeParse({ tools });
    if (!read || read.success) return undefined;
    const issue = read.error.issues[0];
    return `The SDK's client rejects the list: ${issue?.path.slice(2).map(String).join('.')}: ${issue?.message}`;
  }
}

function textOf(result: JsonObject | undefined): string {
  const content = result?.content;
  const first = Array.isArray(content) ? content[0] : undefined;
  const text = first && typeof first === 'object' && !Array.isArray(first) ? first.text : undefined;
  return typeof text === 'string' ? text : 'The server rejected the call without a text.';
}
