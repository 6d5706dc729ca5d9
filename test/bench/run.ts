import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installedSdk } from '../helpers/sdkInstallation.ts';
import { benchSize, type Commands } from './bench.ts';
import { type Facts, insert, markdown, type Row } from './report.ts';
import { growthRows } from './rows.ts';

const HELP = `npm run bench [-- options]

  --tools N[,N]   sizes of the workspace, multiples of 100 (default 1000)
  --edits N       timed edits of a series (default 300)
  --runs N        cold starts of each kind (default 3)
  --write         put the table into docs/benchmarks.md
  --json FILE     where the figures go (default .vscode-test/bench/results.json)
`;

/**
 * The benchmark's command line: measures what was built, prints the table and writes the figures.
 *
 * @param project absolute path of the project, which `dist` and the generated workspaces lie in
 * @returns the exit code: 0; 1 when an answer was wrong, missing or stale, however slow or fast; 2 for bad options
 */
export async function main(args: readonly string[], project: string): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const commands: Commands = {
    server: [process.execPath, join(project, 'dist/server/server.cjs'), '--stdio'],
    cli: [process.execPath, join(project, 'dist/server/cli.cjs')],
    tsc: [process.execPath, join(project, 'node_modules/typescript/bin/tsc')],
  };
  const facts = factsOf(project);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const rows: Row[] = [];
  let right = true;
  for (const tools of options.tools) {
    const folder = join(await installedSdk('bench', project), 'workspaces', String(tools));
    const measured = await benchSize(tools, folder, commands, options, say);
    rows.push(...measured.rows);
    right &&= measured.right;
  }
  rows.push(...growthRows(rows));
  const table = markdown(facts, rows);
  process.stdout.write(`${table}\n`);
  const json = options.json ? resolve(options.json) : join(project, '.vscode-test/bench/results.json');
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ ...facts, rows }, null, 2)}\n`);
  say(`Figures: ${json}`);
  if (options.write) {
    const document = join(project, 'docs/benchmarks.md');
    writeFileSync(document, insert(readFileSync(document, 'utf8'), table));
    say(`Table: ${document}`);
  }
  return right ? 0 : 1;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tools: { type: 'string', default: '1000' },
      edits: { type: 'string', default: '300' },
      runs: { type: 'string', default: '3' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const count = (name: string, text: string, step = 1) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < step || value % step !== 0) {
      throw new Error(`--${name} takes ${step === 1 ? 'a number from 1 on' : `multiples of ${step}`}, not "${text}".`);
    }
    return value;
  };
  return {
    tools: values.tools.split(',').map((size) => count('tools', size, 100)),
    edits: count('edits', values.edits),
    runs: count('runs', values.runs),
    json: values.json,
    write: values.write,
    help: values.help,
  };
}

/** What the figures depend on; the load is that before the benchmark adds its own. */
function factsOf(project: string): Facts {
  const version = (folder: string) => {
    const file = join(project, folder, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  };
  const installed = (name: string) => version(join('node_modules', name));
  const memory = Math.round(totalmem() / 2 ** 30);
  const cores = availableParallelism();
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cores} cores (${cpus()[0]?.model ?? process.arch}), ${memory} GB, ${process.platform}, Node ${process.versions.node}, load ${load} at the start`,
    versions: `tool-contracts ${version('.')}, TypeScript ${installed('typescript')}, zod ${installed('zod')}, MCP SDK ${installed('@modelcontextprotocol/sdk')}`,
  };
}
