import { setFlagsFromString } from 'node:v8';

/** Part of what is alive, in percent, that the heap may grow by before it is collected again. */
const GROWTH = 60;

/**
 * Lets V8 collect garbage sooner. By itself it lets a heap that grew quickly at the start become four times of what is
 * alive: 270 MB after some hundred edits at 1,000 tools, of which 65 are in use. Collecting sooner takes 20 ms once in
 * some eighty edits. Not for the first check: there the heap grows because it has to.
 */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
