import type { Colors } from 'picocolors/types.js';
import type { Surface } from '../../../shared/src/model.ts';
import { plain } from '../../../shared/src/plain.ts';
import type { Position } from '../files/lines.ts';
import { SDKS } from '../surfaces/sdks.ts';
import type { Location, Report } from './report.ts';
import { columns, count, wrap } from './text.ts';

/** How the terminal wants to be written to. */
export interface Look {
  /** Functions that colour, or that leave a text alone. */
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
  /** How a file of the report is written so that it can be clicked where the command was run. */
  path(file: string): string;
  /** Address of a file for terminals that know links, or undefined to write none. */
  uri?: ((file: string) => string) | undefined;
  /** One sentence: what was looked for and where. Told when no tool was found. */
  readonly searched: string;
}

const LABEL_WIDTH = 6;
/** Below this a paragraph is no longer one, so what does not fit runs over. */
const NARROWEST = 24;

/**
 * Paragraphs behind a label, wrapped and aligned: `call  { … }`.
 *
 * @param label at most five letters; empty for text that belongs to the line above
 * @param lead what stands before the first paragraph instead of a label
 */
export function tell(
  look: Look,
  indent: string,
  label: string,
  paragraphs: readonly string[],
  lead?: string,
): string[] {
  const first = lead ?? (label === '' ? '' : look.colors.dim(label) + ' '.repeat(LABEL_WIDTH - label.length));
  const hanging = ' '.repeat(lead !== undefined ? columns(lead) : label === '' ? 0 : LABEL_WIDTH);
  const width = Math.max(NARROWEST, look.width - indent.length - hanging.length);
  return paragraphs
    .flatMap((paragraph) => wrap(paragraph, width))
    .map((line, index) => indent + (index === 0 ? first : hanging) + line);
}

/** How a person reads a surface: `MCP SDK 1.32.2`. */
export function surfaceName(surface: Surface): string {
  const name = surface.id === 'contract' ? 'no SDK' : SDKS[surface.id].name;
  return surface.version === undefined ? name : `${name} ${surface.version}`;
}

const MOST_PACKAGES = 8;

/** One line for each package with tools: `harbour-mcp · MCP SDK 1.32.2 · zod 4.6.7 · 12 tools`. */
export function header(report: Report, look: Look): string[] {
  const lines = report.packages.slice(0, MOST_PACKAGES).map((pkg) => {
    const since = report.baselines.find((baseline) => baseline.package === pkg.folder)?.release;
    const facts = [
      ...pkg.surfaces.map(surfaceName),
      ...(pkg.zod.length > 0 ? [`zod ${pkg.zod.join(', ')}`] : []),
      count(pkg.tools, 'tool'),
      ...(since ? [`since ${since.release}`] : []),
    ];
    return `  ${[look.colors.bold(plain(pkg.name)), ...facts.map((fact) => look.colors.dim(plain(fact)))].join(look.colors.dim(' · '))}`;
  });
  const more = report.packages.length - MOST_PACKAGES;
  return more > 0 ? [...lines, look.colors.dim(`  and ${count(more, 'more package')}`)] : lines;
}

/** The tools that were not evaluated and that no finding speaks of. */
export function notEvaluated(report: Report, look: Look): string[] {
  const findings = report.findings.filter((finding) => finding.rule === 'not-evaluated');
  const said = new Set(findings.flatMap((finding) => finding.tools));
  const places = new Set(findings.map((finding) => placeOf(finding.at, look)));
  const silent = report.tools.filter(
    ({ name, failure }) => failure && !(name !== null && said.has(name)) && !places.has(placeOf(failure.at, look)),
  );
  if (silent.length === 0) return [];
  const lines = silent.flatMap(({ name, failure }) => {
    if (!failure) return [];
    const lead = `${plain(name ?? 'a tool without a name')}  ${placeOf(failure.at, look)}  `;
    return tell(look, '    ', '', [plain(failure.reason)], lead);
  });
  return ['  Not evaluated', ...lines, ''];
}

/** `src/tools/boats.ts:12:20`, as terminals recognise it. */
export function placeOf({ file, range }: Location, look: Look): string {
  return `${plain(look.path(file))}:${range.start.line + 1}:${range.start.character + 1}`;
}

/** Why packages are compared with nothing, as far as no note says it. */
export function missingBaselines(report: Report, look: Look): string[] {
  const reasons = new Set(report.baselines.flatMap(({ reason }) => reason ?? []));
  const open = [...reasons].filter((reason) => !report.notes.includes(reason));
  return open.length === 0 ? [] : [...open.flatMap((reason) => tell(look, '  ', 'note', [plain(reason)])), ''];
}

/** The report's notes, if any, and an empty line. */
export function notes(report: Report, look: Look): string[] {
  if (report.notes.length === 0) return [];
  return [...report.notes.flatMap((note) => tell(look, '  ', 'note', [plain(note)])), ''];
}

/** A text as a link to a place in a file (OSC 8), for terminals that follow links; others show the text. */
export function link(text: string, file: string, at: Position | undefined, look: Look): string {
  if (!look.uri) return text;
  const fragment = at ? `#L${at.line + 1},${at.character + 1}` : '';
  return `\u001b]8;;${look.uri(file)}${fragment}\u001b\\${text}\u001b]8;;\u001b\\`;
}
