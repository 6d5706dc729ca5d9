import nodePath from 'node:path';
import { closest } from '../../../shared/src/closest.ts';
import { isInside, relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';
import { GitError, Repository } from './git.ts';
import { type LockFile, lockFileOf, readLockFile } from './lockFile.ts';
import type { Release } from './previous.ts';
import { compareVersions, newestRelease, parseVersion, type ReleaseTag, releaseName } from './releases.ts';

/** A package of the present tree. */
export interface PackageOfTools {
  readonly folder: string;
  readonly name: string | undefined;
}

/** What a package is compared with, or why with nothing. */
export type Choice =
  | { readonly by: 'tag'; readonly release: Release; readonly commit: string; readonly repository: Repository }
  | { readonly by: 'file'; readonly release: Release; readonly lock: LockFile; readonly note?: string }
  /** `wrong`: something is there, but cannot be used. Without it there is just no baseline. */
  | { readonly by: 'nothing'; readonly reason: string; readonly isWrong: boolean };

const HOW_TO_RECORD = 'record one with "tool-contracts record", or tag a release (v1.2.3)';

/** Chooses what each package of a workspace is compared with: the setting, else a recorded file, else the newest tag. */
export class Chooser {
  private repository: Promise<Repository | undefined> | undefined;
  private tags: Promise<string[]> | undefined;

  constructor(
    private readonly tree: FileTree,
    private readonly settingOf: (folder: string) => string,
  ) {}

  /**
   * @param isBeforeNow the release must not be what is here: where the newest tag is the commit at hand, and nothing was
   *   changed since, the one before it is taken
   */
  async choose(pkg: PackageOfTools, isBeforeNow = false): Promise<Choice> {
    const setting = this.settingOf(pkg.folder);
    try {
      if (setting !== 'auto') return await this.bySetting(setting, pkg);
      const file = lockFileOf(pkg.folder);
      if (this.tree.exists(file)) return await this.byFile(file, pkg);
      return await this.byTag(pkg, isBeforeNow);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return wrong(`There is no baseline: ${error.message}. ${sentence(HOW_TO_RECORD)}`);
    }
  }

  private async bySetting(setting: string, pkg: PackageOfTools): Promise<Choice> {
    const files = [pkg.folder, this.tree.root].map((folder) => nodePath.resolve(folder, setting));
    const file = files.find((path) => this.tree.exists(path));
    if (file !== undefined) return this.byFile(file, undefined);
    if (setting.endsWith('.json')) {
      return wrong(`The baseline "${setting}" is a file that is not there; correct the setting, or record it.`);
    }
    const repository = await this.repositoryAround();
    const commit = await repository?.commitOf(setting);
    if (repository && commit !== undefined) {
      return {
        by: 'tag',
        release: { kind: 'tag', release: releaseName(setting), name: setting },
        commit,
        repository,
      };
    }
    const near = closest(setting, await this.reachableTags(repository));
    const hint = near ? `did you mean "${near}"?` : 'fetch it ("git fetch --tags"), or correct the setting.';
    return wrong(`The baseline "${setting}" is neither a file nor a tag that git knows; ${hint}`);
  }

  private async byFile(file: string, pkg: PackageOfTools | undefined): Promise<Choice> {
    const read = readLockFile(this.tree, file);
    if ('problem' in read) return wrong(read.problem);
    const shown = isInside(this.tree.root, file) ? relativePath(this.tree.root, file) : file;
    const { release } = read.lock;
    const note = pkg && (await this.olderThanTag(shown, release, pkg));
    return {
      by: 'file',
      release: { kind: 'file', release, name: shown },
      lock: read.lock,
      ...(note !== undefined && { note }),
    };
  }

  /** A recorded file that was forgotten when the last release was made. */
  private async olderThanTag(shown: string, release: string, pkg: PackageOfTools): Promise<string | undefined> {
    const recorded = parseVersion(release);
    const newest = await this.newestTag(pkg).catch(() => undefined);
    if (!recorded || !newest || compareVersions(newest.version, recorded) <= 0) return undefined;
    return `${shown} holds release ${release}, and ${newest.tag} was tagged since; run "tool-contracts record" with each release.`;
  }

  private async byTag(pkg: PackageOfTools, isBeforeNow: boolean): Promise<Choice> {
    const repository = await this.repositoryAround();
    if (!repository)
      return nothing(`There is no baseline: the folder is in no git repository. ${sentence(HOW_TO_RECORD)}`);
    let newest = await this.newestTag(pkg);
    let commit = newest && (await repository.commitOf(`refs/tags/${newest.tag}`));
    if (isBeforeNow && newest && commit !== undefined && (await repository.isAt(commit))) {
      newest = await this.newestTag(pkg, await this.tagsOfOtherCommits(repository, commit));
      commit = newest && (await repository.commitOf(`refs/tags/${newest.tag}`));
    }
    if (newest && commit !== undefined) {
      return { by: 'tag', release: { kind: 'tag', release: newest.release, name: newest.tag }, commit, repository };
    }
    if (repository.isShallow) {
      return wrong(
        'There is no baseline: this is a shallow clone, and no tag of a release is in the part of the history that it has. Fetch the rest with "git fetch --unshallow --tags" (fetch-depth: 0 on GitHub).',
      );
    }
    return nothing(`There is no baseline: no tag that leads here is a version. ${sentence(HOW_TO_RECORD)}`);
  }

  private async newestTag(pkg: PackageOfTools, tags?: readonly string[]): Promise<ReleaseTag | undefined> {
    const repository = await this.repositoryAround();
    return newestRelease(tags ?? (await this.reachableTags(repository)), namesOf(pkg, repository));
  }

  private async tagsOfOtherCommits(repository: Repository, commit: string): Promise<string[]> {
    const here = new Set(await repository.tagsAt(commit));
    return (await this.reachableTags(repository)).filter((tag) => !here.has(tag));
  }

  private repositoryAround(): Promise<Repository | undefined> {
    this.repository ??= Repository.around(this.tree.root);
    return this.repository;
  }

  private async reachableTags(repository: Repository | undefined): Promise<string[]> {
    this.tags ??= repository ? repository.reachableTags() : Promise.resolve([]);
    return this.tags;
  }
}

/** What a package may be called in its tags. */
function namesOf({ folder, name }: PackageOfTools, repository: Repository | undefined): string[] {
  const path = repository?.pathOf(folder) ?? '';
  const unscoped = name?.replace(/^@[^/]+\//, '');
  return [...new Set([name, unscoped, path, nodePath.posix.basename(path)])].filter(
    (one): one is string => one !== undefined && one !== '',
  );
}

function wrong(reason: string): Choice {
  return { by: 'nothing', reason, isWrong: true };
}

function nothing(reason: string): Choice {
  return { by: 'nothing', reason, isWrong: false };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
