import fs from 'node:fs';
import { fix, refusal } from './refuse.ts';

type Callback = (error: unknown, ...results: readonly unknown[]) => void;
type Operation = (...args: unknown[]) => unknown;

/**
 * Keeps user code from the file descriptors that are not its own. Writing to 1 and 2, as loggers do, prints; no other
 * descriptor can be written to, since no file can. The channel's, whose number is easily guessed, cannot be read or
 * closed either.
 */
export function guardDescriptors(channel: number, print: (text: string) => void): void {
  const write = (fd: unknown, data: unknown): number => {
    if (fd !== 1 && fd !== 2) refusal('writing to a file descriptor')();
    const text = textOf(data);
    print(text);
    return Buffer.byteLength(text);
  };
  for (const name of ['write', 'writev'] as const) {
    fix(fs, `${name}Sync`, write);
    fix(fs, name, (...args: unknown[]) => later(args, () => [write(args[0], args[1]), args[1]]));
  }
  const own = new Set([0, 1, 2, channel]);
  guard(['writeFileSync', 'appendFileSync', 'writeFile', 'appendFile'], 'writing to a file descriptor', () => true);
  guard(['readSync', 'readvSync', 'readFileSync', 'read', 'readv', 'readFile'], 'reading this file descriptor', (fd) =>
    own.has(fd),
  );
  guard(['closeSync', 'close'], 'closing this file descriptor', (fd) => own.has(fd));
}

/** Refuses an operation on some descriptors; on files by name it stays what it was. */
function guard(names: readonly (keyof typeof fs)[], what: string, isRefused: (fd: number) => boolean): void {
  for (const name of names) {
    const original = fs[name] as Operation;
    fix(fs, name, (...args: unknown[]) => {
      if (typeof args[0] !== 'number' || !isRefused(args[0])) return original.apply(fs, args);
      return name.endsWith('Sync') ? refusal(what)() : later(args, refusal(what));
    });
  }
}

/** Answers through the callback that an asynchronous operation was given last. */
function later(args: readonly unknown[], operation: () => readonly unknown[]): void {
  const callback = args.at(-1) as Callback;
  let answer: Parameters<Callback>;
  try {
    answer = [null, ...operation()];
  } catch (error) {
    answer = [error];
  }
  process.nextTick(callback, ...answer);
}

function textOf(data: unknown): string {
  if (Array.isArray(data)) return data.map(textOf).join('');
  if (!ArrayBuffer.isView(data)) return String(data);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}
