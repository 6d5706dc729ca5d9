import type { Place, SchemaGraph, SchemaNode, ShapeFlow } from '../../../shared/src/model.ts';
import type { WireGraph, WireObject } from './sandbox/messages.ts';
import { ROLES } from './sandbox/schema.ts';

/** Turns sites into places. */
export interface Places {
  place(site: number): Place | undefined;
  methodAt(site: number): string;
}

/** An object of the sandbox with its places. Other objects are named by uid. */
export type PlacedObject = Omit<SchemaNode, 'id'>;

const known = new WeakMap<readonly WireObject[], readonly PlacedObject[]>();

/** Gives the objects of a message their places: once, since many tools hold the same ones. */
export function placed(objects: readonly WireObject[], places: Places): readonly PlacedObject[] {
  let all = known.get(objects);
  if (!all) {
    all = objects.map((object) => placedOne(object, places));
    known.set(objects, all);
  }
  return all;
}

function placedOne({ origin, rebuiltFrom, ...plain }: WireObject, places: Places): PlacedObject {
  const place = origin === undefined ? undefined : places.place(origin);
  const flows = rebuiltFrom?.flatMap(({ owner, read }): ShapeFlow[] => {
    const at = places.place(read);
    return at ? [{ owner, read: at }] : [];
  });
  return {
    ...plain,
    ...(place && origin !== undefined && { origin: { place, method: places.methodAt(origin) } }),
    ...(flows && { rebuiltFrom: flows }),
  };
}

/** A graph whose nodes name each other by id, made of objects that do so by uid. */
export function toGraph({ objects, standIns = [], truncated }: WireGraph, all: readonly PlacedObject[]): SchemaGraph {
  const own = objects.flatMap((index) => all[index] ?? []);
  const ids = new Map<number, number>(standIns);
  for (const [id, { uid }] of own.entries()) ids.set(uid, id);
  return { nodes: own.map((object, id) => toNode(id, object, ids)), root: 0, ...(truncated && { truncated }) };
}

/** What the limit of a graph has cut is left out. */
function toNode(id: number, object: PlacedObject, ids: ReadonlyMap<number, number>): SchemaNode {
  const node: { -readonly [key in keyof SchemaNode]: SchemaNode[key] } = { ...object, id };
  for (const role of [...ROLES, 'from'] as const) {
    const uid = object[role];
    if (uid === undefined) continue;
    const child = ids.get(uid);
    if (child === undefined) delete node[role];
    else node[role] = child;
  }
  if (object.items) node.items = object.items.flatMap((uid) => ids.get(uid) ?? []);
  if (object.options) node.options = object.options.flatMap((uid) => ids.get(uid) ?? []);
  if (object.rebuiltFrom) {
    node.rebuiltFrom = object.rebuiltFrom.flatMap(({ owner, read }) => {
      const known = ids.get(owner);
      return known === undefined ? [] : [{ owner: known, read }];
    });
  }
  if (object.fields) {
    // Without a prototype, which it has lost on its way here: a field may be called `constructor`.
    const fields: Record<string, number> = Object.create(null);
    for (const [name, uid] of Object.entries(object.fields)) {
      const child = ids.get(uid);
      if (child !== undefined) fields[name] = child;
    }
    node.fields = fields;
  }
  return node;
}
