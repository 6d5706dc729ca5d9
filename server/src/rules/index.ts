import type { Config } from '../../../shared/src/config.ts';
import type { Contract, Finding, TextEdit, Unevaluated } from '../../../shared/src/model.ts';
import type { RuleCode } from '../../../shared/src/rules.ts';
import type { Unread } from '../baseline/changeFiles.ts';
import { breakingInputChange } from './breakingInputChange.ts';
import { defaultInUnionVariant } from './defaultInUnionVariant.ts';
import { atDefinitions } from './droppedCatchall/definitions.ts';
import { droppedCatchall } from './droppedCatchall.ts';
import { intersectionPolicy } from './intersectionPolicy.ts';
import { compare, type Merged, mergeFindings, type Raw } from './merge.ts';
import { cutFinding, notEvaluated, refusedFinding, unreadFinding } from './notEvaluated.ts';
import { type FixContext, NO_CONTEXT, type Probe, type Rule, type SourceText, type Subject } from './rule.ts';
import { applySeverities } from './severity.ts';
import { ignoreEdits, resolveUnused } from './suppressions/edits.ts';
import { applySuppressions, IGNORE, UNUSED } from './suppressions.ts';
import { fileText, hasSyntaxErrors } from './syntax.ts';
import { undocumentedInputRemoval } from './undocumentedInputRemoval.ts';
import { isToldOf, lanesOf, refusalOf } from './witness.ts';

const TOOL_RULES: readonly Rule[] = [
  droppedCatchall,
  defaultInUnionVariant,
  intersectionPolicy,
  undocumentedInputRemoval,
  breakingInputChange,
];

/** A rule that threw: a defect of this program, never of what the user wrote. */
export type OnDefect = (defect: { readonly rule: RuleCode; readonly subject: string; readonly error: unknown }) => void;

/** What the rules found about one tool, before findings of several tools are merged. Plain data: it may be kept. */
export interface Checked {
  readonly findings: readonly Raw[];
  /** Rules that threw and so may have more to say. */
  readonly failed: readonly RuleCode[];
}

/**
 * Runs every rule that is not off over one tool. The slow half: it asks the sandbox. What comes back holds until the
 * tool's contract, its offers or the configuration change.
 *
 * @param onDefect told of a rule that throws; the other rules go on
 */
export async function checkSubject(
  subject: Subject,
  probe: Probe,
  source: SourceText,
  config: Config,
  onDefect: OnDefect,
): Promise<Checked> {
  const { id, name } = subject.contract;
  const lanes = lanesOf(subject, probe);
  const refusal = refusalOf(subject);
  const isWanted = ({ code }: Pick<Rule, 'code'>): boolean => config.rules[code] !== 'off';
  const refused = refusal && isWanted(notEvaluated) ? [refusedFinding(subject.contract, refusal)] : [];
  const answers = await Promise.all(
    TOOL_RULES.filter((rule) => isWanted(rule) && !(refusal && rule.judgesCalls)).map(async (rule) => {
      try {
        const found = await rule.check(subject, probe, source);
        const findings = found.filter(({ surfaces }) => isToldOf(subject, lanes, surfaces));
        return { findings: findings.map((finding): Raw => ({ ...finding, rule: rule.code, subject: id, tool: name })) };
      } catch (error) {
        onDefect({ rule: rule.code, subject: id, error });
        return { findings: [], failed: rule.code };
      }
    }),
  );
  return {
    findings: [
      ...refused.map((finding): Raw => ({ ...finding, rule: notEvaluated.code, subject: id, tool: name })),
      ...answers.flatMap(({ findings }) => findings),
    ],
    failed: answers.flatMap(({ failed }) => failed ?? []),
  };
}

/** Everything that the findings of a workspace are put together from. */
export interface Assembly {
  readonly contracts: readonly Contract[];
  readonly unevaluated: readonly Unevaluated[];
  /** Contract changes that could not be read. */
  readonly unread?: readonly Unread[];
  /** What `checkSubject` answered, in any order. */
  readonly checked: readonly Checked[];
  readonly source: SourceText;
  /** The configuration that holds for a file: packages of a workspace may have their own. */
  readonly configOf: (file: string) => Config;
  /** Files, beside those that the tools were evaluated from, whose suppression comments are looked at. */
  readonly files?: readonly string[];
}

/**
 * Puts the findings of all tools together: merges those at one place, adds tools that were not evaluated, applies
 * suppression comments and severity settings. The fast half: it asks nobody.
 *
 * @returns findings sorted by file, position and rule
 */
