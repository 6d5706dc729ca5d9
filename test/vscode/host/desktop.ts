import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import { type Host, type HostFolders, MissingHost, SUITE_MS, type SuiteRun } from './host.ts';
import { HOST_VARIABLE, serveRequests } from './requests.ts';

/** Without this prompt, that a person would have to answer, a folder is opened in Restricted Mode. */
const SETTINGS = { 'security.workspace.trust.startupPrompt': 'never' };

/**
 * The desktop VS Code of today, downloaded once.
 *
 * @param cache folder that git ignores, where the download is kept
 * @throws {MissingHost} without a display, or when it cannot be downloaded
 */
export async function desktopHost(cache: string, folders: HostFolders): Promise<Host> {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new MissingHost('The desktop VS Code needs a display, and there is none.');
  }
  const executable = await downloadAndUnzipVSCode({ version: 'stable', cachePath: cache }).catch((error: Error) => {
    throw new MissingHost(`The desktop VS Code could not be downloaded: ${error.message}.`);
  });
  return {
    name: 'desktop VS Code',
    async run(run) {
      // Not below the project: VS Code makes a socket in it, whose path may have 103 characters on macOS.
      const data = await mkdtemp(join(tmpdir(), 'tool-contracts-'));
      await mkdir(join(data, 'User'), { recursive: true });
      await writeFile(join(data, 'User', 'settings.json'), JSON.stringify(SETTINGS));
      const requests = await serveRequests({
        say: (line) => console.log(line),
        screenshot: async () => false,
        trust: async () => false,
      });
      try {
        const log = join(folders.logs, `${run.name}-desktop.log`);
        if (run.vsix !== undefined) await install(executable, run.vsix, data);
        return await start(executable, data, run, { [HOST_VARIABLE]: requests.address }, log);
      } finally {
        requests.close();
        await rm(data, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

/** Installs a package as a person does. */
async function install(executable: string, vsix: string, data: string): Promise<void> {
  const where = [`--user-data-dir=${data}`, `--extensions-dir=${join(data, 'extensions')}`];
  // The command is a script on Windows, which runs in a shell only.
  await promisify(execFile)(
    resolveCliPathFromVSCodeExecutablePath(executable),
    [...where, '--install-extension', vsix],
    { shell: process.platform === 'win32' },
  );
}

function start(
  executable: string,
  data: string,
  run: SuiteRun,
  env: { readonly [name: string]: string },
  log: string,
): Promise<number> {
  const args = [
    run.folder,
    `--extensionDevelopmentPath=${run.extension}`,
    `--extensionTestsPath=${run.suite}`,
    `--user-data-dir=${data}`,
    `--extensions-dir=${join(data, 'extensions')}`,
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
  ];
  if (run.trusted) args.push('--disable-workspace-trust');
  const child = spawn(executable, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = createWriteStream(log);
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      console.error(`No result within ${SUITE_MS / 1000} s.`);
      child.kill('SIGKILL');
    }, SUITE_MS);
    child.once('error', (error) => fail(new Error(`The desktop VS Code did not start: ${error.message}`)));
    child.once('close', (code) => {
      clearTimeout(timer);
      out.end();
      done(code ?? 1);
    });
  });
}
