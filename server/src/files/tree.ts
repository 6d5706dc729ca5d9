/**
 * A tree of source files: the disk with open documents over it, later a git tag. Everything downstream reads files
 * through it, so that an unsaved edit and a tag go the same way.
 */
export interface FileTree {
  /** Absolute path of the tree's root, in the operating system's own form. */
  readonly root: string;
  /** The text of a file, or undefined when it cannot be read (gone, a folder, no permission). Never throws. */
  read(file: string): string | undefined;
  exists(file: string): boolean;
  directoryExists(folder: string): boolean;
  /** The real path behind links; the path itself when there is none. */
  realpath(path: string): string;
  /** Absolute paths of all files that the globs (relative to the root) select, sorted. */
  list(include: readonly string[], exclude: readonly string[]): string[];
}
