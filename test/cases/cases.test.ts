import { describe, expect, it } from 'vitest';
import { runCase } from './caseRuns.ts';
import { readCases } from './manifest.ts';

describe('the cases', () => {
  it.concurrent.each(readCases())('$id $title', async (one) => {
    const { verdict, notes } = await runCase(one);
    expect(verdict, notes.join('\n')).not.toBe('wrong');
  });
});
