import { basename } from 'node:path';
import {
  type CodeAction,
  type CodeActionContext,
  type CodeLens,
  type Command,
  type Diagnostic,
  FileChangeType,
  type Hover,
  type Position,
  type PublishDiagnosticsParams,
  type Range,
} from 'vscode-languageserver-protocol/node';
import {
  PREVIEW,
  PREVIEWS_CHANGED,
  type PreviewResult,
  type PreviewsChangedParams,
  STATUS,
  type StatusParams,
  TOOLS,
  type ToolsParams,
  type ToolsResult,
} from '../../../shared/src/protocol.ts';
import type { Settings } from './answers.ts';
import { type ClientOptions, Conversation, remember, type Wanted } from './conversation.ts';
import { uriKey, uriOf } from './edits.ts';

/** One `textDocument/publishDiagnostics`. */
export interface Publication {
  /** Position in the conversation, to compare with `client.at`. */
  readonly at: number;
  /** When it was received, by `performance.now()`. */
  readonly receivedAt: number;
  readonly uri: string;
  readonly version: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A publication of one version of a document, or of any. */
export type WantedPublication = Wanted<Publication> & { readonly version?: number };

/** An editor that talks to a language server in its own process, as far as the protocol shows it. */
export class LanguageClient extends Conversation {
  readonly #published = new Map<string, Publication[]>();

  /** The diagnostics of a file, as soon as they are published; at once when they were. */
  async diagnosticsOf(file: string, wanted: WantedPublication = {}): Promise<readonly Diagnostic[]> {
    return (await this.publicationOf(file, wanted)).diagnostics;
  }

  /** As `diagnosticsOf`, with when they came and for which version. The latest that fits counts. */
  publicationOf(file: string, { version, after = 0, where, deadlineMs }: WantedPublication = {}): Promise<Publication> {
    const what = `diagnostics of ${basename(file)}${version === undefined ? '' : ` at version ${version}`}`;
    const fits = (one: Publication) =>
      one.at > after && (version === undefined || one.version === version) && (!where || where(one));
    return this.until(what, () => this.publications(file).findLast(fits), deadlineMs);
  }

  /** The last hundred publications of a file, oldest first. */
  publications(file: string): readonly Publication[] {
    return this.#published.get(uriKey(uriOf(file))) ?? [];
  }

  /** The latest diagnostics of every file that has any, by absolute path. */
  problems(): Map<string, readonly Diagnostic[]> {
    const problems = new Map<string, readonly Diagnostic[]>();
    for (const [file, publications] of this.#published) {
      const diagnostics = publications.at(-1)?.diagnostics ?? [];
      if (diagnostics.length > 0) problems.set(file, diagnostics);
    }
    return problems;
  }

  /** The server's status, as the status item shows it. */
  status(wanted: Wanted<StatusParams> = {}): Promise<StatusParams> {
    return this.notification<StatusParams>(STATUS, wanted);
  }

  /** Waits until the server says that it is ready; with `after`, that it is ready again. */
  ready(wanted: Omit<Wanted<StatusParams>, 'where'> = {}): Promise<StatusParams> {
    return this.status({ ...wanted, where: ({ state }) => state === 'ready' });
  }

  /** Changes the user's settings and tells the server so; they are part of the message for clients it cannot ask. */
  configure(settings: Settings): void {
    this.answers.settings = settings;
    const told = this.capabilities.workspace?.configuration || typeof settings === 'function' ? null : settings;
    this.notify('workspace/didChangeConfiguration', { settings: told });
  }

  /** Tells the server what the file system's watcher saw. */
  watched(...events: readonly { readonly file: string; readonly type: 'created' | 'changed' | 'deleted' }[]): void {
    const types = { created: FileChangeType.Created, changed: FileChangeType.Changed, deleted: FileChangeType.Deleted };
    this.notify('workspace/didChangeWatchedFiles', {
      changes: events.map(({ file, type }) => ({ uri: uriOf(file), type: types[type] })),
    });
  }

