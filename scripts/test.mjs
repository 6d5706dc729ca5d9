// `npm test`: builds, then runs everything that is tested. `npm run test:vscode` runs only the suite in a real VS Code.
// node scripts/test.mjs [vscode] [--host=desktop|web] [--suite=NAME]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { load, root } from './lib/load.mjs';

const args = process.argv.slice(2);
const host = args.find((arg) => arg.startsWith('--host='))?.slice('--host='.length) ?? 'any';
const suite = args.find((arg) => arg.startsWith('--suite='))?.slice('--suite='.length);
const unknown = args.find((arg) => arg !== 'vscode' && !/^--(host=(desktop|web)|suite=\w+)$/.test(arg));
if (unknown !== undefined) {
  console.error(
    `There is no option ${unknown}. Use: node scripts/test.mjs [vscode] [--host=desktop|web] [--suite=NAME]`,
  );
  process.exit(2);
}

/** Runs a script with this Node. True when it ended well. */
function run(...command) {
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

const vitest = (project) => run(join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project);
const suites = async () => (await (await load('test/vscode/host/run.ts')).runSuites(root, host, suite)) === 0;
const inVscode = ['A real VS Code', suites];
const all = [['Unit tests', () => vitest('unit')], ['Tests of what was built', () => vitest('built')], inVscode];

console.log('— Build');
if (!run('esbuild.mjs')) process.exit(1);
// One part that fails does not hide the next.
const failed = [];
for (const [title, passes] of args.includes('vscode') ? [inVscode] : all) {
  console.log(`\n— ${title}`);
  if (!(await passes())) failed.push(title);
}
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
