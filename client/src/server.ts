import { existsSync } from 'node:fs';
import { type Extension, type LogOutputChannel, Uri, window, workspace } from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
} from 'vscode-languageclient/node';
import {
  COMMAND_CHECK,
  type InitializationOptions,
  STATUS,
  type StatusParams,
  TRUST_GRANTED,
} from '../../shared/src/protocol.ts';
import { DOCUMENTS } from './documents.ts';
import { answerConfiguration } from './settings.ts';

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
    await this.client?.sendRequest(ExecuteCommandRequest.type, { command: COMMAND_CHECK });
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error) => this.failed('The language server could not be reached', error));
    return this.queue;
  }

  private async startNow(): Promise<void> {
    const module = Uri.joinPath(this.extension.extensionUri, 'dist', 'server', 'server.cjs').fsPath;
    if (!existsSync(module)) {
      this.failed(`The language server is missing (${module}): install the extension anew, or build it`, undefined);
      return;
    }
    // A client that failed to start cannot start again, so each start has its own.
    this.client = this.createClient(module);
    try {
      await this.client.start();
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

  private createClient(module: string): LanguageClient {
    const server = { module, transport: TransportKind.ipc };
    const client = new LanguageClient(
      'toolContracts',
      'Tool Contracts',
      { run: server, debug: server },
      {
        documentSelector: [...DOCUMENTS],
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        diagnosticCollectionName: 'Tool Contracts',
        initializationOptions: (): InitializationOptions => ({ trusted: workspace.isTrusted }),
        // Said once by the status and here in the log; the client's own pop-up would be a second voice.
        initializationFailedHandler: () => false,
        errorHandler: {
          error: (_error, _message, count) => ({
            action: count !== undefined && count <= CRASHES ? ErrorAction.Continue : ErrorAction.Shutdown,
            handled: true,
          }),
          closed: () => this.crashed(),
        },
        middleware: {
          workspace: {
            configuration: async (params, token, next) => {
              const answers = await next(params, token);
              if (!Array.isArray(answers)) return answers;
              return answers.map((answer, index) => {
                const item = params.items[index];
                return (item && answerConfiguration(this.extension, item)) ?? answer;
              });
            },
          },
        },
      },
    );
    client.onNotification(STATUS, (params: StatusParams) => {
      if (this.client === client) this.onStatus(params);
    });
    return client;
  }

  private crashed(): CloseHandlerResult {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASHES_WITHIN_MS), now];
    if (this.crashes.length < CRASHES) {
      this.failed('The language server ended unexpectedly and is started again', undefined);
      return { action: CloseAction.Restart, handled: true };
    }
    const sentence = `The language server ended unexpectedly ${CRASHES} times in ${CRASHES_WITHIN_MS / 60_000} minutes, so findings are no longer updated`;
    this.failed(sentence, undefined);
    void window.showErrorMessage(`Tool Contracts: ${sentence}.`, 'Restart', 'Show Log').then((choice) => {
      if (choice === 'Restart') void this.restart();
      if (choice === 'Show Log') this.log.show();
    });
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  private failed(sentence: string, error: unknown): void {
    const why = error instanceof Error ? `: ${error.message}` : '';
    this.log.error(`${sentence}${why}.`);
    this.onStatus({ state: 'failed', tools: 0, problems: 0, message: `${sentence}${why}. See the log.` });
  }
}
