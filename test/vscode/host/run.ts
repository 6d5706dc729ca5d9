import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeVsix } from '../../helpers/vsix.ts';
import { desktopHost } from './desktop.ts';
import { exitAtSignals } from './group.ts';
import { type Host, type HostFolders, MissingHost } from './host.ts';
import { fetchParts } from './parts.ts';
import { webHost } from './web.ts';

interface Suite {
  readonly name: string;
  /** Opened in Restricted Mode. */
  readonly untrusted?: true;
  /** With the extension installed from its package. */
  readonly installed?: true;
  /** In a repository with a tag of this name. */
  readonly tag?: string;
}

/** The suites, each in a VS Code of its own. */
const SUITES: readonly Suite[] = [
  { name: 'sample' },
  { name: 'preview' },
  { name: 'release', tag: 'v1.6.4' },
  { name: 'untrusted', untrusted: true },
  { name: 'installed', installed: true },
];

/** Which host to take: the desktop where it can be had, or one by name. */
export type HostChoice = 'desktop' | 'web' | 'any';

/**
 * Runs all suites against what was built into `dist`, each on a fresh copy of the sample workspace.
 *
 * @param root folder of the project
 * @param only the name of the one suite to run
 * @returns 0 when every test of every suite passed
 */
export async function runSuites(root: string, choice: HostChoice, only?: string): Promise<number> {
  const suites = SUITES.filter(({ name }) => only === undefined || name === only);
  if (suites.length === 0) {
    console.error(`There is no suite ${only}; there are ${SUITES.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const cache = join(root, '.vscode-test');
  const folders: HostFolders = {
    logs: join(cache, 'logs'),
    screenshots: join(cache, 'screenshots'),
    data: join(cache, 'data'),
  };
  exitAtSignals();
  for (const folder of Object.values(folders)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  let host: Host;
  try {
    host = await chooseHost(cache, folders, choice);
  } catch (error) {
    if (!(error instanceof MissingHost)) throw error;
    console.error(error.message);
    return 1;
  }
  console.log(`Host: ${host.name}`);
  let worst = 0;
  for (const { name, untrusted, installed, tag } of suites) {
    console.log(`\n${name}`);
    const suite = await buildSuite(root, cache, name);
    const folder = await copySample(root, cache, name);
    if (tag !== undefined) await release(folder, tag);
    const extension = installed
      ? { extension: await emptyExtension(cache), vsix: makeVsix(root, join(cache, 'package')) }
      : { extension: root };
    const code = await host.run({ name, ...extension, suite, folder, trusted: !untrusted });
    worst = Math.max(worst, code);
  }
  if (worst !== 0) console.error(`\nSee ${folders.screenshots} and ${folders.logs}`);
  return worst;
}

async function chooseHost(cache: string, folders: HostFolders, choice: HostChoice): Promise<Host> {
  const say = (line: string) => console.log(line);
  if (choice === 'web') return webHost(await fetchParts(cache, say), folders);
  try {
    return await desktopHost(cache, folders);
  } catch (error) {
    if (choice === 'desktop' || !(error instanceof MissingHost)) throw error;
    say(error.message);
    return webHost(await fetchParts(cache, say), folders);
  }
}

async function buildSuite(root: string, cache: string, name: string): Promise<string> {
  const outfile = join(cache, 'build', 'suite', `${name}.cjs`);
  await build({
    entryPoints: [join(root, 'test', 'vscode', 'suite', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outfile;
}

/** An extension that does nothing. */
async function emptyExtension(cache: string): Promise<string> {
  const folder = join(cache, 'build', 'empty-extension');
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'empty', publisher: 'tool-contracts', version: '1.0.0', engines: { vscode: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}

/** Inside the project, so that the sample's packages resolve to the project's own, as they do for the sample itself. */
async function copySample(root: string, cache: string, name: string): Promise<string> {
  const folder = join(cache, 'work', name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  return folder;
}

/** Makes a folder a repository whose only commit is a release; what was recorded of another one goes. */
async function release(folder: string, tag: string): Promise<void> {
  await rm(join(folder, 'tool-contracts.lock.json'), { force: true });
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', tag);
  git('tag', tag);
}
