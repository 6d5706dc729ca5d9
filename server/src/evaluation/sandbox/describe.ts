import type { WireFlow, WireGraph, WireNode } from './messages.ts';
import { kindOf, partsOf } from './read.ts';
import { FieldError, majorOf, messageOf, type Parts, ROLES } from './schema.ts';

export { isRawShape, isSchema, majorOf } from './schema.ts';

/** What the provenance runtime knows about schema objects. */
export interface Recorder {
  /** Identity of a schema object: equal number, same object. */
  uid(schema: object): number;
  /** Site of the expression that first produced it. */
  origin(schema: object): number | undefined;
  /** Sites of later sightings. */
  uses(schema: object): readonly number[] | undefined;
  /** The receiver of the method call that made it. */
  from(schema: object): object | undefined;
  /** Objects whose whole shape flowed into the call that made it, each with the site of the read. */
  flows(schema: object): readonly { readonly owner: object; readonly read: number }[] | undefined;
}

/** Keeps a schema that a program makes without an end from filling the memory; nobody writes as many fields. */
const MAX_NODES = 20_000;
/** Later sightings that are worth sending. */
const MAX_USES = 8;
/**
 * A lazy schema that makes a fresh one each time never repeats an object, but it repeats the expressions. Two levels are
 * followed, since a helper that returns `z.lazy` may well be used inside itself. A getter in a shape does the same, but
 * zod 4 does not show which fields are getters, and helpers that make plain objects are nested deeper: hence eight.
 */
const SAME_SITE_LAZY = 2;
const SAME_SITE = 8;

type Draft = { -readonly [key in keyof WireNode]: WireNode[key] };
interface Pending {
  readonly object: object;
  /** The node that this one was found in; -1 for the root and for nodes of the history. */
  readonly parent: number;
  /** How many lazy schemas lie between the root and this node. */
  readonly depth: number;
}

/**
 * Describes a schema as plain data: first the nodes of its own structure, then those of its history (receivers of
 * method calls, objects whose shape flowed in), with their structure too. Lazy schemas are opened. Never throws: a node
 * that cannot be read is marked `broken`.
 *
 * @param root a schema, as `isSchema` recognises it
 * @param limit nodes to describe of the structure, and once more of the history; a graph that has more is marked
 *   `truncated`. The structure is described breadth first, so what is cut lies deepest, and the history has its own
 *   share, so that what a cut schema was made from is still known.
 * @returns the graph, and the schema objects in the order of their node ids
 */
export function describe(root: object, recorder: Recorder, limit = MAX_NODES): { graph: WireGraph; objects: object[] } {
  const description = new Description(recorder, limit);
  description.add({ object: root, parent: -1, depth: 0 });
  description.readPending();
  description.limit += limit;
  for (let id = 0; id < description.nodes.length; id++) {
    description.addHistory(id);
    description.readPending();
  }
  const graph = { nodes: description.nodes, root: 0, ...(description.truncated && { truncated: true }) };
  return { graph, objects: description.pending.map(({ object }) => object) };
}

class Description {
  readonly nodes: Draft[] = [];
  /** Parallel to `nodes`. */
  readonly pending: Pending[] = [];
  truncated = false;
  private readonly ids = new Map<object, number>();
  private read = 0;

  constructor(
    private readonly recorder: Recorder,
    /** Nodes that may be described by now. */
    public limit: number,
  ) {}

  /** The id of a schema object, which is added when it is new; undefined beyond the limit. */
  add(found: Pending): number | undefined {
    const known = this.ids.get(found.object) ?? this.sameSite(found);
    if (known !== undefined) return known;
    if (this.nodes.length >= this.limit) {
      this.truncated = true;
      return undefined;
    }
    const id = this.nodes.length;
    this.ids.set(found.object, id);
    this.pending.push(found);
    const origin = this.recorder.origin(found.object);
    const uses = this.recorder.uses(found.object)?.slice(0, MAX_USES);
    this.nodes.push({
      id,
      uid: this.recorder.uid(found.object),
      kind: 'unsupported',
      zod: found.object instanceof FieldError ? (this.nodes[found.parent]?.zod ?? 4) : majorOf(found.object),
      ...(origin !== undefined && { origin }),
      ...(uses?.length && { uses }),
    });
    return id;
  }

  /** Reads the structure of all nodes that were added. Breadth first: the stack does not grow with the schema. */
  readPending(): void {
    for (; this.read < this.nodes.length; this.read++) {
      const node = this.nodes[this.read];
      const { object } = this.pending[this.read] ?? {};
      if (!node || !object) continue;
      if (object instanceof FieldError) {
        node.broken = object.message;
        continue;
      }
      try {
        this.fill(node, partsOf(object));
      } catch (error) {
        node.kind = kindOf(object);
        node.broken = messageOf(error);
      }
    }
  }

  addHistory(id: number): void {
    const node = this.nodes[id];
    const object = this.pending[id]?.object;
    if (!node || !object) return;
    const past = (schema: object): number | undefined => this.add({ object: schema, parent: -1, depth: 0 });
    const receiver = this.recorder.from(object);
    const from = receiver && past(receiver);
    if (from !== undefined) node.from = from;
    const flows: WireFlow[] = [];
    for (const flow of this.recorder.flows(object) ?? []) {
      const owner = past(flow.owner);
      if (owner !== undefined) flows.push({ owner, read: flow.read });
    }
    if (flows.length > 0) node.rebuiltFrom = flows;
  }

  private fill(node: Draft, parts: Parts): void {
    const { children, fields, items, options, ...plain } = parts;
    Object.assign(node, plain);
    const depth = (this.pending[node.id]?.depth ?? 0) + (parts.kind === 'lazy' ? 1 : 0);
    const child = (object: object): number | undefined => this.add({ object, parent: node.id, depth });
    for (const role of ROLES) {
      const part = children[role];
      const id = part && child(part);
      if (id !== undefined) node[role] = id;
    }
    const list = (schemas: readonly object[]): number[] => schemas.flatMap((schema) => child(schema) ?? []);
    if (items) node.items = list(items);
    if (options) node.options = list(options);
    if (!fields) return;
    const ids: Record<string, number> = Object.create(null);
    for (const [name, field] of fields) {
      const id = child(field);
      if (id !== undefined) ids[name] = id;
    }
    node.fields = ids;
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
      if (this.nodes[id]?.origin === site) {
        nearest ??= id;
        count++;
        if (ancestor.depth < depth) depths.add(ancestor.depth);
      }
      id = ancestor.parent;
    }
    return depths.size >= SAME_SITE_LAZY || count >= SAME_SITE ? nearest : undefined;
  }
}
