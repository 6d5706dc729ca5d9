import { Readable, Writable } from 'node:stream';
import { fixSilently } from './refuse.ts';

/** Characters reported at a time; a module that prints in a loop must not fill memory or the channel. */
const MOST = 20_000;

/**
 * Puts streams that report what is printed in place of `stdout` and `stderr`, and closes `stdin`. The real ones have a
 * handle, which can do more than print.
 *
 * @param report is called with the text, some time after it was printed
 * @returns prints a text in the same way
 */
export function capturePrinting(report: (text: string) => void): (text: string) => void {
  let text = '';
  let left = 0;
  const flush = (): void => {
    const printed = left > 0 ? `${text}… (${left} more characters were printed)\n` : text;
    text = '';
    left = 0;
    report(printed);
  };
  const later = setImmediate;
  const print = (chunk: string): void => {
    if (text === '' && left === 0) later(flush);
    const room = MOST - text.length;
    text += chunk.slice(0, room);
    left += Math.max(0, chunk.length - room);
  };
  for (const [fd, name] of [
    [1, 'stdout'],
    [2, 'stderr'],
  ] as const) {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        print(typeof chunk === 'string' ? chunk : chunk.toString('utf8'));
        done();
      },
    });
    fixSilently(process, name, Object.assign(stream, { fd, isTTY: false }));
  }
  fixSilently(process, 'stdin', Object.assign(Readable.from([]), { fd: 0, isTTY: false }));
  return print;
}
