import { type Extension, type LogOutputChannel, workspace } from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
} from 'vscode-languageclient/node';
import {
  type InitializationOptions,
  PREVIEWS_CHANGED,
  type PreviewsChangedParams,
  STATUS,
  type StatusParams,
  TOOL_FILES,
  type ToolFilesParams,
} from '../../shared/src/protocol.ts';
import { COMMANDS } from './commandNames.ts';
import { DOCUMENTS } from './documents.ts';
import { answerConfiguration } from './settings.ts';

/** What a client needs of the rest of the extension. */
export interface ClientOptions {
  /** Main module of the server. */
  readonly module: string;
  readonly extension: Extension<unknown>;
  readonly log: LogOutputChannel;
  readonly onStatus: (params: StatusParams) => void;
  readonly onPreviewsChanged: (params: PreviewsChangedParams) => void;
  readonly onToolFiles: (params: ToolFilesParams) => void;
  /** Called when the server's process has ended unasked; says whether to start it again. */
  readonly onCrash: () => 'restart' | 'give up';
}

/** So many errors of one connection in a row end it. */
const ERRORS = 3;

/** A language client for the server, not yet started. One that failed to start cannot start again. */
export function createClient(options: ClientOptions): LanguageClient {
  const server = { module: options.module, transport: TransportKind.ipc };
  const client = new LanguageClient(
    'toolContracts',
    'Tool Contracts',
    { run: server, debug: server },
    {
      documentSelector: [...DOCUMENTS],
      outputChannel: options.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticCollectionName: 'Tool Contracts',
      initializationOptions: (): InitializationOptions => ({
        trusted: workspace.isTrusted,
        commands: Object.values(COMMANDS),
      }),
      // What goes wrong is said once, by the status and in the log; the library's own pop-ups would be a second voice.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (_error, _message, count) => ({
          action: count !== undefined && count <= ERRORS ? ErrorAction.Continue : ErrorAction.Shutdown,
          handled: true,
        }),
        closed: (): CloseHandlerResult => ({
          action: options.onCrash() === 'restart' ? CloseAction.Restart : CloseAction.DoNotRestart,
          handled: true,
        }),
      },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) return answers;
            return answers.map((answer, index) => {
              const item = params.items[index];
              return (item && answerConfiguration(options.extension, item)) ?? answer;
            });
          },
        },
      },
    },
  );
  client.onNotification(STATUS, options.onStatus);
  client.onNotification(PREVIEWS_CHANGED, options.onPreviewsChanged);
  client.onNotification(TOOL_FILES, options.onToolFiles);
  return client;
}
