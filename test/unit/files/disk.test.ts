import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { DEFAULT_EXCLUDE, DEFAULT_INCLUDE } from '../../../shared/src/config.ts';
import { workspace } from './workspace.ts';

describe('reading', () => {
  test('an open document wins over its file, and the file comes back when it is closed', () => {
    const at = workspace({ 'a.ts': 'saved' });
    const tree = new DiskTree(at(''));
    tree.open(at('a.ts'), 'typed');
    expect(tree.read(at('a.ts'))).toBe('typed');
    tree.open(at('a.ts'), '');
    expect(tree.read(at('a.ts'))).toBe('');
    tree.close(at('a.ts'));
    expect(tree.read(at('a.ts'))).toBe('saved');
  });

  test('a document that was never saved is a file', () => {
    const at = workspace({ 'a.ts': '' });
    const tree = new DiskTree(at(''));
    expect(tree.exists(at('new/b.ts'))).toBe(false);
    tree.open(at('new/b.ts'), 'new');
    expect(tree.exists(at('new/b.ts'))).toBe(true);
    expect(tree.isOpen(`${at('new')}/./b.ts`)).toBe(true);
    expect(tree.list(['**/*.ts'], [])).toEqual([at('a.ts'), at('new/b.ts')]);
    expect(tree.list(['**/*.ts'], ['new/**'])).toEqual([at('a.ts')]);
    tree.close(at('new/b.ts'));
    expect(tree.list(['**/*.ts'], [])).toEqual([at('a.ts')]);
  });

  test('the byte order mark is no part of a text, on the disk or in an editor', () => {
    const at = workspace({
      'utf8.ts': '\ufeffconst 港 = 1;',
      'utf16.ts': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('const 港 = 1;', 'utf16le')]),
    });
    const tree = new DiskTree(at(''));
    expect(tree.read(at('utf8.ts'))).toBe('const 港 = 1;');
    expect(tree.read(at('utf16.ts'))).toBe('const 港 = 1;');
    tree.open(at('utf8.ts'), '\ufeffx');
    expect(tree.read(at('utf8.ts'))).toBe('x');
  });

  test('line breaks stay as they are', () => {
    const at = workspace({ 'a.ts': 'a\r\nb\rc\n' });
    expect(new DiskTree(at('')).read(at('a.ts'))).toBe('a\r\nb\rc\n');
  });

  test('what is gone, a folder, or no path at all reads as undefined', () => {
    const at = workspace({ 'a.ts': 'x', 'folder/b.ts': '' });
    const tree = new DiskTree(at(''));
    expect(tree.list(['**/*.ts'], [])).toContain(at('a.ts'));
    rmSync(at('a.ts'));
    for (const path of [at('a.ts'), at('folder'), at('folder/b.ts/c.ts'), `${at('a')}\0.ts`]) {
      expect(tree.read(path)).toBeUndefined();
      expect(tree.exists(path)).toBe(false);
    }
    expect(tree.directoryExists(at('folder'))).toBe(true);
    expect(tree.directoryExists(at('folder/b.ts'))).toBe(false);
    expect(tree.realpath(at('gone/x'))).toBe(at('gone/x'));
  });

  test.skipIf(process.getuid?.() === 0)('an unreadable folder is passed over', () => {
    const at = workspace({ 'a.ts': '', 'secret/b.ts': '' });
    chmodSync(at('secret'), 0);
    try {
      expect(new DiskTree(at('')).list(['**/*.ts'], [])).toEqual([at('a.ts')]);
    } finally {
      chmodSync(at('secret'), 0o755);
    }
  });
});

describe('listing', () => {
  test('the defaults select source and leave out tests, builds, hidden and minified files', () => {
    const at = workspace({
      'src/a.ts': '',
      'src/b.test.ts': '',
      'src/c.d.ts': '',
      'src/d.mjs': '',
      'src/e.min.js': '',
      'src/f.css': '',
      'src/test/g.ts': '',
      'src/päth with space/h.tsx': '',
      'packages/api/dist/i.js': '',
      'packages/api/node_modules/zod/j.js': '',
      '.next/k.js': '',
      'latest/l.ts': '',
    });
    expect(new DiskTree(at('')).list(DEFAULT_INCLUDE, DEFAULT_EXCLUDE)).toEqual(
      ['latest/l.ts', 'src/a.ts', 'src/d.mjs', 'src/päth with space/h.tsx'].map(at),
    );
  });

  test('node_modules and .git are never walked, even where settings do not exclude them', () => {
    const at = workspace({ 'a.ts': '', 'node_modules/x/b.ts': '', 'sub/node_modules/y/c.ts': '', '.git/d.ts': '' });
    expect(new DiskTree(at('')).list(['**/*.ts', 'node_modules/**'], [])).toEqual([at('a.ts')]);
  });

  test('a root inside node_modules is a root like any other', () => {
    const at = workspace({ 'node_modules/server/dist/a.js': '', 'node_modules/server/node_modules/zod/b.js': '' });
    expect(new DiskTree(at('node_modules/server')).list(['**/*.js'], [])).toEqual([
      at('node_modules/server/dist/a.js'),
    ]);
  });

  test('an excluded folder is not looked into', () => {
    const at = workspace({ 'a.ts': '', 'old/deep/b.ts': '', 'src/old/c.ts': '' });
    class Counting extends DiskTree {
      readonly asked: string[] = [];
      override exists(file: string): boolean {
        this.asked.push(file);
        return super.exists(file);
      }
    }
    symlinkSync(at('a.ts'), at('old/deep/link.ts'));
    const tree = new Counting(at(''));
    expect(tree.list(['**/*.ts'], ['old/'])).toEqual([at('a.ts'), at('src/old/c.ts')]);
    expect(tree.asked).toEqual([]);
  });

  test('a folder, ./, a leading slash and ! mean what a person expects', () => {
    const at = workspace({ 'src/a.ts': '', 'src/readme.md': '', 'src/gen/b.ts': '', 'lib/c.ts': '' });
    const tree = new DiskTree(at(''));
    const src = [at('src/a.ts'), at('src/gen/b.ts')];
    expect(tree.list(['src'], [])).toEqual(src);
    expect(tree.list(['./src/'], [])).toEqual(src);
    expect(tree.list(['/src/**/*.ts'], [])).toEqual(src);
    expect(tree.list(['src\\gen\\b.ts'], [])).toEqual([at('src/gen/b.ts')]);
    expect(tree.list(['.'], ['./src'])).toEqual([at('lib/c.ts')]);
    expect(tree.list(['**/*.ts', '!src/gen/**'], [])).toEqual([at('lib/c.ts'), at('src/a.ts')]);
    expect(tree.list([], [])).toEqual([]);
  });

  test('links in circles end, and a linked file is a file', () => {
    const at = workspace({ 'a.ts': '' });
    mkdirSync(at('sub'));
    symlinkSync(at(''), at('sub/loop'), 'dir');
    symlinkSync(at('a.ts'), at('sub/link.ts'));
    symlinkSync(at('gone.ts'), at('sub/dangling.ts'));
    expect(new DiskTree(at('')).list(['**/*.ts'], [])).toEqual([at('a.ts'), at('sub/link.ts')]);
  });

  test('an open document is listed once', () => {
    const at = workspace({ 'a.ts': '' });
    const tree = new DiskTree(at(''));
    tree.open(at('a.ts'), 'x');
    writeFileSync(at('b.md'), '');
    tree.open(at('b.md'), 'x');
    expect(tree.list(['**/*.ts'], [])).toEqual([at('a.ts')]);
  });
});
