import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROJECT } from './project.ts';

const SDK = '@modelcontextprotocol/sdk';

/** The zod releases that the project has, by version, with the folder of `node_modules` that each is in. */
export const ZODS = { '4.6.7': 'zod', '4.4.3': 'zod-4-4', '4.1.12': 'zod-4-1', '3.25.76': 'zod-3' } as const;
export type Zod = keyof typeof ZODS;
export const NEWEST: Zod = '4.6.7';

/** A package: its files by path, and the packages that its `package.json` depends on. */
export interface PackageOptions {
  readonly files: { readonly [path: string]: string };
  readonly dependencies: readonly string[];
}

/**
 * Writes a fresh workspace inside the project, so that packages resolve to the project's own.
 *
 * @param name path below the folder of the zod release
 * @returns the absolute path of its root
 */
export function makeWorkspace(name: string, zod: Zod, content: PackageOptions): string {
  const root = join(folderOf(zod), name);
  rmSync(root, { recursive: true, force: true });
  writePackage(root, content);
  return root;
}

/** As `makeWorkspace`, with several packages, each in a folder of its own. */
export function makeWorkspaceOf(
  name: string,
  zod: Zod,
  packages: { readonly [folder: string]: PackageOptions },
): string {
  const root = makeWorkspace(name, zod, { files: {}, dependencies: [] });
  for (const [folder, content] of Object.entries(packages)) writePackage(join(root, folder), content);
  return root;
}

function writePackage(folder: string, { files, dependencies }: PackageOptions): void {
  const manifest = {
    name: basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '-'),
    // What a lock file or a contract change calls a release has come out before this one.
    version: '99.0.0',
    type: 'module',
    dependencies: Object.fromEntries(dependencies.map((one) => [one, '*'])),
  };
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest, null, 2), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * The folder of the workspaces with one zod release. An older one comes with a copy of the SDK, which resolves zod from
 * where it lies: beside the project's own it would take the newest.
 */
function folderOf(zod: Zod): string {
  const all = join(PROJECT, '.vscode-test/cases');
  if (zod === NEWEST) return all;
  const folder = join(all, `zod-${zod}`);
  const modules = join(folder, 'node_modules');
  if (!existsSync(join(modules, SDK, 'package.json'))) {
    mkdirSync(join(modules, SDK), { recursive: true });
    rmSync(join(modules, 'zod'), { force: true });
    symlinkSync(join(PROJECT, 'node_modules', ZODS[zod]), join(modules, 'zod'), 'dir');
    cpSync(join(PROJECT, 'node_modules', SDK, 'dist/esm'), join(modules, SDK, 'dist/esm'), { recursive: true });
    cpSync(join(PROJECT, 'node_modules', SDK, 'package.json'), join(modules, SDK, 'package.json'));
  }
  return folder;
}

/**
 * The packages that a module imports, and the MCP SDK unless it names an SDK of its own: what a person who wrote the
 * module would have in `package.json`.
 */
export function dependenciesOf(text: string): string[] {
  const imported = [...text.matchAll(/ from '([^'.][^']*)'/g)]
    .map(([, specifier = '']) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    .filter((name) => !name.startsWith('node:'));
  const hasOwnSdk = imported.some((name) => name !== 'zod');
  return [...new Set(['zod', ...imported, ...(hasOwnSdk ? [] : [SDK])])];
}

/**
 * A module that registers what another one exports, each as one tool named after its export.
 *
 * @param exports names; `name()` registers what the function answers
 */
export function registering(file: string, exports: readonly string[]): string {
  const names = exports.map((one) => one.replace(/\(\)$/, ''));
  return [
    `import { McpServer } from '${SDK}/server/mcp.js';`,
    `import { ${names.join(', ')} } from './${file}';`,
    '',
    "export const server = new McpServer({ name: 'cases', version: '1.0.0' });",
    ...exports.map(
      (one, at) => `server.registerTool('${names[at]}', { inputSchema: ${one} }, async () => ({ content: [] }));`,
    ),
    '',
  ].join('\n');
}

/** A module that offers what another one exports as tools of the AI SDK, each named after its export. */
export function offering(file: string, exports: readonly string[]): string {
  return [
    "import { tool } from 'ai';",
    `import { ${exports.join(', ')} } from './${file}';`,
    '',
    'export const tools = {',
    ...exports.map((one) => `  ${one}: tool({ description: '${one}', inputSchema: ${one} }),`),
    '};',
    '',
  ].join('\n');
}
