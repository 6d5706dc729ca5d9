import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { Packages } from '../../../server/src/files/packages.ts';
import { Resolver } from '../../../server/src/files/resolution.ts';
import { workspace } from './workspace.ts';

/** A resolver over files, and how to ask it with paths relative to its root. */
function resolver(files: { readonly [path: string]: string }) {
  const at = workspace(files);
  const tree = new DiskTree(at(''));
  const packages = new Packages(tree);
  const real = new Resolver(tree, packages);
  const resolve = (specifier: string, from: string) => {
    const found = real.resolve(specifier, at(from));
    return 'file' in found ? found.file.slice(at('').length + 1) : found;
  };
  return { at, tree, packages, real, resolve };
}

describe('relative', () => {
  test('to source, whatever the suffix says', () => {
    const { resolve } = resolver({
      'src/a.ts': '',
      'src/b.ts': '',
      'src/c.tsx': '',
      'src/d.mts': '',
      'src/e.js': '',
      'src/folder/index.ts': '',
      'src/data.json': '{}',
      'src/päth with #/f.ts': '',
      'src/both.js': '',
      'src/both.ts': '',
      'src/index.ts': '',
    });
    expect(resolve('./b.js', 'src/a.ts')).toBe('src/b.ts');
    expect(resolve('./b', 'src/a.ts')).toBe('src/b.ts');
    expect(resolve('./b.ts', 'src/a.ts')).toBe('src/b.ts');
    expect(resolve('./c.jsx', 'src/a.ts')).toBe('src/c.tsx');
    expect(resolve('./d.mjs', 'src/a.ts')).toBe('src/d.mts');
    expect(resolve('./e.js', 'src/a.ts')).toBe('src/e.js');
    expect(resolve('./folder', 'src/a.ts')).toBe('src/folder/index.ts');
    expect(resolve('../b', 'src/folder/index.ts')).toBe('src/b.ts');
    expect(resolve('.', 'src/a.ts')).toBe('src/index.ts');
    expect(resolve('..', 'src/folder/index.ts')).toBe('src/index.ts');
    expect(resolve('./data.json', 'src/a.ts')).toBe('src/data.json');
    expect(resolve('./päth with #/f.js', 'src/a.ts')).toBe('src/päth with #/f.ts');
    expect(resolve('./both.js', 'src/a.ts')).toBe('src/both.ts');
  });

  test('to what is not there, or is no code: missing', () => {
    const { resolve } = resolver({ 'a.ts': '', 'style.css': '', 'types.d.ts': '', 'lib.js': '', 'lib.d.ts': '' });
    for (const specifier of ['./gone', './style.css', './types', '', './folder/']) {
      expect(resolve(specifier, 'a.ts')).toEqual({ missing: specifier });
    }
    expect(resolve('./lib.js', 'a.ts')).toBe('lib.js');
  });

  test('absolute paths and file URLs', () => {
    const { at, resolve } = resolver({ 'a.ts': '', 'b c.ts': '' });
    expect(resolve(at('b c.ts'), 'a.ts')).toBe('b c.ts');
    expect(resolve(`file://${at('b%20c.ts')}`, 'a.ts')).toBe('b c.ts');
    expect(resolve('file:///gone.ts', 'a.ts')).toEqual({ missing: 'file:///gone.ts' });
  });

  test('to a document that was never saved', () => {
    const { at, tree, resolve } = resolver({ 'a.ts': '' });
    tree.open(at('b.ts'), '');
    expect(resolve('./b', 'a.ts')).toBe('b.ts');
  });
});

describe('packages and builtins', () => {
  test('are left to Node', () => {
    const { resolve } = resolver({ 'a.ts': '', 'zod.ts': '', 'fs.ts': '' });
    for (const specifier of [
      'zod',
      'zod/v4',
      '@modelcontextprotocol/sdk/server/mcp.js',
      'fs',
      'node:fs',
      'bun:test',
      'https://esm.sh/zod',
      'data:text/javascript,1',
    ]) {
      expect(resolve(specifier, 'a.ts')).toEqual({ bare: specifier });
    }
  });

  test('without a question to the disk, unless the configuration could lead to source', () => {
    const at = workspace({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/a.ts': '',
    });
    class Counting extends DiskTree {
      asked: string[] = [];
      override exists(file: string): boolean {
        this.asked.push(file);
        return super.exists(file);
      }
    }
    const tree = new Counting(at(''));
    const real = new Resolver(tree, new Packages(tree));
    real.resolve('zod', at('src/a.ts'));
    tree.asked = [];
    real.resolve('zod/v4', at('src/a.ts'));
    real.resolve('express', at('src/a.ts'));
    expect(tree.asked.filter((file) => !file.endsWith('package.json'))).toEqual([]);
  });
});

