import type { CodeAction, Diagnostic, WorkspaceEdit } from 'vscode-languageserver';
import type { Finding, TextEdit } from '../../../shared/src/model.ts';
import { pathToUri } from '../files/paths.ts';
import { findingKey, type LinesOf, SOURCE } from './diagnostics.ts';

/** What a code action carries until it is chosen. */
export interface ActionData {
  readonly file: string;
  readonly key: string;
  readonly fix: string;
}

/** Computes the edits of a fix, or undefined when the text is no longer what the finding was about. */
export type ResolveFix = (finding: Finding, fixId: string) => readonly TextEdit[] | undefined;

/**
 * The fixes of the findings that the editor asks about, the preferred ones first. Nothing is computed: the edits come
 * when one is chosen.
 *
 * @param findings those of the file
 * @param diagnostics the editor's own, of which those of this server count
 */
export function codeActions(
  file: string,
  findings: readonly Finding[],
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  const actions = diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== SOURCE) return [];
    const finding = findings.find((each) => findingKey(each) === keyOf(diagnostic));
    return (finding?.fixes ?? []).map((fix): CodeAction => {
      const data: ActionData = { file, key: keyOf(diagnostic) ?? '', fix: fix.id };
      return { title: fix.title, kind: 'quickfix', diagnostics: [diagnostic], isPreferred: fix.preferred, data };
    });
  });
  return actions.sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred));
}

/**
 * Fills in the edit of a chosen action.
 *
 * @returns the action as it was, without an edit, when the text has moved on
 */
export function resolveCodeAction(
  action: CodeAction,
  findingsOf: (file: string) => readonly Finding[],
  resolve: ResolveFix,
  linesOf: LinesOf,
): CodeAction {
  const data = action.data as ActionData | undefined;
  const finding = data && findingsOf(data.file).find((each) => findingKey(each) === data.key);
  const edits = finding && resolve(finding, data.fix);
  return edits ? { ...action, edit: toWorkspaceEdit(edits, linesOf) } : action;
}

function toWorkspaceEdit(edits: readonly TextEdit[], linesOf: LinesOf): WorkspaceEdit {
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const edit of edits) {
    const lines = linesOf(edit.file);
    if (!lines) continue;
    const uri = pathToUri(edit.file);
    changes[uri] = [...(changes[uri] ?? []), { range: lines.range(edit.span), newText: edit.text }];
  }
  return { changes };
}

function keyOf(diagnostic: Diagnostic): string | undefined {
  const { data } = diagnostic;
  return typeof data === 'object' && data !== null && 'key' in data && typeof data.key === 'string'
    ? data.key
    : undefined;
}
