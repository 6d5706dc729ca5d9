import { statSync } from 'node:fs';
import nodePath from 'node:path';
import { createColors } from 'picocolors';
import type { Settings } from '../../../shared/src/config.ts';
import { RULES } from '../../../shared/src/rules.ts';
import { SandboxNotStarted } from '../evaluation/process.ts';
import { configFor } from '../files/config.ts';
import { DiskTree } from '../files/disk.ts';
import { Packages } from '../files/packages.ts';
import { isInside, pathToUri, relativePath } from '../files/paths.ts';
import { jsonDiff, markdownDiff } from '../reporters/diff.ts';
import { type Found, fromSnapshot } from '../reporters/fromSnapshot.ts';
import { json } from '../reporters/json.ts';
import { list } from '../reporters/list.ts';
import type { Look } from '../reporters/look.ts';
import { pretty } from '../reporters/pretty.ts';
import { countFindings, type Report } from '../reporters/report.ts';
import { count } from '../reporters/text.ts';
import {
  type CheckOptions,
  type Command,
  type CommandName,
  type DiffFormat,
  parseCommandLine,
  UsageError,
} from './arguments.ts';
import { help } from './help.ts';
import { CannotRecord, outOfDate, recordings, write } from './record.ts';
import { selectTool } from './selectTool.ts';

