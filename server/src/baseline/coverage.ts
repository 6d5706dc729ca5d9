import type { Entry, Trigger } from './contractChanges.ts';
import { pathKey, pathText, type Step } from './inputChange.ts';
import type { Release } from './previous.ts';
import { isAtOrAfter } from './releases.ts';

/**
 * Whether contract changes tell the callers of a release what became of an input: an entry for the tool has a trigger for
 * it, and is about that release or a later one.
 *
 * @param entries those for the tool
 */
export function isDocumented(
  entries: readonly Entry[],
  path: readonly Step[],
  when: Trigger['when'],
  release: Release,
): boolean {
  const key = pathKey(pathText(path));
  return entries.some(
    ({ lastRelease, triggers }) =>
      isAtOrAfter(lastRelease, release.release) &&
      triggers.some((trigger) => trigger.when === when && pathKey(trigger.path) === key),
  );
}

/**
 * Whether the message of an entry for a release names an input: how a change that no argument shows is documented.
 *
 * @param entries those for the tool
 */
export function isMentioned(entries: readonly Entry[], path: readonly Step[], release: Release): boolean {
  const names = [pathText(path), lastField(path)].filter((name) => name !== '');
  return entries.some(
    ({ lastRelease, message }) =>
      isAtOrAfter(lastRelease, release.release) && names.some((name) => holdsName(message, name)),
  );
}

/** Whether a text has a name as a word of its own. */
function holdsName(text: string, name: string): boolean {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u').test(text);
}

function lastField(path: readonly Step[]): string {
  const last = path.at(-1);
  return typeof last === 'object' ? last.field : '';
}
