import { Selection, TabInputTextDiff, type TextDocument, type TextEditor, window, workspace } from 'vscode';
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

/** The two sides of the diff in the active tab, by the end of their paths, with their texts. */
export async function diffShown(title: RegExp): Promise<{ readonly names: string[]; readonly texts: string[] }> {
  const input = await until(
    window.tabGroups.onDidChangeTabs,
    () => {
      const tab = window.tabGroups.activeTabGroup.activeTab;
      return tab?.input instanceof TabInputTextDiff && title.test(tab.label) ? tab.input : undefined;
    },
    () => window.tabGroups.activeTabGroup.tabs.map(({ label }) => label),
  );
  const sides = await Promise.all([input.original, input.modified].map((uri) => workspace.openTextDocument(uri)));
  return {
    names: sides.map(({ uri }) => uri.path.split('/').at(-1) ?? ''),
    texts: sides.map((side) => side.getText()),
  };
}
