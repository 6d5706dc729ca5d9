import { readdirSync, readFileSync } from 'node:fs';

/** A process below this extension host. */
export interface Descendant {
  readonly pid: number;
  readonly command: string;
}

/** False where the system does not tell which processes there are. */
export const canSeeProcesses = process.platform === 'linux';

/** The processes below this extension host whose command line names a file, such as `sandbox.mjs`. */
export function descendantsRunning(file: string): Descendant[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = /\) \S (\d+)/.exec(read(pid, 'stat'))?.[1];
    if (parent !== undefined) parents.set(pid, Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  return [...parents.keys()]
    .filter(isBelow)
    .map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ') }))
    .filter(({ command }) => command.includes(file));
}

function read(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
