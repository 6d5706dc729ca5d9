import type { Json, JsonObject, Outcome } from '../../../../shared/src/model.ts';
import { type DriverSession, type Mounted, toJson } from '../../evaluation/sandbox/driver.ts';
import type { WireOffer } from '../../evaluation/sandbox/messages.ts';
import { messageOf } from '../../evaluation/sandbox/schema.ts';

/** What is used of the AI SDK: exports of `ai` and `ai/test`. */
export interface AiSdk {
  tool(options: object): object;
  generateText(options: object): Promise<{ readonly content: readonly Part[] }>;
  readonly Model: MockModel;
  /** Version of the specification that the model follows: what it answers differs from 3 on. */
  readonly specification: number;
}
export type MockModel = new (options: { doGenerate(call: ProviderCall): Promise<object> }) => object;
interface ProviderCall {
  readonly tools?: readonly { readonly name: string; readonly inputSchema: unknown }[];
}
interface Part {
  readonly type: string;
  readonly error?: unknown;
}

interface Offered {
  readonly name: string;
  /** The name among the tools that are offered together: a stand-in where two have the same. */
  readonly mountedAs: string;
  readonly schema: unknown;
}

/** Tools of one copy of the AI SDK. */
export class AiSession implements DriverSession {
  private readonly offered = new Map<string, Offered>();

  constructor(
    readonly sdk: string,
    readonly version: string,
    private readonly copy: AiSdk,
  ) {}

  async offer(tools: readonly Mounted[]): Promise<readonly WireOffer[]> {
    const failed = this.mount(tools);
    const mounted = tools.flatMap(({ contract }) => this.offered.get(contract) ?? []);
    const sent = await this.send(mounted);
    return Promise.all(
      tools.map(async ({ contract }): Promise<WireOffer> => {
        const none = { contract, advertised: null, outputSchema: null };
        const one = this.offered.get(contract);
        if (!one) return { ...none, mountError: failed.get(contract) ?? 'The tool was not taken.' };
        // One tool that cannot be converted makes the whole call throw: find out which.
        const mine = 'error' in sent ? await this.send([one]) : sent;
        const advertised = 'error' in mine ? mine : asSent(mine.schemas.get(one.mountedAs));
        return 'error' in advertised ? { ...none, listError: advertised.error } : { ...none, ...advertised };
      }),
    );
  }

  async call(contract: string, args: JsonObject): Promise<Outcome> {
    const one = this.offered.get(contract);
    if (!one) return { accepts: false, error: 'The tool is not offered.' };
    let received: { readonly value: Json } | undefined;
    const execute = (input: unknown): string => {
      received = { value: toJson(input) };
      return '';
    };
    const toolCall = { type: 'tool-call', toolCallId: '1', toolName: one.mountedAs, input: JSON.stringify(args) };
    try {
      const { content } = await this.generate([one], async () => toolCall, execute);
      const { value } = (received as { readonly value: Json } | undefined) ?? {};
      if (value !== undefined) return { accepts: true, value };
      return { accepts: false, error: named(errorIn(content), one) };
    } catch (error) {
      return { accepts: false, error: named(messageOf(error), one) };
    }
  }

  release(contracts: readonly string[]): void {
    for (const contract of contracts) this.offered.delete(contract);
  }

  /** @returns messages of the tools that could not be made, by contract */
  private mount(tools: readonly Mounted[]): Map<string, string> {
    const failed = new Map<string, string>();
    const names = new Set<string>();
    this.release(tools.map(({ contract }) => contract));
    for (const { contract, name, schema } of tools) {
      let mountedAs = name;
      for (let count = 2; names.has(mountedAs); count++) mountedAs = `${name}__${count}`;
      try {
        this.copy.tool({ inputSchema: schema });
        names.add(mountedAs);
        this.offered.set(contract, { name, mountedAs, schema });
      } catch (error) {
        failed.set(contract, messageOf(error));
      }
    }
    return failed;
  }

  /** What a provider is sent as the tools' schemas, by the name that they are mounted as. */
  private async send(
    tools: readonly Offered[],
  ): Promise<{ readonly schemas: ReadonlyMap<string, unknown> } | { readonly error: string }> {
    const schemas = new Map<string, unknown>();
    if (tools.length === 0) return { schemas };
    const answer = async (call: ProviderCall): Promise<object> => {
      for (const { name, inputSchema } of call.tools ?? []) schemas.set(name, inputSchema);
      return { type: 'text', text: '' };
    };
    try {
      await this.generate(tools, answer, () => '');
      return { schemas };
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  private generate(
    tools: readonly Offered[],
    answer: (call: ProviderCall) => Promise<object>,
    execute: (input: unknown) => string,
  ): Promise<{ readonly content: readonly Part[] }> {
    const { copy } = this;
    const made = tools.map(({ mountedAs, schema }) => [mountedAs, copy.tool({ inputSchema: schema, execute })]);
    const model = new copy.Model({
      doGenerate: async (call) => ({ content: [await answer(call)], warnings: [], ...statement(copy.specification) }),
    });
    return copy.generateText({ model, tools: Object.fromEntries(made), prompt: 'call', maxRetries: 0 });
  }
}

/** The parts of a model's answer that say nothing, in the form of its specification. */
function statement(specification: number): object {
  if (specification < 3) return { finishReason: 'stop', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  return { finishReason: { unified: 'stop', raw: 'stop' }, usage };
}

/** A schema as a provider writes it down. */
function asSent(schema: unknown): { readonly advertised: Json } | { readonly error: string } {
  if (schema === undefined) return { error: 'The provider gets no schema.' };
  try {
    return { advertised: JSON.parse(JSON.stringify(schema)) as Json };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function errorIn(content: readonly Part[]): string {
  const error = content.find(({ type }) => type === 'tool-error')?.error ?? content.find((part) => part.error)?.error;
  return error === undefined ? 'The call was rejected without a text.' : messageOf(error);
}

function named(text: string, { name, mountedAs }: Offered): string {
  return text.replaceAll(mountedAs, name);
}
