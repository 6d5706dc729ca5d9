// Builds what ships and measures it: `npm run bench -- --help`.
import { spawnSync } from 'node:child_process';
import { load, root } from './lib/load.mjs';

const args = process.argv.slice(2);
if (!args.includes('--help')) {
  const built = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
const { main } = await load('test/bench/run.ts');
process.exitCode = await main(args, root);
