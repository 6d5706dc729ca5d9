import type { FileTree } from '../files/tree.ts';
import { discover, mayOffer } from './discover.ts';
import { parse } from './syntax.ts';

/**
 * Names of the tools that the syntax alone makes certain, sorted: what may be shown of a workspace whose code must not
 * run. Files are only parsed.
 */
export function toolNames(
  tree: FileTree,
  selection: {
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly schemaKeys: readonly string[];
  },
): string[] {
  const { schemaKeys } = selection;
  const names = tree.list(selection.include, selection.exclude).flatMap((file) => {
    const text = tree.read(file);
    if (text === undefined || !mayOffer(text, schemaKeys)) return [];
    return discover(parse(file, text), { schemaKeys }).flatMap(({ candidate }) =>
      candidate.certain && candidate.name?.text !== undefined ? [candidate.name.text] : [],
    );
  });
  return [...new Set(names)].sort();
}
