import type { Span } from '../../../shared/src/model.ts';
import type { FileTree } from '../files/tree.ts';
import { discover, mayOffer } from './discover.ts';
import { parse } from './syntax.ts';

/** A tool that the syntax alone makes certain. */
export interface Named {
  readonly name: string;
  readonly span: Span;
}

/** The tools of a file that the syntax alone makes certain, in source order. The file is only parsed. */
export function namedTools(file: string, text: string, schemaKeys: readonly string[]): Named[] {
  if (!mayOffer(text, schemaKeys)) return [];
  return discover(parse(file, text), { schemaKeys }).flatMap(({ candidate: { certain, name, span } }) =>
    certain && name?.text !== undefined ? [{ name: name.text, span }] : [],
  );
}

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
    return text === undefined ? [] : namedTools(file, text, schemaKeys).map(({ name }) => name);
  });
  return [...new Set(names)].sort();
}
