import type { SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { lineage } from '../graph.ts';
import type { SourceText } from '../rule.ts';
import { bindingName, shortName } from '../syntax.ts';
import type { Loss } from './loss.ts';

/** What a reader knows the source object by, such as `ListBoats`; undefined when the text has no short name for it. */
export function sourceName(source: SourceText, loss: Loss): string | undefined {
  const written = loss.read ? nameOfRead(source, loss) : nameOfReceiver(source, loss);
  const { origin } = loss.source;
  return written ?? (origin && bindingName(source, origin.place));
}

function nameOfRead(source: SourceText, { read }: Loss): string | undefined {
  const text = read && source.text(read);
  return text?.endsWith('.shape') ? shortName(text.slice(0, -'.shape'.length)) : undefined;
}

function nameOfReceiver(source: SourceText, { rebuilt }: Loss): string | undefined {
  const text = rebuilt.origin && source.text(rebuilt.origin.place);
  return shortName(text?.match(/^([^()]*?)\s*\.merge\(/)?.[1]);
}

/** The node in a policy's past that set it: `.strict()`, `z.strictObject(…)`, `.catchall(…)`. */
export function policySetter(graph: SchemaGraph, object: SchemaNode): SchemaNode {
  const methods = new Set(['strict', 'strictObject', 'loose', 'looseObject', 'passthrough', 'catchall']);
  const line = lineage(graph, object);
  return line.find(({ origin }) => origin !== undefined && methods.has(origin.method)) ?? object;
}

/** How the rebuilt object differs from its source, to follow "rebuilt from X and": `loses its .strict()`. */
export function losesWhat(graph: SchemaGraph, object: SchemaNode): string {
  const method = policySetter(graph, object).origin?.method;
  if (method === 'strict' || method === 'loose' || method === 'passthrough') return `loses its \`.${method}()\``;
  if (object.policy === 'strict') return 'is no longer strict';
  if (object.policy === 'catchall') return 'loses its `.catchall(…)`';
  return 'no longer keeps undeclared keys';
}

/** What the source does with undeclared keys, to follow its name: `is strict`. */
export function policyWords(object: SchemaNode): string {
  if (object.policy === 'strict') return 'is strict';
  return object.policy === 'catchall' ? 'takes undeclared keys of one type' : 'keeps undeclared keys';
}

/** The names that were refined: the method that added the last refinement of an object. */
export function refinementMethod(graph: SchemaGraph, object: SchemaNode): string {
  const methods = new Set(['refine', 'superRefine', 'check']);
  return (
    lineage(graph, object).find(({ origin }) => origin !== undefined && methods.has(origin.method))?.origin?.method ??
    'refine'
  );
}
