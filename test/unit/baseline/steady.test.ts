import { expect, test } from 'vitest';
import { isSteady } from '../../../server/src/baseline/steady.ts';
import { InProcess } from '../../helpers/inProcess.ts';

const HEAD = "import { z } from 'zod';\n";
const steady = (text: string): boolean => {
  const made = new InProcess({ 'tools.ts': HEAD + text });
  return isSteady(made.compiledOf('tools.ts'));
};

test.each([
  ['a schema', 'export const S = z.object({ a: z.string() });'],
  [
    'what only a handler does',
    "import { readFile } from 'node:fs/promises';\nexport const t = { name: 't', description: 'd', inputSchema: z.object({}), handler: async () => { await readFile('x'); return Date.now(); } };",
  ],
  ['a pure module of Node', "import { join } from 'node:path';\nexport const S = z.literal(join('a', 'b'));"],
  ['a package', "import { S } from 'schemas';\nexport const T = S.extend({});"],
  ['a word in a name', 'export const S = z.object({ date: z.string(), processId: z.string() });'],
])('%s is steady', (_, text) => {
  expect(steady(text)).toBe(true);
});

test.each([
  ['the clock', 'export const S = z.literal(new Date().getFullYear());'],
  ['chance', 'export const S = z.literal(Math.random());'],
  ['the environment', 'export const S = z.literal(process.env.MODE ?? "x");'],
  [
    'a file',
    "import { readFileSync } from 'node:fs';\nexport const S = z.enum(JSON.parse(readFileSync('x', 'utf8')));",
  ],
  [
    'a file by a namespace',
    "import * as fs from 'fs';\nexport const S = z.enum(JSON.parse(fs.readFileSync('x', 'utf8')));",
  ],
  [
    'a file by require',
    "const fs = require('fs');\nexport const S = z.enum(JSON.parse(fs.readFileSync('x', 'utf8')));",
  ],
  ['a folder', 'export const S = z.literal(import.meta.url);'],
  ['the machine', "import { hostname as name } from 'os';\nexport const S = z.literal(name());"],
])('%s is not', (_, text) => {
  expect(steady(text)).toBe(false);
});
