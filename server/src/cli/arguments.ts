import { parseArgs } from 'node:util';
import { closest } from '../../../shared/src/closest.ts';
import { noSuchRule, type SeveritySetting, SURFACE_IDS, severitySetting } from '../../../shared/src/config.ts';
import type { SurfaceId } from '../../../shared/src/model.ts';
import { ruleRow } from '../../../shared/src/rules.ts';

export type Format = 'pretty' | 'json';
export type DiffFormat = 'markdown' | 'json';

/** What a command that checks was told. */
export interface CheckOptions {
  /** The folder to check, as typed; `.` when none was given. */
  readonly path: string;
  readonly rules: { readonly [code: string]: SeveritySetting };
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** A tag or a file, as typed. */
  readonly baseline?: string;
  /** Evaluates the last release anew. */
  readonly isUncached: boolean;
  readonly verbose: boolean;
}

export type Command =
  | ({ readonly command: 'check'; readonly format: Format; readonly maxWarnings: number } & CheckOptions)
  | ({ readonly command: 'list'; readonly format: Format } & CheckOptions)
  | ({ readonly command: 'advertise'; readonly tool: string; readonly surface: SurfaceId | undefined } & CheckOptions)
  | ({ readonly command: 'diff'; readonly format: DiffFormat } & CheckOptions)
  | ({ readonly command: 'record'; readonly isCheck: boolean; readonly release: string | undefined } & CheckOptions)
  | { readonly command: 'help'; readonly topic: CommandName | undefined }
  | { readonly command: 'version' };

/** The command line as typed makes no sense; the message is one sentence. */
export class UsageError extends Error {}

export const COMMANDS = ['check', 'list', 'advertise', 'diff', 'record'] as const;
export type CommandName = (typeof COMMANDS)[number];

const OPTIONS = {
  format: { type: 'string' },
  rule: { type: 'string', multiple: true },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  baseline: { type: 'string' },
  'no-cache': { type: 'boolean' },
  'max-warnings': { type: 'string' },
  surface: { type: 'string' },
  root: { type: 'string' },
  check: { type: 'boolean' },
  release: { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;
type OptionName = keyof typeof OPTIONS;

/** Options that every command takes, and those of one command only. */
const EVERYWHERE: readonly OptionName[] = ['include', 'exclude', 'verbose', 'help', 'version'];
const ONLY: Record<CommandName, readonly OptionName[]> = {
  check: ['format', 'rule', 'baseline', 'no-cache', 'max-warnings'],
  list: ['format'],
  advertise: ['surface', 'root'],
  diff: ['format', 'baseline', 'no-cache'],
  record: ['check', 'release'],
};

/**
 * Reads a command line.
 *
 * @param argv the words after the program's name
 * @throws UsageError with one sentence about the first thing that is wrong
 */
export function parseCommandLine(argv: readonly string[]): Command {
  const { values, positionals } = split(argv);
  if (values.version) return { command: 'version' };
  const [name, ...rest] = positionals;
  const command = COMMANDS.find((known) => known === name);
  if (values.help || name === undefined || name === 'help') {
    return { command: 'help', topic: command ?? COMMANDS.find((known) => known === rest[0]) };
  }
  if (!command) {
    const near = closest(name, [...COMMANDS, 'help']);
    throw new UsageError(
      `There is no command "${name}"${near ? `; did you mean "${near}"?` : `; there are ${COMMANDS.join(', ')}.`}`,
    );
  }
  for (const option of Object.keys(values) as OptionName[]) {
    if (!EVERYWHERE.includes(option) && !ONLY[command].includes(option)) {
      const takers = COMMANDS.filter((other) => ONLY[other].includes(option));
      throw new UsageError(`--${option} is an option of "${takers.join('" and "')}", not of "${command}".`);
    }
  }
  const common = {
    rules: readRules(values.rule ?? []),
    include: values.include ?? [],
    exclude: values.exclude ?? [],
    ...(values.baseline !== undefined && { baseline: values.baseline }),
    isUncached: values['no-cache'] ?? false,
    verbose: values.verbose ?? false,
  };
  if (command === 'advertise') {
    const [tool, extra] = rest;
    if (tool === undefined) throw new UsageError('advertise needs the name of a tool: tool-contracts advertise TOOL.');
    if (extra !== undefined) throw new UsageError(`advertise takes one tool; "${extra}" is one too many.`);
    return { command, tool, surface: readSurface(values.surface), path: values.root ?? '.', ...common };
  }
  const [path = '.', extra] = rest;
  if (extra !== undefined) throw new UsageError(`${command} takes one path; "${extra}" is one too many.`);
  if (command === 'record') {
    return { command, isCheck: values.check ?? false, release: values.release, path, ...common };
  }
  if (command === 'diff') return { command, format: readDiffFormat(values.format), path, ...common };
  const format = readFormat(values.format);
  if (command === 'list') return { command, format, path, ...common };
  return { command, format, maxWarnings: readMaximum(values['max-warnings']), path, ...common };
}

function split(argv: readonly string[]) {
  const { tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = OPTIONS[token.name as OptionName] as { type: string } | undefined;
    if (!known || !Object.hasOwn(OPTIONS, token.name)) {
      const near = closest(token.name, Object.keys(OPTIONS));
      throw new UsageError(
        `There is no option ${token.rawName}${near ? `; did you mean --${near}?` : '; see tool-contracts --help.'}`,
      );
    }
    const value = token.value ?? '';
    if (known.type === 'string' && (value === '' || (!token.inlineValue && value.startsWith('-')))) {
      throw new UsageError(`${token.rawName} needs a value.`);
    }
    if (known.type === 'boolean' && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
  }
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
}

function readFormat(text = 'pretty'): Format {
  if (text === 'pretty' || text === 'json') return text;
  throw new UsageError(`--format takes pretty or json, not "${text}".`);
}

function readDiffFormat(text = 'markdown'): DiffFormat {
  if (text === 'markdown' || text === 'json') return text;
  throw new UsageError(`--format takes markdown or json, not "${text}".`);
}

function readMaximum(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--max-warnings takes a whole number, not "${text}".`);
}

function readSurface(text: string | undefined): SurfaceId | undefined {
  if (text === undefined) return undefined;
  const surface = SURFACE_IDS.find((id) => id === text);
  if (surface) return surface;
  throw new UsageError(`--surface takes one of ${SURFACE_IDS.join(', ')}, not "${text}".`);
}

function readRules(texts: readonly string[]): Record<string, SeveritySetting> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, code = text, severity = ''] = /^(.*?)=(.*)$/.exec(text) ?? [];
      if (!ruleRow(code)) throw new UsageError(`--rule ${text}: ${noSuchRule(code)}`);
      const read = severitySetting.safeParse(severity);
      if (!read.success) {
        throw new UsageError(
          `--rule ${text}: write ${code}=SEVERITY with one of ${severitySetting.options.join(', ')}.`,
        );
      }
      return [code, read.data];
    }),
  );
}
