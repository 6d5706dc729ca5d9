import type { Place, SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { childrenOf, joinName, nodeOf, placeOf, unwrap, type Visit, wrapped } from '../graph.ts';

/** A default, prefault or catch on a field of an object in a variant of a union. */
export interface Site {
  /** The innermost union around it. */
  readonly union: Visit;
  /** Index of the union's option that it is in. */
  readonly option: number;
  readonly field: string;
  /** Node ids from the option down to the object that the field is in. */
  readonly within: readonly number[];
  /** The default, prefault or catch. */
  readonly defaulted: SchemaNode;
  /** The expression of the field's value. */
  readonly at: Place;
  /** `at` is the field's own expression, not that of something around it. */
  readonly own: boolean;
  /** Path of the field for people. */
  readonly name: string;
  /** The object is the variant itself, not one nested in it. */
  readonly direct: boolean;
  /** The field is the union's discriminator. */
  readonly tag: boolean;
}

interface Variant {
  readonly union: Visit;
  readonly option: number;
  readonly object: SchemaNode;
}

const FILLS_IN = new Set(['default', 'prefault', 'catch']);
const NOTHING = new Set(['null', 'undefined', 'void', 'never']);

/** Every such site of a graph, once each. */
export function sitesOf(graph: SchemaGraph): Site[] {
  const sites: Site[] = [];
  const met = new Set<string>();
  const visit = (at: Visit, variant: Variant | undefined): void => {
    const { node, path, name } = at;
    const key = `${node.id}:${variant?.union.node.id ?? -1}`;
    if (met.has(key) || path.length > 60) return;
    met.add(key);
    if (node.kind === 'object' && variant) sites.push(...fieldsOf(graph, at, variant));
    const branches = node.kind === 'union' && isChoice(graph, node);
    for (const { id, step } of childrenOf(graph, node)) {
      const child = nodeOf(graph, id);
      if (!child) continue;
      const next = { node: child, path: [...path, id], name: joinName(name, step) };
      const option = node.options?.indexOf(id) ?? -1;
      visit(next, branches ? { union: at, option, object: unwrap(graph, child) } : variant);
    }
  };
  const root = nodeOf(graph, graph.root);
  if (root) visit({ node: root, path: [root.id], name: '' }, undefined);
  return sites;
}

/** Whether a union has a choice to make: one thing or nothing is what `nullable` and `optional` say. */
function isChoice(graph: SchemaGraph, union: SchemaNode): boolean {
  const choices = (union.options ?? []).filter((id) => {
    const option = nodeOf(graph, id);
    if (!option) return false;
    const { kind, literals } = unwrap(graph, option);
    return !NOTHING.has(kind) && !(kind === 'literal' && literals?.every((literal) => literal === null));
  });
  return choices.length > 1;
}

function fieldsOf(graph: SchemaGraph, object: Visit, { union, option, object: variant }: Variant): Site[] {
  return Object.entries(object.node.fields ?? {}).flatMap(([field, id]) => {
    const value = nodeOf(graph, id);
    const defaulted = value && fillerOf(graph, value);
    const at = value && placeOf(graph, { node: value, path: [...object.path, id], name: '' });
    if (!defaulted || !at) return [];
    const direct = variant.id === object.node.id;
    return {
      union,
      option,
      field,
      within: object.path.slice(union.path.length),
      defaulted,
      at,
      own: at === value.origin?.place || at === defaulted.origin?.place,
      name: joinName(object.name, `.${field}`),
      direct,
      tag: direct && union.node.discriminator === field,
    };
  });
}

/** The outermost default, prefault or catch among a field's wrappers. */
function fillerOf(graph: SchemaGraph, value: SchemaNode): SchemaNode | undefined {
  for (let node: SchemaNode | undefined = value, depth = 0; node && depth < 20; depth++) {
    if (FILLS_IN.has(node.kind)) return node;
    node = wrapped(graph, node);
  }
  return undefined;
}
