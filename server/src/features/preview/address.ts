import { basename, dirname } from 'node:path';
import { SURFACE_IDS } from '../../../../shared/src/config.ts';
import type { SurfaceId } from '../../../../shared/src/model.ts';
import { PREVIEW_SCHEME } from '../../../../shared/src/protocol.ts';
import { pathToUri, uriToPath } from '../../files/paths.ts';

/** Which schema of a tool: what a surface advertises, `contract` for the author's own; `isPast` for that of the last release. */
export interface SchemaOf {
  readonly surface: SurfaceId;
  readonly isPast: boolean;
}

/** What tells a tool from all others while its file is edited. */
export interface ToolAddress {
  /** The file that the tool is defined in. */
  readonly file: string;
  /** Null: its name is not known. */
  readonly name: string | null;
  /** Its number among the tools of the file with that name, from 1. */
  readonly number: number;
}

/** What a preview document shows. */
export type PreviewAddress = ToolAddress & { readonly of: SchemaOf };

const PAST = '.baseline';

/**
 * The URI of a preview document: the tool's file as a folder, in it the tool and the surface, for people; the query is
 * the tool's name as it is. `tool-contract:///code/src/boats.ts/list_boats.mcp-v1.json?list_boats`
 */
export function previewUri({ file, name, number, of }: PreviewAddress): string {
  const folder = pathToUri(file).replace(/^file:/, `${PREVIEW_SCHEME}:`);
  const shown = `${fileName(name)}${number > 1 ? ` (${number})` : ''}.${of.surface}${of.isPast ? PAST : ''}.json`;
  return `${folder}/${encodeURIComponent(shown)}${name === null ? '' : `?${encodeURIComponent(name)}`}`;
}

/** What a preview URI means, however an editor spells it; undefined when it is none. */
export function parsePreviewUri(uri: string): PreviewAddress | undefined {
  const parts = new RegExp(`^${PREVIEW_SCHEME}:([^?#]*)(?:\\?([^#]*))?`).exec(uri);
  const path = parts?.[1] === undefined ? undefined : uriToPath(`file:${parts[1]}`);
  if (path === undefined) return undefined;
  const query = parts?.[2] ? decode(parts[2]) : '';
  const name = query === '' ? null : query;
  const last = basename(path);
  const shown = fileName(name);
  if (!last.startsWith(shown)) return undefined;
  const rest = /^(?: \((\d+)\))?\.([\w-]+)(\.baseline)?\.json$/.exec(last.slice(shown.length));
  const surface = SURFACE_IDS.find((id) => id === rest?.[2]);
  if (!rest || !surface) return undefined;
  return {
    file: dirname(path),
    name,
    number: Number(rest[1] ?? 1),
    of: { surface, isPast: rest[3] !== undefined },
  };
}

/** A tool's name as a file's name: what a path or a file system would take for something else is left out. */
function fileName(name: string | null): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const safe = (name ?? 'tool').replace(/[\\/:*?"<>|%\u0000-\u001f]/g, '_').slice(0, 80);
  return /^\.*$/.test(safe) ? 'tool' : safe;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
