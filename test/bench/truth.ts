import { spawn } from 'node:child_process';
import { relative, sep } from 'node:path';
import type { Diagnostic, Range } from 'vscode-languageserver-protocol/node';
import { z } from 'zod';

/** Problems of a workspace in one spelling for the editor and the command line: sorted lines, by relative path. */
export type Problems = ReadonlyMap<string, readonly string[]>;

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** Problems of one file as the language server published them, sorted. */
export function publishedLines(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .map(({ code, severity, range, message }) =>
      line(
        String(code),
        SEVERITIES[(severity ?? 1) - 1] ?? 'error',
        range,
        typeof message === 'string' ? message : message.value,
      ),
    )
    .sort();
}

/** A file's relative path as the command line writes it. */
export function pathIn(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}

const position = z.object({ line: z.number(), character: z.number() });
const answer = z.object({
  version: z.literal(1),
  tools: z.array(z.looseObject({ name: z.string().nullable(), advertised: z.unknown().optional() })),
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.enum(SEVERITIES),
      file: z.string(),
      range: z.object({ start: position, end: position }),
      message: z.string(),
    }),
  ),
});

/** What one run of the command line found. */
export interface Checked {
  readonly problems: Problems;
  /** Rows of `tools`: one per tool and surface. */
  readonly tools: number;
  /** By the tool's name what its first surface advertises. */
  readonly advertised: ReadonlyMap<string, unknown>;
  /** From spawn to exit. */
  readonly milliseconds: number;
}

/**
 * Checks a workspace with a fresh process of the command line.
 *
 * @param command program and arguments before `check`
 * @param options more options of `check`
 * @throws when it could not run, with what it wrote to its standard error
 */
export async function checkAfresh(
  command: readonly [string, ...string[]],
  root: string,
  ...options: readonly string[]
): Promise<Checked> {
  const words = ['check', '--format', 'json', ...options, root] as const;
  const { milliseconds, stdout, stderr } = await run([...command, ...words], root, [0, 1]);
  // A program that breaks down ends with 1, too, but has no answer.
  if (!stdout.startsWith('{')) throw new Error(`The check of ${root} answered no JSON.\n${stdout}\n${stderr}`);
  const { findings, tools } = answer.parse(JSON.parse(stdout));
  const problems = new Map<string, string[]>();
  for (const { rule, severity, file, range, message } of findings) {
    problems.set(file, [...(problems.get(file) ?? []), line(rule, severity, range, message)].sort());
  }
  const advertised = new Map<string, unknown>();
  for (const { name, advertised: schema } of tools) {
    if (name !== null && schema !== undefined && !advertised.has(name)) advertised.set(name, schema);
  }
  return { problems, tools: tools.length, advertised, milliseconds };
}

/**
 * Runs a process to its end.
 *
 * @param allowed exit codes that are no failure
 * @throws for any other, with the end of what it wrote
 */
export function run(
  command: readonly [string, ...string[]],
  cwd: string,
  allowed: readonly number[] = [0],
): Promise<{ readonly stdout: string; readonly stderr: string; readonly milliseconds: number }> {
  const [program, ...args] = command;
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-5_000);
    });
    child.once('error', fail);
    child.once('close', (code, signal) => {
      const stdout = Buffer.concat(chunks).toString('utf8');
      if (code !== null && allowed.includes(code)) done({ stdout, stderr, milliseconds: performance.now() - started });
      else {
        fail(
          new Error(`${command.join(' ')} ended with ${signal ?? code}.\n${stdout.slice(-2_000)}\n${stderr}`.trim()),
        );
      }
    });
  });
}

/** Paths whose problems differ between two states of a workspace. */
export function differences(one: Problems, other: Problems): string[] {
  const same = (path: string) => (one.get(path) ?? []).join('\n') === (other.get(path) ?? []).join('\n');
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => !same(path)).sort();
}

function line(rule: string, severity: string, { start, end }: Range, message: string): string {
  return `${start.line}:${start.character}-${end.line}:${end.character} ${severity} ${rule} ${message}`;
}
