import type { Json } from '../../../shared/src/model.ts';
import { plain } from '../../../shared/src/plain.ts';

/** JSON on one line, with the spaces that a person would write. */
export function inline(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return plain(JSON.stringify(value));
  const entries = Object.entries(value).map(([key, part]) => `${plain(JSON.stringify(key))}: ${inline(part)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/**
 * What somebody answers to a call: `rejects: …`, `accepts`, or with a verb for what it is turned into, `runs with { … }`.
 */
export function answer(
  { accepts, error }: { readonly accepts: boolean; readonly error?: string },
  verb: string,
  value: Json | undefined,
): string {
  if (accepts) return value === undefined ? 'accepts' : `${verb} ${inline(value)}`;
  return error === undefined || error.trim() === '' ? 'rejects' : `rejects: ${shortError(error)}`;
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
