import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { afterAll, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tool-contracts-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHIPPED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'client/media/icon.png',
  'dist/client/extension.cjs',
  'dist/server/cli.cjs',
  'dist/server/core.cjs',
  'dist/server/sandbox.mjs',
  'package.json',
  'schemas/tool-contracts.lock.schema.json',
  'schemas/tool-contracts.schema.json',
];
const LEFT_OUT = [
  '.env',
  '.npmrc',
  '.vscode-test/web/package.json',
  'client/media/icon.svg',
  'client/src/extension.ts',
  'dist/client/extension.cjs.map',
  'dist/server/addon.node',
  'dist/server/core.cjs.map',
  'docs/security.md',
  'node_modules/zod/index.js',
  'notes.md',
  'other.vsix',
  'server/src/main.ts',
  'test/unit/package.test.ts',
  'tsconfig.json',
];

test('the allow-list lets in what ships and nothing else', async () => {
  for (const file of [...SHIPPED, ...LEFT_OUT]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'x');
  }
  for (const file of ['package.json', '.vscodeignore']) cpSync(join(PROJECT, file), join(folder, file));
  const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  expect(files.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(SHIPPED);
});
