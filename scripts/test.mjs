// `npm test`: builds, then runs everything that is tested. `npm run test:vscode` runs only the suite in a real VS Code.
// node scripts/test.mjs [vscode] [--host=desktop|web]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { load, root } from './lib/load.mjs';

const args = process.argv.slice(2);
const host = args.find((arg) => arg.startsWith('--host='))?.slice('--host='.length) ?? 'any';
const unknown = args.find((arg) => arg !== 'vscode' && !/^--host=(desktop|web)$/.test(arg));
if (unknown !== undefined) {
  console.error(`There is no option ${unknown}. Use: node scripts/test.mjs [vscode] [--host=desktop|web]`);
  process.exit(2);
}

/** Runs a script of the project or of a package with this Node; ends with its exit code when it fails. */
function run(title, ...command) {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('Build', 'esbuild.mjs');
if (!args.includes('vscode')) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  run('Unit tests, and tests of what was built', vitest, 'run');
}
console.log('\n— A real VS Code');
const { runSuites } = await load('test/vscode/host/run.ts');
process.exitCode = await runSuites(root, host);
