import asyncHooks from 'node:async_hooks';
import type { FromSandbox, Sealed, ToSandbox } from './messages.ts';
import { fixSilently, refusal } from './refuse.ts';

interface Internals {
  readonly _send: (this: object, message: object, handle: undefined, options: object, callback?: Answer) => void;
  readonly reallyExit: (code: number) => never;
  readonly emit: (event: string, ...args: unknown[]) => boolean;
  readonly listenerCount: (event: string) => number;
}
type Answer = (error: Error | null) => void;

/** What packages that follow asynchronous work are given: it never calls them. */
const INERT_HOOK = { enable: () => INERT_HOOK, disable: () => INERT_HOOK };

/** Everything on `process` that leads to the channel (Node 20 to 24). */
const MEMBERS = ['send', '_send', '_disconnect', '_channel', '_handleQueue', '_pendingMessage'];

/**
 * Takes the channel to the server for our own use. `process.emit` is where Node hands over what came in, so it is
 * answered here and user code's listeners for `message` hear nothing. It is also where user code could hand over
 * messages of its own: those lack the key. Errors that user code leaves to the event loop are printed instead of ending
 * the process.
 */
export function openChannel(): {
  send: (message: FromSandbox) => void;
  onMessage: (listener: (message: ToSandbox) => void) => void;
} {
  const { _send, reallyExit, emit, listenerCount } = process as unknown as Internals;
  // `_send` asks its receiver only these things; the channel itself is in its closure.
  const sender = { connected: true, channel: {}, _handleQueue: null, emit: () => false };
  const send = (message: object, answer?: Answer): void =>
    void _send.call(sender, message, undefined, { swallowErrors: !answer }, answer);
  const printError = console.error;
  const waiting: ToSandbox[] = [];
  let listener = (message: ToSandbox): void => void waiting.push(message);
  let key: string | undefined;
  const hear = (sealed: Sealed | null | undefined): void => {
    if (key === undefined) key = sealed?.key;
    else if (sealed?.key === key && sealed.message) listener(sealed.message);
  };
  for (const sealed of earlyMessages()) hear(sealed);

  fixSilently(process, 'emit', (event: string, ...args: unknown[]): boolean => {
    if (event === 'message') {
      hear(args[0] as Sealed | null | undefined);
      return true;
    }
    if (event !== 'uncaughtException' && event !== 'unhandledRejection') return emit.call(process, event, ...args);
    printError(args[0]);
    return true;
  });
  // Node hands each message over in a tick, whose arguments hold the key.
  fixSilently(process, 'nextTick', process.nextTick);
  fixSilently(asyncHooks, 'createHook', () => INERT_HOOK);
  fixSilently(process, 'listenerCount', (event: string) =>
    event === 'message' ? 1 : listenerCount.call(process, event),
  );
  // Node calls it when the server is gone. User code may call it too, and then the channel still works.
  fixSilently(process, 'disconnect', () => send({ printed: '' }, (error) => error && reallyExit.call(process, 0)));
  // Keeps the process alive whatever user code does with its own handles.
  setInterval(() => {}, 2 ** 30);

  return {
    send,
    onMessage: (next) => {
      listener = next;
      for (const message of waiting.splice(0)) next(message);
    },
  };
}

/** Hides the channel from user code. */
export function closeChannel(): void {
  for (const name of MEMBERS) {
    const isFunction = typeof Object.getOwnPropertyDescriptor(process, name)?.value === 'function';
    if (isFunction && name.startsWith('_')) fixSilently(process, name, refusal(`process.${name}`));
    else fixSilently(process, name, undefined);
  }
  fixSilently(process, 'connected', false);
  // Node drops what comes in when there is no channel, and looks for early messages in it on every `process.on`.
  const pending = pendingKey();
  fixSilently(process, 'channel', pending ? { [pending]: [] } : {});
  const handle = symbolOf(process, 'kChannelHandle');
  if (handle) Reflect.deleteProperty(process, handle);
}

/** The file descriptor of the channel, where the system has such; it is 3 unless the server passes more streams. */
export function channelDescriptor(): number {
  const key = symbolOf(process, 'kChannelHandle');
  const handle = key && (process as unknown as Record<symbol, { readonly fd?: number } | undefined>)[key];
  return handle?.fd ?? 3;
}

/** What came in while this program was loaded. */
function earlyMessages(): Sealed[] {
  const key = pendingKey();
  const pending =
    key && (process.channel as unknown as Record<symbol, (readonly [event: string, message: Sealed])[]>)[key];
  return pending?.splice(0).map(([, message]) => message) ?? [];
}

function pendingKey(): symbol | undefined {
  return process.channel && symbolOf(process.channel, 'kPendingMessages');
}

/** Node's own symbols are told apart only by what they are called. */
function symbolOf(owner: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description);
}
