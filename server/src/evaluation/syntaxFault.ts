import type { Span } from '../../../shared/src/model.ts';
import { ts } from '../discovery/typescript.ts';

/** Why a file cannot be understood, as a sentence, and where. */
export interface SyntaxFault {
  readonly message: string;
  readonly span: Span;
}

/** The first syntax error of a file, or undefined when it parses. */
export function firstSyntaxError(source: ts.SourceFile): SyntaxFault | undefined {
  // Not in the public types, but what every TypeScript tool reads: the parser's own diagnostics.
  const { parseDiagnostics } = source as unknown as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  const first = parseDiagnostics?.[0];
  if (!first) return undefined;
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  return {
    message: `the file does not parse: ${message}`,
    span: { start: first.start, end: first.start + Math.max(first.length, 1) },
  };
}
