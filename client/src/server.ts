import { existsSync } from 'node:fs';
import { type Extension, type LogOutputChannel, Uri, window } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { COMMAND_CHECK, type StatusParams, TRUST_GRANTED } from '../../shared/src/protocol.ts';

/** So many crashes within so many milliseconds end the attempts to start again. */
const CRASHES = 3;
const CRASHES_WITHIN_MS = 180_000;

/** The life of the language server: it starts, is told of trust, ends, crashes and starts again. */
export class Server {
  private client: LanguageClient | undefined;
  private crashes: number[] = [];
  /** What is under way; the next thing starts when it is done. */
  private queue: Promise<void> = Promise.resolve();

  /**
   * @param onStatus called with all that the status item shows, also where there is no server to tell it
   */
  constructor(
    private readonly extension: Extension<unknown>,
    private readonly log: LogOutputChannel,
    private readonly onStatus: (params: StatusParams) => void,
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
        if (this.client === client) this.onStatus(params);
      },
      onCrash: () => this.crashed(),
    });
    this.client = client;
    try {
      await client.start();
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
    this.onStatus({ state: 'failed', tools: 0, problems: 0, message });
  }
}
