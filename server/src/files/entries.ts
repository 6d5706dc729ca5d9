import nodePath from 'node:path';
import type { Json } from '../../../shared/src/model.ts';
import { isObject } from './jsonText.ts';
import type { Package } from './packages.ts';
import type { FileTree } from './tree.ts';

/** Folders that builds write to. Their files are found again under `src`. */
const OUTPUT_FOLDERS = new Set(['dist', 'build', 'out', 'lib', 'esm', 'cjs', 'es', 'module', 'types', 'typings']);
const EXTENSION = /(?:\.d\.[mc]?ts|\.[mc]?[jt]sx?)$/;
const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts'];
const RUNTIME_EXTENSIONS = ['.js', '.mjs', '.cjs', '.jsx'];

/**
 * The source file that a specifier of one of the workspace's own packages means, whether the package was built or not:
 * its `exports` (or `source`, `module`, `main`, `types`) with the output folder mapped to `src`. Source wins over what was
 * built from it, because that is what the author edits.
 *
 * @param subpath `.` for the package itself, `./deep/file` for a path in it
 * @returns an existing file of the tree, or undefined
 */
export function packageEntry(tree: FileTree, pkg: Package, subpath: string): string | undefined {
  const { exports } = pkg.json;
  if (exports !== undefined && exports !== null) {
    const map =
      isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.')) ? exports : { '.': exports };
    return firstFile(tree, pkg.folder, targetsOf(map, subpath));
  }
  if (subpath !== '.') return firstFile(tree, pkg.folder, [subpath, `./src/${subpath.slice(2)}`]);
  const named = ['source', 'module', 'main', 'types', 'typings'].flatMap((key) => {
    const value = pkg.json[key];
    return typeof value === 'string' ? [value] : [];
  });
  return firstFile(tree, pkg.folder, [...named, './src/index', './index']);
}

/**
 * What a specifier that starts with `#` means in a package, from the `imports` of its `package.json`.
 *
 * @returns a file of the tree, the name of another package, or undefined
 */
export function packageImport(
  tree: FileTree,
  pkg: Package,
  specifier: string,
): { file: string } | { bare: string } | undefined {
  if (!isObject(pkg.json.imports)) return undefined;
  const targets = targetsOf(pkg.json.imports, specifier);
  const file = firstFile(tree, pkg.folder, targets);
  if (file !== undefined) return { file };
  return targets.some((target) => !target.startsWith('.')) ? { bare: specifier } : undefined;
}

/**
 * Every target that an `exports` or `imports` map gives for a key, in the map's order and over all conditions: which
 * conditions hold is decided by which file exists. Of several patterns the most specific one counts, as in Node.
 */
function targetsOf(map: { readonly [key: string]: Json }, key: string): string[] {
  if (map[key] !== undefined) return leaves(map[key]);
  let best: { pattern: string; star: string } | undefined;
  for (const pattern of Object.keys(map)) {
    const [head, tail] = pattern.split('*');
    if (head === undefined || tail === undefined) continue;
    const matches = key.length >= pattern.length && key.startsWith(head) && key.endsWith(tail);
    if (matches && (best === undefined || head.length > best.pattern.indexOf('*'))) {
      best = { pattern, star: key.slice(head.length, key.length - tail.length) };
    }
  }
  if (!best) return [];
  const { star } = best;
  return leaves(map[best.pattern] ?? null).map((target) => target.replaceAll('*', star));
}

function leaves(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap(leaves) : [];
}

function firstFile(tree: FileTree, folder: string, targets: readonly string[]): string | undefined {
  const local = targets
    .filter((target) => !/^(?:#|[a-z]+:)/i.test(target))
    .map((target) => nodePath.posix.normalize(target));
  const inside = local.filter((target) => !target.startsWith('..') && !target.startsWith('/'));
  for (const extensions of [SOURCE_EXTENSIONS, RUNTIME_EXTENSIONS, ['.json']]) {
    for (const target of inside) {
      for (const stem of stems(target)) {
        const found = withExtension(tree, nodePath.join(folder, stem), extensions);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

/** `dist/esm/x.js` → `dist/esm/x`, `src/esm/x`, `src/x`, `esm/x`, `x`: the target itself first, then where its source may be. */
function stems(target: string): string[] {
  const stem = target.replace(EXTENSION, '').replace(/\.json$/, '');
  const segments = stem.split('/');
  if (!OUTPUT_FOLDERS.has(segments[0] ?? '')) return [stem];
  const rests = segments.slice(1).map((_, index) => segments.slice(index + 1).join('/'));
  return [stem, ...rests.map((rest) => `src/${rest}`), ...rests];
}

function withExtension(tree: FileTree, stem: string, extensions: readonly string[]): string | undefined {
  for (const candidate of [stem, nodePath.join(stem, 'index')]) {
    for (const extension of extensions) {
      const file = candidate + extension;
      if (tree.exists(file)) return file;
    }
  }
  return undefined;
}

/**
 * The file that runs behind a declaration file: `x.d.ts` → `x.js`. A declaration alone has nothing to evaluate.
 *
 * @returns undefined when there is only the declaration
 */
export function runtimeOf(tree: FileTree, declaration: string): string | undefined {
  const stem = declaration.replace(EXTENSION, '');
  return [...SOURCE_EXTENSIONS, ...RUNTIME_EXTENSIONS]
    .map((extension) => stem + extension)
    .find((file) => tree.exists(file));
}
