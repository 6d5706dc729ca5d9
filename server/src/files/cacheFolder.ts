import { homedir } from 'node:os';
import { join } from 'node:path';

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
