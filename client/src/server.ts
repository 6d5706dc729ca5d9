import { existsSync } from 'node:fs';
import { type Extension, type LogOutputChannel, Uri, window } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  COMMAND_CHECK,
  PREVIEW,
  PREVIEW_CLOSED,
  type PreviewParams,
  type PreviewResult,
  type PreviewsChangedParams,
  type StatusParams,
  TOOLS,
  type ToolFilesParams,
  type ToolsParams,
  type ToolsResult,
  TRUST_GRANTED,
} from '../../shared/src/protocol.ts';

/** So many crashes within so many milliseconds end the attempts to start again. */
const CRASHES = 3;
const CRASHES_WITHIN_MS = 180_000;

/** What the server says of itself. */
export interface ServerListener {
  /** Called with all that the status item shows, also where there is no server to tell it. */
  onStatus(params: StatusParams): void;
  /** A server has started: what another one said no longer holds. */
  onStarted(): void;
  onPreviewsChanged(params: PreviewsChangedParams): void;
  onToolFiles(params: ToolFilesParams): void;
}

/** The life of the language server: it starts, is told of trust, ends, crashes and starts again. */
export class Server {
  private client: LanguageClient | undefined;
  private crashes: number[] = [];
  /** What is under way; the next thing starts when it is done. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly extension: Extension<unknown>,
    private readonly log: LogOutputChannel,
    private readonly listener: ServerListener,
  ) {}

  /** True while there is a server that answers. */
  get isRunning(): boolean {
    return this.client?.isRunning() ?? false;
  }

  /** Starts the server. What goes wrong becomes a status, never a rejection. */
  start(): Promise<void> {
    return this.next(() => this.startNow());
  }

  /** Ends the server, if there is one. */
  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }

  /** A new server, whatever the old one is doing. */
  restart(): Promise<void> {
    return this.next(async () => {
      this.crashes = [];
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Tells the server that the workspace is trusted from now on. */
  trust(): Promise<void> {
    return this.next(async () => {
      if (this.isRunning) await this.client?.sendNotification(TRUST_GRANTED);
    });
  }

  /** Has everything checked anew, in a fresh sandbox. Returns when the check has begun; the status tells of its end. */
  async check(): Promise<void> {
    await this.client?.sendRequest('workspace/executeCommand', { command: COMMAND_CHECK });
  }

  /** The text of a preview document. Undefined: there is no server that answers. */
  preview(params: PreviewParams): Promise<PreviewResult | undefined> {
    return this.request<PreviewResult>(PREVIEW, params);
  }

  /** The tools to choose from. Undefined: there is no server that answers. */
  tools(params: ToolsParams): Promise<ToolsResult | undefined> {
    return this.request<ToolsResult>(TOOLS, params);
  }

  /** Tells the server that a preview document was closed. */
  async previewClosed(params: PreviewParams): Promise<void> {
    if (this.isRunning) await this.client?.sendNotification(PREVIEW_CLOSED, params);
  }

  /** Waits for a server that is about to start. */
  private async request<Result>(method: string, params: object): Promise<Result | undefined> {
    await this.queue;
    return this.isRunning ? this.client?.sendRequest<Result>(method, params) : undefined;
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error) => this.failed('The language server could not be reached', error));
    return this.queue;
  }

  private async startNow(): Promise<void> {
    const module = Uri.joinPath(this.extension.extensionUri, 'dist', 'server', 'server.cjs').fsPath;
    if (!existsSync(module)) {
      this.failed(`The language server is missing (${module}): install the extension anew, or build it`);
      return;
    }
    // Loading the library takes longer than all the rest (40 ms), and nothing waits for it here.
    const { createClient } = await import('./client.ts');
    const client = createClient({
      module,
      extension: this.extension,
      log: this.log,
      onStatus: (params) => {
        if (this.client === client) this.listener.onStatus(params);
      },
      onPreviewsChanged: (params) => this.listener.onPreviewsChanged(params),
      onToolFiles: (params) => this.listener.onToolFiles(params),
      onCrash: () => this.crashed(),
    });
    this.client = client;
    try {
      await client.start();
      this.listener.onStarted();
    } catch (error) {
      this.failed('The language server did not start', error);
    }
  }

  private async stopNow(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    // A server that hangs is ended by the client two seconds later.
    await client?.dispose().catch((error) => this.log.warn(`The server did not answer when it was ended: ${error}`));
  }

  private crashed(): 'restart' | 'give up' {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASHES_WITHIN_MS), now];
    if (this.crashes.length < CRASHES) {
      this.failed('The language server ended unexpectedly and is started again');
      return 'restart';
    }
    const minutes = CRASHES_WITHIN_MS / 60_000;
    const sentence = `The language server ended unexpectedly ${CRASHES} times in ${minutes} minutes, so findings are no longer updated`;
    this.failed(sentence);
    void window.showErrorMessage(`Tool Contracts: ${sentence}.`, 'Restart', 'Show Log').then((choice) => {
      if (choice === 'Restart') void this.restart();
      if (choice === 'Show Log') this.log.show();
    });
    return 'give up';
  }

  private failed(sentence: string, error?: unknown): void {
    const message = error instanceof Error ? `${sentence}: ${error.message}.` : `${sentence}.`;
    this.listener.onStatus({ state: 'failed', tools: 0, problems: 0, message });
  }
}
