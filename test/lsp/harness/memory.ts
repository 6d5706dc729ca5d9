import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory in bytes. */
export interface Memory {
  readonly server: number;
  /** All processes that the server started, and those that they started. */
  readonly children: number;
  readonly total: number;
  readonly processes: number;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Bytes. */
  readonly resident: number;
}

/**
 * Resident memory of a process and of everything below it. Pages that processes share count for each of them.
 *
 * @returns undefined when the process is gone, or where neither /proc nor `ps` tells
 */
export function memoryOf(pid: number): Memory | undefined {
  const rows = processes();
  const root = rows.find((row) => row.pid === pid);
  if (!root) return undefined;
  const below: ProcessRow[] = [];
  const open = [root.pid];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const row of rows) {
      if (row.parent !== parent) continue;
      below.push(row);
      open.push(row.pid);
    }
  }
  const children = below.reduce((sum, row) => sum + row.resident, 0);
  return { server: root.resident, children, total: root.resident + children, processes: below.length + 1 };
}

function processes(): ProcessRow[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStatus(Number(name)) ?? []);
  }
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' });
    return table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, resident: kilobytes * 1024 }));
  } catch {
    return [];
  }
}

function readStatus(pid: number): ProcessRow | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { pid, parent: number('PPid'), resident: number('VmRSS') * 1024 };
  } catch {
    return undefined; // It ended in between.
  }
}
