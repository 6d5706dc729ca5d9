import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const project = join(import.meta.dirname, '../..');
export const sample = join(project, 'test/fixtures/sample');
export const dist = process.env.TOOL_CONTRACTS_DIST ?? join(project, 'dist');
const program = join(dist, 'server/cli.cjs');

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line as a person would, without a terminal. */
export function toolContracts(cwd: string, ...args: string[]): Promise<Ended> {
  return runProgram(program, cwd, ...args);
}

/** As `toolContracts`, from another folder than the built one. */
export function runProgram(program: string, cwd: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) =>
      resolve({ status, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') }),
    );
  });
}

/** Runs the command line for a reader that closes the pipe after the first bytes, as `head` does. */
export function toImpatientReader(cwd: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const err: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out: '', err: Buffer.concat(err).toString('utf8') }));
  });
}
