import type { Json } from '../../../../shared/src/model.ts';
import type { Release } from '../../baseline/previous.ts';

/** What a surface made of a tool of the last release, or why that is not known. */
export type Past =
  | { readonly release: Release; readonly schema: Json }
  /** The surface's own words. */
  | { readonly release: Release; readonly error: string }
  /** One sentence. */
  | { readonly reason: string };

/** The document about it. */
export function pastText(past: Past, title: string, page: (notes: readonly string[], json?: Json) => string): string {
  if ('schema' in past) return page([], past.schema);
  if ('reason' in past) return page([past.reason]);
  return page([`${title} of ${past.release.name} could not be listed: ${past.error}`]);
}

/** A release as people read it: the tag, or the release that a file records. */
export function releaseTitle({ kind, name, release }: Release): string {
  return kind === 'tag' ? name : `${release} (${name})`;
}
