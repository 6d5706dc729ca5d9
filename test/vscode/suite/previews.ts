import { Selection, type TextDocument, type TextEditor, window, workspace } from 'vscode';
import { until } from './editor.ts';

/** Scheme of preview documents. */
export const SCHEME = 'tool-contract';

/** Waits until an open preview document of this name has such a text. */
export function previewWhere(name: string, is: (text: string) => boolean): Promise<TextDocument> {
  const look = () => workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
  return until(
    (listener) => {
      const listeners = [workspace.onDidChangeTextDocument(listener), workspace.onDidOpenTextDocument(listener)];
      return { dispose: () => listeners.map((one) => one.dispose()) };
    },
    () => look().find((document) => document.uri.path.endsWith(`/${name}`) && is(document.getText())),
    () => look().map((document) => `${document.uri}: ${document.getText()}`),
  );
}

/** Puts the cursor before a text that is in the active editor. */
export function cursorAt(text: string): TextEditor {
  const editor = window.activeTextEditor;
  if (!editor) throw new Error('No editor is active.');
  const offset = editor.document.getText().indexOf(text);
  if (offset === -1) throw new Error(`${editor.document.fileName} does not have: ${text}`);
  const at = editor.document.positionAt(offset);
  editor.selection = new Selection(at, at);
  return editor;
}
