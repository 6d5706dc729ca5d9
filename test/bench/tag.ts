import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine } from './cold.ts';
import { checkAfresh } from './truth.ts';
import { type Generated, writeWorkspace } from './workspace/generate.ts';

/** Milliseconds of fresh checks that took turns. */
export interface TagMeasure {
  /** With a tag to compare with. */
  readonly tagged: readonly number[];
  /** With the tag, which an earlier run has evaluated. */
  readonly cached: readonly number[];
  /** The same files without the tag. */
  readonly alone: readonly number[];
}

/** Who commits: nothing of the machine's settings is used. */
const GIT = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false'];

/**
 * Checks a workspace that differs from its last release, with the tag of that release and without it.
 *
 * @param folder where the workspace is written, a repository of its own
 * @param differs whether a source file is another one than in the release
 */
export async function measureTag(
  generated: Generated,
  folder: string,
  cli: CommandLine,
  runs: number,
  differs: (index: number) => boolean,
): Promise<TagMeasure> {
  writeWorkspace(folder, generated);
  const git = (...args: string[]) => execFileSync('git', [...GIT, ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'release');
  [...generated.files.keys()]
    .filter((path) => path.endsWith('.ts'))
    .forEach((path, index) => {
      if (differs(index)) appendFileSync(join(folder, path), '// Since the release.\n');
    });
  const measure = { tagged: [] as number[], cached: [] as number[], alone: [] as number[] };
  const check = async (...options: string[]) => (await checkAfresh(cli, folder, ...options)).milliseconds;
  for (let turn = 0; turn < runs; turn++) {
    measure.alone.push(await check());
    git('tag', 'v1.0.0');
    measure.tagged.push(await check('--no-cache'));
    if (turn === 0) await check();
    measure.cached.push(await check());
    git('tag', '--delete', 'v1.0.0');
  }
  return measure;
}
