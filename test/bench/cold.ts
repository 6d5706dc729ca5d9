import { join } from 'node:path';
import { LanguageClient } from '../lsp/harness/index.ts';
import { type Checked, checkAfresh, type Problems, run } from './truth.ts';
import { PublishedProblems } from './watch.ts';

/** Program and arguments that start a process. */
export type CommandLine = readonly [string, ...string[]];

/** Milliseconds of runs that took turns, so that a busy minute hits all of them. */
export interface ColdMeasure {
  /** `tsc --noEmit`; empty when it was left out. */
  readonly tsc: readonly number[];
  /** Language server: spawn to the last of all findings. */
  readonly server: readonly number[];
  /** Command line: spawn to exit. */
  readonly cli: readonly number[];
}

/**
 * Starts everything from nothing, in turns.
 *
 * @param truth the findings that the server must have published
 * @param tsc the compiler's command, or undefined to leave it out
 */
export async function measureCold(
  root: string,
  truth: Problems,
  commands: { readonly server: CommandLine; readonly cli: CommandLine; readonly tsc: CommandLine | undefined },
  runs: number,
): Promise<ColdMeasure> {
  const measure = { tsc: [] as number[], server: [] as number[], cli: [] as number[] };
  for (let turn = 0; turn < runs; turn++) {
    if (commands.tsc) measure.tsc.push((await run([...commands.tsc, '--noEmit', '-p', root], root)).milliseconds);
    measure.server.push(await coldServer(root, truth, commands.server));
    const checked: Checked = await checkAfresh(commands.cli, root);
    measure.cli.push(checked.milliseconds);
  }
  return measure;
}

/** Milliseconds from spawn to the answer to `initialize`, of several servers one after the other. */
export async function measureInitialize(root: string, command: CommandLine, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < runs; turn++) {
    times.push(
      await withServer(root, command, async (client) => {
        await client.initialize();
        return performance.now() - client.process.spawnedAt;
      }),
    );
  }
  return times;
}

/** Does something with a server that has published exactly what is true, and ends it. */
export function withOpenWorkspace<T>(
  root: string,
  truth: Problems,
  command: CommandLine,
  action: (client: LanguageClient) => Promise<T>,
): Promise<T> {
  return withServer(root, command, async (client) => {
    await client.initialize();
    await allFindings(client, root, truth);
    return action(client);
  });
}

async function coldServer(root: string, truth: Problems, command: CommandLine): Promise<number> {
  return withServer(root, command, async (client) => {
    await client.initialize();
    return (await allFindings(client, root, truth)) - client.process.spawnedAt;
  });
}

async function withServer<T>(
  root: string,
  command: CommandLine,
  action: (client: LanguageClient) => Promise<T>,
): Promise<T> {
  const client = new LanguageClient({ root, command });
  try {
    const result = await action(client);
    await client.shutdown();
    return result;
  } finally {
    await client.kill();
  }
}

function allFindings(client: LanguageClient, root: string, truth: Problems): Promise<number> {
  const files = [...truth].map(([path, lines]) => [join(root, path), lines] as const);
  const deadlineMs = 120_000;
  return new PublishedProblems(client, root).until('all findings', files, performance.now(), deadlineMs);
}