describe('tsconfig', () => {
  test('paths, also extended and through baseUrl', () => {
    const { resolve, real } = resolver({
      'tsconfig.base.json':
        '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "env": ["./src/env.ts"] }, } // comments\n }',
      'packages/api/tsconfig.json': '{ "extends": "../../tsconfig.base.json" }',
      'packages/api/a.ts': '',
      'packages/web/tsconfig.json': '{ "compilerOptions": { "baseUrl": "./source" } }',
      'packages/web/source/a.ts': '',
      'packages/web/source/lib/b.ts': '',
      'packages/web/source/top.ts': '',
      'src/b.ts': '',
      'src/env.ts': '',
    });
    expect(resolve('@/b.js', 'packages/api/a.ts')).toBe('src/b.ts');
    expect(resolve('env', 'packages/api/a.ts')).toBe('src/env.ts');
    expect(resolve('lib/b', 'packages/web/source/a.ts')).toBe('packages/web/source/lib/b.ts');
    expect(resolve('top', 'packages/web/source/a.ts')).toBe('packages/web/source/top.ts');
    expect(resolve('lib/gone', 'packages/web/source/a.ts')).toEqual({ bare: 'lib/gone' });
    expect(resolve('@/b', 'packages/web/source/a.ts')).toEqual({ bare: '@/b' });
    expect(real.problems()).toEqual([]);
  });

  test('project references: the one that includes the file decides', () => {
    const { resolve } = resolver({
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.jobs.json" }, { "path": "./server" }] }',
      'tsconfig.app.json': '{ "include": ["app"], "compilerOptions": { "paths": { "@/*": ["./app/*"] } } }',
      'server/tsconfig.json':
        '{ "include": ["."], "compilerOptions": { "paths": { "@/*": ["./*"], "~/*": ["./*"] } } }',
      'tsconfig.jobs.json': '{ "include": ["./jobs/*.ts"], "compilerOptions": { "paths": { "@/*": ["./jobs/*"] } } }',
      'app/main.ts': '',
      'app/shared.ts': '',
      'jobs/main.ts': '',
      'jobs/shared.ts': '',
      'server/main.ts': '',
      'server/shared.ts': '',
      'other/main.ts': '',
    });
    expect(resolve('@/shared', 'app/main.ts')).toBe('app/shared.ts');
    expect(resolve('@/shared', 'jobs/main.ts')).toBe('jobs/shared.ts');
    expect(resolve('@/shared', 'server/main.ts')).toBe('server/shared.ts');
    expect(resolve('~/shared', 'other/main.ts')).toBe('server/shared.ts');
  });

  test('references in a circle end', () => {
    const { resolve } = resolver({
      'tsconfig.json': '{ "references": [{ "path": "./b" }] }',
      'b/tsconfig.json': '{ "references": [{ "path": ".." }] }',
      'a.ts': '',
    });
    expect(resolve('x', 'a.ts')).toEqual({ bare: 'x' });
  });

  test('a broken one says so once, keeps what can be read, and resolution goes on', () => {
    const { resolve, real } = resolver({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } "strict": true }',
      'src/a.ts': '',
      'src/b.ts': '',
      'lost/tsconfig.json': '{ "extends": "./gone.json" }',
      'lost/a.ts': '',
      'lost/b.ts': '',
      'prose/tsconfig.json': 'not at all {',
      'prose/a.ts': '',
      'prose/b.ts': '',
    });
    expect(resolve('@/b', 'src/a.ts')).toBe('src/b.ts');
    expect(resolve('./b.js', 'src/a.ts')).toBe('src/b.ts');
    expect(resolve('./b.js', 'lost/a.ts')).toBe('lost/b.ts');
    expect(resolve('./b.js', 'prose/a.ts')).toBe('prose/b.ts');
    expect(real.problems()).toEqual([
      expect.stringMatching(/^lost\/tsconfig\.json: .*gone\.json.*defaults for the rest\.$/),
      expect.stringMatching(/^prose\/tsconfig\.json:1:1: .*defaults for the rest\.$/),
      expect.stringMatching(
        /^tsconfig\.json:1:56: .*expected; what can be read of it is used, and defaults for the rest\.$/,
      ),
    ]);
  });

  test('an alias into an installed package is that package', () => {
    const { resolve } = resolver({
      'tsconfig.json':
        '{ "compilerOptions": { "paths": { "*": ["./node_modules/*"], "vendored/*": ["./node_modules/.vendor/*"] } } }',
      'a.ts': '',
      'node_modules/zod/package.json': '{ "name": "zod", "main": "index.js" }',
      'node_modules/zod/index.js': '',
      'node_modules/.vendor/x.ts': '',
    });
    expect(resolve('zod', 'a.ts')).toEqual({ bare: 'zod' });
    expect(resolve('vendored/x', 'a.ts')).toBe('node_modules/.vendor/x.ts');
  });
});

