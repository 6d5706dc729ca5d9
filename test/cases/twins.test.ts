import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { check } from './commandLine.ts';
import { inFolder } from './inFolder.ts';
import { differences } from './judge.ts';
import { CASES, type Case, exportedConsts, readCases } from './manifest.ts';
import { markedIn } from './markers.ts';
import { PROJECT } from './project.ts';
import { dependenciesOf, makeWorkspaceOf, NEWEST, type PackageOptions, registering } from './workspace.ts';

const TWINS = join(PROJECT, 'test/fixtures/twins');
const twins = readdirSync(TWINS).map((file) => ({
  file,
  folder: file.replace(/\.ts$/, ''),
  text: readFileSync(join(TWINS, file), 'utf8'),
}));
const traps = readCases().filter((one) => one.expect.length === 0);
let report: JsonReport;

beforeAll(async () => {
  const packages = twins.map(({ folder, file, text }) => [folder, packageOf(trapOf(file), file, text)] as const);
  report = await check(makeWorkspaceOf('twins', NEWEST, Object.fromEntries(packages)));
});

describe('each trap', () => {
  it.each(traps)('$id has a twin that changes little and is reported once', ({ id, file }) => {
    const own = twins.filter((twin) => twin.file.startsWith(`${id}-`));
    expect(own.map((twin) => markedIn(twin.file, twin.text).length)).toEqual([1]);
    const [trapCode, twinCode] = [readFileSync(join(CASES, file), 'utf8'), own[0]?.text ?? ''].map(withoutComments);
    expect(changedLines(trapCode ?? '', twinCode ?? '')).toBeLessThanOrEqual(4);
  });
});

describe('the twin', () => {
  it.each(twins)('$file is reported where it is marked', ({ file, folder, text }) => {
    expect(differences(inFolder(report, folder).findings, markedIn(file, text)).join('\n')).toBe('');
  });
});

function trapOf(file: string): Case {
  const trap = traps.find(({ id }) => file.startsWith(`${id}-`));
  if (!trap) throw new Error(`${file} is the twin of no trap.`);
  return trap;
}

function packageOf({ registers, files }: Case, file: string, text: string): PackageOptions {
  const side = files.map((path) => [path.slice(path.indexOf('/') + 1), readFileSync(join(CASES, path), 'utf8')]);
  return {
    files: {
      [file]: text,
      ...Object.fromEntries(side),
      ...(registers ? {} : { 'register.ts': registering(file, exportedConsts(text)) }),
    },
    dependencies: dependenciesOf(text),
  };
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*\n/gm, '').replace(/^\/\*.*?\*\/\n/s, '');
}

/** Lines of the second text that the first does not have. */
function changedLines(before: string, after: string): number {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line)).length;
}
