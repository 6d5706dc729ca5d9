import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes files into a new folder that is removed after the test. Returns the path of something in it. */
export function workspace(files: { readonly [path: string]: string | Buffer }): (path: string) => string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'tool-contracts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return (path) => (path === '' ? root : join(root, path));
}
