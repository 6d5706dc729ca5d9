import { dirname, join } from 'node:path';
import type { FileTree } from '../../server/src/files/tree.ts';

/** Files in memory, as if they lay in a folder of this project: packages resolve as they do for its own files. */
export class MemoryTree implements FileTree {
  readonly root = join(import.meta.dirname, 'virtual');
  private readonly texts = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** Absolute path of a file by its name in the tree. */
  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): void {
    this.texts.set(this.path(name), text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  }

  remove(name: string): void {
    this.texts.delete(this.path(name));
  }

  read(file: string): string | undefined {
    return this.texts.get(file);
  }

  exists(file: string): boolean {
    return this.texts.has(file);
  }

  directoryExists(folder: string): boolean {
    return [...this.texts.keys()].some((file) => dirname(file) === folder || file.startsWith(`${folder}/`));
  }

  realpath(path: string): string {
    return path;
  }

  list(): string[] {
    return [...this.texts.keys()].filter((file) => /\.[cm]?[jt]sx?$/.test(file)).sort();
  }
}
