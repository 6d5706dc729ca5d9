import nodePath from 'node:path';
import type { Json } from '../../../shared/src/model.ts';
import { isObject, readJson } from './jsonText.ts';
import { isInside, normalizePath, relativePath } from './paths.ts';
import { Problems } from './problems.ts';
import type { FileTree } from './tree.ts';

/** A `package.json` and the folder it speaks for. What is wrong in it is as if it were absent. */
export interface Package {
  readonly folder: string;
  readonly file: string;
  readonly name?: string;
  readonly version?: string;
  /** Names of all dependencies: regular, development, peer and optional. */
  readonly dependencies: ReadonlySet<string>;
  /** The whole object, `{}` when there is none to read. */
  readonly json: { readonly [key: string]: Json };
}

/** A package as code in some folder finds it. */
export interface Installed {
  /** The folder behind links. */
  readonly folder: string;
  /** The folder in whose `node_modules` it was found. */
  readonly from: string;
  readonly version?: string;
}

/** The packages of a tree and what is installed for them. Answers are kept until `clear`. */
export class Packages {
  readonly #tree: FileTree;
  readonly #problems = new Problems();
  readonly #read = new Map<string, Package | undefined>();
  readonly #nearest = new Map<string, Package | undefined>();
  readonly #installed = new Map<string, Installed | undefined>();
  #workspace: Map<string, string> | undefined;

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** The package that a file belongs to: the nearest `package.json` at or above its folder, also above the root. */
  nearest(file: string): Package | undefined {
    return this.#nearestTo(nodePath.dirname(file));
  }

  #nearestTo(folder: string): Package | undefined {
    if (this.#nearest.has(folder)) return this.#nearest.get(folder);
    const parent = nodePath.dirname(folder);
    const found = this.at(folder) ?? (parent === folder ? undefined : this.#nearestTo(parent));
    this.#nearest.set(folder, found);
    return found;
  }

  /** The package whose `package.json` stands in a folder. A broken one still marks the folder as a package. */
  at(folder: string): Package | undefined {
    if (!this.#read.has(folder)) this.#read.set(folder, this.#readPackage(folder));
    return this.#read.get(folder);
  }

  #readPackage(folder: string): Package | undefined {
    const file = nodePath.join(folder, 'package.json');
    const text = this.#tree.exists(file) ? this.#tree.read(file) : undefined;
    if (text === undefined) return undefined;
    const { value, broken } = readJson(text);
    const shown = isInside(this.#tree.root, file) ? relativePath(this.#tree.root, file) : file;
    if (broken) this.#problems.add(file, `${shown}:${broken}; what can be read of it is used.`);
    else if (!isObject(value)) this.#problems.add(file, `${shown} holds no JSON object and is read as an empty one.`);
    const json = isObject(value) ? value : {};
    return {
      folder,
      file,
      ...(typeof json.name === 'string' && json.name !== '' ? { name: json.name } : {}),
      ...(typeof json.version === 'string' ? { version: json.version } : {}),
      dependencies: new Set(
        ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) => {
          const list = json[key];
          return isObject(list) ? Object.keys(list) : [];
        }),
      ),
      json,
    };
  }

  /** All packages of the tree, sorted by folder. */
  all(): Package[] {
    return [...new Set(this.#files().map((file) => nodePath.dirname(file)))].flatMap((folder) => this.at(folder) ?? []);
  }

  #files(): string[] {
    return this.#tree.list(['**/package.json'], ['**/.*/**']);
  }

  /** The workspace's own packages: name → folder. Of two with one name, the one nearer to the root. */
  workspace(): ReadonlyMap<string, string> {
    if (this.#workspace) return this.#workspace;
    const depth = (pkg: Package) => pkg.folder.split(nodePath.sep).length;
    this.#workspace = new Map();
    for (const pkg of this.all().sort((a, b) => depth(a) - depth(b))) {
      if (pkg.name !== undefined && !this.#workspace.has(pkg.name)) this.#workspace.set(pkg.name, pkg.folder);
    }
    return this.#workspace;
  }

  /**
   * A package as Node finds it from a folder: in the nearest `node_modules` at or above it that has it.
   *
   * @param name a package's name without a path inside it: `zod`, `@modelcontextprotocol/sdk`
   */
  installed(name: string, folder: string): Installed | undefined {
    const key = `${folder}\0${name}`;
    if (this.#installed.has(key)) return this.#installed.get(key);
    const link = nodePath.join(folder, 'node_modules', ...name.split('/'));
    const parent = nodePath.dirname(folder);
    let found: Installed | undefined;
    if (nodePath.basename(folder) !== 'node_modules' && this.#tree.directoryExists(link)) {
      const real = normalizePath(this.#tree.realpath(link));
      const version = this.at(real)?.version;
      found = { folder: real, from: folder, ...(version === undefined ? {} : { version }) };
    } else if (parent !== folder) {
      found = this.installed(name, parent);
    }
    this.#installed.set(key, found);
    return found;
  }

  /** Sentences about every `package.json` met so far that could not be read as it is. */
  problems(): string[] {
    return this.#problems.list();
  }

  /** Forgets everything: a `package.json` changed, or packages were installed. */
  clear(): void {
    this.#problems.clear();
    this.#read.clear();
    this.#nearest.clear();
    this.#installed.clear();
    this.#workspace = undefined;
  }
}

/** The package's name in a bare specifier: `zod/v4` → `zod`, `@scope/name/deep` → `@scope/name`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
