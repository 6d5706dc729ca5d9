import type { SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { nodeOf, unwrap } from '../graph.ts';
import { isRefined } from '../refined.ts';

/** The two sides of an intersection, with what they are below their wrappers. */
export interface Sides {
  readonly node: SchemaNode;
  readonly left: SchemaNode;
  readonly right: SchemaNode;
}

/** The sides of an intersection of things that have keys; undefined for anything else. */
export function sidesOf(graph: SchemaGraph, node: SchemaNode): Sides | undefined {
  const left = nodeOf(graph, node.left);
  const right = nodeOf(graph, node.right);
  if (node.kind !== 'intersection' || !left || !right) return undefined;
  return hasKeys(graph, left) && hasKeys(graph, right) ? { node, left, right } : undefined;
}

/** Whether a schema is an object, a record, or a union or an intersection of such. */
function hasKeys(graph: SchemaGraph, side: SchemaNode, depth = 0): boolean {
  const node = unwrap(graph, side);
  const parts =
    node.kind === 'union' ? node.options : node.kind === 'intersection' ? [node.left, node.right] : undefined;
  if (!parts) return node.kind === 'object' || node.kind === 'record';
  return (
    depth < 8 &&
    parts.every((id) => {
      const part = nodeOf(graph, id);
      return part !== undefined && hasKeys(graph, part, depth + 1);
    })
  );
}

/**
 * Whether two plain objects meet that have no key in common: what one deletes the other one has no say in, and nothing is
 * asked of both. Most intersections are such. Not with zod 3, whose converter closes plain objects.
 */
export function isHarmless({ left, right }: Sides): boolean {
  return [left, right].every(isPlain) && Object.keys(left.fields ?? {}).every((name) => !hasOwn(right.fields, name));
}

function isPlain(side: SchemaNode): boolean {
  return side.kind === 'object' && side.zod === 4 && side.policy === 'strip' && !side.checks?.length && !side.broken;
}

function hasOwn(fields: SchemaNode['fields'], name: string): boolean {
  return fields !== undefined && Object.hasOwn(fields, name);
}

/** Whether a side has a refinement of its own, which may reject for reasons that have nothing to do with keys. */
export function isRefinedSide(graph: SchemaGraph, side: SchemaNode, depth = 0): boolean {
  for (let node: SchemaNode | undefined = side, steps = 0; node && steps < 20; steps++) {
    if (isRefined(node)) return true;
    const next: SchemaNode = unwrapOnce(graph, node);
    if (next === node) break;
    node = next;
  }
  const { kind, options, left, right } = unwrap(graph, side);
  const parts = kind === 'union' ? (options ?? []) : kind === 'intersection' ? [left, right] : [];
  return (
    depth < 8 &&
    parts.some((id) => {
      const part = nodeOf(graph, id);
      return part !== undefined && isRefinedSide(graph, part, depth + 1);
    })
  );
}

function unwrapOnce(graph: SchemaGraph, node: SchemaNode): SchemaNode {
  return nodeOf(graph, node.inner ?? node.in) ?? node;
}

/**
 * Whether two sides certainly cannot both be satisfied, because they declare a key with types or literals that have no
 * value in common, and neither leaves it out.
 */
export function cannotMeet(graph: SchemaGraph, left: SchemaNode, right: SchemaNode, depth = 0): boolean {
  const [a, b] = [plain(graph, left), plain(graph, right)];
  if (!a || !b || depth > 8) return false;
  if (a.kind === 'object' && b.kind === 'object') {
    return Object.entries(a.fields ?? {}).some(([name, id]) => {
      const mine = nodeOf(graph, id);
      const theirs = nodeOf(graph, b.fields?.[name]);
      return mine !== undefined && theirs !== undefined && cannotMeet(graph, mine, theirs, depth + 1);
    });
  }
  const [kind, other] = [valueKind(a), valueKind(b)];
  if (kind === undefined || other === undefined) return false;
  return kind !== other || (isChoice(a) && isChoice(b) && !(a.literals ?? []).some((one) => b.literals?.includes(one)));
}

/** Whether a node takes a few values, which are all known. */
function isChoice({ kind, literals }: SchemaNode): boolean {
  return (kind === 'literal' || kind === 'enum') && literals !== undefined;
}

/** A node below the wrappers that do not change what it takes; undefined when something on the way does. */
function plain(graph: SchemaGraph, side: SchemaNode): SchemaNode | undefined {
  let node = side;
  for (let steps = 0; steps < 20; steps++) {
    if (node.coerce || isRefined(node)) return undefined;
    if (!['readonly', 'branded', 'lazy', 'nonoptional'].includes(node.kind)) return node;
    const inner = nodeOf(graph, node.inner);
    if (!inner) return undefined;
    node = inner;
  }
  return undefined;
}

/** The JSON type of every value that a node takes; undefined when it is not one. */
function valueKind({ kind, literals }: SchemaNode): string | undefined {
  if (kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'array' || kind === 'object')
    return kind;
  if (kind !== 'literal' && kind !== 'enum') return kind === 'record' ? 'object' : undefined;
  const kinds = new Set((literals ?? []).map((literal) => (literal === null ? 'null' : typeof literal)));
  const [only] = kinds;
  return kinds.size === 1 ? only : undefined;
}
