// Builds what ships: the client, the server's shared core with its two entry points, the sandbox, and TypeScript apart,
// so that a process which does not parse yet does not load it, and one that does finds it compiled.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const production = process.argv.includes('--production');
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // jsonc-parser's main entry is UMD, which a bundler cannot follow.
  mainFields: ['module', 'main'],
  minify: production,
  sourcemap: !production,
  legalComments: 'none',
  logLevel: 'warning',
};

/** TypeScript is in the package once: `ts-morph`, and ts-blank-space's `typescript`, are one file beside the core. */
const typescriptApart = {
  name: 'typescript-apart',
  setup(plugins) {
    plugins.onResolve({ filter: /^(ts-morph|ts-blank-space)$/ }, () => ({ path: './typescript.cjs', external: true }));
  },
};
const oneTypescript = {
  name: 'one-typescript',
  setup(plugins) {
    plugins.onResolve({ filter: /^typescript$/ }, () => ({ path: 'typescript', namespace: 'one-typescript' }));
    plugins.onLoad({ filter: /.*/, namespace: 'one-typescript' }, () => ({
      contents: "module.exports = require('@ts-morph/common').ts;",
      resolveDir: import.meta.dirname,
    }));
  },
};

await rm('dist', { recursive: true, force: true });
await mkdir('dist/server', { recursive: true });
await Promise.all([
  build({
    ...common,
    entryPoints: ['client/src/extension.ts'],
    outfile: 'dist/client/extension.cjs',
    external: ['vscode'],
  }),
  build({
    ...common,
    entryPoints: ['server/src/main.ts'],
    outfile: 'dist/server/core.cjs',
    plugins: [typescriptApart],
  }),
  // A module, since only modules have `import.meta.resolve`; what is bundled from CommonJS wants `require`.
  build({
    ...common,
    format: 'esm',
    entryPoints: ['server/src/sandbox.ts'],
    outfile: 'dist/server/sandbox.mjs',
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
  }),
  build({
    ...common,
    stdin: {
      contents: "export * from 'ts-morph'; export { default, blankSourceFile } from 'ts-blank-space';",
      resolveDir: import.meta.dirname,
    },
    outfile: 'dist/server/typescript.lib.cjs',
    minify: true,
    sourcemap: false,
    plugins: [oneTypescript],
  }),
  build({
    ...common,
    entryPoints: ['server/src/startup/codeCache.ts'],
    outfile: 'dist/server/codeCache.cjs',
  }),
  ...['cli', 'server'].map((name) =>
    writeFile(`dist/server/${name}.cjs`, `#!/usr/bin/env node\nrequire('./core.cjs').${name}();\n`),
  ),
]);
// V8 does not look at what it compiled, only at how long it was: the content itself names the build.
const library = await readFile('dist/server/typescript.lib.cjs');
const content = createHash('sha256').update(library).digest('hex').slice(0, 16);
await writeFile(
  'dist/server/typescript.cjs',
  `module.exports = require('./codeCache.cjs').loadCached(require.resolve('./typescript.lib.cjs'), '${content}');\n`,
);
await Promise.all(['cli', 'server'].map((name) => chmod(`dist/server/${name}.cjs`, 0o755)));
