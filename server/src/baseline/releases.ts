/** A version as semver 2.0.0 orders it. */
export interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** Empty for a release proper. */
  readonly prerelease: readonly string[];
}

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Reads a version such as `1.2.3`, `v1.2.3` or `1.2.3-rc.1`.
 *
 * @returns undefined for anything else
 */
export function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch, prerelease] = match;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    prerelease: prerelease === undefined ? [] : prerelease.split('.'),
  };
}

/** Negative when the first version is the older one, positive when it is the newer one: https://semver.org/#spec-item-11 */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, part] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (part !== other) return part - other;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const difference = compareIdentifiers(part, other);
    if (difference !== 0) return difference;
  }
  return a.prerelease.length - b.prerelease.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Whether a release is another one or came after it. What is no version is only ever the same release, when it is
 * spelled the same.
 */
export function isAtOrAfter(release: string, other: string): boolean {
  if (release === other) return true;
  const [mine, theirs] = [parseVersion(release), parseVersion(other)];
  return mine !== undefined && theirs !== undefined && compareVersions(mine, theirs) >= 0;
}

/** A tag that names a release. */
export interface ReleaseTag {
  readonly tag: string;
  /** The version without what stands before it: `1.2.3` of `v1.2.3` and of `@scope/pkg@1.2.3`. */
  readonly release: string;
  readonly version: Version;
}

/**
 * The newest tag that is a release of a package. Tags of the package's own (`pkg@1.2.3`, `pkg-v1.2.3`, `pkg/v1.2.3`)
 * count before those of the whole repository, and releases proper before pre-releases, since it is their callers that a
 * change breaks.
 *
 * @param tags names of tags, in any order
 * @param names what the package may be called in them: its name, its name without the scope, its folder
 */
export function newestRelease(tags: readonly string[], names: readonly string[]): ReleaseTag | undefined {
  const own = tags.flatMap((tag) => ownRelease(tag, names) ?? []);
  const all = own.length > 0 ? own : tags.flatMap((tag) => releaseOf(tag, tag) ?? []);
  const proper = all.filter(({ version }) => version.prerelease.length === 0);
  return [...(proper.length > 0 ? proper : all)].sort((a, b) => compareVersions(b.version, a.version))[0];
}

/** The release that a tag names, whatever stands before the version; the tag itself when it names none. */
export function releaseName(tag: string): string {
  const version = /(?:^|[@/-])v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*)?)$/.exec(tag)?.[1];
  return version ?? tag;
}

function ownRelease(tag: string, names: readonly string[]): ReleaseTag | undefined {
  for (const name of names) {
    if (name === '' || !tag.startsWith(name) || !'@/-'.includes(tag.charAt(name.length))) continue;
    const found = releaseOf(tag, tag.slice(name.length + 1));
    if (found) return found;
  }
  return undefined;
}

function releaseOf(tag: string, text: string): ReleaseTag | undefined {
  const version = parseVersion(text);
  return version && { tag, release: text.replace(/^v/, ''), version };
}
