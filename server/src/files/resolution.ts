import { builtinModules } from 'node:module';
import nodePath from 'node:path';
// Discovery's room holds the one TypeScript of the product; of that room only this re-export is used here.
import { ts } from '../discovery/typescript.ts';
import type { Resolved } from '../evaluation/sandbox/messages.ts';
import { packageEntry, packageImport, runtimeOf } from './entries.ts';
import { type Packages, packageName } from './packages.ts';
import { isInside, normalizePath, uriToPath } from './paths.ts';
import { type Project, Projects, slashes } from './projects.ts';
import type { FileTree } from './tree.ts';

const BUILTINS = new Set(builtinModules);
/** Schemes that Node or another runtime resolves itself. `C:` is no scheme. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const RUNNABLE = /\.(?:[mc]?[jt]sx?|json)$/;

/** Where import specifiers lead. Answers are kept until `clear`. */
export class Resolver {
  readonly #tree: FileTree;
  readonly #packages: Packages;
  readonly #projects: Projects;
  readonly #answers = new Map<string, Resolved>();
  readonly #exists = new Map<string, boolean>();
  readonly #folders = new Map<string, boolean>();
  readonly #caches = new Map<Project, ts.ModuleResolutionCache>();
  readonly #host: ts.ModuleResolutionHost;

  constructor(tree: FileTree, packages: Packages) {
    this.#tree = tree;
    this.#packages = packages;
    this.#projects = new Projects(tree);
    this.#host = {
      useCaseSensitiveFileNames: process.platform !== 'win32',
      getCurrentDirectory: () => slashes(tree.root),
      fileExists: (path) => remember(this.#exists, path, () => tree.exists(normalizePath(path))),
      directoryExists: (path) => remember(this.#folders, path, () => tree.directoryExists(normalizePath(path))),
      readFile: (path) => tree.read(normalizePath(path)),
      realpath: (path) => slashes(tree.realpath(normalizePath(path))),
    };
  }

  /**
   * Resolves an import specifier of a file. Packages and builtins are Node's to resolve; what the project's own
   * configuration can lead to source (relative paths, `paths`, `baseUrl`, `#imports`, names of workspace packages) is
   * resolved here, to the source and never to what was built from it.
   *
   * @param specifier the words between the quotes
   * @param fromFile absolute path of the importing file
   * @returns a file of the workspace, the specifier again as `bare`, or the specifier as `missing`
   */
  resolve(specifier: string, fromFile: string): Resolved {
    const key = `${nodePath.dirname(fromFile)}\0${specifier}`;
    return remember(this.#answers, key, () => this.#resolve(specifier, fromFile));
  }

  #resolve(specifier: string, fromFile: string): Resolved {
    if (specifier === '') return { missing: specifier };
    if (/^file:/i.test(specifier)) return this.#existing(uriToPath(specifier), specifier);
    if (/^\.{0,2}(?:\/|$)/.test(specifier) || nodePath.isAbsolute(specifier)) {
      return this.#bySource(specifier, fromFile) ?? { missing: specifier };
    }
    if (BUILTINS.has(specifier) || SCHEME.test(specifier)) return { bare: specifier };
    if (specifier.startsWith('#')) return this.#hash(specifier, fromFile);
    return this.#byAlias(specifier, fromFile) ?? this.#workspacePackage(specifier, fromFile) ?? { bare: specifier };
  }

  #existing(path: string | undefined, specifier: string): Resolved {
    return path !== undefined && this.#tree.exists(path) ? { file: path } : { missing: specifier };
  }

  #hash(specifier: string, fromFile: string): Resolved {
    const alias = this.#byAlias(specifier, fromFile);
    if (alias) return alias;
    const pkg = this.#packages.nearest(fromFile);
    return (pkg && packageImport(this.#tree, pkg, specifier)) ?? { missing: specifier };
  }

  #bySource(specifier: string, fromFile: string): Resolved | undefined {
    const [project] = this.#projects.of(fromFile);
    return project && this.#typescript(specifier, fromFile, project);
  }

  #byAlias(specifier: string, fromFile: string): Resolved | undefined {
    for (const project of this.#projects.of(fromFile)) {
      if (!this.#concerns(project, specifier)) continue;
      const resolved = this.#typescript(specifier, fromFile, project);
      if (resolved) return resolved;
    }
    return undefined;
  }

  /** Whether TypeScript could lead a bare specifier to source: asking it about every package would be slow. */
  #concerns(project: Project, specifier: string): boolean {
    const matches = project.aliases.some((pattern) => {
      const [head, tail] = pattern.split('*');
      if (head === undefined || tail === undefined) return pattern === specifier;
      return specifier.length >= head.length + tail.length && specifier.startsWith(head) && specifier.endsWith(tail);
    });
    if (matches) return true;
    const { baseUrl } = project.options;
    if (baseUrl === undefined) return false;
    const first = `${baseUrl}/${specifier.split('/')[0]}`;
    if (this.#host.directoryExists?.(first)) return true;
    if (specifier.includes('/')) return false;
    const stem = first.replace(/\.[mc]?jsx?$/, '');
    return ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', ''].some((extension) =>
      this.#host.fileExists(stem + extension),
    );
  }

  #typescript(specifier: string, fromFile: string, project: Project): Resolved | undefined {
    const cache = remember(this.#caches, project, () =>
      ts.createModuleResolutionCache(slashes(this.#tree.root), (name) => name, project.options),
    );
    const { resolvedModule } = ts.resolveModuleName(specifier, slashes(fromFile), project.options, this.#host, cache);
    if (!resolvedModule) return undefined;
    const path = normalizePath(resolvedModule.resolvedFileName);
    const file = /\.d\.[mc]?ts$/.test(path) ? runtimeOf(this.#tree, path) : path;
    if (file === undefined || !RUNNABLE.test(file)) return undefined;
    return this.#isPackaged(specifier, file, fromFile) ? { bare: specifier } : { file };
  }

  /** An alias that leads into an installed package which Node finds by the same name is that package. */
  #isPackaged(specifier: string, file: string, fromFile: string): boolean {
    if (/^[./]/.test(specifier) || !/[\\/]node_modules[\\/]/.test(file)) return false;
    const installed = this.#packages.installed(packageName(specifier), nodePath.dirname(fromFile));
    return installed !== undefined && isInside(installed.folder, file);
  }

  #workspacePackage(specifier: string, fromFile: string): Resolved | undefined {
    const name = packageName(specifier);
    const folder = this.#workspaceFolder(name, nodePath.dirname(fromFile));
    const pkg = folder === undefined ? undefined : this.#packages.at(folder);
    if (!pkg) return undefined;
    const file = packageEntry(this.#tree, pkg, `.${specifier.slice(name.length)}`);
    return file === undefined ? undefined : { file };
  }

  /** The source folder of a package by its name: linked into `node_modules` from elsewhere, or found in the tree. */
  #workspaceFolder(name: string, from: string): string | undefined {
    const installed = this.#packages.installed(name, from);
    if (!installed) return this.#packages.workspace().get(name);
    return /[\\/]node_modules[\\/]/.test(installed.folder) ? undefined : installed.folder;
  }

  /** Sentences about configurations that could not be read as they are. */
  problems(): string[] {
    return this.#projects.problems();
  }

  /** Forgets everything: files came or went, or a `package.json` or `tsconfig.json` changed. The packages are not cleared. */
  clear(): void {
    this.#projects.clear();
    this.#answers.clear();
    this.#exists.clear();
    this.#folders.clear();
    this.#caches.clear();
  }
}

function remember<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = find();
  known.set(key, found);
  return found;
}
