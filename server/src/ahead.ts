import { dirname, join } from 'node:path';
import type { Settings } from '../../shared/src/config.ts';
import { configFor } from './files/config.ts';
import type { DiskTree } from './files/disk.ts';
import { type Prepared, prepare, warmUp } from './pipeline/prepared.ts';

/** The sandbox lies beside the core in what is built. */
export const SANDBOX_ENTRY = join(__dirname, 'sandbox.mjs');

/**
 * Lets the sandbox of a folder start and import its SDKs while TypeScript is still being loaded: on two cores the two
 * take no longer than the longer one. Making one means that the folder is trusted.
 *
 * @returns what `Analysis` takes over; whoever does not hand it over disposes of the sandbox
 */
export function startAhead(tree: DiskTree, settings: Partial<Settings>, log: (line: string) => void): Prepared {
  const configOf = (folder: string) => configFor(tree, folder, settings).config;
  const { timeoutMs, memoryMb } = configOf(tree.root);
  const prepared = prepare({ tree, sandboxEntry: SANDBOX_ENTRY, timeoutMs, memoryMb, log });
  warmUp(prepared, (file) => configOf(dirname(file)).surfaces);
  return prepared;
}