export interface Output {
  write(text: string): void;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What the command line needs of the world. */
export interface World {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly version: string;
  /** Checks a folder once, running its code, and frees everything that was started for it. */
  check(folder: {
    tree: DiskTree;
    settings: Partial<Settings>;
    log(line: string): void;
    /** See `AnalysisOptions.isDiff`. */
    isDiff: boolean;
    /** See `AnalysisOptions.isUncached`. */
    isUncached: boolean;
  }): Promise<Found>;
}

const CLEAN = 0;
const FAULTY = 1;
const COULD_NOT_RUN = 2;

/** One sentence about why a command cannot do what it was told. */
class Refusal extends Error {}

/**
 * Runs a command line. Everything that goes wrong is one sentence on stderr.
 *
 * @returns the exit status: 0 clean, 1 findings of severity error or too many warnings, 2 could not run
 */
export async function run(argv: readonly string[], world: World): Promise<number> {
  try {
    return await runCommand(parseCommandLine(argv), world);
  } catch (error) {
    const isExpected = [UsageError, Refusal, CannotRecord, SandboxNotStarted].some((kind) => error instanceof kind);
    const message = error instanceof Error ? error.message : String(error);
    world.stderr.write(`tool-contracts: ${isExpected ? message : `could not run: ${message}`}\n`);
    return COULD_NOT_RUN;
  }
}

async function runCommand(command: Command, world: World): Promise<number> {
  if (command.command === 'help' || command.command === 'version') {
    world.stdout.write(command.command === 'help' ? help(command.topic) : `${world.version}\n`);
    return CLEAN;
  }
  if (command.command === 'record') return record(command, world);
  const { report, look } = await reportOn(command, world);
  if (command.command === 'diff') return diff(report, command.format, world);
  if (command.command === 'advertise') {
    const selection = selectTool(report, command.tool, command.surface);
    if ('reason' in selection) throw new Refusal(selection.reason);
    const { tool } = selection;
    if (!tool.listed || tool.advertised === undefined) {
      throw new Refusal(`${command.tool} cannot be listed: ${tool.listError ?? 'no surface judges it.'}`);
    }
    world.stdout.write(`${JSON.stringify(tool.advertised, null, 2)}\n`);
    return CLEAN;
  }
  if (command.format === 'json') {
    world.stdout.write(json(report));
    for (const note of report.notes) world.stderr.write(`${note}\n`);
  } else {
    world.stdout.write(command.command === 'list' ? list(report, look) : pretty(report, look));
  }
  if (command.command === 'list') return CLEAN;
  const { error, warning } = countFindings(report);
  if (warning > command.maxWarnings && error === 0) {
    world.stderr.write(
      `tool-contracts: ${count(warning, 'warning')}, and --max-warnings allows ${command.maxWarnings}.\n`,
    );
  }
  return error > 0 || warning > command.maxWarnings ? FAULTY : CLEAN;
}

function diff(report: Report, format: DiffFormat, world: World): number {
  if (format === 'json') world.stdout.write(jsonDiff(report));
  else world.stdout.write(markdownDiff(report));
  const reasons = report.baselines.flatMap(({ reason }) => reason ?? []);
  for (const note of new Set([...report.notes, ...reasons])) world.stderr.write(`${note}\n`);
  if (report.baselines.length === 0) throw new Refusal('No tools were found, so there is nothing to compare.');
  return report.baselines.some(({ release }) => release !== null) ? CLEAN : COULD_NOT_RUN;
}

async function record(command: Extract<Command, { command: 'record' }>, world: World): Promise<number> {
  const { found, tree } = await checkFolder(command, world);
  const made = recordings(found, tree, new Packages(tree), world.version, command.release);
  if (made.length === 0) throw new Refusal('No tools were found, so there is nothing to record.');
  let status = CLEAN;
  for (const one of made) {
    for (const { name, reason } of one.left) {
      const why = reason.replace(/[.\s]+$/, '');
      world.stderr.write(`${one.shown}: ${name} is not recorded: ${why}.\n`);
    }
    if (Object.keys(one.lock.tools).length === 0) {
      world.stderr.write(`${one.shown}: there is nothing to record.\n`);
      status = COULD_NOT_RUN;
      continue;
    }
    const fault = command.isCheck ? outOfDate(one, tree) : undefined;
    if (!command.isCheck) world.stdout.write(`${write(one, tree)}\n`);
    else if (fault === undefined) world.stdout.write(`${one.shown} is up to date.\n`);
    else {
      world.stderr.write(`${fault} Run "tool-contracts record".\n`);
      status = Math.max(status, FAULTY);
    }
  }
  return status;
}

interface Checked {
  readonly found: Found;
  readonly tree: DiskTree;
  readonly settings: Partial<Settings>;
  readonly root: string;
}

async function checkFolder(options: CheckOptions & { readonly command: CommandName }, world: World): Promise<Checked> {
  const root = nodePath.resolve(world.cwd, options.path);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (!stat) throw new Refusal(`There is no folder ${options.path}.`);
  if (!stat.isDirectory()) {
    throw new Refusal(`${options.path} is a file; give the folder of its package, and --include for the file alone.`);
  }
  const tree = new DiskTree(root);
  const settings = settingsOf(options, tree, world.cwd);
  const found = await world.check({
    tree,
    isDiff: options.command === 'diff',
    isUncached: options.isUncached,
    settings: options.command === 'diff' || options.command === 'record' ? withoutRules(settings) : settings,
    log: (line) => {
      if (options.verbose) world.stderr.write(`${line}\n`);
    },
  });
  return { found, tree, settings, root };
}

async function reportOn(
  options: CheckOptions & { readonly command: CommandName },
  world: World,
): Promise<{ report: Report; look: Look }> {
  const { found, tree, settings, root } = await checkFolder(options, world);
  const prefix = isInside(world.cwd, root) ? relativePath(world.cwd, root) : root;
  const report = fromSnapshot(found, tree, new Packages(tree), prefix);
  return { report, look: lookOf(world, tree, prefix, settings) };
}

/** For commands that report nothing. */
function withoutRules(settings: Partial<Settings>): Partial<Settings> {
  return { ...settings, rules: Object.fromEntries(RULES.map(({ code }) => [code, 'off' as const])) };
}

/** The options as settings. What is excluded on the command line comes on top of what is excluded anyway. */
function settingsOf(options: CheckOptions, tree: DiskTree, cwd: string): Partial<Settings> {
  return {
    rules: { ...options.rules },
    ...(options.baseline !== undefined && { baseline: baselineOf(options.baseline, tree, cwd) }),
    ...(options.include.length > 0 ? { include: [...options.include] } : {}),
    ...(options.exclude.length > 0
      ? { exclude: [...configFor(tree, tree.root, {}).config.exclude, ...options.exclude] }
      : {}),
  };
}

/** A file is meant from where the command is run; whatever is no file there is looked up in the workspace. */
function baselineOf(typed: string, tree: DiskTree, cwd: string): string {
  const file = nodePath.resolve(cwd, typed);
  return tree.exists(file) ? file : typed;
}

const WIDEST = 110;
const WIDTH_WHEN_PIPED = 100;

function lookOf(world: World, tree: DiskTree, prefix: string, settings: Partial<Settings>): Look {
  const { env, stdout } = world;
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb';
  const hasColor = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal;
  const { include } = configFor(tree, tree.root, settings).config;
  return {
    colors: createColors(hasColor),
    width: Math.min(WIDEST, isTerminal ? (stdout.columns ?? WIDTH_WHEN_PIPED) : WIDTH_WHEN_PIPED),
    path: (file) => (prefix === '.' ? file : nodePath.posix.join(prefix.replaceAll('\\', '/'), file)),
    ...(isTerminal && hasColor ? { uri: (file: string) => pathToUri(nodePath.resolve(tree.root, file)) } : {}),
    searched: `Looked for tools with a schema in ${include.join(', ')} of ${tree.root}, without tests and build output.`,
  };
}
