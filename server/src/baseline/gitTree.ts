import nodePath from 'node:path';
import { decodeText } from '../files/disk.ts';
import { selectFiles } from '../files/globs.ts';
import { isInside, relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';
import type { Repository, TreeEntry } from './git.ts';

/** Links are followed this far: a circle of them ends. */
const MAX_LINKS = 8;

/**
 * The files of a commit, under the paths that they would have on the disk. Those that the disk has too are read there.
 * Packages, what git ignores (generated code) and what lies outside the repository are the disk's: a commit does not
 * hold them.
 */
export class GitTree implements FileTree {
  readonly root: string;
  private readonly folders = new Set<string>(['']);
  private readonly ignored: ReadonlySet<string>;
  /** Paths from the repository's top of files whose text on the disk is another one, or is gone. */
  private readonly differing: Set<string>;

  /**
   * @param ignored as `Repository.ignored` answers it
   * @param differing as `Repository.changedSince` answers it
   */
  constructor(
    private readonly disk: FileTree,
    private readonly repository: Repository,
    private readonly entries: ReadonlyMap<string, TreeEntry>,
    ignored: readonly string[],
    differing: readonly string[],
  ) {
    this.root = disk.root;
    this.ignored = new Set(ignored.map((path) => path.replace(/\/$/, '')));
    this.differing = new Set(differing);
    for (const path of entries.keys()) {
      for (let folder = parentOf(path); !this.folders.has(folder); folder = parentOf(folder)) this.folders.add(folder);
    }
  }

  /**
   * The tree of a commit, with the contents of all files that differ from the disk's.
   *
   * @throws GitError
   */
  static async of(disk: FileTree, repository: Repository, commit: string): Promise<GitTree> {
    const [entries, ignored, differing] = await Promise.all([
      repository.tree(commit),
      repository.ignored(),
      repository.changedSince(commit),
    ]);
    await repository.bring(differing.flatMap((path) => (isReadable(path) ? (entries.get(path)?.id ?? []) : [])));
    return new GitTree(disk, repository, entries, ignored, differing);
  }

  /** Whether the commit itself holds a file, not the disk in its place. */
  holds(file: string): boolean {
    return this.entryOf(file) !== undefined;
  }

  /** Whether the commit and the disk have the same text of a file. What neither has does not differ. */
  isSame(file: string): boolean {
    const path = this.repository.pathOf(file);
    if (path === undefined || this.isOfDisk(path)) return true;
    return this.entries.has(path) ? !this.differing.has(path) : !this.disk.exists(file);
  }

  /** Files of the commit whose text on the disk is another one, or is gone. */
  changedFiles(): string[] {
    return [...this.differing].filter((path) => this.entries.has(path)).map((path) => this.repository.fileOf(path));
  }

  /** Compares files anew: their text on the disk may have changed, or an editor has another one. */
  compareAnew(files: readonly string[]): void {
    for (const file of files) {
      const path = this.repository.pathOf(file);
      const entry = path === undefined ? undefined : this.entries.get(path);
      if (path === undefined || !entry) continue;
      if (sameText(this.disk.read(file), this.textOf(entry))) this.differing.delete(path);
      else this.differing.add(path);
    }
  }

  read(file: string): string | undefined {
    const path = this.repository.pathOf(file);
    const entry = this.entryOf(file);
    if (entry) return path !== undefined && !this.differing.has(path) ? this.disk.read(file) : this.textOf(entry);
    return path === undefined || this.isOfDisk(path) ? this.disk.read(file) : undefined;
  }

  exists(file: string): boolean {
    if (this.entryOf(file)) return true;
    const path = this.repository.pathOf(file);
    return (path === undefined || this.isOfDisk(path)) && this.disk.exists(file);
  }

  directoryExists(folder: string): boolean {
    const path = this.repository.pathOf(folder);
    if (path !== undefined && this.folders.has(path)) return true;
    return (path === undefined || this.isOfDisk(path)) && this.disk.directoryExists(folder);
  }

  realpath(path: string): string {
    return this.disk.realpath(path);
  }

  list(include: readonly string[], exclude: readonly string[]): string[] {
    const { root } = this;
    const globs = selectFiles(include, exclude, (folder) =>
      this.folders.has(this.repository.pathOf(nodePath.join(root, folder)) ?? '\0'),
    );
    const files: string[] = [];
    for (const path of this.entries.keys()) {
      const file = this.repository.fileOf(path);
      if (isInside(root, file) && globs.file(relativePath(root, file))) files.push(file);
    }
    return files.sort();
  }

  private entryOf(file: string): TreeEntry | undefined {
    let path = this.repository.pathOf(file);
    for (let links = 0; path !== undefined && links < MAX_LINKS; links++) {
      const entry: TreeEntry | undefined = this.entries.get(path);
      if (!entry?.isLink) return entry;
      path = nodePath.posix.join(parentOf(path), this.textOf(entry) ?? '');
    }
    return undefined;
  }

  private textOf({ id }: TreeEntry): string | undefined {
    const content = this.repository.blob(id);
    return content && decodeText(content);
  }

  /** @param path from the repository's top */
  private isOfDisk(path: string): boolean {
    if (/(^|\/)node_modules(\/|$)/.test(path)) return true;
    for (let part = path; part !== ''; part = parentOf(part)) if (this.ignored.has(part)) return true;
    return false;
  }
}

/** Whether a file may be read on the way to a tool: its contents are brought ahead. */
function isReadable(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|json)$/.test(path);
}

/** Git may write other line ends on the disk than it keeps. */
function sameText(a: string | undefined, b: string | undefined): boolean {
  return a === b || a?.replaceAll('\r\n', '\n') === b?.replaceAll('\r\n', '\n');
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}
