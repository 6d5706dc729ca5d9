import { type Calls, type Flow, Flows } from './flows.ts';
import { SITES } from './messages.ts';
import { destructured } from './openedView.ts';
import { kindOf } from './read.ts';
import { isRawShape, isSchema } from './schema.ts';

interface SchemaRecord {
  readonly origin: number;
  readonly from: object | undefined;
  readonly flows: readonly Flow[] | undefined;
  /** How many schemas were recorded before. */
  readonly age: number;
}

/** A whole shape in a destructuring: site, id of the rest that is taken of it or -1, keys that lead to it. */
type Opened = readonly [site: number, rest: number, path: readonly string[]];

/** Names of the fields that are taken out of a shape, as far as the text says them; 0: the whole shape flows on. */
type Taken = 0 | readonly string[];

/** How far back a field is followed to the one it was made from. */
const MAX_STEPS = 12;

/**
 * Records which expression produced which schema object, what it was called on, and which shapes flowed into it. The
 * first producer of an object is its definition; later sightings say nothing of it.
 */
export class Provenance {
  private readonly records = new WeakMap<object, SchemaRecord>();
  private readonly uids = new WeakMap<object, number>();
  private nextUid = 1;
  private recorded = 0;
  /** What the modules of these numbers made before has been given up. */
  private readonly retired = new Map<number, number>();
  private retiredAll = 0;
  /** Stacks by site, for recursion: pushed when a receiver is evaluated, popped when its call returns. */
  private readonly receivers = new Map<number, unknown[]>();
  private readonly shapes = new Flows();
  private readonly data = new WeakMap<object, number>();
  /** The objects that definitions are of: `S.def` and `S._def` have the shape of `S`. */
  private readonly owners = new WeakMap<object, object>();

  /** The recorders that instrumented code calls, by the names of evaluation/recorders.ts. */
  readonly recorders = {
    at: (site: number, value: unknown): unknown => {
      const receiver = this.receivers.get(site)?.pop();
      if (isSchema(value)) {
        this.record(site, value, receiver);
        return value;
      }
      // The definition of a zod 3 object answers its shape: `S._def.shape()`.
      const owner = typeof receiver === 'object' && receiver !== null ? this.owners.get(receiver) : undefined;
      if (owner && isRawShape(value)) return this.shapes.read(site, 0, owner, value);
      this.shapes.endWithValue(site, value, receiver, (carrier, flow) => this.carries(carrier, flow));
      return value;
    },
    on: (site: number, receiver: unknown): unknown => {
      const stack = this.receivers.get(site);
      if (stack) stack.push(receiver);
      else this.receivers.set(site, [receiver]);
      return receiver;
    },
    shape: (site: number, calls: Calls, taken: Taken, owner: { shape: unknown }): unknown => {
      const { shape } = owner;
      const schema = this.ownerOf(owner);
      if (!schema || !isRecord(shape)) return shape;
      if (taken === 0) return this.shapes.read(site, calls, schema, shape);
      for (const name of taken) if (Object.hasOwn(shape, name)) this.shapes.borrow(schema, shape[name]);
      return shape;
    },
    shapeOf: (site: number, calls: Calls, taken: Taken, owner: { shape: unknown } | null | undefined): unknown =>
      owner === null || owner === undefined ? undefined : this.recorders.shape(site, calls, taken, owner),
    open: (places: readonly Opened[], value: unknown): unknown =>
      places.reduce((seen, [site, rest, path]) => {
        return destructured(seen, path, (holder, shape) => {
          const owner = this.ownerOf(holder);
          if (!owner || !isRecord(shape)) return undefined;
          const copy = this.shapes.read(site, 0, owner, shape);
          if (rest >= 0) this.shapes.whole(rest, copy);
          return copy;
        });
      }, value),
    argument: (call: number, value: unknown): unknown => {
      this.shapes.give(call, value);
      return value;
    },
    hand: (call: number, outer: Calls, value: unknown): unknown => {
      this.shapes.hand(call, outer, value);
      return value;
    },
    spread: (literal: number, value: unknown): unknown => {
      this.shapes.spread(literal, value);
      return value;
    },
    literal: (literal: number, value: object): unknown => {
      this.shapes.literal(literal, value);
      return value;
    },
    whole: (id: number, value: unknown): unknown => {
      this.shapes.whole(id, value);
      return value;
    },
    rest: (id: number, rest: object): unknown => {
      this.shapes.rest(id, rest);
      return rest;
    },
    each: (loop: number, value: unknown): unknown => {
      this.shapes.each(loop, value);
      return value;
    },
    put: (rounds: readonly number[], target: unknown, value: unknown): unknown => {
      if (isRecord(target) && !isSchema(target) && isSchema(value)) {
        const receivers = rounds.map((site) => this.receivers.get(site)?.at(-1));
        this.shapes.put(rounds, receivers, target, (flow) => this.shares([value], flow));
      }
      return value;
    },
    data: (site: number, value: object): unknown => {
      this.data.set(value, site);
      return value;
    },
  } as const;

  /** Forgets half-finished recordings, before an evaluation. */
  begin(): void {
    this.receivers.clear();
    this.shapes.clear();
  }

