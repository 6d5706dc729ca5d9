import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  isInside,
  normalizePath,
  pathKey,
  pathToUri,
  relativePath,
  samePath,
  uriToPath,
} from '../../../server/src/files/paths.ts';

describe('on Windows', () => {
  test('every spelling of a drive gives one path', () => {
    for (const uri of [
      'file:///c%3A/Users/Anna/boats.ts',
      'file:///C%3A/Users/Anna/boats.ts',
      'file:///c:/Users/Anna/boats.ts',
      'file:///C:/Users/Anna/boats.ts',
      'FILE:///C:/Users/./Anna/x/../boats.ts',
    ]) {
      expect(uriToPath(uri, 'win32')).toBe('C:\\Users\\Anna\\boats.ts');
    }
  });

  test('a URI is written as VS Code writes it', () => {
    expect(pathToUri('C:\\Users\\Anna Bråten\\a#b%20(1).ts', 'win32')).toBe(
      'file:///c%3A/Users/Anna%20Br%C3%A5ten/a%23b%2520%281%29.ts',
    );
    expect(pathToUri('C:\\', 'win32')).toBe('file:///c%3A/');
  });

  test('a share is the host of the URI', () => {
    expect(uriToPath('file://server/share/boats.ts', 'win32')).toBe('\\\\server\\share\\boats.ts');
    expect(pathToUri('\\\\server\\share\\boats.ts', 'win32')).toBe('file://server/share/boats.ts');
    expect(uriToPath('file://localhost/c:/boats.ts', 'win32')).toBe('C:\\boats.ts');
  });

  test('paths are compared without regard to case and separators', () => {
    expect(samePath('c:/Users/ANNA/boats.ts', 'C:\\users\\anna\\boats.ts', 'win32')).toBe(true);
    expect(samePath('c:/users/anna', 'd:/users/anna', 'win32')).toBe(false);
    expect(isInside('C:\\Work', 'c:\\work\\src\\a.ts', 'win32')).toBe(true);
    expect(isInside('C:\\Work', 'c:\\workshop\\a.ts', 'win32')).toBe(false);
    expect(isInside('C:\\', 'c:\\a.ts', 'win32')).toBe(true);
  });

  test('a relative path has forward slashes', () => {
    expect(relativePath('c:\\work', 'C:\\work\\src\\tools\\a.ts', 'win32')).toBe('src/tools/a.ts');
    expect(relativePath('c:\\work', 'C:\\work', 'win32')).toBe('.');
  });
});

describe('elsewhere', () => {
  test('spaces, #, ?, % and letters of any script survive there and back', () => {
    for (const path of [
      '/home/anna/a b/c#d?e.ts',
      '/home/anna/100%/%41.ts',
      '/home/анна/港/ø.ts',
      "/tmp/it's (1) [2] *!.ts",
      '/',
    ]) {
      expect(uriToPath(pathToUri(path, 'linux'), 'linux')).toBe(path);
      if (path !== '/') expect(uriToPath(pathToFileURL(path).href, 'linux')).toBe(path);
    }
  });

  test('a % that encodes nothing stands for itself, and what stands beside it is decoded', () => {
    expect(uriToPath('file:///a%20b/100%/x%ff.ts', 'linux')).toBe('/a b/100%/x%ff.ts');
  });

  test('other schemes have no path', () => {
    for (const uri of ['untitled:Untitled-1', 'git:/a/b.ts?ref', 'vscode-notebook-cell:/a.ipynb', '/a/b.ts', '']) {
      expect(uriToPath(uri, 'linux')).toBeUndefined();
    }
  });

  test('a path has one spelling', () => {
    expect(normalizePath('/a/./b/../c/', 'linux')).toBe('/a/c');
    expect(normalizePath('/', 'linux')).toBe('/');
    expect(normalizePath('C:\\a\\..\\', 'win32')).toBe('C:\\');
  });

  test('case tells files apart on Linux; composed and decomposed letters are one on macOS', () => {
    expect(samePath('/a/Boats.ts', '/a/boats.ts', 'linux')).toBe(false);
    expect(pathKey('/a/cafe\u0301.ts', 'darwin')).toBe(pathKey('/a/caf\u00e9.ts', 'darwin'));
    expect(pathKey('/a/cafe\u0301.ts', 'linux')).not.toBe(pathKey('/a/caf\u00e9.ts', 'linux'));
  });
});
