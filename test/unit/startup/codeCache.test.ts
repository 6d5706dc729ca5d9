import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const work = mkdtempSync(join(tmpdir(), 'code-cache-'));
const library = join(work, 'library.cjs');
const cache = join(work, 'cache');
const runner = join(work, 'run.cjs');

beforeAll(() => {
  buildSync({
    entryPoints: [join(import.meta.dirname, '../../../server/src/startup/codeCache.ts')],
    outfile: join(work, 'codeCache.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  // What was kept is told apart by whether V8 took it.
  writeFileSync(
    runner,
    `const vm = require('node:vm');
const { Script } = vm;
let taken;
vm.Script = class extends Script {
  constructor(source, options) { super(source, options); taken = options.cachedData ? !this.cachedDataRejected : null; }
};
const { answer, helper } = require('./codeCache.cjs').loadCached(require.resolve('./library.cjs'), process.argv[2], process.argv[3]);
process.stdout.write(JSON.stringify({ answer: answer(), helper, taken }));`,
  );
});
beforeEach(() => {
  rmSync(cache, { recursive: true, force: true });
  write(1);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

function write(answer: number): void {
  writeFileSync(join(work, 'helper.cjs'), 'module.exports = __filename;');
  writeFileSync(library, `exports.helper = require('./helper.cjs'); exports.answer = () => ${answer};`);
}

/** Loads the library in a new process. `taken`: null without a cache, else whether V8 used it. */
function load(folder = cache, build = 'one'): { answer: number; helper: string; taken: boolean | null } {
  const { stdout, stderr } = spawnSync(process.execPath, [runner, build, folder], { encoding: 'utf8' });
  if (stderr) throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof load>;
}

const kept = () => readdirSync(cache).filter((name) => name.endsWith('.v8'));

describe('the code of a file', () => {
  test('is laid down by the first process and used by the second', () => {
    expect(load()).toMatchObject({ answer: 1, helper: join(work, 'helper.cjs'), taken: null });
    expect(kept()).toHaveLength(1);
    expect(load()).toMatchObject({ answer: 1, taken: true });
    expect(kept()).toHaveLength(1);
  });

  test('of the same length but of another build is not mixed up', () => {
    load();
    write(2);
    expect(load(cache, 'two')).toMatchObject({ answer: 2, taken: null });
    expect(load(cache, 'two')).toMatchObject({ answer: 2, taken: true });
  });

  test('that is broken is not used, and replaced', () => {
    load();
    const [name = ''] = kept();
    writeFileSync(join(cache, name), 'no code');
    expect(load()).toMatchObject({ answer: 1, taken: false });
    expect(load()).toMatchObject({ taken: true });
  });

  test.skipIf(process.platform === 'win32')('is for the user alone: it is run', () => {
    load();
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(statSync(join(cache, kept()[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  test('that cannot be laid down is compiled each time', () => {
    const file = join(work, 'a file');
    writeFileSync(file, '');
    expect(load(file)).toMatchObject({ answer: 1, taken: null });
    expect(load(file)).toMatchObject({ answer: 1, taken: null });
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('of builds from long ago goes', () => {
    mkdirSync(cache);
    for (let age = 1; age <= 5; age++) {
      const old = join(cache, `old-${age}.v8`);
      writeFileSync(old, '');
      utimesSync(old, new Date(), new Date(Date.now() - age * 1_000_000));
    }
    load();
    expect(kept().filter((name) => name.startsWith('old'))).toEqual(['old-1.v8', 'old-2.v8', 'old-3.v8']);
  });
});
