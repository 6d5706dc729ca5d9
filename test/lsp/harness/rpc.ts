import type { Readable, Writable } from 'node:stream';
import {
  ErrorCodes,
  type Message,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

/** The error a server answered a request with. */
export class ResponseError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, code: number, message: string, data: unknown) {
    super(`The server answered ${method} with error ${code}: ${message}`);
    this.code = code;
    this.data = data;
  }
}

/** One message of a conversation, in the order in which it was handed over or received. */
export interface JournalEntry {
  /** Position in the conversation: larger is later. */
  readonly at: number;
  readonly from: 'client' | 'server';
  /** Method of a request or notification, or `answer to METHOD`. */
  readonly what: string;
  /** The document it is about and its version, where it has one. */
  readonly about?: string;
}

export interface RpcHandlers {
  /** Answers a request of the server. What it throws becomes the error response. */
  request(method: string, params: unknown): unknown;
  /** Called once per notification, in the order of the wire, before anything later is looked at. */
  notification(method: string, params: unknown, at: number): void;
  /** Called after each message of the server was dealt with. */
  received(): void;
  /** What came over the wire is no message, or the stream broke. */
  broken(error: Error): void;
}

/** Thrown by a handler for a request that this client does not know, as a real client answers it. */
export class MethodNotFound extends Error {}

/** How a request ended. */
export type Answer = { readonly result: unknown } | { readonly error: Error };

interface Pending {
  readonly method: string;
  readonly settle: (answer: Answer) => void;
}

/**
 * JSON-RPC over two streams. Messages leave in the order of the calls and are dealt with one at a time in the order in
 * which they arrive: a response and the notification before it are never swapped.
 */
export class Rpc {
  readonly #writer: StreamMessageWriter;
  readonly #handlers: RpcHandlers;
  readonly #pending = new Map<number, Pending>();
  readonly #journal: JournalEntry[] = [];
  #at = 0;
  #nextId = 1;
  #failure: Error | undefined;

  constructor(input: Readable, output: Writable, handlers: RpcHandlers) {
    this.#handlers = handlers;
    this.#writer = new StreamMessageWriter(output);
    // A server that ends while something is being written: its exit tells the story, not the broken pipe.
    this.#writer.onError(() => {});
    const reader = new StreamMessageReader(input);
    reader.onError((error) => handlers.broken(error));
    reader.listen((message) => this.#receive(message));
  }

  /** Position of the last message that was sent or received. */
  get at(): number {
    return this.#at;
  }

  /** The last messages, oldest first; older ones are forgotten. */
  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }

  /**
   * Sends a request.
   *
   * @param settle called once: with the server's answer before anything after it is looked at, with ResponseError when
   *   that is an error, or with the reason given to `fail`
   * @returns its id, for a cancellation
   */
  request(method: string, params: unknown, settle: (answer: Answer) => void): number {
    const id = this.#nextId++;
    if (this.#failure) settle({ error: this.#failure });
    else {
      this.#pending.set(id, { method, settle });
      this.#send({ jsonrpc: '2.0', id, method, params } as RequestMessage, method, params);
    }
    return id;
  }

  /** Sends a notification. Dropped when the conversation has failed. */
  notify(method: string, params: unknown): void {
    if (!this.#failure) this.#send({ jsonrpc: '2.0', method, params } as NotificationMessage, method, params);
  }

  /** Ends the conversation: every request that waits, and every later one, ends with the error. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { settle } of this.#pending.values()) settle({ error });
    this.#pending.clear();
  }

  #send(message: Message, what: string, params: unknown): void {
    this.#note('client', what, params);
    this.#writer.write(message).catch(() => {});
  }

  #receive(message: Message): void {
    if ('method' in message) {
      const { method, params } = message as RequestMessage;
      const at = this.#note('server', method, params);
      if ('id' in message) void this.#answer(message as RequestMessage);
      else this.#handlers.notification(method, params, at);
    } else {
      const { id, result, error } = message as ResponseMessage;
      const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
      this.#note('server', `answer to ${pending?.method ?? `unknown request ${id}`}`, undefined);
      if (pending) {
        this.#pending.delete(id as number);
        pending.settle(
          error ? { error: new ResponseError(pending.method, error.code, error.message, error.data) } : { result },
        );
      }
    }
    this.#handlers.received();
  }

  async #answer({ id, method, params }: RequestMessage): Promise<void> {
    const response = { jsonrpc: '2.0', id } as ResponseMessage;
    try {
      response.result = ((await this.#handlers.request(method, params)) ?? null) as NonNullable<
        ResponseMessage['result']
      >;
    } catch (error) {
      const code = error instanceof MethodNotFound ? ErrorCodes.MethodNotFound : ErrorCodes.InternalError;
      response.error = { code, message: error instanceof Error ? error.message : String(error) };
    }
    this.#send(response, `answer to ${method}`, undefined);
  }

  #note(from: JournalEntry['from'], what: string, params: unknown): number {
    const at = ++this.#at;
    const about = subjectOf(params);
    this.#journal.push({ at, from, what, ...(about === undefined ? {} : { about }) });
    if (this.#journal.length > 400) this.#journal.splice(0, 200);
    return at;
  }
}

function subjectOf(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const subject = ('textDocument' in params ? params.textDocument : params) as { uri?: unknown; version?: unknown };
  if (typeof subject?.uri !== 'string') return undefined;
  return typeof subject.version === 'number' ? `${subject.uri} (version ${subject.version})` : subject.uri;
}
