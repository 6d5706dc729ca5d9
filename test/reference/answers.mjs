// How the references write down what they saw.
import { writeSync } from 'node:fs';

/** A value that a handler received, as JSON; a bigint as `5n`. */
export function plain(value) {
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return text === undefined ? null : JSON.parse(text);
}

/** The message of whatever was thrown or reported, on one line. */
export function message(error) {
  return String(error?.message ?? error)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Prints the answers for the test that started this process, and ends: an SDK may keep it alive. */
export function print(answers) {
  const bytes = Buffer.from(JSON.stringify(answers));
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  process.exit(0);
}
