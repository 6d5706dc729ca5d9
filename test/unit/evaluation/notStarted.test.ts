import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SandboxEnded, SandboxNotStarted, SandboxProcess } from '../../../server/src/evaluation/process.ts';
import { Sandbox } from '../../../server/src/evaluation/sandbox.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'not-started-')));
afterAll(() => rmSync(root, { recursive: true }));

function entryOf(name: string, code: string): string {
  const entry = join(root, name);
  writeFileSync(entry, code);
  return entry;
}

const common = { root, nodeArguments: [], timeoutMs: 5000, memoryMb: 256, supply: () => [], printed: () => {} };

describe('a sandbox process that cannot start says why, and what to do', () => {
  test.each([
    ['its program is missing', { entry: join(root, 'missing.mjs') }, /: Cannot find module '.*missing\.mjs'/],
    ['Node does not know an option', { nodeArguments: ['--no-such-option'] }, /: bad option: --no-such-option\./],
    [
      'its program throws',
      { entry: entryOf('throws.mjs', 'throw new TypeError("no such thing.")') },
      /: no such thing\./,
    ],
    ['its program ends', { entry: entryOf('ends.mjs', 'process.exit(7)') }, /: it ended with code 7\./],
    [
      'it is out of memory',
      { entry: entryOf('full.mjs', 'const all = []; for (;;) all.push([...Array(1e4).keys()])'), memoryMb: 16 },
      /: 16 MB of memory are too few\./,
    ],
  ])('when %s', async (_what, options, why) => {
    const process = new SandboxProcess({ ...common, entry: entryOf('idle.mjs', ''), ...options });
    const error = await process.ready.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SandboxNotStarted);
    expect(String(error)).toMatch(/The process that evaluates tools did not start: .*\. Install .*\.$/);
    expect(String(error)).toMatch(why);
    expect(String(error)).not.toContain('..');
    await expect(process.request('exports', { exports: [] }, 5000)).rejects.toBe(error);
  });

  test('and not that a tool ended it, as one that is closed in time', async () => {
    const process = new SandboxProcess({ ...common, entry: entryOf('idle.mjs', 'setInterval(() => {}, 1000)') });
    process.dispose();
    await expect(process.ready).rejects.toBeInstanceOf(SandboxEnded);
  });

  test('once, whatever number of tools waits for it', async () => {
    const sandbox = new Sandbox({
      ...common,
      entry: join(root, 'missing.mjs'),
      nodeArguments: () => [],
      log: () => {},
    });
    const jobs = ['a', 'b', 'c'].map((candidate, index) => ({ candidate, file: join(root, 'tools.ts'), index }));
    await expect(sandbox.evaluate(jobs)).rejects.toBeInstanceOf(SandboxNotStarted);
    sandbox.dispose();
  });
});
