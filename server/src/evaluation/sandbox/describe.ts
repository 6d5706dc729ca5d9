import type { WireGraph, WireObject } from './messages.ts';
import { kindOf, partsOf } from './read.ts';
import { FieldError, majorOf, messageOf, ROLES } from './schema.ts';

export { isRawShape, isSchema, majorOf } from './schema.ts';

/** What the provenance runtime knows about schema objects. */
export interface Recorder {
  /** Identity of a schema object: equal number, same object. */
  uid(schema: object): number;
  /** Site of the expression that first produced it. */
  origin(schema: object): number | undefined;
  /** The receiver of the method call that made it. */
  from(schema: object): object | undefined;
  /** Objects whose whole shape flowed into the call that made it, each with the site of the read. */
  flows(schema: object): readonly { readonly owner: object; readonly read: number }[] | undefined;
}

/** Keeps a schema that a program makes without an end from filling the memory; nobody writes as many fields. */
const MAX_NODES = 20_000;
/**
 * A lazy schema that makes a fresh one each time never repeats an object, but it repeats the expressions. Two levels are
 * followed, since a helper that returns `z.lazy` may well be used inside itself. A getter in a shape does the same, but
 * zod 4 does not show which fields are getters, and helpers that make plain objects are nested deeper: hence eight.
 */
const SAME_SITE_LAZY = 2;
const SAME_SITE = 8;

/** A schema object as it was read, with the objects that it names. */
interface Read {
  readonly wire: WireObject;
  readonly children: readonly object[];
  /** The receiver of the call that made it, and objects whose shape flowed in. */
  readonly history: readonly object[];
}
/**
 * What was read of objects before: many tools hold the same ones. What zod 4 says of an object lies outside it; whoever
 * keeps this must drop it when that changes.
 */
export type KnownObjects = WeakMap<object, Read>;

interface Pending {
  readonly object: object;
  /** The node that this one was found in; -1 for the root and for nodes of the history. */
  readonly parent: number;
  /** How many lazy schemas lie between the root and this node. */
  readonly depth: number;
}

export interface Described {
  /** By node id; the root is the first. */
  readonly wires: readonly WireObject[];
  /** The schema objects, by node id. */
  readonly objects: readonly object[];
  /** See `WireGraph`. */
  readonly rest: Omit<WireGraph, 'objects'>;
}

/**
 * Describes a schema as plain data: first the objects of its own structure, then those of its history (receivers of
 * method calls, objects whose shape flowed in), with their structure too. Lazy schemas are opened. Never throws: an
 * object that cannot be read is marked `broken`.
 *
 * @param root a schema, as `isSchema` recognises it
 * @param known what was read before, which is added to
 * @param limit objects to describe of the structure, and once more of the history; a graph that has more is marked
 *   `truncated`. The structure is described breadth first, so what is cut lies deepest, and the history has its own
 *   share, so that what a cut schema was made from is still known.
 */
export function describe(
  root: object,
  recorder: Recorder,
  known: KnownObjects = new WeakMap(),
  limit = MAX_NODES,
): Described {
  const description = new Description(recorder, known, limit);
  description.add({ object: root, parent: -1, depth: 0 });
  description.readPending();
  description.limit += limit;
  for (let id = 0; id < description.read.length; id++) {
    description.addHistory(id);
    description.readPending();
  }
  const { read, pending, standIns, truncated } = description;
  return {
    wires: read.map(({ wire }) => wire),
    objects: pending.map(({ object }) => object),
    rest: { ...(standIns.size > 0 && { standIns: [...standIns] }), ...(truncated && { truncated }) },
  };
}

class Description {
  readonly pending: Pending[] = [];
  /** Parallel to `pending`, as far as it goes. */
  readonly read: Read[] = [];
  readonly standIns = new Map<number, number>();
  truncated = false;
  private readonly ids = new Map<object, number>();

  constructor(
    private readonly recorder: Recorder,
    private readonly known: KnownObjects,
    /** Objects that may be described by now. */
    public limit: number,
  ) {}

  /** Gives a schema object a node, if it has none and the limit allows it. */
  add(found: Pending): void {
    if (this.ids.has(found.object)) return;
    const standIn = this.sameSite(found);
    if (standIn !== undefined) this.standIns.set(this.recorder.uid(found.object), standIn);
    else if (this.pending.length >= this.limit) this.truncated = true;
    else this.ids.set(found.object, this.pending.push(found) - 1);
  }

