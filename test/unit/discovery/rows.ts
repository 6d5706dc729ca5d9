import { type DiscoverOptions, discover } from '../../../server/src/discovery/discover.ts';
import type { Found } from '../../../server/src/discovery/found.ts';
import { parse, start } from '../../../server/src/discovery/syntax.ts';
import type { ts } from '../../../server/src/discovery/typescript.ts';

/** A candidate as a test reads it: source text instead of offsets. */
export interface Row {
  readonly way: string;
  readonly certain: boolean;
  readonly claim: string | undefined;
  /** The literal text, or the expression in backquotes. */
  readonly name: string | undefined;
  readonly from: string | undefined;
  readonly schema: string | null;
  /** Text of the place where the schema is shown. */
  readonly shown: string | undefined;
  readonly key: string | undefined;
  /** Text of the whole property. */
  readonly whole: string | undefined;
  readonly property: string | undefined;
  readonly alternatives: readonly string[] | undefined;
  readonly converted: string | undefined;
  readonly output: string | null;
  readonly outputProperty: string | undefined;
  readonly span: string;
  readonly found: Found;
}

/** Discovers a source and answers its candidates in readable form. */
export function rows(text: string, file = '/w/tools.ts', options: DiscoverOptions = { schemaKeys: [] }): Row[] {
  const source = parse(file, text);
  const cut = (span: { readonly start: number; readonly end: number }): string => text.slice(span.start, span.end);
  const textOf = (node: ts.Node): string => text.slice(start(node), node.end);
  return discover(source, options).map((found) => {
    const { candidate, name, alternatives, converted } = found;
    const evaluated = name && ('literal' in name ? name.literal : `\`${textOf(name)}\``);
    return {
      way: candidate.way,
      certain: candidate.certain,
      claim: candidate.claim,
      name: candidate.name?.text ?? evaluated,
      from: candidate.name?.from,
      schema: found.schema && textOf(found.schema),
      shown: candidate.schema && cut(candidate.schema.span),
      key: candidate.schema?.key,
      whole: candidate.schema?.property && cut(candidate.schema.property),
      property: found.property,
      alternatives: alternatives?.map(textOf),
      converted: converted && textOf(converted),
      output: found.output && textOf(found.output),
      outputProperty: found.outputProperty,
      span: cut(candidate.span),
      found,
    };
  });
}

/** The one candidate of a source. */
export function row(text: string, file?: string, options?: DiscoverOptions): Row {
  const all = rows(text, file, options);
  const [only] = all;
  if (!only || all.length > 1) {
    throw new Error(`expected one candidate, found ${JSON.stringify(all.map((one) => one.span))}`);
  }
  return only;
}

/** Names and schemas of a source's candidates: `name: schema`. */
export function brief(text: string, file?: string, options?: DiscoverOptions): string[] {
  return rows(text, file, options).map((one) => `${one.name}: ${one.schema}`);
}