  /** What a module made is made anew from now on; without a number, what all modules made. */
  retire(module?: number): void {
    if (module === undefined) this.retiredAll = this.recorded;
    else this.retired.set(module, this.recorded);
  }

  /** Whether a schema was made by code that makes it anew: of a retired module, or by the call that is running now. */
  isSuperseded(schema: object, now: object): boolean {
    const record = this.records.get(schema);
    if (!record) return false;
    return schema === now || this.isRetired(schema) || (this.receivers.get(record.origin)?.length ?? 0) > 0;
  }

  /** Whether the module that made a schema makes it anew. */
  isRetired(schema: object): boolean {
    const record = this.records.get(schema);
    if (!record) return false;
    return record.age < Math.max(this.retired.get(Math.floor(record.origin / SITES)) ?? 0, this.retiredAll);
  }

  /** Identity of an object, stable while it lives. */
  uid(value: object): number {
    let uid = this.uids.get(value);
    if (uid === undefined) {
      uid = this.nextUid++;
      this.uids.set(value, uid);
    }
    return uid;
  }

  /** Site of the literal that an object of plain data was written as. */
  dataSite(value: object): number | undefined {
    return this.data.get(value);
  }

  origin(schema: object): number | undefined {
    return this.records.get(schema)?.origin;
  }

  from(schema: object): object | undefined {
    return this.records.get(schema)?.from;
  }

  flows(schema: object): readonly Flow[] | undefined {
    return this.records.get(schema)?.flows;
  }

  /** Flows into a record of schemas (a raw shape): the objects whose shape it is or was made from. */
  flowsInto(shape: object): readonly Flow[] {
    return this.shapes.of(shape) ?? [];
  }

  private record(site: number, schema: object, receiver: unknown): void {
    const { given, handed } = this.shapes.endWithSchema(site);
    if (this.records.has(schema)) return;
    const definition = definitionOf(schema);
    if (definition && !this.owners.has(definition)) this.owners.set(definition, schema);
    const from = isSchema(receiver) && receiver !== schema ? receiver : undefined;
    const flows = given ?? (handed && this.sharedBy(schema, handed));
    this.records.set(schema, { origin: site, from, flows, age: this.recorded++ });
  }

  /** What flowed into a function that is not of the workspace's own, when it made an object of it. */
  private sharedBy(schema: object, flows: readonly Flow[]): readonly Flow[] | undefined {
    if (kindOf(schema) !== 'object') return undefined;
    const { shape } = schema as { shape?: unknown };
    return isRecord(shape) ? flows.filter((flow) => this.shares(shape, flow)) : undefined;
  }

  /** The object whose shape a schema, or its definition, has. */
  private ownerOf(holder: unknown): object | undefined {
    if (isSchema(holder)) return holder;
    return typeof holder === 'object' && holder !== null ? this.owners.get(holder) : undefined;
  }

  /** Whether a record of fields, or a list of fields, of entries or of keys, has something of an object's shape. */
  private carries(carrier: object, flow: Flow): boolean {
    if (!Array.isArray(carrier)) return this.shares(carrier, flow);
    const values = carrier.map((each: unknown) => (Array.isArray(each) ? each[1] : each));
    if (values.some((value) => typeof value === 'string')) {
      const { shape } = flow.owner as { shape?: unknown };
      return isRecord(shape) && values.some((value) => typeof value === 'string' && Object.hasOwn(shape, value));
    }
    return values.some(isSchema) && this.shares(values, flow);
  }

  /** Whether a record has a field that is, or was made from, a field of the object whose shape flowed. */
  private shares(record: object, flow: Flow): boolean {
    const { shape } = flow.owner as { shape?: unknown };
    const all = isRecord(shape) ? valuesOf(shape) : [];
    // A function may be given a whole shape, for its keys, and take single fields of it: those are borrowed.
    const fields = new Set(all.filter((field) => !this.shapes.isBorrowed(flow, field)));
    return all.length === 0 || valuesOf(record).some((field) => this.stemsFrom(field, fields));
  }

  private stemsFrom(field: unknown, fields: ReadonlySet<unknown>): boolean {
    const queue = [field];
    for (const schema of queue) {
      if (fields.has(schema)) return true;
      if (!isSchema(schema) || queue.length > MAX_STEPS) continue;
      for (const past of [this.from(schema), innerOf(schema)]) {
        if (past && !queue.includes(past)) queue.push(past);
      }
    }
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valuesOf(record: object): unknown[] {
  return Object.keys(record).map((key) => {
    try {
      return (record as Record<string, unknown>)[key];
    } catch {
      return undefined;
    }
  });
}

function definitionOf(schema: object): object | undefined {
  const { _zod, _def } = schema as { _zod?: { def?: object }; _def?: object };
  return _zod?.def ?? _def;
}

/** The schema that a wrapper such as `.optional()` wraps, or the input of a pipe; no getter of a lazy one is called. */
function innerOf(schema: object): object | undefined {
  const { _zod, _def } = schema as { _zod?: { def: Inner }; _def?: Inner };
  const { innerType, schema: inner, in: input } = _zod?.def ?? _def ?? {};
  return [innerType, inner, input].find(isSchema);
}

interface Inner {
  readonly innerType?: unknown;
  readonly schema?: unknown;
  readonly in?: unknown;
}
