import { execFile, execFileSync, spawn } from 'node:child_process';
import nodePath from 'node:path';
import { isInside, normalizePath, relativePath } from '../files/paths.ts';

/** Why git could not answer, as a sentence without its end. */
export class GitError extends Error {}

/** A blob or link of a tree. */
export interface TreeEntry {
  readonly id: string;
  readonly isLink: boolean;
}

/** Set by git for its hooks, about the repository that the hook runs in. */
const LOCAL_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
];
const MAX_OUTPUT = 1 << 30;
const REGULAR = '100';
const LINK = '120';

/**
 * A repository, read through git's own command: nothing is checked out, and nothing is written (not even the index's
 * cache of file times).
 */
export class Repository {
  private readonly blobs = new Map<string, Buffer>();

  private constructor(
    /** The folder that is looked at. */
    readonly folder: string,
    /** The repository's top folder, behind links. */
    private readonly top: string,
    /** Path of the folder from the top, with forward slashes: empty, or `packages/api/`. */
    readonly prefix: string,
    /** History ends before its beginning: what lies beyond is not known. */
    readonly isShallow: boolean,
  ) {}

  /**
   * The repository that a folder is in.
   *
   * @returns undefined when it is in none, or one around it ignores it
   * @throws GitError when git is not installed, or does not want to (a folder of another owner)
   */
  static async around(folder: string): Promise<Repository | undefined> {
    let answer: string;
    try {
      answer = await git(folder, ['rev-parse', '--is-shallow-repository', '--show-toplevel', '--show-prefix']);
    } catch (error) {
      if (error instanceof GitError && /not a git repository|must be run in a work tree/.test(error.message)) {
        return undefined;
      }
      throw error;
    }
    const [isShallow = '', top = '', prefix = ''] = answer.split('\n');
    if (prefix !== '' && (await isIgnored(folder))) return undefined;
    return new Repository(normalizePath(folder), normalizePath(top), prefix, isShallow === 'true');
  }

  /** Names of the tags that lead to the commit at hand; none where nothing was committed yet. */
  async reachableTags(): Promise<string[]> {
    if ((await this.commitOf('HEAD')) === undefined) return [];
    return lines(await git(this.folder, ['tag', '--merged', 'HEAD']));
  }

  /** Names of the tags on a commit. */
  async tagsAt(commit: string): Promise<string[]> {
    return lines(await git(this.folder, ['tag', '--points-at', commit]));
  }

  /** The commit of a tag, branch or anything else that git knows; undefined when it knows none. */
  async commitOf(name: string): Promise<string | undefined> {
    if (name.startsWith('-')) return undefined;
    try {
      return (await git(this.folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])).trim();
    } catch {
      return undefined;
    }
  }

  /** Whether the folder holds exactly what a commit holds, and nothing beside it. */
  async isAt(commit: string): Promise<boolean> {
    if ((await this.commitOf('HEAD')) !== commit) return false;
    return (await git(this.folder, ['status', '--porcelain', '-z', '--', '.'])) === '';
  }

  /** The files of a commit by path from the top. Submodules are not looked into. */
  async tree(commit: string): Promise<Map<string, TreeEntry>> {
    const entries = new Map<string, TreeEntry>();
    for (const line of zeros(await git(this.folder, ['ls-tree', '-r', '-z', '--full-tree', commit]))) {
      const [meta = '', path = ''] = line.split('\t');
      const [mode = '', , id = ''] = meta.split(' ');
      if (mode.startsWith(REGULAR) || mode.startsWith(LINK)) entries.set(path, { id, isLink: mode.startsWith(LINK) });
    }
    return entries;
  }

  /** Paths from the top of the tracked files that differ between a commit and the disk. */
  async changedSince(commit: string): Promise<string[]> {
    return zeros(await git(this.folder, ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', commit, '--']));
  }

  /** Paths from the top of files and folders (with `/` at the end) that git ignores: packages, builds, generated code. */
  async ignored(): Promise<string[]> {
    const command = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    return zeros(await git(this.top, command));
  }

  /** Brings the contents of blobs with one process. Those that are here already cost nothing. */
  async bring(ids: Iterable<string>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.blobs.has(id));
    if (missing.length === 0) return;
    for (const [id, content] of await catFiles(this.folder, missing)) this.blobs.set(id, content);
  }

  /**
   * The content of a blob. One that was not brought is read by itself.
   *
   * @returns undefined when the repository does not have it (a partial clone)
   */
  blob(id: string): Buffer | undefined {
    const known = this.blobs.get(id);
    if (known) return known;
    try {
      const content = execFileSync('git', ['cat-file', 'blob', id], {
        cwd: this.folder,
        env: environment(),
        maxBuffer: MAX_OUTPUT,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      this.blobs.set(id, content);
      return content;
    } catch {
      return undefined;
    }
  }

  /** Path from the top of an absolute path, with forward slashes; undefined when it lies elsewhere. */
  pathOf(file: string): string | undefined {
    if (isInside(this.folder, file)) return trimmed(this.prefix + relativePath(this.folder, file));
    return isInside(this.top, file) ? trimmed(relativePath(this.top, file)) : undefined;
  }

  /** The absolute path of a path from the top, below the folder as the folder itself is spelled. */
  fileOf(path: string): string {
    return path.startsWith(this.prefix)
      ? nodePath.join(this.folder, path.slice(this.prefix.length))
      : nodePath.join(this.top, path);
  }
}

function trimmed(path: string): string {
  return path.replace(/\/?\.$/, '');
}

async function isIgnored(folder: string): Promise<boolean> {
  try {
    await git(folder, ['check-ignore', '--quiet', '.']);
    return true;
  } catch {
    return false;
  }
}

function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  for (const name of LOCAL_VARIABLES) delete env[name];
  return env;
}

function git(cwd: string, args: readonly string[]): Promise<string> {
  // What a repository's configuration would run (a file watcher) is not needed for reading.
  const argv = ['-c', 'core.fsmonitor=false', ...args];
  return new Promise((resolve, reject) => {
    execFile('git', argv, { cwd, env: environment(), maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if ((error as NodeJS.ErrnoException).code === 'ENOENT') reject(new GitError('git is not installed'));
      else reject(new GitError(firstLine(stderr) ?? error.message));
    });
  });
}

/** `git cat-file --batch`: for each id a line `ID blob SIZE`, that many bytes, and a line feed. */
function catFiles(cwd: string, ids: readonly string[]): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['cat-file', '--batch'], { cwd, env: environment(), stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => reject(new GitError(error.message)));
    child.on('close', () => resolve(readBatch(Buffer.concat(chunks))));
    // A process that ends early is seen by what it did not answer.
    child.stdin.on('error', () => {});
    child.stdin.end(`${ids.join('\n')}\n`);
  });
}

function readBatch(output: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [id = '', kind = '', size = ''] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    blobs.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

function firstLine(stderr: string): string | undefined {
  const [line] = lines(stderr);
  return line?.replace(/^fatal: /, '').replace(/\.$/, '');
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function zeros(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}
