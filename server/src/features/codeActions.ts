import type { CodeAction, Diagnostic, Range, WorkspaceEdit } from 'vscode-languageserver';
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
 * @param canCreateFiles whether the editor makes files on demand; one that does not gets the text of a new file as if it
 *   were there
 * @returns the action as it was, without an edit, when the text has moved on
 */
export function resolveCodeAction(
  action: CodeAction,
  findingsOf: (file: string) => readonly Finding[],
  resolve: ResolveFix,
  linesOf: LinesOf,
  canCreateFiles = false,
): CodeAction {
  const data = action.data as ActionData | undefined;
  const finding = data && findingsOf(data.file).find((each) => findingKey(each) === data.key);
  const edits = finding && resolve(finding, data.fix);
  return edits ? { ...action, edit: toWorkspaceEdit(edits, linesOf, canCreateFiles) } : action;
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function toWorkspaceEdit(edits: readonly TextEdit[], linesOf: LinesOf, canCreateFiles: boolean): WorkspaceEdit {
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  const created = new Set<string>();
  for (const edit of edits) {
    const lines = linesOf(edit.file);
    const uri = pathToUri(edit.file);
    if (!lines) created.add(uri);
    changes[uri] = [...(changes[uri] ?? []), { range: lines?.range(edit.span) ?? START, newText: edit.text }];
  }
  if (created.size === 0 || !canCreateFiles) return { changes };
  const documentChanges: NonNullable<WorkspaceEdit['documentChanges']> = [...created].map((uri) => ({
    kind: 'create',
    uri,
    options: { ignoreIfExists: true },
  }));
  for (const [uri, own] of Object.entries(changes)) {
    documentChanges.push({ textDocument: { uri, version: null }, edits: own });
  }
  return { documentChanges };
}

function keyOf(diagnostic: Diagnostic): string | undefined {
  const { data } = diagnostic;
  return typeof data === 'object' && data !== null && 'key' in data && typeof data.key === 'string'
    ? data.key
    : undefined;
}
