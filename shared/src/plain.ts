import { stripVTControlCharacters } from 'node:util';

/** Makes a text safe for one line: what user code wrote must not move a terminal's cursor or change its colours. */
export function plain(text: string): string {
  return (
    stripVTControlCharacters(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
      .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}
