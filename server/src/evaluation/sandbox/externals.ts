import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf } from './schema.ts';

type Namespace = Record<string, unknown>;
type Loaded = { readonly namespace: Namespace } | { readonly error: string };

/** Node's own resolution of imports from another file's URL; needs `--experimental-import-meta-resolve`. */
type Resolve = (specifier: string, parent: string) => string;

/**
 * Packages of the workspace, resolved with Node's own rules from the importing file and imported once per URL, so that
 * two zods, pnpm, exports maps and ESM-only packages just work.
 */
export class Externals {
  private readonly loaded = new Map<string, Loaded>();
  private readonly urls = new Map<string, string>();
  /** Milliseconds after which an import is given up. */
  limitMs = 10_000;

  /**
   * @param resolve `import.meta.resolve` with its second parameter
   * @param adopt is shown every package that was imported
   */
  constructor(
    private readonly resolve: Resolve,
    private readonly importModule: (url: string) => Promise<Namespace>,
    private readonly adopt: (namespace: Namespace) => void = () => {},
  ) {}

  /** The URL of a specifier as seen from a file. @throws when it is not installed */
  url(specifier: string, from: string, how: 'import' | 'require' = 'import'): string {
    const folder = dirname(from);
    const key = `${how} ${folder}\0${specifier}`;
    const known = this.urls.get(key);
    if (known !== undefined) return known;
    let url: string;
    try {
      if (specifier.startsWith('node:')) url = specifier;
      else if (how === 'import') url = this.resolve(specifier, pathToFileURL(from).href);
      else url = requireUrl(specifier, from);
    } catch (error) {
      throw new Error(explain(specifier, error));
    }
    this.urls.set(key, url);
    return url;
  }

  /** A package that was imported; undefined when that has yet to happen. @throws when importing it failed */
  get(url: string): Namespace | undefined {
    const loaded = this.loaded.get(url);
    if (!loaded) return undefined;
    if ('error' in loaded) throw new Error(loaded.error);
    return loaded.namespace;
  }

  /** Imports a package; a failure is kept and thrown by `get`. */
  async import(url: string): Promise<void> {
    if (this.loaded.has(url)) return;
    try {
      const namespace = await this.withinLimit(this.importModule(url));
      this.adopt(namespace);
      this.loaded.set(url, { namespace });
    } catch (error) {
      this.loaded.set(url, { error: `cannot load ${shortUrl(url)}: ${messageOf(error)}` });
    }
  }

  private withinLimit<T>(imported: Promise<T>): Promise<T> {
    const { limitMs } = this;
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`it did not finish loading within ${limitMs / 1000} seconds`));
      const timer = setTimeout(late, limitMs);
      imported.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Resolves and imports at once. @throws when it is not installed or throws itself */
  readonly load = async (specifier: string, from: string): Promise<Namespace> => {
    const url = this.url(specifier, from);
    await this.import(url);
    const namespace = this.get(url);
    if (!namespace) throw new Error(`cannot load ${specifier}`);
    return namespace;
  };

  /** The version in the `package.json` of an installed package, or undefined. */
  readonly version = (packageName: string, from: string): string | undefined => {
    for (let folder = dirname(from); ; folder = dirname(folder)) {
      try {
        const text = readFileSync(join(folder, 'node_modules', packageName, 'package.json'), 'utf8');
        const { version } = JSON.parse(text) as { version?: unknown };
        return typeof version === 'string' ? version : undefined;
      } catch {
        if (dirname(folder) === folder) return undefined;
      }
    }
  };
}

/** Where `require` finds a package: its exports may differ from those of an import. */
function requireUrl(specifier: string, from: string): string {
  const path = createRequire(from).resolve(specifier);
  return isAbsolute(path) ? pathToFileURL(path).href : path;
}

function explain(specifier: string, error: unknown): string {
  const code = (error as { code?: string } | undefined)?.code;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return `the package "${packageOf(specifier)}" is not installed: run your package manager`;
  if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return `"${specifier}" is not exported by its package`;
  if (code === 'ERR_ACCESS_DENIED') return `"${specifier}" lies outside the folders that may be read`;
  return `cannot resolve "${specifier}": ${messageOf(error)}`;
}

/** `@scope/name` or `name` of a specifier. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function shortUrl(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const at = path.lastIndexOf('node_modules');
  return at < 0 ? path : path.slice(at + 'node_modules/'.length);
}
