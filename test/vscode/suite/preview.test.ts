import * as assert from 'node:assert/strict';
import {
  type CodeLens,
  ConfigurationTarget,
  commands,
  type Hover,
  MarkdownString,
  type Position,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { findingsWhere, has, open, replace } from './editor.ts';
import { screenshot } from './host.ts';
import { cursorAt, diffShown, previewWhere, SCHEME } from './previews.ts';

const BOATS = 'src/tools/boats.ts';

async function lensTitles({ uri }: TextDocument, line: number): Promise<string[]> {
  const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
  const titles = lenses.filter(({ range }) => range.start.line === line).flatMap(({ command }) => command?.title ?? []);
  // TypeScript has lenses of its own.
  return titles.filter((title) => !/reference|implementation/.test(title));
}

async function hoverTexts(uri: Uri, position: Position): Promise<string[]> {
  const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, position);
  return hovers.flatMap(({ contents }) =>
    contents.map((one) => (one instanceof MarkdownString ? one.value : `${one}`)),
  );
}

describe('preview', () => {
  let source: TextDocument;

  it('opens what the SDK advertises of the tool at the cursor, read-only, and follows the typing', async () => {
    await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
    source = await open(BOATS);
    cursorAt('One boat by its registration');
    await commands.executeCommand('toolContracts.preview');
    const document = await previewWhere('get_boat.mcp-v1.json', (text) => text.includes('"id"'));
    assert.equal(JSON.parse(document.getText()).additionalProperties, false);
    assert.equal(workspace.fs.isWritableFileSystem(SCHEME) ?? false, false);
    await replace(source, 'z.strictObject({ id: BoatId })', 'z.looseObject({ id: BoatId, note: z.string() })');
    const live = await previewWhere('get_boat.mcp-v1.json', (text) => text.includes('"note"'));
    assert.deepEqual(JSON.parse(live.getText()).required, ['id', 'note']);
    assert.equal(live.languageId, 'jsonc');
  });

  it('is marked while the code does not parse, and is not any more when it does', async () => {
    await replace(source, "import { z } from 'zod';", "import { z from 'zod';");
    const stale = await previewWhere('get_boat.mcp-v1.json', (text) => text.startsWith('// Stale: src/tools/boats.ts'));
    assert.match(stale.getText(), /"note"/);
    await screenshot('preview-stale');
    await replace(source, "import { z from 'zod';", "import { z } from 'zod';");
    await previewWhere('get_boat.mcp-v1.json', (text) => text.startsWith('{'));
    await replace(source, 'z.looseObject({ id: BoatId, note: z.string() })', 'z.strictObject({ id: BoatId })');
    await previewWhere('get_boat.mcp-v1.json', (text) => !text.includes('"note"'));
  });

  it('has a line above each tool, whose command opens the preview', async () => {
    const { line } = source.positionAt(source.getText().indexOf("'list_boats'") - 1);
    const [says, preview, ...others] = await lensTitles(source, line - 1);
    assert.match(says ?? '', /^MCP SDK \d+\.\d+ · strips unknown keys · 2 inputs$/);
    assert.deepEqual([preview, ...others], ['Preview']);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', source.uri, 100);
    const lens = lenses.find(({ command }) => command?.arguments?.[0]?.tool === 'list_boats');
    assert.ok(lens?.command);
    await commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    await previewWhere('list_boats.mcp-v1.json', (text) => text.startsWith('{'));
  });

  it('has a hover that says which expression decides', async () => {
    const at = source.positionAt(source.getText().indexOf('ListBoats.shape'));
    const texts = await hoverTexts(source.uri, at);
    const ours = texts.find((text) => text.includes('Undeclared keys are'));
    assert.match(ours ?? '', /a shape becomes a plain object/);
    assert.match(ours ?? '', /rejects: Unrecognized key/);
    await open(BOATS);
    cursorAt('ListBoats.shape,');
    await commands.executeCommand('editor.action.showHover');
  });

  it('compares with the contract', async () => {
    await commands.executeCommand('toolContracts.compareWithContract', { tool: 'list_boats' });
    const { names, texts } = await diffShown(/^list_boats: contract ↔ MCP SDK/);
    assert.deepEqual(names, ['list_boats.contract.json', 'list_boats.mcp-v1.json']);
    assert.deepEqual(
      texts.map((text) => JSON.parse(text).additionalProperties),
      [false, undefined],
    );
    await screenshot('preview-diff');
  });

  it('compares with the last release, and counts what breaks its callers', async () => {
    await commands.executeCommand('toolContracts.compareWithBaseline', { tool: 'register_boat' });
    const { names, texts } = await diffShown(/^register_boat: 1\.6\.4 \(tool-contracts\.lock\.json\) ↔ now/);
    assert.deepEqual(names, ['register_boat.mcp-v1.baseline.json', 'register_boat.mcp-v1.json']);
    assert.deepEqual(
      texts.map((text) => JSON.parse(text).required.includes('draught')),
      [false, true],
    );
    const { line } = source.positionAt(source.getText().indexOf("'register_boat'") - 1);
    assert.match((await lensTitles(source, line - 1))[0] ?? '', /strict · 5 inputs · 1 breaking since 1\.6\.4$/);
  });

  for (const [name, theme] of [
    ['dark', 'Default Dark Modern'],
    ['light', 'Default Light Modern'],
  ] as const) {
    it(`looks well in ${name}`, async () => {
      await workspace.getConfiguration('workbench').update('colorTheme', theme, ConfigurationTarget.Global);
      await commands.executeCommand('workbench.action.closeAllEditors');
      await commands.executeCommand('workbench.action.closeSidebar');
      await open(BOATS);
      cursorAt('list_boats');
      await commands.executeCommand('toolContracts.preview');
      await previewWhere('list_boats.mcp-v1.json', (text) => text.startsWith('{'));
      cursorAt("list_boats',");
      await lensTitles(source, 0);
      await commands.executeCommand('editor.action.showHover');
      await screenshot(`preview-${name}`);
    });
  }

  it('a command that cannot run says why', async () => {
    const said: string[] = [];
    const show = window.showInformationMessage;
    Object.assign(window, { showInformationMessage: async (message: string) => void said.push(message) });
    try {
      await commands.executeCommand('toolContracts.compareSurfaces', { tool: 'list_boats' });
      await commands.executeCommand('toolContracts.preview', { tool: 'no_such_tool' });
      await commands.executeCommand('toolContracts.preview', { tool: 'list_boats', surface: 'ai-sdk' });
    } finally {
      Object.assign(window, { showInformationMessage: show });
    }
    assert.deepEqual(said.length, 3);
    assert.match(said[0] ?? '', /list_boats is offered on one surface only: MCP SDK/);
    assert.match(said[1] ?? '', /There is no tool no_such_tool/);
    assert.match(said[2] ?? '', /list_boats is not offered on ai-sdk; it is on MCP SDK/);
  });
});