  /** Reads all objects that were added. Breadth first: the stack does not grow with the schema. */
  readPending(): void {
    for (let id = this.read.length; id < this.pending.length; id++) {
      const found = this.pending[id] as Pending;
      const read = this.readOne(found);
      this.read.push(read);
      const depth = found.depth + (read.wire.kind === 'lazy' ? 1 : 0);
      for (const object of read.children) this.add({ object, parent: id, depth });
    }
  }

  addHistory(id: number): void {
    for (const object of this.read[id]?.history ?? []) this.add({ object, parent: -1, depth: 0 });
  }

  private readOne({ object, parent }: Pending): Read {
    const { recorder, known } = this;
    if (object instanceof FieldError) {
      const zod = this.read[parent]?.wire.zod ?? 4;
      const wire = { uid: recorder.uid(object), kind: 'unsupported', zod, broken: object.message } as const;
      return { wire, children: [], history: [] };
    }
    const before = known.get(object);
    // A schema never changes, but what a library made may be given a place later.
    if (before && before.wire.origin === recorder.origin(object)) return before;
    const read = readObject(object, recorder);
    if (isLasting(read)) known.set(object, read);
    return read;
  }

  /** The ancestor that a fresh copy of it stands for, when the same expression has already made enough of them. */
  private sameSite({ object, parent, depth }: Pending): number | undefined {
    const site = this.recorder.origin(object);
    if (site === undefined) return undefined;
    let nearest: number | undefined;
    let count = 0;
    const depths = new Set<number>();
    for (let id = parent; id >= 0; ) {
      const ancestor = this.pending[id];
      if (!ancestor) break;
      if (this.read[id]?.wire.origin === site) {
        nearest ??= id;
        count++;
        if (ancestor.depth < depth) depths.add(ancestor.depth);
      }
      id = ancestor.parent;
    }
    return depths.size >= SAME_SITE_LAZY || count >= SAME_SITE ? nearest : undefined;
  }
}

/** Whether an object need not be read again: a lazy one may answer another schema, and what failed may succeed. */
function isLasting({ wire, children }: Read): boolean {
  return wire.kind !== 'lazy' && !wire.broken && !children.some((child) => child instanceof FieldError);
}

function readObject(object: object, recorder: Recorder): Read {
  const origin = recorder.origin(object);
  const common = { uid: recorder.uid(object), zod: majorOf(object), ...(origin !== undefined && { origin }) };
  const { past, history } = pastOf(object, recorder);
  let parts: ReturnType<typeof partsOf>;
  try {
    parts = partsOf(object);
  } catch (error) {
    return { wire: { ...common, kind: kindOf(object), broken: messageOf(error), ...past }, children: [], history };
  }
  const { children, fields, items, options, ...plain } = parts;
  const objects: object[] = [];
  const uidOf = (child: object): number => {
    objects.push(child);
    return recorder.uid(child);
  };
  const wire: { -readonly [key in keyof WireObject]: WireObject[key] } = { ...common, ...plain, ...past };
  for (const role of ROLES) {
    const child = children[role];
    if (child) wire[role] = uidOf(child);
  }
  if (items) wire.items = items.map(uidOf);
  if (options) wire.options = options.map(uidOf);
  if (fields) {
    const uids: Record<string, number> = Object.create(null);
    for (const [name, field] of fields) uids[name] = uidOf(field);
    wire.fields = uids;
  }
  return { wire, children: objects, history };
}

function pastOf(
  object: object,
  recorder: Recorder,
): { past: Pick<WireObject, 'from' | 'rebuiltFrom'>; history: object[] } {
  const from = recorder.from(object);
  const flows = recorder.flows(object) ?? [];
  return {
    past: {
      ...(from && { from: recorder.uid(from) }),
      ...(flows.length > 0 && { rebuiltFrom: flows.map(({ owner, read }) => ({ owner: recorder.uid(owner), read })) }),
    },
    history: [...(from ? [from] : []), ...flows.map(({ owner }) => owner)],
  };
}

/** The objects of a message, each once. */
export class ObjectTable {
  readonly objects: WireObject[] = [];
  private readonly indexes = new Map<WireObject, number>();

  /** The graph of a description, whose objects are those of the table. */
  graph({ wires, rest }: Described): WireGraph {
    return { objects: wires.map((wire) => this.index(wire)), ...rest };
  }

  private index(wire: WireObject): number {
    let index = this.indexes.get(wire);
    if (index === undefined) {
      index = this.objects.push(wire) - 1;
      this.indexes.set(wire, index);
    }
    return index;
  }
}
