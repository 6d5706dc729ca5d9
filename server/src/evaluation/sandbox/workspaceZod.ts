import { majorOf, messageOf } from './schema.ts';

/** Imports a package as a workspace file would; throws when it is not there. */
export type Load = (specifier: string, from: string) => Promise<Record<string, unknown>>;

/** The functions of the zod that a workspace file sees. */
export interface WorkspaceZod {
  object(shape: Record<string, object>): object;
  /** zod 4 only. */
  toJSONSchema?(schema: object, options: { readonly io: 'input' }): unknown;
}

/** Where each major may be found: since 3.25 one package holds both. */
const ENTRIES = { 3: ['zod', 'zod/v3'], 4: ['zod', 'zod/v4', 'zod/v4-mini'] } as const;

/**
 * The zod of a major version as seen from a workspace file.
 *
 * @throws Error with a sentence when there is none
 */
export async function workspaceZod(major: 3 | 4, from: string, load: Load): Promise<WorkspaceZod> {
  let reason = '';
  for (const entry of ENTRIES[major]) {
    try {
      const zod = await load(entry, from);
      const space = (typeof zod.object === 'function' ? zod : (zod.z ?? zod.default ?? zod)) as Partial<WorkspaceZod>;
      if (typeof space.object === 'function' && majorOf(space.object({})) === major) return space as WorkspaceZod;
    } catch (error) {
      reason ||= ` (${messageOf(error)})`;
    }
  }
  throw new Error(`No zod ${major} can be loaded from ${from}${reason}: run your package manager.`);
}

/**
 * Wraps a raw shape in a plain object as SDKs do, with the zod of the shape's own fields as seen from a workspace file.
 *
 * @throws Error with a sentence when there is no such zod, or the fields come from both majors
 */
export async function wrapShape(shape: Record<string, object>, from: string, load: Load): Promise<object> {
  const majors = new Set(Object.values(shape).map(majorOf));
  if (majors.size > 1) throw new Error('The shape mixes schemas of zod 3 and zod 4.');
  const [major] = majors;
  if (major) return (await workspaceZod(major, from, load)).object(shape);
  return (await workspaceZod(4, from, load).catch(() => workspaceZod(3, from, load))).object(shape);
}
