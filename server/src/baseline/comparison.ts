import { isDocumented, isMentioned } from './coverage.ts';
import type { InputChange } from './inputChange.ts';
import type { Previous } from './previous.ts';

/** What became of one tool since the last release. */
export type ToolComparison =
  | { readonly name: string; readonly status: 'added' }
  /** `isRetired`: it is among the retired tools. */
  | { readonly name: string; readonly status: 'removed'; readonly isRetired: boolean }
  | { readonly name: string; readonly status: 'changed'; readonly inputs: readonly InputComparison[] };

export interface InputComparison {
  readonly change: InputChange;
  /** Whether contract changes tell its callers; null where there is nothing to tell. */
  readonly isDocumented: boolean | null;
}

/** The changes of a tool, with whether they are documented; undefined when nothing changed. */
export function comparisonOf({ tool, changes, entries, release }: Previous): ToolComparison | undefined {
  if (changes.length === 0) return undefined;
  const inputs = changes.map((change): InputComparison => {
    const { path } = change;
    if (change.kind === 'removed') return { change, isDocumented: isDocumented(entries, path, 'present', release) };
    if (change.kind === 'reshaped') return { change, isDocumented: isDocumented(entries, path, 'string', release) };
    if (change.kind === 'added' && !change.required) return { change, isDocumented: null };
    return { change, isDocumented: isMentioned(entries, path, release) };
  });
  return { name: tool.name, status: 'changed', inputs };
}
