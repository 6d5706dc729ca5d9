import type { Candidate } from '../../../shared/src/model.ts';

/** What the first look at a workspace consists of. */
export interface ScanSteps {
  /** Reads and compiles a file. */
  candidatesOf(file: string): readonly Candidate[];
  /** Evaluates candidates; answers the ids of their contracts. */
  evaluate(candidates: readonly Candidate[]): Promise<ReadonlySet<string>>;
  /** Looks closer at what was evaluated so far, by id, while the rest is evaluated. One after the other. */
  settle(ids: ReadonlySet<string>): Promise<void>;
  progress(done: number, total: number): void;
}

/** Candidates that are evaluated while the next files are compiled. */
const BATCH = 50;
/** Contracts that are looked at closer while the next ones are evaluated. */
const SETTLED = 200;

/**
 * Evaluates the candidates of all files. Two processes work at the same time: while the sandbox evaluates the candidates
 * of some files, the next files are read and compiled here.
 *
 * @returns ids of the contracts that were not settled on the way
 */
export async function scan(files: Iterable<string>, steps: ScanSteps): Promise<ReadonlySet<string>> {
  let total = 0;
  let done = 0;
  let batch: Candidate[] = [];
  let unsettled = new Set<string>();
  let settling = Promise.resolve();
  /** Two batches are on their way, so that the sandbox has the next one when it is done with one. */
  const lanes: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
  const settle = () => {
    const ids = unsettled;
    unsettled = new Set();
    settling = settling.then(() => steps.settle(ids));
    settling.catch(() => {});
  };
  const flush = () => {
    const candidates = batch;
    batch = [];
    total += candidates.length;
    const [first, second] = lanes;
    const next = first.then(async () => {
      for (const id of await steps.evaluate(candidates)) unsettled.add(id);
      done += candidates.length;
      steps.progress(done, total);
      if (unsettled.size >= SETTLED) settle();
    });
    // A failure is thrown where the whole is awaited.
    next.catch(() => {});
    lanes[0] = second;
    lanes[1] = next;
  };
  for (const file of files) {
    const candidates = steps.candidatesOf(file);
    if (candidates.length === 0) continue;
    batch.push(...candidates);
    if (batch.length >= BATCH) flush();
    // After each file, since the sandbox may be waiting for a module that is asked for in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  flush();
  await Promise.all(lanes);
  await settling;
  return unsettled;
}
