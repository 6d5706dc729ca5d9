import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { type SdkName, sdkWorkspace } from '../helpers/sdk.ts';
import { check, diff } from './commandLine.ts';
import { diffFaults, hasDiff } from './diffs.ts';
import { differences, evaluatedTools, unevaluated } from './judge.ts';
import { CASES, type Case, type Expected, expectedWith, isRule } from './manifest.ts';
import { awaited, hasPreview, previewFaults } from './previews.ts';
import { dependenciesOf, makeWorkspace, NEWEST, offering, registering, type Zod } from './workspace.ts';

/** One workspace to make of a case and what must be found in it. */
interface Run {
  readonly label: string;
  readonly zod: Zod;
  /** Folder of the workspace. */
  readonly name: string;
  readonly expect: readonly Expected[];
  /** Side files whose text another file of the case gives. */
  readonly overwritten?: { readonly [path: string]: string };
  /** SDKs that are installed apart, for a case that is about them. */
  readonly sdk?: SdkName;
  /** Files beside those of the case. */
  readonly beside?: { readonly [path: string]: string };
}

/** What came out of a case. `partial`: nothing is wrong, but the checker cannot do all of it yet. */
export interface Verdict {
  readonly id: string;
  readonly title: string;
  readonly verdict: 'right' | 'partial' | 'wrong';
  /** Workspaces that were checked. */
  readonly runs: readonly string[];
  /** Names of the tools that were evaluated in the first of them. */
  readonly tools: readonly string[];
  /** What is wrong, or what the case waits for. */
  readonly notes: readonly string[];
}

/** What case 091 writes when a module is run from top to bottom. */
const CANARY = join(tmpdir(), 'case-091-was-evaluated');

/** The workspaces of a case: with the newest zod, and with older ones where it says that they differ. */
function runsOf(one: Case): Run[] {
  const { id, expect } = one;
  const plain: Run = { label: NEWEST, zod: NEWEST, name: id, expect };
  const older = expect.some(({ below }) => below !== undefined)
    ? (['4.4.3', '4.1.12'] as const).map((zod) => ({ label: zod, zod, name: id, expect }))
    : [];
  if (id === '093') return [plain, { ...plain, label: 'odd path', name: '093-odd/my tools #2 (été)' }];
  if (id === '085') {
    const after = { '085-stale-imported-shape/_shared.ts': '085-stale-imported-shape/_shared.after.txt' };
    return [
      { ...plain, label: 'before', expect: [] },
      { ...plain, label: 'after', name: '085-after', overwritten: after },
    ];
  }
  // What two surfaces make of the same schemas.
  if (id === '017') return [{ ...plain, sdk: 'all', beside: { 'register.ts': registering(one.file, ['LogEvent']) } }];
  if (id === '035') return [{ ...plain, sdk: 'all', beside: { 'offer.ts': offering(one.file, one.exports) } }];
  if (dependenciesOf(textOf(one.file)).includes('ai')) return [{ ...plain, sdk: 'ai-7' }];
  return [plain, ...older];
}

function textOf(path: string): string {
  return readFileSync(join(CASES, path), 'utf8');
}

/**
 * Makes the workspaces of a case, checks them with the built command line and compares.
 *
 * @throws when the command line could not run
 */
export async function runCase(one: Case): Promise<Verdict> {
  const runs = runsOf(one);
  const notes: string[] = [];
  let tools: string[] = [];
  if (one.id === '091') rmSync(CANARY, { force: true });
  for (const run of runs) {
    const root = await workspaceOf(one, run);
    const report = await check(root);
    if (run === runs[0]) tools = evaluatedTools(report);
    const faults = faultsOf(one, run, report);
    if (hasDiff(one.id)) faults.push(...diffFaults(one.id, await diff(root)));
    notes.push(...faults.map((fault) => (runs.length > 1 ? `[${run.label}] ${fault}` : fault)));
  }
  if (one.id === '091' && existsSync(CANARY)) notes.push(`a statement of the module ran: it wrote ${CANARY}`);
  const waiting = waitingFor(one);
  return {
    id: one.id,
    title: one.title,
    verdict: notes.length > 0 ? 'wrong' : waiting.length > 0 ? 'partial' : 'right',
    runs: runs.map(({ label }) => label),
    tools,
    notes: [...notes, ...waiting.map((what) => `waits for ${what}`)],
  };
}

async function workspaceOf(one: Case, { name, zod, overwritten = {}, sdk, beside }: Run): Promise<string> {
  const text = textOf(one.file);
  const registers = one.registers || one.exports.length === 0;
  const side = Object.fromEntries(
    one.files
      .filter((path) => !path.endsWith('.txt'))
      // A baseline and contract changes are the workspace's own, so they lie at its root.
      .map((path) => [
        /contractChanges\.ts|lock\.json/.test(path) ? atRoot(path) : path,
        textOf(overwritten[path] ?? path),
      ]),
  );
  const files = {
    [one.file]: text,
    ...side,
    ...(registers ? {} : { 'register.ts': registering(one.file, one.exports) }),
    ...beside,
  };
  if (sdk) return sdkWorkspace(sdk, `case-${name}`, files);
  return makeWorkspace(name, zod, { files, dependencies: dependenciesOf(text) });
}

function atRoot(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

function faultsOf(one: Case, { zod, expect, label }: Run, report: JsonReport): string[] {
  const found = report.findings.map((finding) => ({ ...finding, file: caseFile(one, finding.file) }));
  const isTrap = one.expect.length === 0;
  const mayFail = one.expect.some(({ rule }) => rule === 'not-evaluated') || one.needs !== undefined;
  const evaluated = evaluatedTools(report);
  const wanted = one.registers ? 1 : one.exports.length;
  const few = evaluated.length < wanted && !mayFail && (isTrap || hasPreview(one.id));
  return [
    ...differences(found, expectedWith(zod, expect)),
    ...(mayFail ? [] : unevaluated(report)),
    ...(few ? [`evaluated ${evaluated.length} tools of ${wanted}`] : []),
    ...(label === 'after' ? [] : previewFaults(one.id, zod, report.tools)),
  ];
}

/** The path that the manifest knows a file of the workspace by. */
function caseFile(one: Case, path: string): string {
  return one.files.find((known) => atRoot(known) === path) ?? path;
}

/** What keeps a case from being right although nothing is wrong: rules, surfaces. */
function waitingFor({ id, expect }: Case): string[] {
  const rules = new Set(expect.map(({ rule }) => rule).filter((rule) => !isRule(rule)));
  const other = awaited(id);
  return [...rules, ...(other === undefined ? [] : [other])];
}
