// A language server with one rule, to try the harness and the benchmark on: every WRONG in a text is a problem that
// RIGHT mends. Words in the text make it misbehave: SILENT (nothing is published), LATE (the version before is published
// again), CRASH, GARBAGE (what it writes is no message). While `shared.ts` says BROKEN, every USES in any file is a
// problem, too. Every file is a tool that advertises its text without comments. With `check --format json FOLDER` it is the command line of the same rules. FAKE_CHILD=1 gives it a child
// process, FAKE_DEAF=1 makes it ignore `exit`.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** Ranges of the words that are wrong in a text. */
function problems(text, broken) {
  const document = TextDocument.create('file:///text', '', 0, text);
  return [...text.matchAll(broken ? /WRONG|USES/g : /WRONG/g)].map(({ index, 0: word }) => ({
    range: { start: document.positionAt(index), end: document.positionAt(index + word.length) },
    message: `${word} is wrong.`,
  }));
}

const isShared = (path) => path.endsWith('/shared.ts');

function sources(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

function check(root) {
  const texts = new Map(sources(root).map((file) => [file, readFileSync(file, 'utf8')]));
  const broken = [...texts].some(([file, text]) => isShared(file) && text.includes('BROKEN'));
  const findings = [...texts].flatMap(([path, text]) => {
    const file = relative(root, path).split(sep).join('/');
    return problems(text, broken).map((problem) => ({ rule: 'wrong', severity: 'warning', file, ...problem }));
  });
  const tools = [...texts].map(([path, text]) => ({ name: relative(root, path), advertised: advertised(text) }));
  process.stdout.write(JSON.stringify({ version: 1, tools, findings }));
}

function previewText(text) {
  return `${JSON.stringify(advertised(text), null, 2)}\n`;
}

function advertised(text) {
  return { text: text.replace(/ *\/\/.*/, '') };
}

async function serve() {
  const { createConnection, ProposedFeatures, TextDocumentSyncKind } = await import('vscode-languageserver/node');
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new Map();
  let root = '';
  let configuration = false;
  let broken = false;

  const publish = (uri, text, version) =>
    connection.sendDiagnostics({
      uri,
      ...(version === undefined ? {} : { version }),
      diagnostics: problems(text, broken).map((one) => ({ ...one, severity: 2, code: 'wrong', source: 'fake' })),
    });
  const publishClosed = () => {
    for (const file of sources(fileURLToPath(root))) {
      const uri = pathToFileURL(file).href;
      if (!documents.has(uri)) publish(uri, readFileSync(file, 'utf8'));
    }
  };
  const update = (uri, document) => {
    documents.set(uri, document);
    const text = document.getText();
    if (text.includes('CRASH')) {
      process.stderr.write('It is all over.\n', () => process.exit(3));
      return;
    }
    if (isShared(uri)) broken = text.includes('BROKEN');
    if (text.includes('GARBAGE')) process.stdout.write('console.log\r\n\r\n');
    if (!text.includes('SILENT')) publish(uri, text, document.version);
    if (text.includes('LATE')) publish(uri, text, document.version - 1);
    if (isShared(uri)) publishClosed();
    if (!text.includes('SILENT'))
      connection.sendNotification('toolContracts/previewsChanged', {
        previews: [{ uri: `fake:${uri}`, text: previewText(text) }],
      });
    connection.sendNotification('toolContracts/status', { state: 'ready', tools: 1, problems: 0 });
  };

  connection.onInitialize(({ capabilities, workspaceFolders, rootUri }) => {
    root = workspaceFolders?.[0]?.uri ?? rootUri ?? '';
    configuration = capabilities.workspace?.configuration === true;
    if (process.env.FAKE_CHILD) fork(fileURLToPath(import.meta.url), ['--idle']);
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        codeActionProvider: { resolveProvider: true },
      },
    };
  });
  connection.onInitialized(async () => {
    connection.sendNotification('toolContracts/status', { state: 'scanning', tools: 0, problems: 0 });
    const asked = connection.sendRequest('workspace/configuration', { items: [{ section: 'toolContracts.rules' }] });
    const answer = await asked.catch((error) => `error ${error.code}`);
    connection.console.log(`configuration ${configuration}: ${JSON.stringify(answer)}`);
    publishClosed();
    connection.sendNotification('toolContracts/status', { state: 'ready', tools: 1, problems: 0 });
  });
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
    update(uri, TextDocument.create(uri, languageId, version, text)),
  );
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
    update(uri, TextDocument.update(documents.get(uri), contentChanges, version)),
  );
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => documents.delete(uri));
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) publish(uri, readFileSync(fileURLToPath(uri), 'utf8'));
  });
  connection.onCodeAction(({ textDocument: { uri }, context: { diagnostics } }) =>
    diagnostics.map(({ range }) => ({ title: 'Put it right', kind: 'quickfix', data: { uri, range } })),
  );
  connection.onCodeActionResolve((action) => {
    const { uri, range } = action.data;
    const textDocument = { uri, version: documents.get(uri)?.version ?? null };
    return { ...action, edit: { documentChanges: [{ textDocument, edits: [{ range, newText: 'RIGHT' }] }] } };
  });
  connection.onRequest('toolContracts/tools', ({ uri }) => {
    const name = relative(fileURLToPath(root), fileURLToPath(uri));
    return { tools: [{ name, nearness: 'here', surfaces: [{ uri: `fake:${uri}` }] }] };
  });
  connection.onRequest('toolContracts/preview', ({ uri }) => {
    const text = documents.get(uri.slice('fake:'.length))?.getText() ?? '';
    return { text: previewText(text) };
  });
  connection.onShutdown(() => {});
  if (process.env.FAKE_DEAF) process.exit = () => undefined;
  connection.listen();
}

if (process.argv.includes('check')) check(process.argv.at(-1));
else if (process.argv.includes('--idle')) process.on('disconnect', () => process.exit());
else await serve();
