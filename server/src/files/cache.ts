import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The user's folder for what may be made anew at any time, as each system has it; undefined when it is not known. */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'tool-contracts');
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'tool-contracts', 'cache');
  const home = homedir();
  if (!home) return undefined;
  return process.platform === 'darwin'
    ? join(home, 'Library/Caches/tool-contracts')
    : join(home, '.cache/tool-contracts');
}

/** Which files of a folder are kept. */
export interface Kept {
  /** Whether a file is one of those that are counted. */
  readonly isOne: (name: string) => boolean;
  readonly most: number;
}

/**
 * Writes a file that may be made anew at any time, for the user alone, all at once, and forgets the oldest of its kind.
 * What goes wrong is as if nothing had been written: it is made anew the next time.
 *
 * @param path absolute; its folder is made
 * @param content asked for when the folder is there
 */
export function writeCached(path: string, content: () => string | Buffer, kept: Kept): void {
  const folder = dirname(path);
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Whoever can write here can have us run code, or believe things.
    chmodSync(folder, 0o700);
    writeFileSync(fresh, content(), { mode: 0o600 });
    renameSync(fresh, path);
    forgetOldest(folder, basename(path), kept);
  } catch {
    if (existsSync(fresh)) rmSync(fresh, { force: true });
  }
}

function forgetOldest(folder: string, newest: string, { isOne, most }: Kept): void {
  const byAge = readdirSync(folder)
    .filter((name) => name !== newest && isOne(name))
    .map((name) => ({ path: join(folder, name), changed: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.changed - a.changed);
  for (const { path } of byAge.slice(most - 1)) rmSync(path, { force: true });
}
