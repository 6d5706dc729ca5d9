import nodePath from 'node:path';
import picomatch from 'picomatch';
// Discovery's room holds the one TypeScript of the product; of that room only this re-export is used here.
import { ts } from '../discovery/typescript.ts';
import { isInside, normalizePath, relativePath } from './paths.ts';
import { Problems } from './problems.ts';
import type { FileTree } from './tree.ts';

/** What a `tsconfig.json` says about resolving imports. */
export interface Project {
  /** The configuration file, or undefined for the defaults. */
  readonly file: string | undefined;
  readonly options: ts.CompilerOptions;
  /** Patterns of `paths`, such as `@/*`. */
  readonly aliases: readonly string[];
  /** Whether `files` and `include` of the configuration select a file. */
  includes(file: string): boolean;
  /** Configurations that this one refers to, in its order. */
  readonly references: readonly string[];
}

const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];

/**
 * Source is resolved as bundlers and loaders do, whatever the project says: it finds `./x.js` → `x.ts`, folders with an
 * index and missing extensions, and finds everything that the stricter modes find. Bundler mode lacks the condition
 * `node`, which decides here because Node evaluates.
 */
const OPTIONS: ts.CompilerOptions = {
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  module: ts.ModuleKind.ESNext,
  allowJs: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  customConditions: ['node'],
};

/** The TypeScript projects of a tree. Answers are kept until `clear`. */
export class Projects {
  readonly #tree: FileTree;
  readonly #problems = new Problems();
  readonly #read = new Map<string, Project>();
  readonly #nearest = new Map<string, string | undefined>();
  readonly #defaults: Project;

  constructor(tree: FileTree) {
    this.#tree = tree;
    this.#defaults = { file: undefined, options: OPTIONS, aliases: [], includes: () => true, references: [] };
  }

  /**
   * The projects that may say how a file's imports resolve, the likeliest first: the nearest configuration and those it
   * refers to, those that include the file before those that do not. Never empty.
   */
  of(file: string): Project[] {
    const nearest = this.#nearestConfig(nodePath.dirname(file));
    if (nearest === undefined) return [this.#defaults];
    const projects = this.#withReferences(nearest, new Set());
    return [
      ...projects.filter((project) => project.includes(file)),
      ...projects.filter((project) => !project.includes(file)),
    ];
  }

  #withReferences(file: string, seen: Set<string>): Project[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const project = this.#project(file);
    return [project, ...project.references.flatMap((reference) => this.#withReferences(reference, seen))];
  }

  #nearestConfig(folder: string): string | undefined {
    if (this.#nearest.has(folder)) return this.#nearest.get(folder);
    const parent = nodePath.dirname(folder);
    const here = CONFIG_NAMES.map((name) => nodePath.join(folder, name)).find((file) => this.#tree.exists(file));
    const found = here ?? (parent === folder ? undefined : this.#nearestConfig(parent));
    this.#nearest.set(folder, found);
    return found;
  }

  #project(file: string): Project {
    const known = this.#read.get(file);
    if (known) return known;
    const project = this.#parse(file);
    this.#read.set(file, project);
    return project;
  }

  #parse(file: string): Project {
    const text = this.#tree.read(file);
    if (text === undefined) return this.#defaults;
    const folder = nodePath.dirname(file);
    const json = ts.parseConfigFileTextToJson(slashes(file), text);
    const config: unknown = json.config ?? {};
    const parsed = ts.parseJsonConfigFileContent(config, this.#configHost(), slashes(folder), undefined, slashes(file));
    // 18002 and 18003 say that no file was selected, which is so because the tree is not listed here.
    const errors = parsed.errors.filter((error) => error.code !== 18002 && error.code !== 18003);
    this.#report(file, json.error ? [json.error, ...errors] : errors);
    const raw = (parsed.raw ?? {}) as { files?: unknown; include?: unknown; exclude?: unknown };
    const { baseUrl, paths, pathsBasePath, rootDirs, customConditions } = parsed.options;
    return {
      file,
      options: {
        ...OPTIONS,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(paths === undefined ? {} : { paths }),
        ...(pathsBasePath === undefined ? {} : { pathsBasePath }),
        ...(rootDirs === undefined ? {} : { rootDirs }),
        customConditions: [...(customConditions ?? []), 'node'],
      },
      aliases: Object.keys(paths ?? {}),
      includes: selects(folder, raw),
      references: (parsed.projectReferences ?? []).map((reference) => {
        const path = normalizePath(reference.path);
        return path.endsWith('.json') ? path : nodePath.join(path, 'tsconfig.json');
      }),
    };
  }

  #configHost(): ts.ParseConfigHost {
    return {
      useCaseSensitiveFileNames: process.platform !== 'win32',
      readDirectory: () => [],
      fileExists: (path) => this.#tree.exists(normalizePath(path)),
      readFile: (path) => this.#tree.read(normalizePath(path)),
    };
  }

  #report(file: string, errors: readonly ts.Diagnostic[]): void {
    const error = errors[0];
    if (!error) return;
    const shown = isInside(this.#tree.root, file) ? relativePath(this.#tree.root, file) : file;
    const at =
      error.file && error.start !== undefined ? error.file.getLineAndCharacterOfPosition(error.start) : undefined;
    const place = at ? `${shown}:${at.line + 1}:${at.character + 1}` : shown;
    const message = ts.flattenDiagnosticMessageText(error.messageText, ' ').replace(/\.$/, '');
    this.#problems.add(file, `${place}: ${message}; what can be read of it is used, and defaults for the rest.`);
  }

  /** Sentences about configurations met so far that could not be read as they are, one for each file. */
  problems(): string[] {
    return this.#problems.list();
  }

  /** Forgets everything: a configuration changed, came or went. */
  clear(): void {
    this.#problems.clear();
    this.#read.clear();
    this.#nearest.clear();
  }
}

/** The selection of `files`, `include` and `exclude`, as far as it matters for choosing among referenced projects. */
function selects(
  folder: string,
  raw: { files?: unknown; include?: unknown; exclude?: unknown },
): (file: string) => boolean {
  const files = strings(raw.files).map((name) => normalizePath(nodePath.resolve(folder, name)));
  const include = raw.include === undefined && raw.files === undefined ? ['**/*'] : strings(raw.include);
  const isIncluded = picomatch(include.map(wholeFolder), { dot: false });
  const isExcluded = picomatch(strings(raw.exclude).map(wholeFolder), { dot: true });
  return (file) => {
    if (files.includes(normalizePath(file))) return true;
    const relative = relativePath(folder, file);
    return isIncluded(relative) && !isExcluded(relative);
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** In a configuration `src` and `src/*` … mean what globs mean, but a folder's name stands for all that is in it. */
function wholeFolder(glob: string): string {
  const trimmed = glob.replace(/^\.\//, '').replace(/\/+$/, '');
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  if (trimmed === '' || trimmed === '.') return '**/*';
  return last === '**' ? `${trimmed}/*` : /[*?.]/.test(last) ? trimmed : `${trimmed}/**/*`;
}

/** TypeScript writes all paths with forward slashes. */
export function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
