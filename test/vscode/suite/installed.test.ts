import * as assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';
import { extension, findingsWhere, has, open } from './editor.ts';
import { cursorAt, previewWhere } from './previews.ts';

const BOATS = 'src/tools/boats.ts';

describe('installed', () => {
  it('the extension is the one from the package', async () => {
    await extension();
    const { extensionUri, packageJSON } = extensions.getExtension('tool-contracts.tool-contracts') ?? {};
    assert.match(extensionUri?.path ?? '', /\/extensions\/tool-contracts\.tool-contracts-[\d.]+$/);
    assert.ok(packageJSON.icon);
  });

  it('findings are there', async () => {
    await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
  });

  it('the preview opens', async () => {
    await open(BOATS);
    cursorAt('ListBoats.shape,');
    await commands.executeCommand('toolContracts.preview');
    const document = await previewWhere('list_boats.mcp-v1.json', (text) => text.includes('shorterThan'));
    assert.equal(JSON.parse(document.getText()).type, 'object');
  });
});
