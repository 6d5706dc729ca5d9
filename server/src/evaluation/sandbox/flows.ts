import { isRawShape } from './schema.ts';

/** An object whose whole shape flowed on, and the site of the read. */
export interface Flow {
  readonly owner: object;
  readonly read: number;
  /** How many single fields had been borrowed of any shape before. */
  readonly since: number;
}

/** Sites of the calls around an expression, nearest first; 0: none. */
export type Calls = readonly number[] | 0;

interface Pending {
  readonly flows: Flow[];
  /** The calls around the one that these flows wait for. */
  readonly outer: readonly number[];
}

/**
 * Follows the shapes of objects by value. A read of `.shape` answers a copy of its own, which is marked: `X` and
 * `X.strict()` may share one shape object, and so may two objects that were built from one constant (zod 3, and zod 4
 * before 4.4; later ones answer copies themselves). Spreading a marked record, taking a rest of it, or computing a
 * record from it in a call's arguments marks the result.
 */
export class Flows {
  private readonly marked = new WeakMap<object, readonly Flow[]>();
  private readonly pending = new Map<number, Pending>();
  private readonly given = new Map<number, readonly Flow[]>();
  private readonly literals = new Map<number, Flow[]>();
  private readonly wholes = new Map<number, readonly Flow[] | undefined>();
  /** When each field was last taken out of a shape by its name, by the object whose shape it was. */
  private readonly borrowed = new WeakMap<object, Map<unknown, number>>();
  private borrowings = 0;

  /** Forgets half-finished recordings. */
  clear(): void {
    for (const map of [this.pending, this.given, this.literals, this.wholes]) map.clear();
  }

  /** The objects whose shape a record is, or was made from. */
  of(record: unknown): readonly Flow[] | undefined {
    return typeof record === 'object' && record !== null ? this.marked.get(record) : undefined;
  }

  /** A marked copy of the shape that was read of an object at a site within some calls. */
  read(site: number, calls: Calls, owner: object, shape: object): object {
    const copy = Object.create(Object.getPrototypeOf(shape) as object | null, Object.getOwnPropertyDescriptors(shape));
    const flow = { owner, read: site, since: this.borrowings };
    this.marked.set(copy, [flow]);
    if (calls !== 0) this.wait(calls[0] ?? -1, calls.slice(1), [flow]);
    return copy;
  }

  /** A field was taken out of an object's shape by its name. */
  borrow(owner: object, field: unknown): void {
    const fields = this.borrowed.get(owner);
    this.borrowings++;
    if (fields) fields.set(field, this.borrowings);
    else this.borrowed.set(owner, new Map([[field, this.borrowings]]));
  }

  /** Whether a field of an object was borrowed by its name after a read of the whole shape. */
  isBorrowed({ owner, since }: Flow, field: unknown): boolean {
    return (this.borrowed.get(owner)?.get(field) ?? 0) > since;
  }

  /** The first argument of an object factory. */
  give(call: number, value: unknown): void {
    const flows = this.of(value);
    if (flows) this.given.set(call, flows);
  }

  /** Another argument of a call, or the list that is spread into its arguments. */
  hand(call: number, outer: Calls, value: unknown): void {
    const flows = Array.isArray(value) ? value.flatMap((one) => this.of(one) ?? []) : this.of(value);
    if (flows && flows.length > 0) this.wait(call, outer === 0 ? [] : outer, flows);
  }

  spread(literal: number, value: unknown): void {
    const flows = this.of(value);
    if (flows) this.literals.set(literal, [...(this.literals.get(literal) ?? []), ...flows]);
  }

  literal(literal: number, value: object): void {
    const flows = this.literals.get(literal);
    if (!flows) return;
    this.literals.delete(literal);
    this.marked.set(value, flows);
  }

  whole(id: number, value: unknown): void {
    this.wholes.set(id, this.of(value));
  }

  rest(id: number, rest: object): void {
    const flows = this.wholes.get(id);
    this.wholes.delete(id);
    if (flows) this.marked.set(rest, flows);
  }

  /**
   * Ends a call that answered a schema.
   *
   * @returns what a factory was given, and what flowed into another function's arguments
   */
  endWithSchema(call: number): { given?: readonly Flow[]; handed?: readonly Flow[] } {
    const given = this.given.get(call);
    const handed = this.pending.get(call)?.flows;
    if (given) this.given.delete(call);
    if (handed) this.pending.delete(call);
    return { ...(given && { given }), ...(handed && { handed }) };
  }

  /**
   * Ends a call that answered something else. A record of schemas is marked with what flowed into its arguments, where
   * it has fields of it; the same then waits for the call around, since the way may lead through a list of entries.
   *
   * @param shares whether a record has a field that is or stems from one of an object
   */
  endWithValue(call: number, value: unknown, shares: (record: object, flow: Flow) => boolean): void {
    const given = this.given.get(call);
    const pending = this.pending.get(call);
    if (!given && !pending) return;
    this.given.delete(call);
    this.pending.delete(call);
    const flows = [...(given ?? []), ...(pending?.flows ?? [])];
    if (isRawShape(value) && !this.marked.has(value)) {
      const shared = flows.filter((flow) => shares(value, flow));
      if (shared.length > 0) this.marked.set(value, shared);
    }
    if (pending) this.wait(pending.outer[0] ?? -1, pending.outer.slice(1), pending.flows);
  }

  private wait(call: number, outer: readonly number[], flows: readonly Flow[]): void {
    if (call < 0) return;
    const known = this.pending.get(call);
    if (!known) this.pending.set(call, { flows: [...flows], outer });
    else known.flows.push(...flows.filter((flow) => !known.flows.some((other) => isSame(other, flow))));
  }
}

function isSame(a: Flow, b: Flow): boolean {
  return a.owner === b.owner && a.read === b.read;
}
