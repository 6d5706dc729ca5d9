import type { Fix, Json, Place, Related } from '../../../shared/src/model.ts';
import type { ToolFinding } from './rule.ts';
import { rank } from './severity.ts';
import { isObject } from './values.ts';

/** A finding of one tool, with the rule that made it and the tool. */
export interface Raw extends ToolFinding {
  readonly rule: string;
  /** `Contract.id`, or the candidate's id where there is no contract. */
  readonly subject: string;
  /** The tool's name; null when it is not known. */
  readonly tool: string | null;
}

/** A finding of all the tools it hits. The rules' own fixes: those that every one of them offers. */
export interface Merged extends ToolFinding {
  readonly rule: string;
  readonly tools: readonly string[];
}

/**
 * Merges what several tools, or several nodes of one, report with one rule at one range. The worst severity counts, with
 * its own message, witness and data; tools and surfaces are united and sorted, related places united.
 */
export function mergeFindings(findings: readonly Raw[]): Merged[] {
  const groups = new Map<string, Raw[]>();
  for (const finding of findings) {
    const key = `${finding.rule}\0${placeKey(finding.at)}`;
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()].map(mergeGroup);
}

function mergeGroup(group: readonly Raw[]): Merged {
  const [first, ...others] = [...group].sort(byWeight);
  if (!first) throw new Error('a group has at least one finding');
  const { subject: _subject, tool: _tool, ...worst } = first;
  const all = [first, ...others];
  return {
    ...worst,
    tools: sortedSet(all.flatMap(({ tool }) => tool ?? [])),
    surfaces: sortedSet(all.flatMap(({ surfaces }) => surfaces)),
    related: uniteRelated(all.map(({ related }) => related)),
    ...uniteEach(worst.data, all),
    fixes: worst.fixes.filter((fix) => others.every(({ fixes }) => fixes.some((other) => sameFix(fix, other)))),
  };
}

/** Worst first; among equals those with a witness; then by name, so that two runs give the same. */
function byWeight(a: Raw, b: Raw): number {
  return (
    rank(a.severity) - rank(b.severity) ||
    Number(a.witness === null) - Number(b.witness === null) ||
    compare(a.tool ?? '', b.tool ?? '') ||
    compare(a.subject, b.subject)
  );
}

/** What each tool contributes, `data.each`, is kept of all of them. */
function uniteEach(data: Json | undefined, all: readonly Raw[]): { data?: Json } {
  const lists = all.flatMap((raw) => (isObject(raw.data) && Array.isArray(raw.data.each) ? [raw.data.each] : []));
  return isObject(data) && lists.length > 1 ? { data: { ...data, each: lists.flat() } } : {};
}

function uniteRelated(lists: readonly (readonly Related[])[]): Related[] {
  const united = new Map<string, Related>();
  for (const related of lists.flat()) {
    const key = `${placeKey(related.place)}\0${related.message}`;
    if (!united.has(key)) united.set(key, related);
  }
  return [...united.values()];
}

function sameFix(a: Fix, b: Fix): boolean {
  return a.id === b.id && a.title === b.title;
}

/** A string that is equal for equal places. */
export function placeKey({ file, span }: Place): string {
  return `${file}\0${span.start}\0${span.end}`;
}

/** Compares strings by code units, the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortedSet<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)].sort(compare);
}
