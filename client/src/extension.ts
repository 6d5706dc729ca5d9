import { commands, type Event, EventEmitter, type ExtensionContext, Uri, window, workspace } from 'vscode';
import type { StatusParams } from '../../shared/src/protocol.ts';
import { registerCommands } from './commands.ts';
import { registerPreviewCommands } from './preview/commands.ts';
import { PreviewDocuments } from './preview/documents.ts';
import { Server } from './server.ts';
import { StatusItem } from './statusItem.ts';

/** What other extensions and tests get from `activate`. */
export interface ToolContractsApi {
  /** What the status item shows; undefined until the server has said something. */
  readonly status: StatusParams | undefined;
  readonly onDidChangeStatus: Event<StatusParams>;
}

/** The context key that holds the paths of the files in which tools are defined, for `when` clauses of the manifest. */
const TOOL_FILES_CONTEXT = 'toolContracts.files';

let server: Server | undefined;

/** Wires the parts together. The server starts behind it: the editor does not wait for it. */
export function activate(context: ExtensionContext): ToolContractsApi {
  const log = window.createOutputChannel('Tool Contracts', { log: true });
  const statusItem = new StatusItem();
  const statusChanged = new EventEmitter<StatusParams>();
  let status: StatusParams | undefined;
  const running: Server = new Server(context.extension, log, {
    onStatus(params) {
      // The status item has room for a few words only; "Open Log" beside it shows them all.
      if (params.message !== undefined && params.message !== status?.message) {
        if (params.state === 'failed') log.error(params.message);
        else log.info(params.message);
      }
      status = params;
      statusItem.show(params);
      statusChanged.fire(params);
    },
    onStarted: () => previews.refreshAll(),
    onPreviewsChanged: (params) => previews.refresh(params),
    onToolFiles({ uris }) {
      const paths = uris.map((uri) => Uri.parse(uri).fsPath);
      void commands.executeCommand('setContext', TOOL_FILES_CONTEXT, paths);
    },
  });
  const previews = new PreviewDocuments(running);
  server = running;
  context.subscriptions.push(
    log,
    statusItem,
    statusChanged,
    previews,
    ...registerCommands(running, log),
    ...registerPreviewCommands(running),
    workspace.onDidGrantWorkspaceTrust(() => running.trust()),
  );
  void running.start();
  return {
    get status() {
      return status;
    },
    onDidChangeStatus: statusChanged.event,
  };
}

/** Ends the server before the editor goes on. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
