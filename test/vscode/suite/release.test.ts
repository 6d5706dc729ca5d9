import * as assert from 'node:assert/strict';
import { type CodeAction, commands, type TextDocument, type Uri, window, workspace } from 'vscode';
import { type Found, fileUri, findingsWhere, open, quickFixes, replace, until } from './editor.ts';
import { screenshot } from './host.ts';
import { cursorAt, diffShown } from './previews.ts';

const BERTHS = 'src/tools/berths.ts';
const CHANGES = 'src/tools/contractChanges.ts';
const REMOVED = 'undocumented-input-removal';
const FIX = 'Add a CONTRACT_CHANGES entry';

const removalOf = (found: readonly Found[], input: string): Found | undefined =>
  found.find(({ rule, diagnostic }) => rule === REMOVED && new RegExp(`\\b${input}\\b`).test(diagnostic.message));

/** Waits until the removal of an input is reported, and takes the fix that its light bulb offers. */
async function fixOf(input: string): Promise<CodeAction> {
  const found = removalOf(await findingsWhere(BERTHS, (all) => removalOf(all, input) !== undefined), input);
  assert.ok(found);
  const fix = (await quickFixes(BERTHS, found)).find(({ title }) => title === FIX);
  assert.ok(fix?.edit, 'the light bulb offers the entry');
  return fix;
}

async function apply({ edit }: CodeAction): Promise<void> {
  assert.ok(edit && (await workspace.applyEdit(edit)));
}

function gone(input: string): Promise<Found[]> {
  return findingsWhere(BERTHS, (all) => removalOf(all, input) === undefined);
}

/** Waits until an open document has such a text. */
function textWhere(uri: Uri, is: (text: string) => boolean): Promise<TextDocument> {
  const look = () => workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return until(
    workspace.onDidChangeTextDocument,
    () => {
      const document = look();
      return document && is(document.getText()) ? document : undefined;
    },
    () => look()?.getText(),
  );
}

describe('release', () => {
  let source: TextDocument;

  it('an input that the last release had is missed while typing', async () => {
    source = await open(BERTHS);
    await findingsWhere(BERTHS, (found) => found.length > 0 && !found.some(({ rule }) => rule === REMOVED));
    await replace(source, 'booking: Booking, remarks: z.string().optional()', 'booking: Booking');
    const found = await findingsWhere(BERTHS, (all) => removalOf(all, 'remarks') !== undefined);
    const removal = removalOf(found, 'remarks');
    assert.equal(removal?.text, 'z.strictObject({ booking: Booking })');
    assert.match(removal?.diagnostic.message ?? '', /^"remarks" of 1\.6\.4 is no input any more/);
    cursorAt('z.strictObject({ booking');
    await commands.executeCommand('editor.action.marker.next');
    await screenshot('release-removal');
  });

  it('the fix makes the file that tells callers, and the finding goes', async () => {
    await apply(await fixOf('remarks'));
    await gone('remarks');
    const changes = await open(CHANGES);
    assert.match(changes.getText(), /lastRelease: '1\.6\.4'/);
    assert.match(changes.getText(), /path: 'remarks', when: 'present'/);
    assert.match(changes.getText(), /reserve_berth/);
    await screenshot('release-entry');
  });

  it('the next fix writes into that file, and one undo takes it back', async () => {
    const before = (await workspace.openTextDocument(fileUri(CHANGES))).getText();
    await open(BERTHS);
    await replace(source, 'z.strictObject({ berth: BerthId })', 'z.strictObject({})');
    await apply(await fixOf('berth'));
    await gone('berth');
    const changes = await open(CHANGES);
    const after = changes.getText();
    assert.match(after, /release_berth/);
    assert.ok(after.includes("path: 'remarks', when: 'present'"), 'the first entry is still there');
    await window.showTextDocument(changes);
    await commands.executeCommand('undo');
    await textWhere(changes.uri, (text) => text === before);
    await findingsWhere(BERTHS, (all) => removalOf(all, 'berth') !== undefined);
    await commands.executeCommand('redo');
    await textWhere(changes.uri, (text) => text === after);
    await gone('berth');
  });

  it('compares with the tag', async () => {
    await commands.executeCommand('toolContracts.compareWithBaseline', { tool: 'reserve_berth' });
    const { names, texts } = await diffShown(/^reserve_berth: v1\.6\.4 ↔ now/);
    assert.deepEqual(names, ['reserve_berth.mcp-v1.baseline.json', 'reserve_berth.mcp-v1.json']);
    assert.deepEqual(
      texts.map((text) => 'remarks' in JSON.parse(text).properties),
      [true, false],
    );
    await screenshot('release-diff');
  });
});
