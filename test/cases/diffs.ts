import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../shared/src/model.ts';

/** What `diff --format json` says, as far as it is looked at. */
export interface Diff {
  readonly packages: readonly {
    readonly tools: readonly { readonly name: string; readonly inputs?: readonly { readonly [key: string]: Json }[] }[];
  }[];
}

/**
 * What became of each tool's inputs since the case's baseline, from the manifest's `preview`: each change in full, but
 * for whether callers are told where nothing of it breaks them (null).
 */
const DIFFS: { readonly [id: string]: { readonly [tool: string]: readonly { readonly [key: string]: Json }[] } } = {
  '072': {
    press: [
      { path: 'element', change: 'removed', required: true, renamedTo: 'spot', documented: false },
      { path: 'spot', change: 'added', required: true, renamedFrom: 'element', documented: false },
    ],
  },
  '074': { lookup: [{ path: 'folderHint', change: 'removed', required: false, documented: true }] },
  '076': {
    quote: [
      { path: 'region', change: 'added', required: true, documented: false },
      { path: 'limit', change: 'type', before: 'number', now: 'string', documented: false },
    ],
  },
  '077': { bake: [{ path: 'dryRun', change: 'added', required: false, documented: null }] },
  '078': { catalog: [{ path: '', change: 'policy', before: 'open', now: 'strict', documented: false }] },
  '101': {
    list_crossings: [{ path: 'ports', change: 'reshaped', documented: true }],
    plan_crossing: [{ path: 'avoid', change: 'reshaped', documented: false }],
  },
  '103': { ring: [{ path: 'volume', change: 'removed', required: false, documented: true }] },
};

/** Whether a case says what changed since its baseline. */
export function hasDiff(id: string): boolean {
  return id in DIFFS;
}

/** What is wrong with what `diff` says of a case, one line each. */
export function diffFaults(id: string, { packages }: Diff): string[] {
  const wanted = DIFFS[id] ?? {};
  const told = Object.fromEntries(
    packages.flatMap(({ tools }) => tools.map(({ name, inputs = [] }) => [name, sorted(inputs)] as const)),
  );
  return [...new Set([...Object.keys(wanted), ...Object.keys(told)])].flatMap((tool) =>
    isDeepStrictEqual(told[tool], wanted[tool] && sorted(wanted[tool]))
      ? []
      : [`diff: ${tool} is ${JSON.stringify(told[tool])}, not ${JSON.stringify(wanted[tool])}`],
  );
}

function sorted(inputs: readonly { readonly [key: string]: Json }[]) {
  return [...inputs].sort((a, b) => String(a.path).localeCompare(String(b.path)));
}
