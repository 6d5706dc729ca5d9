import { closest } from '../../../shared/src/closest.ts';
import type { SurfaceId } from '../../../shared/src/model.ts';
import type { Report, ToolReport } from '../reporters/report.ts';

/** Exactly one row of a report, or one sentence why there is none. */
export type Selection = { readonly tool: ToolReport } | { readonly reason: string };

/**
 * The row that a person means by `NAME` or `FILE#NAME`.
 *
 * @param wanted the words as typed; the file is relative to the root
 * @param surface the surface to take, or undefined when there is only one
 */
export function selectTool(report: Report, wanted: string, surface: SurfaceId | undefined): Selection {
  const rows = rowsOf(report, wanted);
  if (rows.length === 0) return { reason: unknownTool(report, wanted) };
  const places = new Map(rows.map((row) => [placeOf(row), row]));
  if (places.size > 1) {
    const names = new Set(rows.map(fullName));
    const list = names.size > 1 ? [...names] : [...places.keys()];
    return { reason: `"${wanted}" is ambiguous; there are ${list.join(', ')}.` };
  }
  const [first] = rows;
  if (first?.failure)
    return { reason: `${fullName(first)} could not be evaluated: ${first.failure.reason.replace(/\.?$/, '.')}` };
  const offered = rows.flatMap((row) => row.surface?.id ?? []);
  const matching = surface === undefined ? rows : rows.filter((row) => row.surface?.id === surface);
  const [tool, another] = matching;
  if (!tool) {
    const others = offered.length > 0 ? `; it is on ${offered.join(', ')}` : '';
    return { reason: `${wanted} is not offered on ${surface}${others}.` };
  }
  if (another) return { reason: `${wanted} is offered on ${offered.join(' and ')}; choose one with --surface.` };
  return { tool };
}

function rowsOf(report: Report, wanted: string): ToolReport[] {
  // A name may hold a # itself, so the whole is tried first.
  const named = report.tools.filter((tool) => tool.name === wanted);
  const hash = wanted.indexOf('#');
  if (named.length > 0 || hash === -1) return named;
  const file = wanted
    .slice(0, hash)
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  return report.tools.filter((tool) => tool.at.file === file && tool.name === wanted.slice(hash + 1));
}

function unknownTool(report: Report, wanted: string): string {
  const names = report.tools.flatMap((tool) => (tool.name === null ? [] : [tool.name, fullName(tool)]));
  if (names.length === 0) return `There is no tool "${wanted}"; no tools were found.`;
  const near = closest(wanted, names);
  return `There is no tool "${wanted}"${near ? `; did you mean "${near}"?` : '; see tool-contracts list.'}`;
}

function fullName(tool: ToolReport): string {
  return `${tool.at.file}#${tool.name}`;
}

function placeOf(tool: ToolReport): string {
  const { start } = tool.at.range;
  return `${tool.at.file}:${start.line + 1}:${start.character + 1}`;
}
