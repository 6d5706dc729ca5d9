import { isSchema } from './describe.ts';

/** An object whose whole shape flowed on, and the site of the read. */
export interface Flow {
  readonly owner: object;
  readonly read: number;
}

interface SchemaRecord {
  readonly origin: number;
  readonly uses: number[];
  readonly from: object | undefined;
  readonly flows: readonly Flow[] | undefined;
}

const MAX_USES = 8;

/**
 * Records which expression produced which schema object, what it was called on, and which shapes flowed into it.
 *
 * The first producer of an object is its definition, later sightings are uses. Flow is followed by value: a read of
 * `.shape` marks the shape object; spreading it, taking a rest of it, or computing a record from it in a call's
 * arguments marks the result; an object factory that is given a marked record makes a rebuilt object. The mark of the
 * latest read wins, since `X` and `X.strict()` may share one shape object.
 */
export class Provenance {
  private readonly records = new WeakMap<object, SchemaRecord>();
  private readonly shapes = new WeakMap<object, readonly Flow[]>();
  private readonly uids = new WeakMap<object, number>();
  private nextUid = 1;
  /** Stacks by site, for recursion: pushed when a receiver is evaluated, popped when its call returns. */
  private readonly receivers = new Map<number, unknown[]>();
  /** Flows read within the arguments of the call at a site. */
  private readonly pending = new Map<number, Flow[]>();
  private readonly given = new Map<number, readonly Flow[]>();
  private readonly literals = new Map<number, Flow[]>();
  private readonly wholes = new Map<number, readonly Flow[] | undefined>();

  /** The recorders that instrumented code calls, by the names of evaluation/instrument.ts. */
  readonly recorders = {
    at: (site: number, value: unknown): unknown => this.at(site, value),
    on: (site: number, receiver: unknown): unknown => {
      const stack = this.receivers.get(site);
      if (stack) stack.push(receiver);
      else this.receivers.set(site, [receiver]);
      return receiver;
    },
    shape: (site: number, call: number, single: number, owner: { shape: unknown }): unknown => {
      const shape = owner.shape;
      if (single === 0 && isSchema(owner) && isRecord(shape)) this.read(site, call, owner, shape);
      return shape;
    },
    argument: (site: number, value: unknown): unknown => {
      const flows = isRecord(value) ? this.shapes.get(value) : undefined;
      if (flows) this.given.set(site, flows);
      return value;
    },
    spread: (literal: number, value: unknown): unknown => {
      const flows = isRecord(value) ? this.shapes.get(value) : undefined;
      if (flows) this.literals.set(literal, [...(this.literals.get(literal) ?? []), ...flows]);
      return value;
    },
    literal: (literal: number, value: object): unknown => {
      const flows = this.literals.get(literal);
      if (flows) {
        this.literals.delete(literal);
        this.shapes.set(value, flows);
      }
      return value;
    },
    whole: (id: number, value: unknown): unknown => {
      this.wholes.set(id, isRecord(value) ? this.shapes.get(value) : undefined);
      return value;
    },
    rest: (id: number, rest: object): unknown => {
      const flows = this.wholes.get(id);
      this.wholes.delete(id);
      if (flows) this.shapes.set(rest, flows);
      return rest;
    },
  } as const;

  /** Forgets half-finished recordings, before an evaluation. */
  begin(): void {
    for (const map of [this.receivers, this.pending, this.given, this.literals, this.wholes]) map.clear();
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

  origin(schema: object): number | undefined {
    return this.records.get(schema)?.origin;
  }

  uses(schema: object): readonly number[] | undefined {
    return this.records.get(schema)?.uses;
  }

  from(schema: object): object | undefined {
    return this.records.get(schema)?.from;
  }

  flows(schema: object): readonly Flow[] | undefined {
    return this.records.get(schema)?.flows;
  }

  /** Flows into a record of schemas (a raw shape): the objects whose shape it is or was made from. */
  flowsInto(shape: object): readonly Flow[] {
    return this.shapes.get(shape) ?? [];
  }

  private read(site: number, call: number, owner: object, shape: object): void {
    const flow: Flow = { owner, read: site };
    this.shapes.set(shape, [flow]);
    if (call < 0) return;
    const flows = this.pending.get(call);
    if (flows) flows.push(flow);
    else this.pending.set(call, [flow]);
  }

  private at(site: number, value: unknown): unknown {
    const receiver = this.receivers.get(site)?.pop();
    const pending = this.pending.get(site);
    if (pending) this.pending.delete(site);
    const given = this.given.get(site);
    if (given) this.given.delete(site);
    if (isSchema(value)) this.record(site, value, receiver, given);
    else if (pending && isRecord(value) && !this.shapes.has(value) && Object.values(value).some(isSchema)) {
      this.shapes.set(value, pending);
    }
    return value;
  }

  private record(site: number, schema: object, receiver: unknown, flows: readonly Flow[] | undefined): void {
    const known = this.records.get(schema);
    if (!known) {
      const from = isSchema(receiver) && receiver !== schema ? receiver : undefined;
      this.records.set(schema, { origin: site, uses: [], from, flows });
    } else if (known.uses.length < MAX_USES && known.origin !== site && !known.uses.includes(site))
      known.uses.push(site);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
