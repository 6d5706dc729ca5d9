import { type Event, EventEmitter, type ExtensionContext, window, workspace } from 'vscode';
import type { StatusParams } from '../../shared/src/protocol.ts';
import { registerCommands } from './commands.ts';
import { Server } from './server.ts';
import { StatusItem } from './statusItem.ts';

/** What other extensions and tests get from `activate`. */
export interface ToolContractsApi {
  /** What the status item shows; undefined until the server has said something. */
  readonly status: StatusParams | undefined;
  readonly onDidChangeStatus: Event<StatusParams>;
}

let server: Server | undefined;

/** Wires the parts together. The server starts behind it: the editor does not wait for it. */
export function activate(context: ExtensionContext): ToolContractsApi {
  const log = window.createOutputChannel('Tool Contracts', { log: true });
  const statusItem = new StatusItem();
  const statusChanged = new EventEmitter<StatusParams>();
  let status: StatusParams | undefined;
  const running = new Server(context.extension, log, (params) => {
    // The status item has room for a few words only; "Open Log" beside it shows them all.
    if (params.message !== undefined && params.message !== status?.message) {
      if (params.state === 'failed') log.error(params.message);
      else log.info(params.message);
    }
    status = params;
    statusItem.show(params);
    statusChanged.fire(params);
  });
  server = running;
  context.subscriptions.push(
    log,
    statusItem,
    statusChanged,
    ...registerCommands(running, log),
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
