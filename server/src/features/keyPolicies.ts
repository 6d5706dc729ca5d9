import type { Contract, KeyPolicy, SchemaGraph } from '../../../shared/src/model.ts';
import { type Visit, walk } from '../rules/graph.ts';

/** What an object does with undeclared keys, in few words. */
export const POLICY_WORDS: { readonly [policy in KeyPolicy]: string } = {
  strip: 'strips unknown keys',
  strict: 'strict',
  loose: 'keeps unknown keys',
  catchall: 'typed unknown keys',
};

/** The objects that take apart a caller's arguments, from the outside inwards. */
export function objectsOf(graph: SchemaGraph): Visit[] {
  return [...walk(graph)].filter(({ node }) => node.kind === 'object');
}

/** What a tool's input comes to in few words: `strict · 5 inputs`. */
export function inputWords({ graph, form }: Contract): string {
  if (form === 'none') return 'no input';
  if (!graph) return 'not a Zod schema';
  const outermost = objectsOf(graph).filter(({ name }) => name === '');
  if (outermost.length === 0) return (graph.nodes[graph.root]?.kind ?? 'no schema').replaceAll('_', ' ');
  const policies = new Set(outermost.flatMap(({ node }) => node.policy ?? []));
  const [policy] = policies;
  const names = new Set(outermost.flatMap(({ node }) => Object.keys(node.fields ?? {})));
  const words = policy !== undefined && policies.size === 1 ? POLICY_WORDS[policy] : 'several key policies';
  return `${words} · ${plural(names.size, 'input')}`;
}

/** `1 input`, `2 inputs`. */
export function plural(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}
