import type { Diagnostic, DiagnosticRelatedInformation } from 'vscode-languageserver';
import type { Finding, Place, Severity } from '../../../shared/src/model.ts';
import { rulePage } from '../../../shared/src/rules.ts';
import type { LineMap } from '../files/lines.ts';
import { pathToUri } from '../files/paths.ts';

export const SOURCE = 'Tool Contracts';

/** LSP's DiagnosticSeverity and DiagnosticTag by name: the enums would load the protocol library at run time. */
const SEVERITIES: { readonly [severity in Severity]: 1 | 2 | 3 | 4 } = {
  error: 1,
  warning: 2,
  information: 3,
  hint: 4,
};
const UNNECESSARY = 1;

/** Positions in the text that findings are about. Undefined: the file is gone. */
export type LinesOf = (file: string) => LineMap | undefined;

/**
 * A finding as a diagnostic. Its `data` is the finding's key, by which a code action finds it again.
 *
 * @returns undefined when the file is gone
 */
export function toDiagnostic(finding: Finding, linesOf: LinesOf): Diagnostic | undefined {
  const lines = linesOf(finding.at.file);
  if (!lines) return undefined;
  const relatedInformation = finding.related.flatMap(({ place, message }) => toRelated(place, message, linesOf) ?? []);
  return {
    range: lines.range(finding.at.span),
    severity: SEVERITIES[finding.severity],
    code: finding.rule,
    codeDescription: { href: rulePage(finding.rule) },
    source: SOURCE,
    message: finding.message,
    ...(finding.rule === 'unused-suppression' && { tags: [UNNECESSARY] }),
    ...(relatedInformation.length > 0 && { relatedInformation }),
    data: { key: findingKey(finding) },
  };
}

/** Tells a finding from all others of one check. */
export function findingKey(finding: Finding): string {
  return `${finding.rule} ${finding.at.span.start}-${finding.at.span.end}`;
}

/** The diagnostics of all findings by file, those of one file in their order. */
export function diagnosticsByFile(findings: readonly Finding[], linesOf: LinesOf): Map<string, Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  for (const finding of findings) {
    const diagnostic = toDiagnostic(finding, linesOf);
    if (!diagnostic) continue;
    const diagnostics = byFile.get(finding.at.file);
    if (diagnostics) diagnostics.push(diagnostic);
    else byFile.set(finding.at.file, [diagnostic]);
  }
  return byFile;
}

function toRelated(place: Place, message: string, linesOf: LinesOf): DiagnosticRelatedInformation | undefined {
  const lines = linesOf(place.file);
  return lines && { location: { uri: pathToUri(place.file), range: lines.range(place.span) }, message };
}
