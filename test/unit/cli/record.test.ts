import { expect, test } from 'vitest';
import { LOCK_FILE, type LockFile, lockFileText } from '../../../server/src/baseline/lockFile.ts';
import { outOfDate } from '../../../server/src/cli/record.ts';
import { MemoryTree } from '../../helpers/memoryTree.ts';

function lockOf(names: readonly string[]): LockFile {
  const tools = Object.fromEntries(names.map((name) => [name, { inputSchema: { type: 'object' } }]));
  return { version: 1, release: '1.0.0', tools };
}

/** What is said of a file that holds some tools when there are others now. */
function said(before: readonly string[], now: readonly string[]): string | undefined {
  const tree = new MemoryTree({ [LOCK_FILE]: lockFileText(lockOf(before)) });
  return outOfDate({ file: tree.path(LOCK_FILE), shown: LOCK_FILE, lock: lockOf(now), left: [] }, tree);
}

test('tools that are called as what every object has are there or not, like others', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  expect(said(names, names)).toBeUndefined();
  expect(said([], names)).toContain(': "__proto__", "constructor", "toString" is new.');
  expect(said(names, [])).toContain(': "__proto__", "constructor", "toString" is gone.');
});
