// `npm start`: builds, prints the findings of the sample workspace, and opens it in VS Code with the extension.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { load, root } from './lib/load.mjs';

const sample = join(root, 'test', 'fixtures', 'sample');

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}

/** The command of the desktop VS Code, or undefined where there is none that could open a window. */
function desktopCode() {
  const { PATH = '', DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY && !WSL_DISTRO_NAME) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Opens the sample in the desktop VS Code. False when there is none or it did not start. */
function openDesktop() {
  const code = desktopCode();
  if (code === undefined) return false;
  const args = ['--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`, sample];
  console.log('Opening the sample workspace in the desktop VS Code …');
  // A .cmd runs in a shell only, which wants what holds spaces quoted.
  const shell = process.platform === 'win32';
  const quoted = (text) => (shell ? `"${text}"` : text);
  return spawnSync(quoted(code), args.map(quoted), { stdio: 'inherit', shell }).status === 0;
}

const built = node('esbuild.mjs');
if (built !== 0) process.exit(built);
node('dist/server/cli.cjs', 'check', sample);

if (!openDesktop()) {
  const { serve } = await load('test/vscode/host/serve.ts');
  process.exit(await serve(root, sample));
}
