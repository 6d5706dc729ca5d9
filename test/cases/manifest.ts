import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '../../shared/src/rules.ts';
import { PROJECT } from './project.ts';

/** Folder of the cases, each written after a public report. */
export const CASES = join(PROJECT, 'test/fixtures/cases');

/** 0-based UTF-16 positions, as in LSP. */
export interface Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** A finding that must be reported. */
export interface Expected {
  readonly rule: string;
  /** Holds with a zod below this version only. */
  readonly below?: string;
  /** Holds with a zod of this version or above only. */
  readonly from?: string;
  /** Any, when it is left out. */
  readonly severity?: string;
  /** Path from the workspace's root. */
  readonly file: string;
  /** Null: anywhere in the file. */
  readonly range: Range | null;
}

export interface Case {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly kind: string;
  /** The case's own file; what lies in the folder of the same name belongs to it. */
  readonly file: string;
  /** False: its schemas are registered by a file beside it. */
  readonly registers: boolean;
  /** What to register when the file does not: `name`, or `name()` for what the function answers. */
  readonly exports: readonly string[];
  readonly expect: readonly Expected[];
  readonly files: readonly string[];
  /** Packages that the case needs and the project does not have. */
  readonly needs?: string;
}

interface ManifestCase extends Omit<Case, 'exports' | 'expect' | 'files'> {
  readonly exports?: readonly string[];
  readonly expect: readonly { readonly rule: string; readonly file?: string; readonly range: Range | null }[];
  readonly files?: readonly string[];
}

/** Reads the manifest of the cases. */
export function readCases(): Case[] {
  const { cases } = JSON.parse(readFileSync(join(CASES, 'manifest.json'), 'utf8')) as { cases: ManifestCase[] };
  return cases.map((one) => ({
    ...one,
    exports: one.exports ?? exportedConsts(readFileSync(join(CASES, one.file), 'utf8')),
    files: one.files ?? [],
    expect: one.expect.map(({ rule, range, file }) => ({ ...conditional(rule), range, file: file ?? one.file })),
  }));
}

/** Names of the consts that a module exports. */
export function exportedConsts(text: string): string[] {
  return [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
}

/** Splits `rule@zod<4.5` or `rule@zod>=4.5` into the rule and the versions that it holds with. */
export function conditional(rule: string): { rule: string; below?: string; from?: string } {
  const [, code = rule, sign, version = ''] = /^(.*)@zod(<|>=)(.*)$/.exec(rule) ?? [];
  if (sign === undefined) return { rule: code };
  return sign === '<' ? { rule: code, below: version } : { rule: code, from: version };
}

/** Whether the checker has a rule. */
export function isRule(code: string): boolean {
  return RULES.some((row) => row.code === code);
}

/** Whether a version is below another one, by its numbers. */
export function isBelow(version: string, limit: string): boolean {
  const [own, other] = [version, limit].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [at, part] of other.entries()) if ((own[at] ?? 0) !== part) return (own[at] ?? 0) < part;
  return false;
}

/** The expected findings with a version of zod, among those whose rule the checker has. */
export function expectedWith(zod: string, expected: readonly Expected[]): Expected[] {
  return expected.filter(
    ({ rule, below, from }) =>
      isRule(rule) && (below === undefined || isBelow(zod, below)) && (from === undefined || !isBelow(zod, from)),
  );
}
