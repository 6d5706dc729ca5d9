import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What the package is made of as it is, and what it is built from. */
const COPIED = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore', 'schemas', 'client/media'];
const LINKED = ['client/src', 'server', 'shared', 'esbuild.mjs', 'tsconfig.json', 'node_modules'];

/**
 * Makes the installable package by `npm run package`, beside the project, so that what is in `dist` stays.
 *
 * @param project its folder
 * @param cache folder that git ignores, inside the project
 * @returns the file
 * @throws when npm fails; the message has what it said
 */
export function makeVsix(project: string, cache: string): string {
  mkdirSync(cache, { recursive: true });
  const stage = mkdtempSync(join(cache, 'package-'));
  const vsix = join(cache, 'tool-contracts.vsix');
  try {
    mkdirSync(join(stage, 'client'));
    for (const path of COPIED) cpSync(join(project, path), join(stage, path), { recursive: true });
    for (const path of LINKED) symlinkSync(join(project, path), join(stage, path));
    execFileSync('npm', ['run', 'package', '--', '--out', vsix], { cwd: stage, stdio: 'pipe', encoding: 'utf8' });
    return vsix;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** Names and unpacked sizes in bytes of the files in a zip archive, in its order. */
export function filesInZip(file: string): { readonly name: string; readonly size: number }[] {
  const bytes = readFileSync(file);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error(`${file} is no zip archive.`);
  const files: { name: string; size: number }[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error(`${file} has a broken directory.`);
    const length = bytes.readUInt16LE(at + 28);
    files.push({ name: bytes.toString('utf8', at + 46, at + 46 + length), size: bytes.readUInt32LE(at + 24) });
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
