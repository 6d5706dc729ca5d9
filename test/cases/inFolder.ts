import type { JsonReport } from '../../server/src/reporters/json.ts';

/** The part of a report that is about one folder, with files relative to it. Related places are left as they are. */
export function inFolder(report: JsonReport, folder: string): JsonReport {
  const own = <T extends { readonly file: string }>(rows: readonly T[]): T[] =>
    rows
      .filter(({ file }) => file.startsWith(`${folder}/`))
      .map((row) => ({ ...row, file: row.file.slice(folder.length + 1) }));
  return { ...report, tools: own(report.tools), findings: own(report.findings) };
}
