import type { Json, SchemaGraph, SchemaNode } from '../../../shared/src/model.ts';
import { ANY, type InputModel, intersect, type Kind, type ObjectKind, type ScalarType } from './inputModel.ts';
import { KnownKinds } from './knownKinds.ts';

/**
 * A schema graph as an input model. Node ids are those of the graph; what an intersection makes of two nodes has an id
 * of its own.
 */
export function graphModel(graph: SchemaGraph): InputModel {
  return new GraphModel(graph);
}

class GraphModel implements InputModel {
  readonly root: number;
  private readonly known: KnownKinds;

  constructor(private readonly graph: SchemaGraph) {
    this.root = graph.root;
    this.known = new KnownKinds(graph.nodes.length, (id, open) => {
      const node = graph.nodes[id];
      return node ? this.read(node, open) : [ANY];
    });
  }

  kinds(id: number): readonly Kind[] {
    return this.known.of(id);
  }

  description(id: number): string | undefined {
    for (const node of this.chain(id)) if (node.description !== undefined) return node.description;
    return undefined;
  }

  private read(node: SchemaNode, open: ReadonlySet<number>): readonly Kind[] {
    if (node.broken !== undefined) return [ANY];
    const inner = parsesWith(this.graph, node);
    const of = (id: number | undefined): readonly Kind[] => (id === undefined ? [ANY] : this.known.of(id, open));
    switch (node.kind) {
      case 'object':
        return [this.object(node)];
      case 'record':
        return [{ type: 'object', fields: new Map(), policy: 'record', rest: node.value ?? -1, nodes: [node.id] }];
      case 'array':
        return [{ type: 'array', prefix: [], ...(node.element !== undefined && { items: node.element }) }];
      case 'tuple':
        return [{ type: 'array', prefix: node.items ?? [], ...(node.rest !== undefined && { items: node.rest }) }];
      case 'union':
        return (node.options ?? []).flatMap(of);
      case 'intersection':
        return intersect(of(node.left), of(node.right), this.known.both);
      case 'nullable':
        return [...of(inner), { type: 'null' }];
      case 'string':
      case 'template_literal':
        return [scalar('string', node)];
      case 'number':
        return [scalar('number', node)];
      case 'boolean':
        return [scalar('boolean', node)];
      case 'null':
        return [{ type: 'null' }];
      case 'literal':
      case 'enum':
        return byType(node.literals ?? []);
      case 'never':
      case 'undefined':
      case 'void':
        return [];
      default:
        return inner === undefined ? [ANY] : of(inner);
    }
  }

  private object(node: SchemaNode): ObjectKind {
    const fields = Object.entries(node.fields ?? {}).map(
      ([name, id]) => [name, { node: id, required: !this.mayBeAbsent(id) }] as const,
    );
    return {
      type: 'object',
      fields: new Map(fields),
      policy: node.policy ?? 'strip',
      ...(node.catchall !== undefined && { rest: node.catchall }),
      nodes: [node.id],
    };
  }

  /** Whether a caller may leave a field out. */
  private mayBeAbsent(id: number): boolean {
    for (const node of this.chain(id)) {
      if (['optional', 'default', 'prefault', 'catch', 'undefined', 'void'].includes(node.kind)) return true;
      if (node.kind === 'nonoptional') return false;
      if (node.kind === 'union') return (node.options ?? []).some((option) => option !== id && this.isAbsent(option));
    }
    return false;
  }

  private isAbsent(id: number): boolean {
    const kind = this.graph.nodes[id]?.kind;
    return kind === 'optional' || kind === 'undefined' || kind === 'void' || kind === 'default';
  }

  /** A node and what it wraps, outermost first. */
  private *chain(id: number): Generator<SchemaNode> {
    const met = new Set<number>();
    const first = this.known.both.partsOf(id)?.[0] ?? id;
    for (let at: number | undefined = first; at !== undefined && !met.has(at); ) {
      met.add(at);
      const node: SchemaNode | undefined = this.graph.nodes[at];
      if (!node) return;
      yield node;
      at = parsesWith(this.graph, node);
    }
  }
}

/**
 * The node that a wrapper reads a caller's value with: the wrapped one, a pipe's input, what comes out of a preprocess
 * (nothing describes what goes into it).
 */
function parsesWith(graph: SchemaGraph, node: SchemaNode): number | undefined {
  if (node.in !== undefined && graph.nodes[node.in]?.kind !== 'transform') return node.in;
  return node.inner ?? node.out ?? (node.kind === 'pipe' ? node.in : undefined);
}

function scalar(type: ScalarType, node: SchemaNode): Kind {
  return node.coerce ? { type, coerces: true } : { type };
}

/** Values as scalars, those of one type together. */
export function byType(values: readonly Json[]): Kind[] {
  const types = new Map<ScalarType, Json[]>();
  for (const value of values) {
    const type = value === null ? 'null' : typeof value;
    if (type !== 'null' && type !== 'string' && type !== 'number' && type !== 'boolean') return [ANY];
    types.set(type, [...(types.get(type) ?? []), value]);
  }
  return [...types].map(([type, of]) => ({ type, values: of }));
}
