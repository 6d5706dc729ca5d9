import {
  type CodeAction,
  CodeActionKind,
  createConnection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  ProposedFeatures,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  COMMAND_CHECK,
  type InitializationOptions,
  STATUS,
  type StatusParams,
  TRUST_GRANTED,
} from '../../shared/src/protocol.ts';
import { combined } from './features/status.ts';
import { pathToUri, uriToPath } from './files/paths.ts';
import type { Folder, FolderHost } from './folder.ts';

const WATCHED = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}', '**/{pnpm-lock.yaml,yarn.lock,bun.lock,bun.lockb}'];

/** Wires the language server to its connection: each message goes to one function of a folder. */
export function startServer(): void {
  const connection = createConnection(ProposedFeatures.all);
  const documents = new TextDocuments(TextDocument);
  const folders = new Map<string, Folder>();
  let params: InitializeParams | undefined;
  let isTrusted = true;

  const statuses = new Map<string, StatusParams>();
  const sendStatus = () => void connection.sendNotification(STATUS, combined([...statuses.values()]));

  const host: FolderHost = {
    publish: (file, diagnostics, version) => {
      void connection.sendDiagnostics({ uri: uriOf(file), diagnostics, ...(version !== undefined && { version }) });
    },
    status: (root, status) => {
      statuses.set(root, status);
      sendStatus();
    },
    settings: async (root) => {
      if (!params?.capabilities.workspace?.configuration)
        return (params?.initializationOptions as { settings?: unknown } | null)?.settings;
      return connection.workspace
        .getConfiguration({ scopeUri: pathToUri(root), section: 'toolContracts' })
        .catch(() => undefined);
    },
    log: (line) => connection.console.log(line),
    get canCreateFiles() {
      return params?.capabilities.workspace?.workspaceEdit?.resourceOperations?.includes('create') ?? false;
    },
  };

  /** An editor gets its own spelling of a URI back: some compare them as text. */
  const uriOf = (file: string) =>
    documents.all().find((document) => uriToPath(document.uri) === file)?.uri ?? pathToUri(file);
  const folderOf = (uri: string): { folder: Folder; file: string } | undefined => {
    const file = uriToPath(uri);
    if (file === undefined) return undefined;
    // Of nested folders the innermost holds the file.
    const holding = [...folders.values()]
      .filter((folder) => folder.holds(file))
      .sort((a, b) => b.root.length - a.root.length);
    return holding[0] && { folder: holding[0], file };
  };
  /** What reads and parses is loaded when the editor has its answer to `initialize`. */
  const addFolder = async (uri: string) => {
    const root = uriToPath(uri);
    if (root === undefined || folders.has(root)) return;
    const { Folder } = await import('./folder.ts');
    const folder = new Folder(root, host, isTrusted);
    folders.set(root, folder);
    for (const document of documents.all()) {
      const file = uriToPath(document.uri);
      if (file !== undefined && folder.holds(file)) folder.documentChanged(file, document.getText(), document.version);
    }
    void folder.run();
  };

  connection.onInitialize((initialize): InitializeResult => {
    params = initialize;
    isTrusted = (initialize.initializationOptions as InitializationOptions | null | undefined)?.trusted ?? true;
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix], resolveProvider: true },
        executeCommandProvider: { commands: [COMMAND_CHECK] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
      serverInfo: { name: 'tool-contracts' },
    };
  });

  connection.onInitialized(async () => {
    const { workspace } = params?.capabilities ?? {};
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      void connection.client.register(DidChangeConfigurationNotification.type, { section: 'toolContracts' });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: WATCHED.map((globPattern) => ({ globPattern })),
      });
    }
    if (workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
        for (const { uri } of removed) {
          const root = uriToPath(uri);
          if (root === undefined) continue;
          folders.get(root)?.dispose();
          folders.delete(root);
          statuses.delete(root);
          sendStatus();
        }
        for (const { uri } of added) await addFolder(uri);
      });
    }
    const roots = params?.workspaceFolders?.map((folder) => folder.uri) ?? (params?.rootUri ? [params.rootUri] : []);
    for (const uri of roots) await addFolder(uri);
  });

  documents.onDidChangeContent(({ document }) => {
    const found = folderOf(document.uri);
    found?.folder.documentChanged(found.file, document.getText(), document.version);
  });
  documents.onDidClose(({ document }) => {
    const found = folderOf(document.uri);
    found?.folder.documentClosed(found.file);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) {
      const found = folderOf(uri);
      if (found && !documents.get(uri)) found.folder.fileChanged(found.file);
    }
  });
  connection.onDidChangeConfiguration(() => {
    for (const folder of folders.values()) folder.restart();
  });
  connection.onNotification(TRUST_GRANTED, () => {
    isTrusted = true;
    for (const folder of folders.values()) folder.trust();
  });
  connection.onExecuteCommand(({ command }) => {
    if (command === COMMAND_CHECK) for (const folder of folders.values()) folder.restart();
    return null;
  });

  connection.onCodeAction(({ textDocument, context }) => {
    const found = folderOf(textDocument.uri);
    const actions = found?.folder.codeActions(found.file, context.diagnostics) ?? [];
    // An editor that cannot resolve an action gets it whole.
    const canResolve =
      params?.capabilities.textDocument?.codeAction?.resolveSupport?.properties.includes('edit') ?? false;
    return canResolve ? actions : actions.map((action) => found?.folder.resolveCodeAction(action) ?? action);
  });
  connection.onCodeActionResolve((action: CodeAction) => {
    const [diagnostic] = action.diagnostics ?? [];
    const file = (action.data as { file?: unknown } | undefined)?.file;
    if (!diagnostic || typeof file !== 'string') return action;
    return folderOf(pathToUri(file))?.folder.resolveCodeAction(action) ?? action;
  });

  connection.onShutdown(() => {
    for (const folder of folders.values()) folder.dispose();
    folders.clear();
  });
  documents.listen(connection);
  connection.listen();
}
