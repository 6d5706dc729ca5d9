import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Packages } from '../files/packages.ts';
import type { FileTree } from '../files/tree.ts';

/**
 * Folders that the sandbox may read: the workspace, every `node_modules` of an ancestor, the real folders of packages
 * that are linked from elsewhere (pnpm stores, workspaces of a monorepo above), and the sandbox itself.
 *
 * @returns absolute paths, without those inside another one
 */
export function readableFolders(tree: FileTree, sandboxEntry: string, packages: Packages): string[] {
  const folders = new Set([tree.root, tree.realpath(tree.root), dirname(sandboxEntry), real(dirname(sandboxEntry))]);
  for (let folder = tree.root; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (tree.directoryExists(modules)) {
      folders.add(modules);
      folders.add(tree.realpath(modules));
    }
    if (dirname(folder) === folder) break;
  }
  for (const pkg of packages.all()) {
    for (const name of pkg.dependencies) {
      const installed = packages.installed(name, pkg.folder);
      if (installed) folders.add(installed.folder);
    }
  }
  return [...folders].filter((folder) => ![...folders].some((other) => other !== folder && isWithin(other, folder)));
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
