import type { SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { lineage } from '../graph.ts';
import type { SourceText } from '../rule.ts';
import { bindingName, shortName } from '../syntax.ts';
import type { Loss } from './loss.ts';

/** Names of the source object. Undefined where the text has no short one. */
export interface SourceNames {
  /** As it is written at the expression that rebuilds: in a helper the name of a parameter. */
  readonly local: string | undefined;
  /** As it is known where it is declared. */
  readonly declared: string | undefined;
}

/** What the source of a loss is called, read from the text. */
export function sourceNames(source: SourceText, loss: Loss): SourceNames {
  const written = loss.read ? nameOfRead(source, loss) : nameOfReceiver(source, loss);
  const { origin } = loss.source;
  const declared = origin && bindingName(source, origin.place);
  return { local: written ?? declared, declared: declared ?? written };
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

/** The method that added the last refinement of an object. */
export function refinementMethod(graph: SchemaGraph, object: SchemaNode): string {
  const methods = new Set(['refine', 'superRefine', 'check']);
  return (
    lineage(graph, object).find(({ origin }) => origin !== undefined && methods.has(origin.method))?.origin?.method ??
    'refine'
  );
}
