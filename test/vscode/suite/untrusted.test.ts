import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type CodeLens, commands, languages, workspace } from 'vscode';
import { fileUri, findingsWhere, has, open, statusWhere } from './editor.ts';
import { pressTrust, screenshot } from './host.ts';
import { SCHEME } from './previews.ts';
import { canSeeProcesses, descendantsRunning } from './processes.ts';

const BOATS = 'src/tools/boats.ts';
/** What a module of the workspace writes when it is loaded, whoever loads it. */
const CANARY = 'canary.txt';
const CANARY_MODULE = 'src/tools/canary.ts';
const CANARY_TEXT = `import { writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const sung = writeFileSync(new URL('../../${CANARY}', import.meta.url), 'sung');

new McpServer({ name: 'canary', version: '1.0.0' }).registerTool(
  'sing',
  { description: \`Sings \${sung}\`, inputSchema: z.object({ song: z.string().default(String(sung)) }) },
  () => ({ content: [] }),
);
`;

describe('untrusted', () => {
  it('is Restricted Mode', () => assert.equal(workspace.isTrusted, false));

  it('the tools are listed by name, and the status says why there is no more', async () => {
    await workspace.fs.writeFile(fileUri(CANARY_MODULE), new TextEncoder().encode(CANARY_TEXT));
    await open(CANARY_MODULE);
    await open(BOATS);
    await commands.executeCommand('workbench.actions.view.problems');
    const status = await statusWhere(({ state }) => state === 'restricted');
    assert.ok(status.names?.includes('list_boats'));
    assert.match(status.message ?? '', /Trust this workspace/);
    await screenshot('untrusted');
  });

  it('a line above each tool says that it is not evaluated, and a preview says why', async () => {
    const document = await open(CANARY_MODULE);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
    const titles = lenses.flatMap(({ command }) => command?.title ?? []);
    assert.ok(titles.includes('sing · not evaluated: workspace not trusted'), titles.join());
    const uri = document.uri.with({ scheme: SCHEME, path: `${document.uri.path}/sing.mcp-v1.json`, query: 'sing' });
    assert.match((await workspace.openTextDocument(uri)).getText(), /^\/\/ Nothing is known of the tools: .*\n\/\/ /);
  });

  it('an edit and a restart run nothing either', async () => {
    await open(CANARY_MODULE);
    await commands.executeCommand('editor.action.insertLineAfter');
    const again = statusWhere(({ state, names }) => state === 'restricted' && (names?.includes('sing') ?? false));
    await commands.executeCommand('toolContracts.restart');
    await again;
  });

  it('nothing has run', () => {
    assert.equal(existsSync(fileUri(CANARY).fsPath), false);
    const ours = languages
      .getDiagnostics()
      .flatMap(([, all]) => all.filter(({ source }) => source === 'Tool Contracts'));
    assert.deepEqual(ours, []);
    if (canSeeProcesses) {
      assert.ok(descendantsRunning('server.cjs').length > 0, 'the server can be seen');
      assert.deepEqual(descendantsRunning('sandbox.mjs'), []);
    }
  });

  it('trust brings the findings', async function () {
    await commands.executeCommand('workbench.trust.manage');
    if (!(await pressTrust())) this.skip();
    await statusWhere(({ state }) => state === 'ready');
    await findingsWhere(BOATS, (found) => has(found, 'dropped-catchall', 'ListBoats.shape'));
  });
});
