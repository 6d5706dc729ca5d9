import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KeptRelease, ReleaseCache } from '../../../server/src/baseline/releaseCache.ts';
import type { Contract } from '../../../shared/src/model.ts';

const fields = Object.assign(Object.create(null), { constructor: 1 }) as Record<string, number>;
const contract = {
  id: '/a.ts#0:0',
  name: 'a',
  graph: { root: 0, nodes: [{ id: 0, uid: 1, kind: 'object', zod: 4, fields }] },
  output: null,
} as unknown as Contract;
const release: KeptRelease = { files: ['/a.ts'], contracts: [contract], unevaluated: [] };

let folder: string;
let cache: ReleaseCache;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'releases-'));
  cache = new ReleaseCache(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const only = (): string => join(folder, readdirSync(folder)[0] ?? 'none');

test('what is kept under a key is read under it, and under no other', () => {
  cache.write('key', release);
  const read = cache.read('key');
  expect(read).toEqual(release);
  const [kept] = read?.contracts ?? [];
  expect(kept?.graph?.nodes[0]?.fields?.toString).toBeUndefined();
  expect(kept?.graph?.nodes[0]?.fields?.constructor).toBe(1);
  expect(cache.read('another')).toBeUndefined();
});

test('only the user can read it', () => {
  cache.write('key', release);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(only()).mode & 0o777).toBe(0o600);
});

test.each([
  ['cut', (text: string) => text.slice(0, -10)],
  ['changed', (text: string) => text.replace('"a"', '"b"')],
  ['empty', () => ''],
  ['of something else', () => 'hello\n{}'],
])('a file that is %s is as if it were not there', (_, change) => {
  cache.write('key', release);
  writeFileSync(only(), change(readFileSync(only(), 'utf8')));
  expect(cache.read('key')).toBeUndefined();
  cache.write('key', release);
  expect(cache.read('key')).toEqual(release);
});

test('a folder that is a file changes nothing', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  const none = new ReleaseCache(file);
  none.write('key', release);
  expect(none.read('key')).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('x');
});

test('the oldest go, and what is not ours stays', () => {
  writeFileSync(join(folder, 'typescript.v8'), 'x');
  for (let index = 0; index < 12; index++) {
    cache.write(`key ${index}`, release);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      utimesSync(path, statSync(path).atime, new Date(statSync(path).mtimeMs - 10_000));
    }
  }
  expect(cache.read('key 0')).toBeUndefined();
  expect(cache.read('key 11')).toEqual(release);
  expect(readdirSync(folder).filter((name) => name.startsWith('release-'))).toHaveLength(8);
  expect(readdirSync(folder)).toContain('typescript.v8');
});
