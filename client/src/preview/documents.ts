import {
  type Disposable,
  EventEmitter,
  languages,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  workspace,
} from 'vscode';
import { PREVIEW_SCHEME, type PreviewsChangedParams } from '../../../shared/src/protocol.ts';
import type { Server } from '../server.ts';

/** JSON that may have comments: what is to be said about a schema stands before it. */
const LANGUAGE = 'jsonc';
const NO_SERVER = '// The language server is not running. Run "Tool Contracts: Restart", or see the log.\n';

/** The preview documents: read-only, their texts come from the server, which says when they change. */
export class PreviewDocuments implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered: Disposable[];
  /** Texts that the server has given unasked, until they are read. */
  private readonly given = new Map<string, string>();

  constructor(private readonly server: Server) {
    this.registered = [
      this.changed,
      workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, this),
      workspace.onDidOpenTextDocument((document) => this.opened(document)),
      workspace.onDidCloseTextDocument((document) => this.closed(document)),
    ];
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const key = uri.toString();
    const given = this.given.get(key);
    this.given.delete(key);
    if (given !== undefined) return given;
    const answer = await this.server.preview({ uri: key });
    return answer?.text ?? NO_SERVER;
  }

  /** Documents have another text. */
  refresh({ previews }: PreviewsChangedParams): void {
    for (const { uri: spelled, text } of previews) {
      const uri = Uri.parse(spelled);
      this.given.set(uri.toString(), text);
      this.changed.fire(uri);
    }
  }

  /** Reads all open documents again: another server answers. */
  refreshAll(): void {
    this.given.clear();
    for (const { uri } of this.open()) this.changed.fire(uri);
  }

  dispose(): void {
    for (const one of this.registered) one.dispose();
  }

  private open(): TextDocument[] {
    return workspace.textDocuments.filter(({ uri }) => uri.scheme === PREVIEW_SCHEME);
  }

  private opened(document: TextDocument): void {
    if (document.uri.scheme !== PREVIEW_SCHEME || document.languageId === LANGUAGE) return;
    void languages.setTextDocumentLanguage(document, LANGUAGE);
  }

  private closed({ uri, languageId }: TextDocument): void {
    // A document that gets its language is closed and opened for extensions, and stays open.
    if (uri.scheme !== PREVIEW_SCHEME || languageId !== LANGUAGE) return;
    this.given.delete(uri.toString());
    void this.server.previewClosed({ uri: uri.toString() });
  }
}
