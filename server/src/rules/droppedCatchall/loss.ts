import type { Contract, Place, SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { lineage, nodeOf } from '../graph.ts';
import { isRefined } from '../refined.ts';

/** What an object lost of the one it was built from, and where. */
export interface Loss {
  /** The object whose answer to undeclared keys, or whose refinement, is gone. */
  readonly source: SchemaNode;
  /** The object made by the expression that rebuilds. */
  readonly rebuilt: SchemaNode;
  readonly via: 'shape' | 'merge';
  /** The read of the source's shape. Absent for a merge. */
  readonly read?: Place;
  readonly policy: boolean;
  readonly refinement: boolean;
}

/** Methods that keep the key policy of what they are called on, whatever shape they are given (zod 3 and 4). */
const KEEP_RECEIVER = new Set([
  'extend',
  'safeExtend',
  'augment',
  'setKey',
  'pick',
  'omit',
  'partial',
  'deepPartial',
  'required',
]);

/**
 * Finds what an object lost when it, or an object it was derived from, was rebuilt: the latest rebuild that lost
 * something. An explicit `.strip()` after a rebuild means the author wants it so.
 */
export function findLoss(graph: SchemaGraph, object: SchemaNode): Loss | undefined {
  for (const rebuilt of lineage(graph, object)) {
    if (rebuilt.kind !== 'object') return undefined;
    const method = rebuilt.origin?.method;
    if (method === 'strip') return undefined;
    if (method !== undefined && KEEP_RECEIVER.has(method)) continue;
    const flow = lossByShape(graph, object, rebuilt, rebuilt.rebuiltFrom ?? []);
    if (flow) return flow;
    const receiver = nodeOf(graph, rebuilt.from);
    if (method !== 'merge' || receiver?.kind !== 'object') continue;
    const lost = lostOf(receiver, object);
    if (lost) return { source: receiver, rebuilt, via: 'merge', ...lost };
  }
  return undefined;
}

/** As `findLoss`, for the object that an SDK wraps a registered shape in. */
export function findLossOfShape(
  graph: SchemaGraph,
  root: SchemaNode,
  flows: NonNullable<SchemaNode['rebuiltFrom']>,
): Loss | undefined {
  return lossByShape(graph, root, root, flows);
}

/**
 * Whether an SDK is known to get a contract's shape. Only an SDK wraps a shape in a plain object; a definition that
 * nothing registers may be wrapped by its owner.
 */
export function isClaimed({ candidate, registeredAt }: Contract): boolean {
  const ways = ['registerTool', 'registerAppTool', 'server.tool'];
  return candidate.claim !== undefined || registeredAt !== null || ways.includes(candidate.way);
}

function lossByShape(
  graph: SchemaGraph,
  object: SchemaNode,
  rebuilt: SchemaNode,
  flows: NonNullable<SchemaNode['rebuiltFrom']>,
): Loss | undefined {
  const losses: Loss[] = [];
  for (const { owner, read } of flows) {
    const source = nodeOf(graph, owner);
    if (source?.kind !== 'object' || comesFrom(graph, source, rebuilt) || !sharesFields(graph, source, rebuilt))
      continue;
    const lost = lostOf(source, object);
    if (lost) losses.push({ source, rebuilt, via: 'shape', read, ...lost });
  }
  return losses.find(({ policy }) => policy) ?? losses[0];
}

function lostOf(source: SchemaNode, object: SchemaNode): { policy: boolean; refinement: boolean } | undefined {
  const policy = source.policy !== undefined && source.policy !== 'strip' && object.policy === 'strip';
  const refinement = isRefined(source) && !isRefined(object);
  return policy || refinement ? { policy, refinement } : undefined;
}

/** Whether `node` was itself made from `ancestor`: then the ancestor did not lose anything of it. */
function comesFrom(graph: SchemaGraph, node: SchemaNode, ancestor: SchemaNode): boolean {
  const met = new Set<number>();
  const queue = [node.id];
  for (const id of queue) {
    if (id === ancestor.id) return true;
    const past = nodeOf(graph, id);
    if (!past || met.has(id)) continue;
    met.add(id);
    if (past.from !== undefined) queue.push(past.from);
    queue.push(...(past.rebuiltFrom ?? []).map(({ owner }) => owner));
  }
  return false;
}

/** Whether a field of the source lives on in the rebuilt object, as it is or wrapped. A source without fields: yes. */
function sharesFields(graph: SchemaGraph, source: SchemaNode, rebuilt: SchemaNode): boolean {
  const names = Object.entries(source.fields ?? {});
  if (names.length === 0) return true;
  return names.some(([name, id]) => {
    const field = nodeOf(graph, id);
    const mine = nodeOf(graph, rebuilt.fields?.[name]);
    return field !== undefined && mine !== undefined && stemsFrom(graph, mine, field);
  });
}

function stemsFrom(graph: SchemaGraph, node: SchemaNode, field: SchemaNode): boolean {
  const queue = [node];
  for (const current of queue) {
    if (current.uid === field.uid) return true;
    // A getter may make a fresh schema each time, at the same expression.
    if (current.origin && field.origin && samePlace(current.origin.place, field.origin.place)) return true;
    if (queue.length > 24) return false;
    for (const id of [current.from, current.inner, current.in]) {
      const next = nodeOf(graph, id);
      if (next && !queue.includes(next)) queue.push(next);
    }
  }
  return false;
}

function samePlace(a: Place, b: Place): boolean {
  return a.file === b.file && a.span.start === b.span.start && a.span.end === b.span.end;
}
