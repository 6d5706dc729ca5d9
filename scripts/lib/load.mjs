// Runs TypeScript of this project on a Node that cannot: bundles a module and imports the result.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = join(import.meta.dirname, '..', '..');

/**
 * Bundles a TypeScript module of the project and imports it. Packages are not bundled: they resolve from the project's
 * own `node_modules`.
 *
 * @param {string} module path from the project's root, `test/vscode/host/run.ts`
 * @returns {Promise<any>} the module's exports
 * @throws what esbuild reports when the module does not compile
 */
export async function load(module) {
  const outfile = join(root, '.vscode-test', 'build', module.replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [join(root, module)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
