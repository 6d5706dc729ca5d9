import { beforeAll, describe, expect, it } from 'vitest';
import { runCase, type Verdict } from './caseRuns.ts';
import { inTurn } from './inTurn.ts';
import { readCases } from './manifest.ts';

const cases = readCases();
const TIMEOUT_MS = 600_000;

describe('the case', () => {
  let verdicts: PromiseSettledResult<Verdict>[];

  beforeAll(async () => {
    verdicts = await inTurn(cases, async (one) => (await Promise.allSettled([runCase(one)]))[0]);
  }, TIMEOUT_MS);

  it.each(cases.map((one, at) => ({ ...one, at })))('$id $title', ({ at }) => {
    const settled = verdicts[at];
    if (settled?.status !== 'fulfilled') throw settled?.reason;
    expect(settled.value.verdict, settled.value.notes.join('\n')).not.toBe('wrong');
  });
});
