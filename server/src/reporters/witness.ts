import type { Json, Witness } from '../../../shared/src/model.ts';
import { plain } from '../../../shared/src/plain.ts';
import { answer } from '../rules/callWords.ts';

/** What became of a call, for one lane of a witness: who answers, and what. */
export interface Lane {
  readonly who: string;
  readonly what: string;
  /** Paths of keys that were sent and not received, and of keys that were received and not sent. */
  readonly deleted: readonly string[];
  readonly added: readonly string[];
}

/**
 * The two lanes of a witness: what is expected and what really happens.
 *
 * @param tool the name that the surface knows the tool by
 */
export function lanes({ arguments: sent, expected, actual }: Witness, tool: string): [Lane, Lane] {
  const changed = difference(sent, actual.accepts ? (actual.received ?? sent) : sent, '');
  return [
    // What is expected may be said of a part of the arguments (one variant of a union), so it is not compared with them.
    { who: plain(expected.name), what: answer(expected, 'gives', expected.value), deleted: [], added: [] },
    { who: plain(tool), what: answer(actual, 'runs with', actual.received), ...changed },
  ];
}

/** Compares at every depth; lists are compared item by item. */
function difference(sent: Json, received: Json, at: string): { deleted: string[]; added: string[] } {
  const deleted: string[] = [];
  const added: string[] = [];
  if (typeof sent !== 'object' || typeof received !== 'object' || sent === null || received === null)
    return { deleted, added };
  if (Array.isArray(sent) !== Array.isArray(received)) return { deleted, added };
  const before = new Map(Object.entries(sent));
  const after = new Map(Object.entries(received));
  for (const [key, value] of before) {
    const path = at === '' ? plain(key) : `${at}.${plain(key)}`;
    const other = after.get(key);
    if (other === undefined) deleted.push(path);
    else {
      const inner = difference(value, other, path);
      deleted.push(...inner.deleted);
      added.push(...inner.added);
    }
  }
  for (const key of after.keys()) if (!before.has(key)) added.push(at === '' ? plain(key) : `${at}.${plain(key)}`);
  return { deleted, added };
}
