import type { Json, JsonObject, Outcome } from '../../../../shared/src/model.ts';
import type { Driver, DriverHost, DriverSession, Mounted } from '../../evaluation/sandbox/driver.ts';
import { inputJsonSchema } from '../../evaluation/sandbox/jsonSchema.ts';
import type { WireOffer } from '../../evaluation/sandbox/messages.ts';
import { parse } from '../../evaluation/sandbox/parse.ts';
import { isRawShape, isSchema, messageOf } from '../../evaluation/sandbox/schema.ts';
import { wrapShape } from '../../evaluation/sandbox/workspaceZod.ts';

/** What a tool without input advertises, as MCP asks for. */
const NO_INPUT: Json = { type: 'object', properties: {} };

/** The pseudo-surface for tools without an SDK: the schema's own zod converts and parses. */
export const contract: Driver = {
  id: 'contract',
  open: async (host, from) => new ContractSession(host, from),
};

class ContractSession implements DriverSession {
  /** Null: the tool takes no input, so every call passes without arguments. */
  private readonly offered = new Map<string, object | null>();

  constructor(
    private readonly host: DriverHost,
    private readonly from: string,
  ) {}

  offer(tools: readonly Mounted[]): Promise<readonly WireOffer[]> {
    return Promise.all(tools.map((tool) => this.offerOne(tool)));
  }

  private async offerOne(tool: Mounted): Promise<WireOffer> {
    const outputSchema = tool.output === undefined ? null : await this.convert(tool.output).catch(() => null);
    const offer = { contract: tool.contract, advertised: null, outputSchema };
    this.offered.delete(tool.contract);
    try {
      const schema = tool.schema === undefined ? null : await this.schemaOf(tool.schema);
      this.offered.set(tool.contract, schema);
      return { ...offer, advertised: schema ? await this.convert(schema) : NO_INPUT };
    } catch (error) {
      const problem = messageOf(error);
      return this.offered.has(tool.contract) ? { ...offer, listError: problem } : { ...offer, mountError: problem };
    }
  }

  private async schemaOf(value: unknown): Promise<object> {
    if (isSchema(value)) return value;
    if (isRawShape(value)) return wrapShape(value, this.from, this.host.load);
    throw new Error('The input schema is neither a Zod schema nor a record of Zod schemas.');
  }

  private async convert(value: unknown): Promise<Json> {
    const converted = await inputJsonSchema(await this.schemaOf(value), this.from, this.host.load);
    if ('error' in converted) throw new Error(converted.error);
    return converted.schema;
  }

  async call(id: string, args: JsonObject): Promise<Outcome> {
    const schema = this.offered.get(id);
    if (schema === undefined) return { accepts: false, error: 'The tool is not offered.' };
    return schema === null ? { accepts: true, value: {} } : parse(schema, args);
  }

  release(contracts: readonly string[]): void {
    for (const id of contracts) this.offered.delete(id);
  }
}
