import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  TextDocumentContentChangeEvent,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { positionAt } from './position.ts';

/** A file's address as the protocol writes it. */
export function uriOf(file: string): string {
  return pathToFileURL(file).href;
}

/** One spelling for all ways to write a `file:` address; others are kept as they are. */
export function uriKey(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  return fileURLToPath(uri).replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
}

/** The smallest single change that turns one text into another, as an editor would send it. */
export function changeBetween(before: string, after: string): TextDocumentContentChangeEvent {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  // A range may stand neither inside a line break of two characters nor inside a surrogate pair.
  while (start > 0 && /^(\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(before.slice(start - 1, start + 1))) start--;
  while (
    tail > 0 &&
    /^(\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(before.slice(before.length - tail - 1, before.length - tail + 1))
  )
    tail--;
  return {
    range: { start: positionAt(before, start), end: positionAt(before, before.length - tail) },
    text: after.slice(start, after.length - tail),
  };
}

/** Applies edits to a text. Throws when they overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('file:///text', '', 0, text), [...edits]);
}

/** The edits of one document in a workspace edit. */
export interface DocumentEdits {
  readonly uri: string;
  /** The version that the edit was made for; null: any. */
  readonly version: number | null;
  readonly edits: readonly TextEdit[];
}

/**
 * The text edits of a workspace edit by document.
 *
 * @throws for edits that rename or delete files, and for snippets: this client offers neither
 */
export function editsByDocument(edit: WorkspaceEdit): DocumentEdits[] {
  if (edit.documentChanges) {
    return edit.documentChanges.flatMap((change) => {
      // A file that is made is an empty document until it is edited.
      if ('kind' in change && change.kind === 'create') return [];
      if (!('textDocument' in change)) throw new Error(`The edit wants to ${change.kind} a file.`);
      const { textDocument, edits } = change as TextDocumentEdit;
      const parts = edits.map((part) => {
        if (!('newText' in part)) throw new Error('The edit is a snippet, which this client did not offer to take.');
        return part;
      });
      return [{ uri: textDocument.uri, version: textDocument.version, edits: parts }];
    });
  }
  return Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({ uri, version: null, edits }));
}
