import type { Fix, Json, KeyPolicy, Severity, Surface, SurfaceId, Witness } from '../../../shared/src/model.ts';
import type { ToolComparison } from '../baseline/comparison.ts';
import type { Range } from '../files/lines.ts';

/** A place as reports write it: the file relative to the root with forward slashes, positions 0-based UTF-16 as in LSP. */
export interface Location {
  readonly file: string;
  readonly range: Range;
}

/** One tool on one surface, or a tool that could not be evaluated. */
export interface ToolReport {
  readonly name: string | null;
  /** Where the tool is written down. */
  readonly at: Location;
  readonly registeredAt: Location | null;
  /** Folder of its package relative to the root, `.` for the root itself. */
  readonly package: string;
  /** Null when no surface judges it. */
  readonly surface: Surface | null;
  /** Version of zod as the tool's file finds it, or null when there is none. */
  readonly zod: string | null;
  readonly evaluated: boolean;
  /** Why it could not be evaluated, and the expression that failed. */
  readonly failure?: { readonly reason: string; readonly at: Location };
  /** What the root does with undeclared keys; null when the root is no object. */
  readonly policy: KeyPolicy | null;
  readonly advertised?: Json;
  readonly outputSchema?: Json;
  readonly listed: boolean;
  readonly listError?: string;
}

export interface FindingReport {
  readonly rule: string;
  readonly severity: Severity;
  readonly tools: readonly string[];
  readonly surfaces: readonly SurfaceId[];
  readonly at: Location;
  readonly message: string;
  readonly related: readonly { readonly at: Location; readonly message: string }[];
  readonly witness: Witness | null;
  readonly fixes: readonly Fix[];
}

/** A package that offers tools. */
export interface PackageReport {
  readonly name: string;
  /** Relative to the root, `.` for the root itself. */
  readonly folder: string;
  readonly surfaces: readonly Surface[];
  readonly zod: readonly string[];
  readonly tools: number;
}

/** What the tools of one package are compared with. */
export interface BaselineReport {
  /** Folder of the package, as in `PackageReport`. */
  readonly package: string;
  /** Null: with nothing. `name` is the tag, or the recorded file relative to the root. */
  readonly release: { readonly kind: 'tag' | 'file'; readonly release: string; readonly name: string } | null;
  /** Why with nothing. */
  readonly reason?: string;
  /** Tools that are others than they were, came or went. */
  readonly tools: readonly ToolComparison[];
}

/** Everything a reporter may tell. Arrays are sorted: by file, position, rule or name, so that two runs are equal. */
export interface Report {
  /** The root as a path relative to where the command was run, `.` when it is the same. */
  readonly root: string;
  readonly packages: readonly PackageReport[];
  readonly tools: readonly ToolReport[];
  readonly findings: readonly FindingReport[];
  /** Empty where nothing is compared. */
  readonly baselines: readonly BaselineReport[];
  readonly durationMs: number;
  /** Sentences for people about what could not be read or is not installed. */
  readonly notes: readonly string[];
}

/** How many tools a report is about. A tool on two surfaces has two rows and counts once. */
export function countTools(report: Report): { readonly all: number; readonly evaluated: number } {
  const rows = new Map<string, boolean>();
  for (const tool of report.tools) {
    const { start } = tool.at.range;
    rows.set([tool.at.file, start.line, start.character, tool.name].join('\0'), tool.evaluated);
  }
  return { all: rows.size, evaluated: [...rows.values()].filter(Boolean).length };
}

/** How many findings a report has of each severity. */
export function countFindings(report: Report): Record<Severity, number> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const finding of report.findings) counts[finding.severity]++;
  return counts;
}
