import { existsSync, readFileSync } from 'node:fs';
import {
  type TextDocumentContentChangeEvent,
  TextDocumentSyncKind,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { applyEdits, changeBetween, editsByDocument, uriKey, uriOf } from './edits.ts';
import { range } from './position.ts';

const LANGUAGES: { readonly [extension: string]: string } = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  json: 'json',
};

/** A document that is open in the editor. */
export interface OpenDocument {
  readonly file: string;
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

/** What is on disk; of a file that an edit makes, nothing. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The editor's open documents. Every change of one is told to the server at once and in order. */
export class Documents {
  readonly #open = new Map<string, OpenDocument>();
  readonly #notify: (method: string, params: unknown) => void;
  /** How the server wants to hear of changes. */
  sync: TextDocumentSyncKind = TextDocumentSyncKind.Incremental;

  constructor(notify: (method: string, params: unknown) => void) {
    this.#notify = notify;
  }

  /** The open document of a file, as it is now. */
  get(file: string): OpenDocument | undefined {
    return this.#open.get(uriKey(uriOf(file)));
  }

  /**
   * Opens a file with the text that is on disk, or with another.
   *
   * @throws when it is open already, which no editor does
   */
  open(file: string, text: string = readFileSync(file, 'utf8')): OpenDocument {
    const uri = uriOf(file);
    if (this.#open.has(uriKey(uri))) throw new Error(`${file} is open already.`);
    const document = this.#keep({ file, uri, version: 1, text });
    const languageId = LANGUAGES[file.slice(file.lastIndexOf('.') + 1)] ?? 'plaintext';
    this.#notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return document;
  }

  /**
   * Types: the document has a new text and the next version.
   *
   * @param next the whole new text, or a function of the old one
   */
  change(file: string, next: string | ((text: string) => string)): OpenDocument {
    const before = this.#opened(file);
    const text = typeof next === 'string' ? next : next(before.text);
    const document = this.#keep({ ...before, version: before.version + 1, text });
    const change: TextDocumentContentChangeEvent =
      this.sync === TextDocumentSyncKind.Incremental ? changeBetween(before.text, text) : { text };
    this.#notify('textDocument/didChange', {
      textDocument: { uri: document.uri, version: document.version },
      contentChanges: [change],
    });
    return document;
  }

  /** Replaces a needle that is in the document exactly once. */
  replace(file: string, needle: string, replacement: string): OpenDocument {
    return this.change(file, (text) => applyEdits(text, [{ range: range(text, needle), newText: replacement }]));
  }

  /** Tells the server that the document was saved. Writing it to disk is the caller's. */
  save(file: string): void {
    const { uri, text } = this.#opened(file);
    this.#notify('textDocument/didSave', { textDocument: { uri }, text });
  }

  close(file: string): void {
    const { uri } = this.#opened(file);
    this.#open.delete(uriKey(uri));
    this.#notify('textDocument/didClose', { textDocument: { uri } });
  }

  /**
   * Applies a workspace edit as an editor does: documents that are not open are opened first.
   *
   * @returns the changed documents, in the edit's order
   * @throws when the edit was made for another version of a document, or its edits overlap
   */
  apply(edit: WorkspaceEdit): OpenDocument[] {
    const texts = this.textsAfter(edit);
    return [...texts].map(([file, text]) => {
      if (!this.get(file)) this.open(file, textOf(file));
      return this.change(file, text);
    });
  }

  /** What the files' texts would be after a workspace edit, by absolute path. Throws as `apply` does. */
  textsAfter(edit: WorkspaceEdit): Map<string, string> {
    const texts = new Map<string, string>();
    for (const { uri, version, edits } of editsByDocument(edit)) {
      const file = uriKey(uri);
      const open = this.#open.get(file);
      if (version !== null && open && version !== open.version) {
        throw new Error(`The edit is for version ${version} of ${file}, which is at version ${open.version}.`);
      }
      texts.set(file, applyEdits(texts.get(file) ?? open?.text ?? textOf(file), edits));
    }
    return texts;
  }

  #keep(document: OpenDocument): OpenDocument {
    this.#open.set(uriKey(document.uri), document);
    return document;
  }

  #opened(file: string): OpenDocument {
    const document = this.get(file);
    if (!document) throw new Error(`${file} is not open.`);
    return document;
  }
}
