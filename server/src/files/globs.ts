import picomatch from 'picomatch';
import { DEFAULT_INCLUDE } from '../../../shared/src/config.ts';

/** A selection of files by their paths relative to a root, with forward slashes. */
export interface Globs {
  /** Whether a file is selected. Judges the file's own path and the folders it is in. */
  file(relative: string): boolean;
  /** Whether a folder needs to be looked into. */
  folder(relative: string): boolean;
}

/** Never walked, whatever a setting says: they are large, and nothing in them is the workspace's own. */
const NEVER_WALKED = new Set(['node_modules', '.git']);

/**
 * Compiles globs relative to a root. A glob without wildcards that names a folder stands for the source files in it; a
 * glob that starts with `!` counts as one to exclude.
 *
 * @param isFolder whether a path relative to the root is a folder
 */
export function selectFiles(
  include: readonly string[],
  exclude: readonly string[],
  isFolder: (relative: string) => boolean,
): Globs {
  const wanted = include.filter((glob) => !glob.startsWith('!')).map(normalizeGlob);
  const unwanted = [...exclude, ...include.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))];
  const isWanted = picomatch(
    wanted.flatMap((glob) =>
      isFolder(glob) ? DEFAULT_INCLUDE.map((inner) => (glob === '.' ? inner : `${glob}/${inner}`)) : glob,
    ),
    { dot: true },
  );
  const isUnwanted = picomatch(unwanted.map(normalizeGlob), { dot: true });

  const folders = new Map<string, boolean>();
  const folder = (relative: string): boolean => {
    const known = folders.get(relative);
    if (known !== undefined) return known;
    const slash = relative.lastIndexOf('/');
    const name = relative.slice(slash + 1);
    const walked =
      !NEVER_WALKED.has(name) && !isUnwanted(relative) && (slash === -1 || folder(relative.slice(0, slash)));
    folders.set(relative, walked);
    return walked;
  };
  return {
    folder,
    file(relative) {
      const slash = relative.lastIndexOf('/');
      return isWanted(relative) && !isUnwanted(relative) && (slash === -1 || folder(relative.slice(0, slash)));
    },
  };
}

/** `./src/`, `/src` and `src\` all mean `src`; a backslash before a wildcard stays an escape. */
function normalizeGlob(glob: string): string {
  const trimmed = glob
    .replace(/\\(?![*?[\]{}()!+@])/g, '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  return trimmed === '' ? '.' : trimmed;
}
