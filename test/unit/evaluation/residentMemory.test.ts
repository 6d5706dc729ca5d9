import { expect, test } from 'vitest';
import { residentMemory } from '../../../server/src/evaluation/residentMemory.ts';

test('of this process it is what Node says too', async () => {
  const told = await residentMemory(process.pid);
  expect(told / process.memoryUsage.rss()).toBeGreaterThan(0.5);
  expect(told / process.memoryUsage.rss()).toBeLessThan(2);
});

test('of a process that is gone there is none', async () => {
  await expect(residentMemory(2 ** 22 + 1)).rejects.toThrow();
});