  /** Code actions at a range, asked with the published diagnostics that touch it, as an editor does. */
  async codeActions(file: string, at: Range, only?: string[]): Promise<CodeAction[]> {
    const diagnostics = (this.publications(file).at(-1)?.diagnostics ?? []).filter((one) => touches(one.range, at));
    const context: CodeActionContext = { diagnostics, ...(only ? { only } : {}) };
    const params = { textDocument: { uri: uriOf(file) }, range: at, context };
    const answer = ((await this.request('textDocument/codeAction', params)) ?? []) as (CodeAction | Command)[];
    return answer.map((action) =>
      typeof action.command === 'string' ? { title: action.title, command: action as Command } : (action as CodeAction),
    );
  }

  /** Lets the server complete a code action that has no edit yet. */
  async resolve(action: CodeAction): Promise<CodeAction> {
    const provider = this.initialized?.capabilities.codeActionProvider;
    const resolves = typeof provider === 'object' && provider.resolveProvider === true;
    if (action.edit || !resolves) return action;
    return (await this.request('codeAction/resolve', action)) as CodeAction;
  }

  /** The texts that a code action's edit would leave, by absolute path. Changes nothing. */
  async textsAfter(action: CodeAction): Promise<Map<string, string>> {
    const { edit, title } = await this.resolve(action);
    if (!edit) throw new Error(`The code action "${title}" has no edit.`);
    return this.documents.textsAfter(edit);
  }

  /**
   * Carries out a code action in the open documents, its edit first and then its command.
   *
   * @returns the texts of the files that its edit changed, by absolute path
   */
  async apply(action: CodeAction): Promise<Map<string, string>> {
    const { edit, command } = await this.resolve(action);
    const changed = edit ? this.documents.apply(edit) : [];
    if (command) await this.execute(command.command, command.arguments);
    return new Map(changed.map(({ file, text }) => [file, text]));
  }

  /** What the editor shows above the lines of a file. */
  async codeLenses(file: string): Promise<CodeLens[]> {
    return (await this.request('textDocument/codeLens', { textDocument: { uri: uriOf(file) } })) as CodeLens[];
  }

  /** The hover at a position, or null. */
  async hover(file: string, position: Position): Promise<Hover | null> {
    return (await this.request('textDocument/hover', { textDocument: { uri: uriOf(file) }, position })) as Hover | null;
  }

  /** The text of a preview document. */
  async preview(uri: string): Promise<string> {
    return ((await this.request(PREVIEW, { uri })) as PreviewResult).text;
  }

  /** The tools to choose from at a document. */
  async tools(params: ToolsParams = {}): Promise<ToolsResult> {
    return (await this.request(TOOLS, params)) as ToolsResult;
  }

  /** Waits until a preview document is said to have another text, which is returned. */
  async previewChanged(uri: string, after: number, deadlineMs?: number): Promise<string> {
    const { previews } = await this.notification<PreviewsChangedParams>(PREVIEWS_CHANGED, {
      after,
      where: (params) => params.previews.some((one) => one.uri === uri),
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
    return previews.find((one) => one.uri === uri)?.text ?? '';
  }

  execute(command: string, args: unknown[] = []): Promise<unknown> {
    return this.request('workspace/executeCommand', { command, arguments: args });
  }

  override story(): string {
    const published = [...this.#published].slice(-10).map(([file, publications]) => {
      const last = publications.at(-1);
      return `\n  Published: ${file}, version ${last?.version}, ${last?.diagnostics.length} diagnostics`;
    });
    return super.story() + published.join('');
  }

  protected override notified(method: string, params: unknown, at: number): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, version, diagnostics } = params as PublishDiagnosticsParams;
      remember(this.#published, uriKey(uri), { at, receivedAt: performance.now(), uri, version, diagnostics });
    } else super.notified(method, params, at);
  }
}

/** Spawns a server and initializes it. The caller ends it with `shutdown` or `kill`. */
export async function startServer(options: ClientOptions): Promise<LanguageClient> {
  const client = new LanguageClient(options);
  try {
    await client.initialize();
    return client;
  } catch (error) {
    await client.kill();
    throw error;
  }
}

function touches(one: Range, other: Range): boolean {
  const before = (a: Range['start'], b: Range['start']) =>
    a.line < b.line || (a.line === b.line && a.character < b.character);
  return !before(one.end, other.start) && !before(other.end, one.start);
}
