import type { Json, Witness } from '../../../shared/src/model.ts';
import { plain } from './text.ts';

/** JSON on one line, with the spaces that a person would write. */
export function inline(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return plain(JSON.stringify(value));
  const entries = Object.entries(value).map(([key, part]) => `${plain(JSON.stringify(key))}: ${inline(part)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

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

function answer(
  { accepts, error }: { accepts: boolean; error?: string },
  verb: string,
  value: Json | undefined,
): string {
  if (!accepts) return rejects(error);
  return value === undefined ? 'accepts' : `${verb} ${inline(value)}`;
}

function rejects(error: string | undefined): string {
  return error === undefined || error.trim() === '' ? 'rejects' : `rejects: ${shortError(error)}`;
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

/**
 * The gist of an error. Zod's messages are a JSON list of issues, which MCP SDKs put behind words of their own: of these
 * only each issue's message and path are kept.
 */
export function shortError(error: string): string {
  const start = error.search(/\[\s*\{/);
  const issues = start === -1 ? undefined : issuesOf(error.slice(start, error.lastIndexOf(']') + 1));
  return issues ? [...new Set(issues)].join('; ') : plain(error);
}

function issuesOf(text: string): string[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const messages = list.map((issue: { message?: unknown; path?: unknown } | null) => {
    if (typeof issue?.message !== 'string') return undefined;
    const path = Array.isArray(issue.path) ? issue.path.join('.') : '';
    return plain(path === '' ? issue.message : `${issue.message} (at ${path})`);
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}
