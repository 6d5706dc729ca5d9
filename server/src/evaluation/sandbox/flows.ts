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
  /** The reads among them that are written within the call's arguments. */
  readonly reads: Set<number>;
  /** The calls around the one that these flows wait for. */
  readonly outer: readonly number[];
}

/** Longer lists are no lists of fields. */
const MAX_LIST = 10_000;

/**
 * Follows the shapes of objects by value. A read of `.shape` answers a copy of its own, which is marked: `X` and
 * `X.strict()` may share one shape object, and so may two objects that were built from one constant (zod 3, and zod 4
 * before 4.4; later ones answer copies themselves). Spreading a marked record, taking a rest of it, computing a record
 * or a list of entries or keys from it in a call's arguments, or filling a record in a loop over it marks the result.
 */
export class Flows {
  private readonly marked = new WeakMap<object, readonly Flow[]>();
  /** Stacks by site, for recursion: the last one is of the call that is running. */
  private readonly pending = new Map<number, Pending[]>();
  private readonly loops = new Map<number, readonly Flow[]>();
  private readonly given = new Map<number, readonly Flow[]>();
  private readonly literals = new Map<number, Flow[]>();
  private readonly wholes = new Map<number, readonly Flow[] | undefined>();
  /** When each field was last taken out of a shape by its name, by the object whose shape it was. */
  private readonly borrowed = new WeakMap<object, Map<unknown, number>>();
  private borrowings = 0;

  /** Forgets half-finished recordings. */
  clear(): void {
    for (const map of [this.pending, this.loops, this.given, this.literals, this.wholes]) map.clear();
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
    if (calls !== 0) this.wait(calls[0] ?? -1, calls.slice(1), [flow], [site]);
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
    const flows = this.within(value);
    if (flows.length > 0) this.wait(call, outer === 0 ? [] : outer, flows);
  }

  /** What a loop goes through. */
  each(loop: number, value: unknown): void {
    const flows = [...(this.end(loop)?.flows ?? []), ...this.within(value)];
    if (flows.length > 0) this.loops.set(loop, flows);
    else this.loops.delete(loop);
  }

  /**
   * A record is given a field in a loop over a shape, or in a function that is called for each field of one.
   *
   * @param rounds sites of the loops and calls around
   * @param receivers what those calls are made on
   * @param shares whether the field is or stems from one of an object
   */
  put(rounds: readonly number[], receivers: readonly unknown[], record: object, shares: (flow: Flow) => boolean): void {
    const around = rounds.flatMap((site, index) => [
      ...(this.loops.get(site) ?? []),
      ...(this.pending.get(site)?.at(-1)?.flows ?? []),
      ...this.within(receivers[index]),
    ]);
    const known = this.of(record) ?? [];
    const flows = around.filter((flow) => !known.some((other) => isSame(other, flow)) && shares(flow));
    if (flows.length > 0) this.marked.set(record, [...known, ...flows]);
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
    const handed = this.end(call)?.flows;
    if (given) this.given.delete(call);
    return { ...(given && { given }), ...(handed && { handed }) };
  }

  /**
   * Ends a call that answered something else. A record of schemas, or a list of entries, fields or keys, is marked with
   * what flowed into its arguments and what it was called on, where it has something of it; what flowed into its
   * arguments then waits for the call around, since the way may lead through something that is not marked.
   *
   * @param carries whether a record or a list has something that is or stems from an object's shape
   */
  endWithValue(
    call: number,
    value: unknown,
    receiver: unknown,
    carries: (carrier: object, flow: Flow) => boolean,
  ): void {
    const given = this.given.get(call);
    const pending = this.end(call);
    const passed = this.of(receiver);
    const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST;
    if (given) this.given.delete(call);
    const flows = [
      ...(given ?? []),
      ...(pending?.flows ?? []),
      ...(passed ?? []),
      ...(isList ? this.within(value) : []),
    ];
    if (flows.length > 0 && (isList || isRawShape(value)) && !this.marked.has(value)) {
      const carried = flows.filter((flow) => carries(value, flow));
      if (carried.length > 0) this.mark(value, carried);
    }
    if (pending) this.wait(pending.outer[0] ?? -1, pending.outer.slice(1), pending.flows, [...pending.reads]);
  }

  /** Entries are marked one by one, too: they may be put into another list. */
  private mark(value: object, flows: readonly Flow[]): void {
    this.marked.set(value, flows);
    if (!Array.isArray(value)) return;
    for (const each of value) if (Array.isArray(each) && !this.marked.has(each)) this.marked.set(each, flows);
  }

  /** What flowed into a value, or into the elements of a list. */
  private within(value: unknown): readonly Flow[] {
    const flows = this.of(value);
    if (flows || !Array.isArray(value) || value.length > MAX_LIST) return flows ?? [];
    const found: Flow[] = [];
    for (const each of value) {
      for (const flow of this.of(each) ?? []) if (!found.some((other) => isSame(other, flow))) found.push(flow);
    }
    return found;
  }

  private end(call: number): Pending | undefined {
    const stack = this.pending.get(call);
    const ended = stack?.pop();
    if (stack?.length === 0) this.pending.delete(call);
    return ended;
  }

  private wait(call: number, outer: readonly number[], flows: readonly Flow[], reads: readonly number[] = []): void {
    if (call < 0) return;
    const stack = this.pending.get(call);
    const top = stack?.at(-1);
    const pending = { flows: [...flows], outer, reads: new Set(reads) };
    if (!stack || !top) this.pending.set(call, [pending]);
    // What is written within a call is run once in it: again, while it has not ended, it is the same call within itself.
    else if (reads.some((read) => top.reads.has(read))) stack.push(pending);
    else {
      for (const read of reads) top.reads.add(read);
      top.flows.push(...flows.filter((flow) => !top.flows.some((other) => isSame(other, flow))));
    }
  }
}

function isSame(a: Flow, b: Flow): boolean {
  return a.owner === b.owner && a.read === b.read;
}