describe('packages of the workspace', () => {
  const unbuilt = {
    'package.json': '{ "name": "root", "workspaces": ["packages/*"] }',
    'packages/api/a.ts': '',
    'packages/schemas/package.json': JSON.stringify({
      name: '@harbour/schemas',
      exports: {
        '.': { types: './dist/index.d.ts', import: './dist/index.js' },
        './boats': './dist/esm/boats.js',
        './deep/*': { import: './dist/deep/*.js' },
        './deep/hidden/*': './src/secret/*.ts',
        './data': './data.json',
        './package.json': './package.json',
      },
    }),
    'packages/schemas/src/index.ts': '',
    'packages/schemas/src/boats.ts': '',
    'packages/schemas/src/deep/x.tsx': '',
    'packages/schemas/src/secret/y.ts': '',
    'packages/schemas/src/internal.ts': '',
    'packages/schemas/data.json': '{}',
    'packages/plain/package.json': '{ "name": "plain", "main": "./build/src/main.js" }',
    'packages/plain/src/main.ts': '',
    'packages/plain/lib/x.js': '',
    'packages/bare/package.json': '{ "name": "no-main" }',
    'packages/bare/src/index.ts': '',
    'packages/empty/package.json': '{ "name": "nothing" }',
  };

  test('unbuilt: the name leads to the folder and dist to src', () => {
    const { resolve } = resolver(unbuilt);
    expect(resolve('@harbour/schemas', 'packages/api/a.ts')).toBe('packages/schemas/src/index.ts');
    expect(resolve('@harbour/schemas/boats', 'packages/api/a.ts')).toBe('packages/schemas/src/boats.ts');
    expect(resolve('@harbour/schemas/deep/x', 'packages/api/a.ts')).toBe('packages/schemas/src/deep/x.tsx');
    expect(resolve('@harbour/schemas/deep/hidden/y', 'packages/api/a.ts')).toBe('packages/schemas/src/secret/y.ts');
    expect(resolve('@harbour/schemas/data', 'packages/api/a.ts')).toBe('packages/schemas/data.json');
    expect(resolve('@harbour/schemas/internal', 'packages/api/a.ts')).toEqual({ bare: '@harbour/schemas/internal' });
    expect(resolve('plain', 'packages/api/a.ts')).toBe('packages/plain/src/main.ts');
    expect(resolve('plain/lib/x.js', 'packages/api/a.ts')).toBe('packages/plain/lib/x.js');
    expect(resolve('no-main', 'packages/api/a.ts')).toBe('packages/bare/src/index.ts');
    expect(resolve('nothing', 'packages/api/a.ts')).toEqual({ bare: 'nothing' });
  });

  test('built and linked: still the source, also where the root is only a part of the repository', () => {
    const at = workspace({ ...unbuilt, 'packages/schemas/dist/index.js': '', 'packages/schemas/dist/index.d.ts': '' });
    mkdirSync(at('node_modules/@harbour'), { recursive: true });
    symlinkSync(at('packages/schemas'), at('node_modules/@harbour/schemas'), 'dir');
    const tree = new DiskTree(at('packages/api'));
    const real = new Resolver(tree, new Packages(tree));
    expect(real.resolve('@harbour/schemas', at('packages/api/a.ts'))).toEqual({
      file: at('packages/schemas/src/index.ts'),
    });
  });

  test('without source: what was built', () => {
    const { resolve } = resolver({
      'packages/built/package.json': '{ "name": "built", "module": "dist/index.mjs" }',
      'packages/built/dist/index.mjs': '',
      'a.ts': '',
    });
    expect(resolve('built', 'a.ts')).toBe('packages/built/dist/index.mjs');
  });

  test('an installed package of the same name wins', () => {
    const { resolve } = resolver({
      'examples/zod/package.json': '{ "name": "zod" }',
      'examples/zod/index.ts': '',
      'node_modules/zod/package.json': '{}',
      'a.ts': '',
    });
    expect(resolve('zod', 'a.ts')).toEqual({ bare: 'zod' });
  });

  test('exports never lead out of the package', () => {
    const { resolve } = resolver({
      'packages/x/package.json': '{ "name": "x", "exports": "../../secret.ts" }',
      'secret.ts': '',
      'a.ts': '',
    });
    expect(resolve('x', 'a.ts')).toEqual({ bare: 'x' });
  });
});

test('imports that start with # are the package’s own', () => {
  const { resolve } = resolver({
    'package.json': JSON.stringify({
      imports: {
        '#lib/*': { types: './dist/lib/*.d.ts', default: './dist/lib/*.js' },
        '#zod': 'zod',
        '#gone': './gone.js',
      },
    }),
    'tsconfig.json': '{ "compilerOptions": { "paths": { "#alias/*": ["./src/*"] } } }',
    'src/a.ts': '',
    'src/lib/b.ts': '',
  });
  expect(resolve('#lib/b', 'src/a.ts')).toBe('src/lib/b.ts');
  expect(resolve('#alias/lib/b.js', 'src/a.ts')).toBe('src/lib/b.ts');
  expect(resolve('#zod', 'src/a.ts')).toEqual({ bare: '#zod' });
  expect(resolve('#gone', 'src/a.ts')).toEqual({ missing: '#gone' });
  expect(resolve('#unknown', 'src/a.ts')).toEqual({ missing: '#unknown' });
});

test('what was answered before is forgotten by clear', () => {
  const { at, real, resolve } = resolver({ 'a.ts': '' });
  expect(resolve('./b', 'a.ts')).toEqual({ missing: './b' });
  writeFileSync(at('b.ts'), '');
  expect(resolve('./b', 'a.ts')).toEqual({ missing: './b' });
  real.clear();
  expect(resolve('./b', 'a.ts')).toBe('b.ts');
});
