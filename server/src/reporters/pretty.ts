import type { Severity } from '../../../shared/src/model.ts';
import { plain } from '../../../shared/src/plain.ts';
import { inline } from '../rules/callWords.ts';
import { header, type Look, link, missingBaselines, notEvaluated, notes, placeOf, tell } from './look.ts';
import { countFindings, countTools, type FindingReport, type Report } from './report.ts';
import { columns, count, pad } from './text.ts';
import { type Lane, lanes } from './witness.ts';

const WORDS: Record<Severity, string> = { error: 'error', warning: 'warning', information: 'info', hint: 'hint' };

/** Every finding has this fix, so telling it tells nothing. */
const IGNORE = 'ignore';

/** The findings of a report for a person at a terminal: the caller's fate first, the cause second, the fix third. */
export function pretty(report: Report, look: Look): string {
  const lines = ['', ...header(report, look), ''];
  const widths = {
    position: Math.max(0, ...report.findings.map((finding) => positionOf(finding).length)),
    severity: Math.max(0, ...report.findings.map((finding) => WORDS[finding.severity].length)),
    rule: Math.max(0, ...report.findings.map((finding) => finding.rule.length)),
  };
  let file: string | undefined;
  for (const finding of report.findings) {
    if (finding.at.file !== file) {
      file = finding.at.file;
      lines.push(`  ${link(look.colors.underline(plain(look.path(file))), file, undefined, look)}`);
    }
    lines.push(...findingLines(finding, widths, look), '');
  }
  lines.push(...notEvaluated(report, look), ...missingBaselines(report, look), ...notes(report, look));
  lines.push(...tell(look, '  ', '', [summary(report, look)]), '');
  return `${lines.join('\n')}\n`;
}

function positionOf({ at }: FindingReport): string {
  return `${at.range.start.line + 1}:${at.range.start.character + 1}`;
}

function findingLines(
  finding: FindingReport,
  widths: { readonly position: number; readonly severity: number; readonly rule: number },
  look: Look,
): string[] {
  const { colors } = look;
  const position = positionOf(finding);
  const color = { error: colors.red, warning: colors.yellow, information: colors.blue, hint: colors.dim }[
    finding.severity
  ];
  const head = [
    ' '.repeat(4 + widths.position - position.length) +
      link(colors.dim(position), finding.at.file, finding.at.range.start, look),
    pad(color(WORDS[finding.severity]), widths.severity),
    pad(finding.rule, widths.rule),
  ].join('  ');
  const names = toolNames(finding.tools);
  const fits = columns(head) + 2 + columns(names) <= look.width;
  const indent = ' '.repeat(4 + widths.position + 2);
  const body = fits || names === '' ? [] : tell(look, indent, '', [colors.bold(names)]);
  body.push(...tell(look, indent, '', sentences(finding.message, look)));
  if (finding.witness) {
    const { witness } = finding;
    body.push(...tell(look, indent, 'call', [inline(witness.arguments)]));
    const both = lanes(witness, finding.tools[0] ?? witness.actual.by);
    const who = Math.max(...both.map((lane) => columns(lane.who)));
    for (const lane of both)
      body.push(
        ...tell(look, indent, '', [lane.what + changes(lane, look)], `${' '.repeat(8)}${pad(lane.who, who)}  `),
      );
  }
  for (const [index, { at, message }] of finding.related.entries()) {
    body.push(...tell(look, indent, index === 0 ? 'see' : ' ', [`${placeOf(at, look)}  ${words(message, look)}`]));
  }
  const fixes = finding.fixes
    .filter((fix) => fix.id !== IGNORE)
    .sort((a, b) => Number(b.preferred) - Number(a.preferred));
  for (const [index, fix] of fixes.entries()) {
    body.push(...tell(look, indent, index === 0 ? 'fix' : 'or', [words(fix.title, look)]));
  }
  return [(fits && names !== '' ? `${head}  ${colors.bold(names)}` : head).trimEnd(), ...body];
}

/** What a caller would otherwise have to find by comparing two objects. */
function changes({ deleted, added }: Lane, look: Look): string {
  const parts = [
    ...(deleted.length > 0 ? [look.colors.red(`deleted: ${deleted.join(', ')}`)] : []),
    ...(added.length > 0 ? [look.colors.green(`added: ${added.join(', ')}`)] : []),
  ];
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}

/** At most three names, for a schema that forty tools share must not fill the screen. */
function toolNames(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 4 ? 3 : 4).map(plain);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** The first sentence, which says what happens, stands on its own line. */
function sentences(message: string, look: Look): string[] {
  const text = plain(message);
  const end = text.search(/(?<=[.!?]) (?=[\p{Lu}`"“])/u);
  return (end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)]).map((part) => words(part, look));
}

/** Code between backticks is coloured where there is colour; the backticks go. */
function words(text: string, look: Look): string {
  return plain(text).replace(/`([^`]+)`/g, (_, code: string) => look.colors.cyan(code));
}

function summary(report: Report, look: Look): string {
  const { colors } = look;
  const tools = countTools(report);
  const time = colors.dim(`· ${seconds(report.durationMs)}`);
  const total = report.findings.length;
  if (tools.all === 0 && total === 0) return `${colors.yellow('No tools found.')} ${look.searched} ${time}`;
  const missing = tools.all - tools.evaluated;
  const unknown = missing > 0 ? `, ${missing} not evaluated` : '';
  if (total === 0) return `${colors.green('✓')} ${count(tools.all, 'tool')}, nothing to report${unknown} ${time}`;
  const counts = countFindings(report);
  const parts = (['error', 'warning', 'information', 'hint'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => count(counts[severity], WORDS[severity]));
  const problems = counts.error > 0 ? colors.red : counts.warning > 0 ? colors.yellow : colors.blue;
  return `${problems(count(total, 'problem'))} (${parts.join(', ')}) in ${count(tools.all, 'tool')}${unknown} ${time}`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
