import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { exitAtSignals } from './group.ts';
import { MissingHost } from './host.ts';
import { fetchParts } from './parts.ts';
import { startServer } from './server.ts';

/** What an installed extension consists of, as far as VS Code reads it. */
const EXTENSION = ['package.json', 'client', 'dist', 'schemas', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/**
 * Serves a real VS Code with this extension on 127.0.0.1, prints the address that opens a folder in it, and stays until
 * Ctrl-C.
 *
 * @param root folder of the project, built
 * @param folder the folder to open
 * @returns the exit code, when there is no VS Code to serve or when it ended by itself
 */
export async function serve(root: string, folder: string): Promise<number> {
  exitAtSignals(0);
  const cache = join(root, '.vscode-test');
  try {
    const parts = await fetchParts(cache, (line) => console.log(line));
    const data = join(cache, 'start');
    await rm(data, { recursive: true, force: true });
    await install(root, join(data, 'extensions'));
    const server = await startServer(parts, {
      data,
      log: join(data, 'server.log'),
      trusted: true,
      driver: false,
      settings: { 'workbench.startupEditor': 'readme' },
    });
    console.log(`VS Code with the sample workspace: ${server.address}/?folder=${encodeURI(folder)}`);
    console.log('Ctrl-C ends it.');
    console.error(await server.ended);
    return 1;
  } catch (error) {
    console.error(error instanceof MissingHost ? error.message : error);
    return 1;
  }
}

/** Puts the extension where VS Code looks for installed ones, linked to the project. */
async function install(root: string, extensions: string): Promise<void> {
  const { publisher, name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const home = join(extensions, `${publisher}.${name}-${version}`);
  await mkdir(home, { recursive: true });
  for (const part of EXTENSION) await symlink(join(root, part), join(home, part));
}