export function assemble({
  contracts,
  unevaluated,
  unread = [],
  checked,
  source,
  configOf,
  files = [],
}: Assembly): Finding[] {
  const raw = atDefinitions(
    checked.flatMap(({ findings }) => findings),
    contracts,
  );
  const merged = mergeFindings([
    ...raw,
    ...rawUnevaluated(unevaluated, configOf),
    ...rawCut(contracts, configOf),
    ...rawUnread(unread, configOf),
  ]);
  const failed = new Set<string>(checked.flatMap((one) => one.failed));
  const cut = new Set(unevaluated.flatMap((one) => [one.candidate.file, one.at.file, ...one.files]));
  const isJudged = (code: string, file: string): boolean =>
    configOf(file).rules[code] !== 'off' && !failed.has(code) && (code === 'not-evaluated' || !cut.has(file));
  const read = new Set([...files, ...cut, ...unread.map(({ at }) => at.file), ...merged.map(({ at }) => at.file)]);
  for (const { candidate, files: own } of contracts) {
    read.add(candidate.file);
    for (const file of own) read.add(file);
  }
  const texts = new Map([...read].flatMap((file) => textEntry(source, file)));
  const left = applySeverities(applySuppressions(merged, texts, isJudged), (file) => configOf(file).rules);
  return left.sort(byPlace).map(withIgnore);
}

/**
 * Checks tools and puts their findings together.
 *
 * @param options.onDefect told of each rule that throws; tests make it fail
 * @param options.files see `Assembly.files`
 */
export async function checkAll(
  subjects: readonly Subject[],
  unevaluated: readonly Unevaluated[],
  probe: Probe,
  source: SourceText,
  config: Config,
  options: { readonly onDefect: OnDefect; readonly files?: readonly string[] },
): Promise<Finding[]> {
  const checked = await Promise.all(
    subjects.map((subject) => checkSubject(subject, probe, source, config, options.onDefect)),
  );
  const contracts = subjects.map(({ contract }) => contract);
  return assemble({
    contracts,
    unevaluated,
    checked,
    source,
    configOf: () => config,
    ...(options.files && { files: options.files }),
  });
}

/**
 * The edits of one of a finding's fixes, computed from the current text.
 *
 * @param read the current text of a file
 * @param context what else is known of the workspace
 * @returns undefined when the text is no longer what the finding was about, or would not parse any more
 */
export function resolveFix(
  finding: Finding,
  fixId: string,
  read: (file: string) => string | undefined,
  context: FixContext = NO_CONTEXT,
): readonly TextEdit[] | undefined {
  const edits = editsOf(finding, fixId, read, context);
  if (!edits?.length || edits.some(({ file }) => breaksSyntax(file, edits, read))) return undefined;
  return edits;
}

function editsOf(
  finding: Finding,
  fixId: string,
  read: (file: string) => string | undefined,
  context: FixContext,
): readonly TextEdit[] | undefined {
  if (fixId === IGNORE.id) return ignoreEdits(finding, read);
  if (finding.rule === UNUSED) return resolveUnused(finding, read);
  return TOOL_RULES.find(({ code }) => code === finding.rule)?.resolve(finding, fixId, read, context);
}

/** The text of a file after edits of it, which must not overlap. */
export function applyEdits(text: string, edits: readonly Omit<TextEdit, 'file'>[]): string {
  const backwards = [...edits].sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
  return backwards.reduce(
    (changed, { span, text: put }) => changed.slice(0, span.start) + put + changed.slice(span.end),
    text,
  );
}

function breaksSyntax(file: string, edits: readonly TextEdit[], read: (file: string) => string | undefined): boolean {
  // A file that is not there yet is made.
  const text = read(file) ?? '';
  const changed = applyEdits(
    text,
    edits.filter((edit) => edit.file === file),
  );
  return hasSyntaxErrors(file, changed) && !hasSyntaxErrors(file, text);
}

function rawUnevaluated(unevaluated: readonly Unevaluated[], configOf: (file: string) => Config): Raw[] {
  return unevaluated.flatMap((one) =>
    configOf(one.candidate.file).rules[notEvaluated.code] === 'off'
      ? []
      : notEvaluated
          .check(one)
          .map((finding) => ({ ...finding, rule: notEvaluated.code, subject: one.candidate.id, tool: one.name })),
  );
}

function rawCut(contracts: readonly Contract[], configOf: (file: string) => Config): Raw[] {
  return contracts.flatMap((contract) => {
    if (configOf(contract.candidate.file).rules[notEvaluated.code] === 'off') return [];
    const finding = cutFinding(contract);
    return finding ? [{ ...finding, rule: notEvaluated.code, subject: contract.id, tool: contract.name }] : [];
  });
}

function rawUnread(unread: readonly Unread[], configOf: (file: string) => Config): Raw[] {
  return unread
    .filter(({ at }) => configOf(at.file).rules[notEvaluated.code] !== 'off')
    .map((one) => ({ ...unreadFinding(one), rule: notEvaluated.code, subject: one.at.file, tool: null }));
}

function textEntry(source: SourceText, file: string): [string, string][] {
  const text = fileText(source, file);
  return text === undefined ? [] : [[file, text]];
}

function withIgnore(finding: Merged): Finding {
  return finding.rule === UNUSED ? finding : { ...finding, fixes: [...finding.fixes, IGNORE] };
}

function byPlace(a: Merged, b: Merged): number {
  return (
    compare(a.at.file, b.at.file) ||
    a.at.span.start - b.at.span.start ||
    a.at.span.end - b.at.span.end ||
    compare(a.rule, b.rule)
  );
}
