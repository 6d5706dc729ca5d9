import { basename } from 'node:path';
import {
  type ClientCapabilities,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver-protocol/node';
import type { InitializationOptions } from '../../../shared/src/protocol.ts';
import { ClientAnswers, type Settings } from './answers.ts';
import { EDITOR_CAPABILITIES } from './capabilities.ts';
import { Documents } from './documents.ts';
import { uriOf } from './edits.ts';
import { type Memory, memoryOf } from './memory.ts';
import { type Answer, ResponseError, Rpc } from './rpc.ts';
import { BUILT_SERVER, describeExit, type Exit, ServerProcess } from './serverProcess.ts';
import { Waits } from './waits.ts';

export interface ClientOptions {
  /** Folder or folders that the editor has open. */
  readonly root: string | readonly string[];
  /** Program and arguments; the built server when left out. */
  readonly command?: readonly [string, ...string[]];
  readonly environment?: NodeJS.ProcessEnv;
  /** Replaces what VS Code says it can do. */
  readonly capabilities?: ClientCapabilities;
  /** The user's settings: sections by name (`{ toolContracts: { … } }`), null to answer null to everything. */
  readonly settings?: Settings;
  readonly initializationOptions?: InitializationOptions;
  /** After how many milliseconds a wait is given up, 30,000 when left out. */
  readonly deadlineMs?: number;
}

/** What a wait for a message asks for. */
export interface Wanted<T> {
  /** Only what was received after this position of the conversation (`client.at`). */
  readonly after?: number;
  readonly where?: (received: T) => boolean;
  readonly deadlineMs?: number;
}

interface Notification {
  readonly at: number;
  readonly params: unknown;
}

/** How many notifications of a kind are remembered. */
const REMEMBERED = 100;

/** A server's process from spawn to exit, and every message that goes between it and its client. */
export class Conversation {
  readonly process: ServerProcess;
  readonly documents: Documents;
  readonly answers: ClientAnswers;
  readonly capabilities: ClientCapabilities;
  /** What the server answered to `initialize`. */
  initialized: InitializeResult | undefined;
  readonly #options: ClientOptions;
  readonly #folders: readonly { readonly uri: string; readonly name: string }[];
  readonly #rpc: Rpc;
  readonly #waits = new Waits(() => this.story());
  readonly #notifications = new Map<string, Notification[]>();

  /** Spawns the server and says nothing to it yet. */
  constructor(options: ClientOptions) {
    const roots = typeof options.root === 'string' ? [options.root] : options.root;
    this.#options = options;
    this.#folders = roots.map((root) => ({ uri: uriOf(root), name: basename(root) }));
    this.capabilities = options.capabilities ?? EDITOR_CAPABILITIES;
    this.process = new ServerProcess(options.command ?? BUILT_SERVER, roots[0] ?? '.', options.environment);
    this.documents = new Documents((method, params) => this.notify(method, params));
    const settings = options.settings === undefined ? {} : options.settings;
    this.answers = new ClientAnswers(settings, this.capabilities, this.#folders, (edit) => this.documents.apply(edit));
    this.#rpc = new Rpc(this.process.stdout, this.process.stdin, {
      request: (method, params) => this.answers.request(method, params),
      notification: (method, params, at) => this.notified(method, params, at),
      received: () => this.#waits.check(),
      broken: (error) => this.#fail(new Error(`What the server wrote is no message: ${error.message}.`)),
    });
    void this.process.exited.then((exit) => this.#fail(new Error(`The server ${describeExit(exit)}.`)));
  }

  /** Position in the conversation now: everything received later is after it. */
  get at(): number {
    return this.#rpc.at;
  }

  /** Sends `initialize`, and `initialized` when it was answered. */
  async initialize(): Promise<InitializeResult> {
    const params: InitializeParams = {
      processId: process.pid,
      clientInfo: { name: 'test harness' },
      rootUri: this.#folders[0]?.uri ?? null,
      workspaceFolders: this.capabilities.workspace?.workspaceFolders ? [...this.#folders] : null,
      capabilities: this.capabilities,
      initializationOptions: this.#options.initializationOptions,
    };
    const result = (await this.request('initialize', params)) as InitializeResult;
    const sync = result.capabilities.textDocumentSync;
    this.documents.sync = (typeof sync === 'object' ? sync.change : sync) ?? TextDocumentSyncKind.None;
    this.initialized = result;
    this.notify('initialized', {});
    return result;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws ResponseError when the server answers an error, or an error with the story when it does not answer
   */
  async request(method: string, params: unknown, deadlineMs?: number): Promise<unknown> {
    let answer: Answer | undefined;
    this.#rpc.request(method, params, (settled) => {
      answer = settled;
    });
    const { result } = await this.until(
      `the answer to ${method}`,
      () => {
        if (!answer || 'result' in answer) return answer;
        // Any other error is the end of the conversation, which the wait tells with the story.
        if (answer.error instanceof ResponseError) throw answer.error;
        return undefined;
      },
      deadlineMs,
    );
    return result;
  }

  notify(method: string, params: unknown): void {
    this.#rpc.notify(method, params);
  }

  /**
   * Waits until `probe`, asked now and after every message, returns something.
   *
   * @param what completes "Waited 30 s for …"
   * @throws with the story when the deadline passes or the server ends
   */
  until<T>(what: string, probe: () => T | undefined, deadlineMs?: number): Promise<T> {
    return this.#waits.until(what, deadlineMs ?? this.#options.deadlineMs ?? 30_000, probe);
  }

  /** A notification of a method, the latest that fits; at once when it was received. */
  async notification<T>(method: string, { after = 0, where, deadlineMs }: Wanted<T> = {}): Promise<T> {
    const fits = (one: Notification) => one.at > after && (!where || where(one.params as T));
    const found = await this.until(method, () => this.#notifications.get(method)?.findLast(fits), deadlineMs);
    return found.params as T;
  }

  /** Resident memory of the server and the processes below it. */
  memory(): Memory | undefined {
    return this.process.pid === undefined ? undefined : memoryOf(this.process.pid);
  }

  /**
   * Ends the server as the protocol says: `shutdown`, `exit`, and waits until the process is gone.
   *
   * @throws when it does not answer or does not go; it is killed then
   */
  async shutdown(deadlineMs = 10_000): Promise<Exit> {
    try {
      await this.request('shutdown', undefined, deadlineMs);
      this.notify('exit', undefined);
      return await this.exited(deadlineMs);
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** Waits for the end of the process. */
  exited(deadlineMs?: number): Promise<Exit> {
    return this.until('the end of the server', () => this.process.exit, deadlineMs);
  }

  /** Ends the process without a word. For the end of a test that may have failed; does nothing when it has ended. */
  async kill(): Promise<void> {
    this.process.kill();
    await this.process.exited;
  }

  /** What happened so far, for the message of a failed wait. */
  story(): string {
    const lines = ['The last messages:'];
    for (const { from, what, about } of this.#rpc.journal.slice(-30)) {
      lines.push(`${from === 'client' ? '→' : '←'} ${what}${about ? ` ${about}` : ''}`);
    }
    const log = this.answers.log.slice(-30).map(({ message }) => message);
    if (log.length > 0) lines.push("The server's log:", ...log);
    if (this.process.stderr) lines.push("The server's standard error:", this.process.stderr.trimEnd());
    return lines.join('\n  ');
  }

  /** Takes note of a notification, before anything after it is looked at. */
  protected notified(method: string, params: unknown, at: number): void {
    this.answers.notification(method, params);
    remember(this.#notifications, method, { at, params });
  }

  #fail(error: Error): void {
    this.#rpc.fail(error);
    this.#waits.fail(error);
  }
}

/** Adds a value to a key's list, which keeps the latest hundred. */
export function remember<T>(memory: Map<string, T[]>, key: string, value: T): void {
  const values = memory.get(key) ?? [];
  values.push(value);
  if (values.length > REMEMBERED) values.shift();
  memory.set(key, values);
}
