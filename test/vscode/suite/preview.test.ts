import * as assert from 'node:assert/strict';
import { commands, type TextDocument, window, workspace } from 'vscode';
import { findingsWhere, has, open, replace, until } from './editor.ts';
import { screenshot } from './host.ts';

const BOATS = 'src/tools/boats.ts';

/** Waits until an open document of the preview scheme has such a text. */
function previewWhere(name: string, is: (text: string) => boolean): Promise<TextDocument> {
  const look = () => workspace.textDocuments.filter(({ uri }) => uri.scheme === 'tool-contract');
  return until(
    (listener) => {
      const listeners = [workspace.onDidChangeTextDocument(listener), workspace.onDidOpenTextDocument(listener)];
      return { dispose: () => listeners.map((one) => one.dispose()) };
    },
    () => look().find(({ uri, getText }) => uri.path.endsWith(`/${name}`) && is(getText())),
    () => look().map(({ uri, getText }) => `${uri}: ${getText()}`),
  );
}

describe('preview', () => {
  it('opens what the SDK advertises of the tool at the cursor, and follows the typing', async () => {
    await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
    const source = await open(BOATS);
    const editor = window.activeTextEditor;
    assert.ok(editor);
    const at = source.positionAt(source.getText().indexOf('One boat by its registration'));
    editor.selection = new (await import('vscode')).Selection(at, at);
    await commands.executeCommand('toolContracts.preview');
    const document = await previewWhere('get_boat.mcp-v1.json', (text) => text.includes('"id"'));
    assert.equal(JSON.parse(document.getText()).additionalProperties, false);
    await replace(source, 'z.strictObject({ id: BoatId })', 'z.looseObject({ id: BoatId, note: z.string() })');
    const live = await previewWhere('get_boat.mcp-v1.json', (text) => text.includes('"note"'));
    assert.deepEqual(JSON.parse(live.getText()).required, ['id', 'note']);
    await screenshot('preview-dark');
  });
});
