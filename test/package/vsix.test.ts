import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesInZip, makeVsix } from '../helpers/vsix.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** All that ships, and nothing else: a file that is new in the project is not in the package by itself. */
const FILES = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/client/media/icon.png',
  'extension/dist/client/extension.cjs',
  'extension/dist/server/cli.cjs',
  'extension/dist/server/codeCache.cjs',
  'extension/dist/server/core.cjs',
  'extension/dist/server/sandbox.mjs',
  'extension/dist/server/server.cjs',
  'extension/dist/server/typescript.cjs',
  'extension/dist/server/typescript.lib.cjs',
  'extension/package.json',
  'extension/readme.md',
  'extension/schemas/tool-contracts.lock.schema.json',
  'extension/schemas/tool-contracts.schema.json',
];

test('npm run package makes one small package of what ships, for all platforms', () => {
  const vsix = makeVsix(PROJECT, join(PROJECT, '.vscode-test', 'package'));
  const files = filesInZip(vsix);
  expect(files.map(({ name }) => name).sort()).toEqual(FILES);
  for (const { name, size } of files) expect(size, name).toBeGreaterThan(0);
  // Built for production: readable, the core alone has twice that.
  expect(files.find(({ name }) => name.endsWith('core.cjs'))?.size).toBeLessThan(1_700_000);
  expect(statSync(vsix).size).toBeLessThanOrEqual(4 * 2 ** 20);
});
