import {
  type CodeAction,
  CodeActionKind,
  CodeLensRefreshRequest,
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
  PREVIEW,
  PREVIEW_CLOSED,
  PREVIEWS_CHANGED,
  type PreviewParams,
  type PreviewResult,
  type PreviewsChangedParams,
  STATUS,
  type StatusParams,
  TOOL_FILES,
  TOOLS,
  type ToolFilesParams,
  type ToolsParams,
  type ToolsResult,
  TRUST_GRANTED,
} from '../../shared/src/protocol.ts';
import { parsePreviewUri } from './features/preview/address.ts';
import { combinedTools } from './features/preview/tools.ts';
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

  const toolFiles = new Map<string, readonly string[]>();
  const sendToolFiles = () => {
    const uris = [...toolFiles.values()].flat().map(uriOf);
    void connection.sendNotification(TOOL_FILES, { uris } satisfies ToolFilesParams);
  };

  const host: FolderHost = {
    publish: (file, diagnostics, version) => {
      void connection.sendDiagnostics({ uri: uriOf(file), diagnostics, ...(version !== undefined && { version }) });
    },
    status: (root, status) => {
      statuses.set(root, status);
      sendStatus();
    },
    previewsChanged: (previews) =>
      void connection.sendNotification(PREVIEWS_CHANGED, { previews } satisfies PreviewsChangedParams),
    changed: (root, { lenses, toolFiles: files }) => {
      if (lenses && params?.capabilities.workspace?.codeLens?.refreshSupport) {
        // An editor that is about to end answers no more.
        connection.sendRequest(CodeLensRefreshRequest.type).catch(() => {});
      }
      if (!files) return;
      toolFiles.set(root, files);
      sendToolFiles();
    },
    settings: async (root) => {
      if (!params?.capabilities.workspace?.configuration)
        return (params?.initializationOptions as { settings?: unknown } | null)?.settings;
      return connection.workspace
        .getConfiguration({ scopeUri: pathToUri(root), section: 'toolContracts' })
        .catch(() => undefined);
    },
    log: (line) => connection.console.log(line),
    get view() {
      const formats = params?.capabilities.textDocument?.hover?.contentFormat;
      const { commands } = optionsOf(params);
      return {
        commands: new Set(commands),
        hoverKind: formats?.includes('markdown') ? 'markdown' : 'plaintext',
      } as const;
    },
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
    isTrusted = optionsOf(initialize).trusted ?? true;
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix], resolveProvider: true },
        codeLensProvider: {},
        hoverProvider: true,
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
          toolFiles.delete(root);
          sendStatus();
          sendToolFiles();
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

  connection.onCodeLens(async ({ textDocument }) => {
    const found = folderOf(textDocument.uri);
    return (await found?.folder.ask((view) => view.codeLenses(found.file))) ?? [];
  });
  connection.onHover(async ({ textDocument, position }) => {
    const found = folderOf(textDocument.uri);
    return (await found?.folder.ask((view) => view.hover(found.file, position))) ?? null;
  });

  /** The folder that holds a file, or the file that a preview is of. */
  const folderOfPreview = (uri: string) => {
    const address = parsePreviewUri(uri);
    return address && folderOf(pathToUri(address.file));
  };
  connection.onRequest(PREVIEW, async ({ uri }: PreviewParams): Promise<PreviewResult> => {
    const text = await folderOfPreview(uri)?.folder.ask((view) => view.preview(uri));
    return { text: text ?? '// This is no tool of an open folder.\n' };
  });
  connection.onNotification(PREVIEW_CLOSED, ({ uri }: PreviewParams) => {
    void folderOfPreview(uri)?.folder.ask((view) => view.closePreview(uri));
  });
  connection.onRequest(TOOLS, async ({ uri, position }: ToolsParams): Promise<ToolsResult> => {
    const atHand = uri === undefined ? undefined : (folderOfPreview(uri) ?? folderOf(uri));
    const answers = [...folders.values()].map((folder) =>
      folder.ask((view) =>
        view.tools(atHand?.folder === folder ? { uri: uri ?? '', file: atHand.file, position } : undefined),
      ),
    );
    return combinedTools(await Promise.all(answers));
  });

  connection.onShutdown(() => {
    for (const folder of folders.values()) folder.dispose();
    folders.clear();
  });
  documents.listen(connection);
  connection.listen();
}

/** What a client says of itself beside its capabilities. What has another form is left out: it is optional. */
function optionsOf(params: InitializeParams | undefined): InitializationOptions {
  const given = params?.initializationOptions as InitializationOptions | null | undefined;
  const commands = Array.isArray(given?.commands) ? given.commands : [];
  return { ...(typeof given?.trusted === 'boolean' && { trusted: given.trusted }), commands };
}
