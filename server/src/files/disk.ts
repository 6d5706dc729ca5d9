import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import nodePath from 'node:path';
import { type Globs, selectFiles } from './globs.ts';
import { isInside, normalizePath, pathKey, relativePath } from './paths.ts';
import type { FileTree } from './tree.ts';

/** The disk with open documents over it: what an editor shows wins over what was saved. */
export class DiskTree implements FileTree {
  readonly root: string;
  readonly #open = new Map<string, { readonly file: string; readonly text: string }>();

  constructor(root: string) {
    this.root = normalizePath(nodePath.resolve(root));
  }

  /** Lays a document over its file; again for each of its versions. The file need not exist on the disk. */
  open(file: string, text: string): void {
    this.#open.set(pathKey(file), { file: normalizePath(file), text: withoutByteOrderMark(text) });
  }

  /** The file reads from the disk again. */
  close(file: string): void {
    this.#open.delete(pathKey(file));
  }

  isOpen(file: string): boolean {
    return this.#open.has(pathKey(file));
  }

  read(file: string): string | undefined {
    const document = this.#open.get(pathKey(file));
    if (document) return document.text;
    try {
      return decodeText(readFileSync(file));
    } catch {
      return undefined;
    }
  }

  exists(file: string): boolean {
    if (this.#open.has(pathKey(file))) return true;
    try {
      return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
    } catch {
      return false;
    }
  }

  directoryExists(folder: string): boolean {
    try {
      return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return false;
    }
  }

  realpath(path: string): string {
    try {
      return normalizePath(realpathSync.native(path));
    } catch {
      return normalizePath(path);
    }
  }

  list(include: readonly string[], exclude: readonly string[]): string[] {
    const globs = selectFiles(include, exclude, (folder) => this.directoryExists(nodePath.join(this.root, folder)));
    const found = new Map<string, string>();
    this.#walk('', globs, found);
    for (const [key, { file }] of this.#open) {
      if (isInside(this.root, file) && globs.file(relativePath(this.root, file)) && !found.has(key)) {
        found.set(key, file);
      }
    }
    return [...found.values()].sort();
  }

  #walk(folder: string, globs: Globs, found: Map<string, string>): void {
    const absolute = nodePath.join(this.root, folder);
    for (const entry of entriesOf(absolute)) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (globs.folder(relative)) this.#walk(relative, globs, found);
        continue;
      }
      // A linked file is a file of the tree; a linked folder is not walked, for links may go in circles.
      const isFile = entry.isFile() || (entry.isSymbolicLink() && this.exists(nodePath.join(absolute, entry.name)));
      if (isFile && globs.file(relative)) {
        const file = nodePath.join(absolute, entry.name);
        found.set(pathKey(file), file);
      }
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * The text of a file's bytes, UTF-8 or UTF-16. Editors count positions without the byte order mark, so it is left out.
 */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  return withoutByteOrderMark(bytes.toString('utf8'));
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
