import { readFile } from 'node:fs/promises';
import pidusage from 'pidusage';

/**
 * Resident memory of a process in bytes. On Linux one small file tells it; elsewhere it takes a program, which
 * `pidusage` knows how to ask.
 *
 * @throws when the process is gone, or the system does not tell
 */
export async function residentMemory(pid: number): Promise<number> {
  if (process.platform !== 'linux') return (await pidusage(pid)).memory;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) * 1024;
}
