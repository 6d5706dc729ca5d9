import { join } from 'node:path';
import type { FileTree } from '../../../server/src/files/tree.ts';

/** A tree of files that stands nowhere on the disk. */
export class MemoryTree implements FileTree {
  readonly root = '/harbour';
  readonly #files: Map<string, string>;

  constructor(files: { readonly [path: string]: string }) {
    this.#files = new Map(Object.entries(files).map(([path, text]) => [join(this.root, path), text]));
  }

  read(file: string): string | undefined {
    return this.#files.get(file);
  }

  exists(file: string): boolean {
    return this.#files.has(file);
  }

  directoryExists(folder: string): boolean {
    return [...this.#files.keys()].some((file) => file.startsWith(`${folder}/`));
  }

  realpath(path: string): string {
    return path;
  }

  list(): string[] {
    return [...this.#files.keys()].sort();
  }
}
