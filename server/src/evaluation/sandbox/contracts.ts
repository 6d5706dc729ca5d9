import { describe, isRawShape, isSchema, type KnownObjects, type ObjectTable, type Recorder } from './describe.ts';
import type { Externals } from './externals.ts';
import type { Job, WireContract } from './messages.ts';
import type { Provenance } from './provenance.ts';
import { wrapShape } from './workspaceZod.ts';

/** A tool as its thunk answers it. */
export interface Row {
  readonly name: unknown;
  readonly schema: unknown;
  readonly output: unknown;
  readonly site: readonly [start: number, end: number] | undefined;
  readonly unchosen?: true;
}

/** Where a contract is added. */
export interface AddInto extends Pick<Job, 'file' | 'isHeld'> {
  readonly table: ObjectTable;
}

/** What the sandbox keeps of a contract. */
export interface Kept {
  /** The registering file: its zod counts. */
  readonly file: string;
  /** The value that the author registers. */
  readonly registered: unknown;
  readonly output: unknown;
  /** Schema objects by node id. */
  readonly objects: readonly object[];
}

/** The contracts that were evaluated, with the schema objects that the server addresses by id. */
export class Contracts {
  private readonly kept = new Map<string, Kept>();
  private known: KnownObjects = new WeakMap();

  constructor(
    private readonly provenance: Provenance,
    private readonly externals: Externals,
  ) {}

  /** @throws when it is unknown: it was released, or the process is a new one */
  get(id: string): Kept {
    const kept = this.kept.get(id);
    if (!kept) throw new Error(`no contract ${id}`);
    return kept;
  }

  /** The schema object of a node. @throws when there is none */
  node(id: string, node: number): object {
    const object = this.get(id).objects[node];
    if (!object) throw new Error(`no node ${node} in ${id}`);
    return object;
  }

  release(ids: readonly string[]): void {
    for (const id of ids) this.kept.delete(id);
  }

  /** A schema is given another description. What was made of it has it too, so that all are read again. */
  described(schema: object): void {
    // Nearly always it was only just made.
    if (this.provenance.origin(schema) !== undefined || this.known.has(schema)) this.known = new WeakMap();
  }

  /**
   * Describes an evaluated row and keeps its objects.
   *
   * @param into.table takes the objects of its graphs
   */
  async add(id: string, row: Row, { file, table, isHeld }: AddInto): Promise<WireContract> {
    const root = await this.rootOf(row.schema, file);
    const { known, provenance } = this;
    const described = root.schema ? describe(root.schema, this.recorderFor(root.schema, row.schema), known) : null;
    const kept = { file, registered: row.schema, output: row.output, objects: described?.objects ?? [] };
    const unchanged = isHeld === true && this.isUnchanged(this.kept.get(id), kept);
    const output = !unchanged && isSchema(row.output) ? describe(row.output, provenance, known) : null;
    if (!unchanged) this.kept.set(id, kept);
    return {
      id,
      name: typeof row.name === 'string' ? row.name : null,
      form: root.form,
      graph: unchanged ? null : described && table.graph(described),
      output: output && table.graph(output),
      ...(unchanged && { unchanged }),
      ...(row.site && { callSite: row.site }),
      ...(row.unchosen && { unchosen: true as const }),
      ...(root.otherForm && { otherForm: root.otherForm }),
    };
  }

  /**
   * Whether a contract is, object by object, what it was, and nothing of it was made by a module that has changed since:
   * then SDKs make of it what they did.
   */
  private isUnchanged(before: Kept | undefined, now: Kept): boolean {
    if (!before || before.registered !== now.registered || before.output !== now.output) return false;
    if (before.file !== now.file || before.objects.length !== now.objects.length) return false;
    // The wrapper of a raw shape is made here, each time.
    const own = isSchema(now.registered) ? 0 : 1;
    return now.objects.every(
      (object, id) => id < own || (object === before.objects[id] && !this.provenance.isRetired(object)),
    );
  }

  private async rootOf(
    value: unknown,
    file: string,
  ): Promise<{ form: WireContract['form']; schema?: object; otherForm?: string }> {
    if (value === undefined || value === null) return { form: 'none' };
    if (isSchema(value)) return { form: 'schema', schema: value };
    if (!isRawShape(value)) return { form: 'other', otherForm: kindOf(value) };
    return { form: 'raw-shape', schema: await wrapShape(value, file, this.externals.load) };
  }

  /** A raw shape's wrapper is made here, so what flowed into the shape has to be said of it. */
  private recorderFor(root: object, registered: unknown): Recorder {
    const { provenance } = this;
    if (root === registered || typeof registered !== 'object' || registered === null) return provenance;
    const flows = provenance.flowsInto(registered);
    return {
      uid: (schema) => provenance.uid(schema),
      origin: (schema) => provenance.origin(schema),
      from: (schema) => provenance.from(schema),
      flows: (schema) => (schema === root ? flows : provenance.flows(schema)),
    };
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const standard = (value as { '~standard'?: { vendor?: unknown } })['~standard'];
  if (standard && typeof standard.vendor === 'string') return `a ${standard.vendor} schema`;
  if ('type' in value || 'properties' in value || '$ref' in value || 'jsonSchema' in value) return 'a JSON Schema';
  return 'an object';
}
