import nodePath from 'node:path';
import type { Contract, Finding, Offer, Place, Surface, Unevaluated } from '../../../shared/src/model.ts';
import { LineMap } from '../files/lines.ts';
import type { Package, Packages } from '../files/packages.ts';
import { relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';
import type { BaselineReport, FindingReport, Location, PackageReport, Report, ToolReport } from './report.ts';

/** What the pipeline found, as far as a report tells it. */
export interface Found {
  readonly tools: readonly {
    readonly contract?: Contract | undefined;
    readonly unevaluated?: Unevaluated | undefined;
    readonly offers: readonly Offer[];
  }[];
  readonly findings: readonly Finding[];
  readonly baselines?: readonly {
    readonly folder: string;
    readonly release: BaselineReport['release'];
    readonly reason?: string;
    readonly tools: BaselineReport['tools'];
  }[];
  readonly durationMs: number;
  readonly notes: readonly string[];
}

/**
 * Makes a report of what the pipeline found.
 *
 * @param tree the files that were checked, to turn offsets into positions; a file that is gone gives position 0:0
 * @param packages the packages of the tree
 * @param root how the report calls the tree's root
 */
export function fromSnapshot(found: Found, tree: FileTree, packages: Packages, root: string): Report {
  const locate = locator(tree);
  const rows = found.tools.flatMap((tool) => {
    if (tool.contract) return evaluatedRows(tool.contract, tool.offers, locate, tree, packages);
    return tool.unevaluated ? [unevaluatedRow(tool.unevaluated, locate, tree, packages)] : [];
  });
  rows.sort(
    (a, b) =>
      byPlace(a.at, b.at) || compare(a.name ?? '', b.name ?? '') || compare(a.surface?.id ?? '', b.surface?.id ?? ''),
  );
  const findings = found.findings.map((finding) => findingReport(finding, locate));
  findings.sort((a, b) => byPlace(a.at, b.at) || compare(a.rule, b.rule) || compare(a.message, b.message));
  return {
    root,
    packages: packageReports(rows, tree, packages),
    tools: rows,
    findings,
    baselines: (found.baselines ?? []).map(({ folder, ...baseline }) => ({
      package: relativePath(tree.root, folder),
      ...baseline,
    })),
    durationMs: found.durationMs,
    notes: [...new Set(found.notes)],
  };
}

type Locate = (place: Place) => Location;

function locator(tree: FileTree): Locate {
  const maps = new Map<string, LineMap>();
  return ({ file, span }) => {
    const known = maps.get(file);
    const map = known ?? new LineMap(tree.read(file) ?? '');
    if (!known) maps.set(file, map);
    return { file: relativePath(tree.root, file), range: map.range(span) };
  };
}

function evaluatedRows(
  contract: Contract,
  offers: readonly Offer[],
  locate: Locate,
  tree: FileTree,
  packages: Packages,
): ToolReport[] {
  const root = contract.graph?.nodes[contract.graph.root];
  const common = {
    name: contract.name,
    at: locate(contract.definedAt),
    registeredAt: contract.registeredAt ? locate(contract.registeredAt) : null,
    ...belongsTo(contract.candidate.file, tree, packages),
    evaluated: true,
    policy: root?.policy ?? null,
  };
  if (offers.length === 0) return [{ ...common, surface: null, listed: false }];
  return offers.map((offer) => {
    const listError = offer.mountError ?? offer.listError;
    return {
      ...common,
      surface: offer.surface,
      ...(offer.advertised === null ? {} : { advertised: offer.advertised }),
      ...(offer.outputSchema === null ? {} : { outputSchema: offer.outputSchema }),
      listed: offer.advertised !== null && listError === undefined,
      ...(listError === undefined ? {} : { listError }),
    };
  });
}

function unevaluatedRow(unevaluated: Unevaluated, locate: Locate, tree: FileTree, packages: Packages): ToolReport {
  const { candidate } = unevaluated;
  return {
    name: unevaluated.name,
    at: locate({ file: candidate.file, span: candidate.span }),
    registeredAt: null,
    ...belongsTo(candidate.file, tree, packages),
    surface: null,
    evaluated: false,
    failure: { reason: unevaluated.reason, at: locate(unevaluated.at) },
    policy: null,
    listed: false,
  };
}

function belongsTo(file: string, tree: FileTree, packages: Packages): { package: string; zod: string | null } {
  return {
    package: relativePath(tree.root, packages.nearest(file)?.folder ?? tree.root),
    zod: packages.installed('zod', nodePath.dirname(file))?.version ?? null,
  };
}

function findingReport(finding: Finding, locate: Locate): FindingReport {
  return {
    rule: finding.rule,
    severity: finding.severity,
    tools: finding.tools,
    surfaces: finding.surfaces,
    at: locate(finding.at),
    message: finding.message,
    related: finding.related.map(({ place, message }) => ({ at: locate(place), message })),
    witness: finding.witness,
    fixes: finding.fixes,
  };
}

function packageReports(rows: readonly ToolReport[], tree: FileTree, packages: Packages): PackageReport[] {
  const folders = [...new Set(rows.map((row) => row.package))].sort(compare);
  return folders.map((folder) => {
    const own = rows.filter((row) => row.package === folder);
    const surfaces = new Map<string, Surface>();
    for (const { surface } of own) if (surface) surfaces.set(`${surface.id}\0${surface.version ?? ''}`, surface);
    const absolute = nodePath.resolve(tree.root, folder);
    return {
      name: nameOf(packages.at(absolute), absolute),
      folder,
      surfaces: [...surfaces.entries()].sort(([a], [b]) => compare(a, b)).map(([, surface]) => surface),
      zod: [...new Set(own.flatMap((row) => row.zod ?? []))].sort(compare),
      tools: new Set(own.map((row) => `${row.at.file}\0${JSON.stringify(row.at.range.start)}\0${row.name}`)).size,
    };
  });
}

function nameOf(pkg: Package | undefined, folder: string): string {
  return pkg?.name ?? nodePath.basename(folder);
}

function byPlace(a: Location, b: Location): number {
  return (
    compare(a.file, b.file) ||
    a.range.start.line - b.range.start.line ||
    a.range.start.character - b.range.start.character ||
    a.range.end.line - b.range.end.line ||
    a.range.end.character - b.range.end.character
  );
}

/** By code unit, for the order must not depend on the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
