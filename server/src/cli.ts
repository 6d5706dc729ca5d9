import { version } from '../../package.json';
import { run } from './cli/run.ts';

/** The command line: runs what `process.argv` says and ends the process with the exit status. */
export async function main(): Promise<void> {
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  process.exitCode = await run(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    version,
    async check({ tree, settings, log, isDiff, isUncached }) {
      // Not before it is needed: help and mistakes are answered without loading TypeScript.
      const { startAhead } = await import('./ahead.ts');
      const prepared = startAhead(tree, settings, log);
      const { Analysis } = await import('./analysis.ts');
      const analysis = new Analysis({ tree, settings, log, isDiff, isUncached, prepared });
      try {
        return await analysis.check([]);
      } finally {
        analysis.dispose();
      }
    },
  });
}
