import { writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Contract, JsonObject, Offer } from '../../../shared/src/model.ts';
import { type LockFile, lockFileOf, lockFileText, readLockFile, recordedNames } from '../baseline/lockFile.ts';
import type { Packages } from '../files/packages.ts';
import { relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';
import type { Found } from '../reporters/fromSnapshot.ts';
import { count } from '../reporters/text.ts';

/** A package's recorded file as it should be. */
export interface Recording {
  readonly file: string;
  /** Relative to the root, for people. */
  readonly shown: string;
  readonly lock: LockFile;
  /** Tools that cannot be recorded, and why. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/** What may be wrong with recording: one sentence. */
export class CannotRecord extends Error {}

type FoundTool = Found['tools'][number];

/**
 * The recorded files of all packages with tools.
 *
 * @param release overrides the version in each `package.json`
 * @throws CannotRecord for a package without a version, or where something recorded would be lost
 */
export function recordings(
  found: Found,
  tree: FileTree,
  packages: Packages,
  program: string,
  release: string | undefined,
): Recording[] {
  const groups = new Map<string, FoundTool[]>();
  for (const tool of found.tools) {
    const file = (tool.contract ?? tool.unevaluated)?.candidate.file;
    if (file === undefined) continue;
    const folder = packages.nearest(file)?.folder ?? tree.root;
    groups.set(folder, [...(groups.get(folder) ?? []), tool]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, tools]) => recording(folder, tools, tree, packages, program, release));
}

function recording(
  folder: string,
  tools: readonly FoundTool[],
  tree: FileTree,
  packages: Packages,
  program: string,
  given: string | undefined,
): Recording {
  const file = lockFileOf(folder);
  const shown = relativePath(tree.root, file);
  const release = given ?? packages.at(folder)?.version;
  if (release === undefined) {
    const manifest = relativePath(tree.root, nodePath.join(folder, 'package.json'));
    throw new CannotRecord(`${manifest} has no version to record; add one, or say it with --release.`);
  }
  const left: { name: string; reason: string }[] = [];
  const rows: { name: string; file: string; tool: LockFile['tools'][string] }[] = [];
  for (const { contract, unevaluated, offers } of tools) {
    const name = contract?.name ?? unevaluated?.name ?? null;
    const recorded = contract && recordedTool(contract, offers);
    if (name === null)
      left.push({ name: 'a tool without a name', reason: unevaluated?.reason ?? 'its name is not known' });
    else if (unevaluated) left.push({ name: `"${name}"`, reason: unevaluated.reason });
    else if (contract && recorded)
      rows.push({ name, file: relativePath(folder, contract.candidate.file), tool: recorded });
    else left.push({ name: `"${name}"`, reason: listError(offers) ?? 'no surface lists it' });
  }
  const names = rows.map(({ name }) => name);
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const lock: LockFile = {
    version: 1,
    release,
    recordedWith: madeWith(program, tools, packages, folder),
    tools: Object.fromEntries(rows.map((row) => [isTwice(row.name) ? `${row.file}#${row.name}` : row.name, row.tool])),
  };
  return { file, shown, lock, left };
}

function recordedTool({ form }: Contract, offers: readonly Offer[]): LockFile['tools'][string] | undefined {
  const offer = offers.find(({ advertised, listError: error }) => advertised !== null && error === undefined);
  if (!offer && form !== 'none') return undefined;
  const inputSchema = (offer?.advertised ?? { type: 'object', properties: {} }) as JsonObject;
  return { inputSchema, ...(offer?.outputSchema && { outputSchema: offer.outputSchema as JsonObject }) };
}

function listError(offers: readonly Offer[]): string | undefined {
  return offers.map((offer) => offer.mountError ?? offer.listError).find((error) => error !== undefined);
}

function madeWith(
  program: string,
  tools: readonly FoundTool[],
  packages: Packages,
  folder: string,
): { [name: string]: string } {
  const sdks = tools.flatMap(({ offers }) => offers.map(({ surface }) => surface));
  const versions: [string, string | undefined][] = [
    ['tool-contracts', program],
    ...sdks.map(({ sdk = '', version }): [string, string | undefined] => [sdk, version]),
    ['zod', packages.installed('zod', folder)?.version],
  ];
  return Object.fromEntries(
    versions
      .filter((row): row is [string, string] => row[0] !== '' && row[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * What differs between a recorded file and what would be recorded now.
 *
 * @returns nothing when it is up to date
 */
export function outOfDate({ file, shown, lock }: Recording, tree: FileTree): string | undefined {
  if (!tree.exists(file)) return `${shown} is not there.`;
  const read = readLockFile(tree, file);
  if ('problem' in read) return read.problem;
  const before = read.lock;
  const differences = [
    ...(before.release === lock.release ? [] : [`it holds release ${before.release}, and this is ${lock.release}`]),
    ...named(
      'is new',
      Object.keys(lock.tools).filter((name) => !Object.hasOwn(before.tools, name)),
    ),
    ...named(
      'is gone',
      Object.keys(before.tools).filter((name) => !Object.hasOwn(lock.tools, name)),
    ),
    ...named(
      'changed',
      Object.keys(lock.tools).filter((name) => isOther(ownTool(before, name), ownTool(lock, name))),
    ),
  ];
  return differences.length === 0 ? undefined : `${shown} is out of date: ${differences.join('; ')}.`;
}

/** A tool may be called `constructor`. */
function ownTool({ tools }: LockFile, name: string): LockFile['tools'][string] | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

function isOther(a: LockFile['tools'][string] | undefined, b: LockFile['tools'][string] | undefined): boolean {
  if (!a || !b) return false;
  // Annotations are only ever written by hand or by another program: they are not looked at.
  const schemas = ({ inputSchema, outputSchema }: LockFile['tools'][string]) => ({ inputSchema, outputSchema });
  return !isDeepStrictEqual(schemas(a), schemas(b));
}

const MOST_NAMES = 5;

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return [`${shown.join(', ')}${more} ${what}`];
}

/**
 * Writes a recorded file. What is there is kept as far as it cannot be recorded anew.
 *
 * @returns one sentence for people
 * @throws CannotRecord when a newer program wrote the file, or a tool in it is there and cannot be evaluated now
 */
export function write({ file, shown, lock, left }: Recording, tree: FileTree): string {
  const read = tree.exists(file) ? readLockFile(tree, file) : undefined;
  if (read && 'problem' in read && /newer tool-contracts/.test(read.problem)) throw new CannotRecord(read.problem);
  const before = read && 'lock' in read ? read.lock : undefined;
  const lost = before && recordedNames(before).find(({ name }) => left.some((one) => one.name === `"${name}"`));
  if (lost) {
    const reason = left.find((one) => one.name === `"${lost.name}"`)?.reason.replace(/[.\s]+$/, '');
    throw new CannotRecord(
      `${shown} is left as it is: it holds "${lost.name}", which cannot be recorded now (${reason}); mend that first.`,
    );
  }
  const kept = before?.$schema === undefined ? {} : { $schema: before.$schema };
  const tools = Object.fromEntries(
    Object.entries(lock.tools).map(([name, tool]) => {
      const annotations = before && ownTool(before, name)?.annotations;
      return [name, { ...tool, ...(annotations && { annotations }) }];
    }),
  );
  writeFileSync(file, lockFileText({ ...kept, ...lock, tools }));
  return `Recorded ${count(Object.keys(tools).length, 'tool')} of ${lock.release} in ${shown}.`;
}
