import type { JsonFinding, JsonReport } from '../../server/src/reporters/json.ts';
import type { Expected, Range } from './manifest.ts';

/** What differs between the findings and what was expected, one line each. */
export function differences(findings: readonly JsonFinding[], expected: readonly Expected[]): string[] {
  const open = [...findings];
  const missing: Expected[] = [];
  // Those with a range first, so that one that may stand anywhere does not take theirs.
  for (const one of [...expected].sort((a, b) => Number(a.range === null) - Number(b.range === null))) {
    const at = open.findIndex((finding) => isExpected(finding, one));
    if (at === -1) missing.push(one);
    else open.splice(at, 1);
  }
  return [
    ...missing.map(
      ({ rule, severity = 'any', file, range }) => `missing: ${rule} (${severity}) at ${place(file, range)}`,
    ),
    ...open.map(({ rule, severity, file, range }) => `surplus: ${rule} (${severity}) at ${place(file, range)}`),
  ];
}

function isExpected(finding: JsonFinding, { rule, severity, file, range }: Expected): boolean {
  if (finding.rule !== rule || finding.file !== file) return false;
  if (severity !== undefined && finding.severity !== severity) return false;
  return range === null || place('', range) === place('', finding.range);
}

function place(file: string, range: Range | null): string {
  if (!range) return `${file}, anywhere`;
  const { start, end } = range;
  return `${file}:${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
}

/** Tools that are listed but were not evaluated, one line each. */
export function unevaluated({ tools }: JsonReport): string[] {
  return tools.filter((tool) => !tool.evaluated).map(({ name, reason }) => `not evaluated: ${name}: ${reason}`);
}

/** Names of the tools that were evaluated, each once. */
export function evaluatedTools({ tools }: JsonReport): string[] {
  return [...new Set(tools.filter((tool) => tool.evaluated).map(({ name }) => name ?? ''))].sort();
}
