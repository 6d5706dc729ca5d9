import type { Place, SchemaGraph, SchemaKind, SchemaNode } from '../../../shared/src/model.ts';

/** A child of a node with the step that leads to it in a path for people: `.name`, `[]`, `{}`, or nothing. */
export interface Child {
  readonly id: number;
  readonly step: string;
}

/** A node as it is met on a walk from the root. */
export interface Visit {
  readonly node: SchemaNode;
  /** Node ids from the root (first) to this node (last). */
  readonly path: readonly number[];
  /** Where a caller puts the value, such as `stops[].gate`. Empty at the root. */
  readonly name: string;
}

/** Wrappers that leave the question "which keys?" to the schema they wrap. */
const WRAPPERS: ReadonlySet<SchemaKind> = new Set<SchemaKind>([
  'optional',
  'nullable',
  'nonoptional',
  'default',
  'prefault',
  'catch',
  'readonly',
  'lazy',
  'refinement',
  'branded',
  'promise',
  'pipe',
  'transform',
]);

/** The node of an id, or undefined when the graph was cut before it. */
export function nodeOf(graph: SchemaGraph, id: number | undefined): SchemaNode | undefined {
  return id === undefined ? undefined : graph.nodes[id];
}

/**
 * The schema that a wrapper parses a caller's value with: the wrapped one, the input of a pipe, and what comes out of a
 * preprocess, since nothing describes what goes into it.
 */
export function wrapped(graph: SchemaGraph, node: SchemaNode): SchemaNode | undefined {
  if (!WRAPPERS.has(node.kind)) return undefined;
  const input = nodeOf(graph, node.in);
  if (input && input.kind !== 'transform') return input;
  return nodeOf(graph, node.inner) ?? (node.kind === 'pipe' ? nodeOf(graph, node.out) : undefined) ?? input;
}

/** The node below all wrappers. A wrapper that wraps nothing readable, or itself, is returned as it is. */
export function unwrap(graph: SchemaGraph, node: SchemaNode): SchemaNode {
  const met = new Set<number>();
  let current = node;
  while (!met.has(current.id)) {
    met.add(current.id);
    const next = wrapped(graph, current);
    if (!next) return current;
    current = next;
  }
  return node;
}

/** The nodes that parse parts of a caller's value, in declaration order. */
export function childrenOf(graph: SchemaGraph, node: SchemaNode): Child[] {
  const inner = wrapped(graph, node);
  if (inner) return [{ id: inner.id, step: '' }];
  const children: Child[] = [];
  const put = (id: number | undefined, step: string): void => {
    if (id !== undefined && graph.nodes[id]) children.push({ id, step });
  };
  for (const [name, id] of Object.entries(node.fields ?? {})) put(id, `.${name}`);
  put(node.element, '[]');
  for (const [index, id] of (node.items ?? []).entries()) put(id, `[${index}]`);
  put(node.rest, '[]');
  for (const id of node.options ?? []) put(id, '');
  put(node.left, '');
  put(node.right, '');
  put(node.value, '{}');
  put(node.catchall, '{}');
  return children;
}

/** Appends a step to a path for people. */
export function joinName(name: string, step: string): string {
  return name === '' && step.startsWith('.') ? step.slice(1) : name + step;
}

/** Every node that parses part of a caller's value, once each, by its shortest path from the root. */
export function* walk(graph: SchemaGraph): Generator<Visit> {
  const root = nodeOf(graph, graph.root);
  if (!root) return;
  const met = new Set([root.id]);
  const queue: Visit[] = [{ node: root, path: [root.id], name: '' }];
  for (const visit of queue) {
    yield visit;
    for (const { id, step } of childrenOf(graph, visit.node)) {
      const node = nodeOf(graph, id);
      if (!node || met.has(id)) continue;
      met.add(id);
      queue.push({ node, path: [...visit.path, id], name: joinName(visit.name, step) });
    }
  }
}

/** A node and the receivers it was made from, latest first: for `A.strict().describe()` describe, strict, A. */
export function lineage(graph: SchemaGraph, node: SchemaNode): SchemaNode[] {
  const line: SchemaNode[] = [];
  for (let current: SchemaNode | undefined = node; current && !line.includes(current); ) {
    line.push(current);
    current = nodeOf(graph, current.from);
  }
  return line;
}

/**
 * The expression to report for a node: its own, else that of a schema it wraps, else of the nearest ancestor that has
 * one. Nodes that zod or a library made itself have none.
 */
export function placeOf(graph: SchemaGraph, { node, path }: Visit): Place | undefined {
  if (node.origin) return node.origin.place;
  for (let inner = wrapped(graph, node), depth = 0; inner && depth < 8; inner = wrapped(graph, inner), depth++) {
    if (inner.origin) return inner.origin.place;
  }
  for (const id of [...path].reverse()) {
    const origin = nodeOf(graph, id)?.origin;
    if (origin) return origin.place;
  }
  return undefined;
}

/** Names of all fields that any object of the graph declares. */
export function declaredNames(graph: SchemaGraph): Set<string> {
  return new Set(graph.nodes.flatMap((node) => Object.keys(node.fields ?? {})));
}
