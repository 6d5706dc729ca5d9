import * as assert from 'node:assert/strict';
import { ConfigurationTarget, commands, languages, workspace } from 'vscode';
import { RULES } from '../../../shared/src/rules.ts';
import { extension, fileUri, findingsWhere, has, open, preferredFixes, replace, statusWhere, until } from './editor.ts';
import { screenshot } from './host.ts';
import { canSeeProcesses, descendantsRunning } from './processes.ts';

const BOATS = 'src/tools/boats.ts';
const BERTHS = 'src/tools/berths.ts';
const TIDES = 'src/tools/tides.ts';

describe('sample', () => {
  it('findings are there for files that nobody opened', async () => {
    const boats = await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
    await findingsWhere(BERTHS, (found) => has(found, 'dropped-catchall', 'z.object({'));
    await findingsWhere(TIDES, (found) => found.some(({ rule }) => rule === 'not-evaluated'));
    const shape = boats.find(({ text }) => text === 'ListBoats.shape')?.diagnostic;
    assert.match(shape?.message ?? '', /would be deleted/);
    assert.ok(shape?.relatedInformation?.some(({ location }) => location.uri.path.endsWith('src/schemas/boats.ts')));
  });

  it('there is one of each rule', async () => {
    const sees = () =>
      new Set(
        languages
          .getDiagnostics()
          .flatMap(([, all]) => all)
          .map(({ code }) => (typeof code === 'object' ? code.value : code)),
      );
    await statusWhere(({ state }) => state === 'ready');
    assert.deepEqual(
      RULES.map(({ code }) => code).filter((code) => !sees().has(code)),
      [],
    );
  });

  it('the status says what was found, and on what', async () => {
    const status = await statusWhere(({ state }) => state === 'ready');
    assert.equal(status.tools, 12);
    assert.ok(status.problems > 0);
    assert.ok(status.surfaces?.some((surface) => /^MCP SDK \d/.test(surface)));
    assert.ok((status.durationMs ?? 0) > 0);
  });

  it('an edit changes the findings, saved or not', async () => {
    const document = await open(BOATS);
    await commands.executeCommand('workbench.actions.view.problems');
    const before = 'BoatDetails.extend({ id: BoatId }),\n    },\n    async (boat)';
    const after = before.replace('BoatDetails.extend({', 'z.object({ ...BoatDetails.shape,');
    await replace(document, before, after);
    await findingsWhere(BOATS, (found) =>
      has(found, 'dropped-catchall', 'z.object({ ...BoatDetails.shape, id: BoatId })'),
    );
    await screenshot('sample');
    await replace(document, after, before);
    await findingsWhere(BOATS, (found) => !found.some(({ text }) => text.startsWith('z.object')));
  });

  it('an edit of a schema changes the findings where it is used', async () => {
    const document = await open('src/schemas/boats.ts');
    await replace(document, 'ListBoats = z.strictObject(', 'ListBoats = z.object(');
    await findingsWhere(BOATS, (found) => !has(found, 'dropped-catchall', 'ListBoats.shape'));
    await commands.executeCommand('undo');
    await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
  });

  it('a quick fix makes its finding go', async () => {
    const document = await open(BOATS);
    const [preferred, ...others] = await preferredFixes(BOATS, 'dropped-catchall', 'ListBoats.shape');
    assert.ok(preferred?.edit);
    assert.deepEqual(others, []);
    assert.ok(await workspace.applyEdit(preferred.edit));
    assert.match(document.getText(), /inputSchema: ListBoats,/);
    await findingsWhere(BOATS, (all) => !has(all, 'dropped-catchall', 'ListBoats.shape') && all.length > 0);
    await commands.executeCommand('undo');
    await findingsWhere(BOATS, (all) => has(all, 'dropped-catchall', 'ListBoats.shape'));
  });

  it('a setting silences a rule, and gives it back', async () => {
    const settings = workspace.getConfiguration('toolContracts');
    await settings.update('rules', { 'dropped-catchall': 'off' }, ConfigurationTarget.Workspace);
    await findingsWhere(BERTHS, (found) => !found.some(({ rule }) => rule === 'dropped-catchall'));
    await settings.update('rules', undefined, ConfigurationTarget.Workspace);
    await findingsWhere(BERTHS, (found) => has(found, 'dropped-catchall', 'z.object({'));
  });

  it('tool-contracts.json counts where no setting was set', async () => {
    const file = fileUri('tool-contracts.json');
    const isTidy = (all: readonly { readonly rule: string }[]) => !all.some(({ rule }) => rule === 'not-evaluated');
    await workspace.fs.writeFile(file, new TextEncoder().encode('{ "exclude": ["src/tools/tides.ts"] }\n'));
    await findingsWhere(TIDES, isTidy);
    await workspace.fs.delete(file);
    await findingsWhere(TIDES, (all) => !isTidy(all));
  });

  it('switched off, there are no findings and the status says why', async () => {
    const settings = workspace.getConfiguration('toolContracts');
    await settings.update('enable', false, ConfigurationTarget.Workspace);
    const { message } = await statusWhere((status) => status.message?.includes('toolContracts.enable') ?? false);
    assert.match(message ?? '', /Switched off/);
    await findingsWhere(BERTHS, (found) => found.length === 0);
    await settings.update('enable', undefined, ConfigurationTarget.Workspace);
    await findingsWhere(BERTHS, (found) => found.length > 0);
  });

  it('restarting checks everything again', async () => {
    await open(BERTHS);
    const gone = findingsWhere(BERTHS, (found) => found.length === 0);
    await commands.executeCommand('toolContracts.restart');
    await gone;
    await findingsWhere(BERTHS, (found) => has(found, 'dropped-catchall', 'z.object({'));
  });

  it('checking the workspace tells of its progress and its end', async () => {
    const api = await extension();
    await statusWhere(({ state }) => state === 'ready');
    const states: string[] = [];
    const listener = api.onDidChangeStatus(({ state }) => states.push(state));
    await commands.executeCommand('toolContracts.checkWorkspace');
    await statusWhere(({ state }) => states.includes('scanning') && state === 'ready');
    listener.dispose();
  });

  it('a server that dies is started again, and the status says so meanwhile', async function () {
    if (!canSeeProcesses) this.skip();
    const [server] = descendantsRunning('server.cjs');
    assert.ok(server);
    const said = statusWhere(({ state }) => state === 'failed');
    process.kill(server.pid, 'SIGKILL');
    assert.match((await said).message ?? '', /ended unexpectedly/);
    await statusWhere(({ state }) => state === 'ready');
    await findingsWhere(BERTHS, (found) => has(found, 'dropped-catchall', 'z.object({'));
    const [successor] = descendantsRunning('server.cjs');
    assert.notEqual(successor?.pid, server.pid);
    assert.ok(descendantsRunning('sandbox.mjs').length > 0, 'the process that evaluates can be seen');
  });

  it('showing the log opens it', async () => {
    await commands.executeCommand('toolContracts.showLog');
    await until(
      workspace.onDidOpenTextDocument,
      () => workspace.textDocuments.find(({ uri }) => uri.scheme === 'output' && uri.path.includes('Tool Contracts')),
      () => workspace.textDocuments.map(({ uri }) => uri.toString()),
    );
  });
});
