import type { Json, KeyPolicy, Severity, SurfaceId, Witness } from '../../../shared/src/model.ts';
import type { Range } from '../files/lines.ts';
import type { BaselineReport, FindingReport, Location, Report, ToolReport } from './report.ts';

/** What `--format json` prints, version 1. Additions keep the number; anything else raises it. */
export interface JsonReport {
  readonly version: 1;
  /** The root that files are relative to, as a path from where the command was run. */
  readonly root: string;
  /** What all packages are compared with; null where that is nothing, or not the same for all. */
  readonly baseline: { readonly kind: 'tag' | 'file'; readonly release: string } | null;
  /** What each package is compared with. */
  readonly baselines: readonly JsonBaseline[];
  readonly tools: readonly JsonTool[];
  readonly findings: readonly JsonFinding[];
}

export interface JsonBaseline {
  readonly package: string;
  readonly kind: 'tag' | 'file' | null;
  readonly release: string | null;
  /** The tag, or the recorded file relative to the root. */
  readonly name: string | null;
  /** Why there is none. */
  readonly reason?: string;
}

export interface JsonLocation {
  readonly file: string;
  readonly range: Range;
}

/** One tool on one surface. */
export interface JsonTool extends JsonLocation {
  readonly name: string | null;
  readonly registeredAt: JsonLocation | null;
  readonly package: string;
  readonly surface: { readonly id: SurfaceId; readonly sdk?: string; readonly version?: string } | null;
  readonly zod: string | null;
  readonly evaluated: boolean;
  readonly reason?: string;
  readonly policy: KeyPolicy | null;
  readonly advertised?: Json;
  readonly outputSchema?: Json;
  readonly listed: boolean;
  readonly listError?: string;
}

export interface JsonFinding extends JsonLocation {
  readonly rule: string;
  readonly severity: Severity;
  readonly tools: readonly string[];
  readonly surfaces: readonly SurfaceId[];
  readonly message: string;
  readonly related: readonly (JsonLocation & { readonly message: string })[];
  readonly witness: Witness | null;
  readonly fixes: readonly { readonly title: string; readonly preferred: boolean }[];
}

/** The report as JSON, version 1. Two runs over the same files are equal byte for byte. */
export function json(report: Report): string {
  const document: JsonReport = {
    version: 1,
    root: report.root,
    baseline: commonBaseline(report.baselines),
    baselines: report.baselines.map(jsonBaseline),
    tools: report.tools.map(jsonTool),
    findings: report.findings.map(jsonFinding),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function commonBaseline(baselines: readonly BaselineReport[]): JsonReport['baseline'] {
  const [first, ...others] = baselines.flatMap(({ release }) => release ?? []);
  if (!first || others.some(({ kind, release }) => kind !== first.kind || release !== first.release)) return null;
  return { kind: first.kind, release: first.release };
}

function jsonBaseline({ package: folder, release, reason }: BaselineReport): JsonBaseline {
  return {
    package: folder,
    kind: release?.kind ?? null,
    release: release?.release ?? null,
    name: release?.name ?? null,
    ...(reason === undefined ? {} : { reason }),
  };
}

function jsonTool(tool: ToolReport): JsonTool {
  return {
    name: tool.name,
    ...location(tool.at),
    registeredAt: tool.registeredAt ? location(tool.registeredAt) : null,
    package: tool.package,
    surface: tool.surface && {
      id: tool.surface.id,
      ...(tool.surface.sdk === undefined ? {} : { sdk: tool.surface.sdk }),
      ...(tool.surface.version === undefined ? {} : { version: tool.surface.version }),
    },
    zod: tool.zod,
    evaluated: tool.evaluated,
    ...(tool.failure ? { reason: tool.failure.reason } : {}),
    policy: tool.policy,
    ...(tool.advertised === undefined ? {} : { advertised: tool.advertised }),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    listed: tool.listed,
    ...(tool.listError === undefined ? {} : { listError: tool.listError }),
  };
}

function jsonFinding(finding: FindingReport): JsonFinding {
  return {
    rule: finding.rule,
    severity: finding.severity,
    tools: finding.tools,
    surfaces: finding.surfaces,
    ...location(finding.at),
    message: finding.message,
    related: finding.related.map((related) => ({ ...location(related.at), message: related.message })),
    witness: finding.witness && {
      arguments: finding.witness.arguments,
      expected: finding.witness.expected,
      actual: finding.witness.actual,
    },
    fixes: finding.fixes.map(({ title, preferred }) => ({ title, preferred })),
  };
}

function location({ file, range: { start, end } }: Location): JsonLocation {
  return {
    file,
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  };
}
