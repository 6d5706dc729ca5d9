import type { Contract, Offer, Place, Unevaluated } from '../../../shared/src/model.ts';
import type { Previous } from '../baseline/previous.ts';

/** A tool as the editor shows it: with what its surfaces make of it, or why it is not known. */
export interface Tool {
  readonly contract?: Contract;
  readonly unevaluated?: Unevaluated;
  readonly offers: readonly Offer[];
  /** Version of the zod that the tool's file sees. */
  readonly zod?: string;
  /** What it was in the last release, when it may have been something else. */
  readonly previous?: Previous;
}

export function nameOf({ contract, unevaluated }: Tool): string | null {
  return contract?.name ?? unevaluated?.name ?? null;
}

/** Where a tool is written down. */
export function definitionOf({ contract, unevaluated }: Tool): Place {
  if (contract) return contract.definedAt;
  const candidate = unevaluated?.candidate;
  return { file: candidate?.file ?? '', span: candidate?.span ?? { start: 0, end: 0 } };
}

/** Tools of one file, in the order in which they stand there. */
export function toolsIn(file: string, tools: readonly Tool[]): readonly Tool[] {
  const own = byFile(tools).get(file) ?? [];
  return [...own].sort((a, b) => definitionOf(a).span.start - definitionOf(b).span.start);
}

/** Files in which tools are defined, sorted. */
export function definingFiles(tools: readonly Tool[]): string[] {
  return [...byFile(tools).keys()].sort();
}

const grouped = new WeakMap<readonly Tool[], ReadonlyMap<string, readonly Tool[]>>();

/** One check's tools are looked through once, however many files and documents are asked about; not sorted. */
function byFile(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  let files = grouped.get(tools) as Map<string, Tool[]> | undefined;
  if (!files) {
    files = new Map();
    for (const tool of tools) {
      const { file } = definitionOf(tool);
      const known = files.get(file);
      if (known) known.push(tool);
      else files.set(file, [tool]);
    }
    grouped.set(tools, files);
  }
  return files;
}
