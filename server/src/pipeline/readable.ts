import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Packages } from '../files/packages.ts';
import type { FileTree } from '../files/tree.ts';

/** Links on the way to one folder; the operating system follows no more. */
const MAX_LINKS = 40;
/** A folder of packages, or something in one. */
const PACKAGES = /[\\/]node_modules(?:[\\/]|$)/;
/** Packages outside the readable folders that are followed to what they need themselves. */
const MAX_PACKAGES = 500;
/**
 * Where pnpm keeps packages, each beside links to what it needs: the virtual store, also when it is shared by all
 * workspaces (`enable-global-virtual-store`, pnpm 10.12 and later).
 */
const STORE =
  /^.*[\\/](?:\.pnpm|links(?=[\\/](?:@[^\\/]*[\\/])?[^\\/]+[\\/][^\\/]+[\\/][^\\/]+[\\/]node_modules[\\/]))(?=[\\/])/;

/**
 * Folders that the sandbox may read: the workspace, every `node_modules` of an ancestor, the real folders of packages
 * that are linked from elsewhere (pnpm stores, workspaces of a monorepo above) and of what these need, and the sandbox
 * itself. Node asks for each folder on the way along links, so a link to a link needs both.
 *
 * @returns absolute paths, without those inside another one
 */
export function readableFolders(tree: FileTree, sandboxEntry: string, packages: Packages): string[] {
  const folders = new Set([tree.root, tree.realpath(tree.root), dirname(sandboxEntry), real(dirname(sandboxEntry))]);
  for (let folder = tree.root; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (tree.directoryExists(modules)) for (const hop of hopsOf(modules)) folders.add(hop);
    if (dirname(folder) === folder) break;
  }
  const own = [...folders];
  const open = packages.all().map(({ folder, dependencies }) => ({ folder, dependencies }));
  const met = new Set<string>();
  for (const { folder, dependencies } of open) {
    for (const name of dependencies) {
      const installed = packages.installed(name, folder);
      const link = installed && join(installed.from, 'node_modules', name);
      if (!installed || !link || met.has(link)) continue;
      met.add(link);
      const isOutside = !own.some((other) => isWithin(other, installed.folder));
      if (!isOutside && link === installed.folder) continue;
      for (const hop of hopsOf(link)) folders.add(STORE.exec(hop)?.[0] ?? hop);
      const needs = packages.at(installed.folder)?.dependencies;
      if (needs && isOutside && open.length < MAX_PACKAGES)
        open.push({ folder: installed.folder, dependencies: needs });
    }
  }
  return [...folders].filter((folder) => ![...folders].some((other) => other !== folder && isWithin(other, folder)));
}

/** A path, and what it becomes as each link on its way is followed, with the links among packages themselves. */
function hopsOf(path: string): string[] {
  const hops = [path];
  let at: string | undefined = path;
  for (let count = 0; at !== undefined && count < MAX_LINKS; count++) {
    const link = firstLink(at);
    // Node looks at a link itself, too. One above all packages would open everything that lies beside them.
    if (link && PACKAGES.test(link.path)) hops.push(link.path);
    at = link && join(link.target, at.slice(link.path.length));
    if (at !== undefined) hops.push(at);
  }
  return hops;
}

function firstLink(path: string): { readonly path: string; readonly target: string } | undefined {
  for (let end = path.indexOf(sep, 1); ; end = path.indexOf(sep, end + 1)) {
    const part = end < 0 ? path : path.slice(0, end);
    try {
      return { path: part, target: resolve(dirname(part), readlinkSync(part)) };
    } catch {
      if (end < 0) return undefined;
    }
  }
}

function isWithin(outer: string, inner: string): boolean {
  return inner.startsWith(
    outer.endsWith('/') || outer.endsWith('\\') ? outer : `${outer}${inner.includes('\\') ? '\\' : '/'}`,
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
