import nodePath from 'node:path';

type Os = 'win32' | 'darwin' | 'linux';
const here: Os = process.platform === 'win32' ? 'win32' : process.platform === 'darwin' ? 'darwin' : 'linux';

/**
 * An absolute path in one spelling: separators of the system, no `.`, `..` or trailing separator, an upper-case drive
 * letter as Node itself writes it (editors send `file:///c%3A/…`, Node says `C:\…`).
 */
export function normalizePath(path: string, os: Os = here): string {
  if (os !== 'win32') return trimSeparator(nodePath.posix.normalize(path), nodePath.posix.sep);
  const normal = trimSeparator(nodePath.win32.normalize(path), nodePath.win32.sep);
  return /^[a-z]:/.test(normal) ? normal[0]?.toUpperCase() + normal.slice(1) : normal;
}

function trimSeparator(path: string, separator: string): string {
  const root = path === separator || /^[a-z]:\\$/i.test(path);
  return path.endsWith(separator) && !root ? path.slice(0, -1) : path;
}

/**
 * The key under which a path is compared: equal for two spellings of one file. Windows does not tell upper from lower
 * case; macOS composes the letters of a name in another form than keyboards do.
 */
export function pathKey(path: string, os: Os = here): string {
  const normal = normalizePath(path, os);
  if (os === 'win32') return normal.toLowerCase();
  return os === 'darwin' ? normal.normalize('NFC') : normal;
}

/** Whether two paths name the same file, however they are spelled. */
export function samePath(a: string, b: string, os: Os = here): boolean {
  return pathKey(a, os) === pathKey(b, os);
}

/** Whether a path is a folder itself or lies in it. */
export function isInside(folder: string, path: string, os: Os = here): boolean {
  const outer = pathKey(folder, os);
  const inner = pathKey(path, os);
  const separator = os === 'win32' ? '\\' : '/';
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
}

/**
 * The path of a `file:` URI as any client spells it: drive letters of either case, percent-encoded or not, a share's
 * name as the host. A `%` that encodes nothing stands for itself.
 *
 * @returns undefined for other schemes (`untitled:`, `git:`, `vscode-notebook-cell:`)
 */
export function uriToPath(uri: string, os: Os = here): string | undefined {
  const parts = /^file:(?:\/\/([^/?#]*))?([^?#]*)/i.exec(uri);
  if (!parts) return undefined;
  const host = decode(parts[1] ?? '');
  const path = decode(parts[2] ?? '');
  if (os !== 'win32') return normalizePath(path || '/', os);
  if (host !== '' && host !== 'localhost') return normalizePath(`\\\\${host}${path}`, os);
  return normalizePath(path.replace(/^\/(?=[a-z]:)/i, ''), os);
}

/**
 * The `file:` URI of an absolute path, spelled as VS Code spells it (lower-case drive letter, everything but unreserved
 * characters encoded), so that it is the same string as the URI of the editor's own document.
 */
export function pathToUri(path: string, os: Os = here): string {
  let slashes = os === 'win32' ? normalizePath(path, os).replaceAll('\\', '/') : normalizePath(path, os);
  let host = '';
  if (os === 'win32' && slashes.startsWith('//')) {
    const end = slashes.indexOf('/', 2);
    host = slashes.slice(2, end === -1 ? undefined : end);
    slashes = end === -1 ? '/' : slashes.slice(end);
  } else if (os === 'win32') {
    slashes = `/${slashes[0]?.toLowerCase()}${slashes.slice(1)}`;
  }
  return `file://${encode(host)}${slashes.split('/').map(encode).join('/')}`;
}

/** A path relative to a folder with forward slashes, as reports and globs write it. `.` is the folder itself. */
export function relativePath(folder: string, path: string, os: Os = here): string {
  const module = os === 'win32' ? nodePath.win32 : nodePath.posix;
  const relative = module.relative(normalizePath(folder, os), normalizePath(path, os));
  return relative === '' ? '.' : os === 'win32' ? relative.replaceAll('\\', '/') : relative;
}

function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
