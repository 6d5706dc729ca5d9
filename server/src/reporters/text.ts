import { stripVTControlCharacters } from 'node:util';

/** Characters that terminals draw two columns wide: East Asian wide and full-width forms, and pictographs. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]/u;

/** A link (OSC 8). Node's own pattern for escape sequences ends at a comma in the address (Node 20). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const LINK = /\u001b\]8;;[^\u001b]*\u001b\\/g;

/** How many columns a text takes in a terminal, without its colours and links. */
export function columns(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text.replace(LINK, '')))
    width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Fills a text with spaces up to a number of columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/**
 * Breaks a text at its spaces so that no line is wider than `width`, where words allow. A word that is wider (a path, an
 * address) stays whole, so that it can be clicked and copied.
 *
 * @returns at least one line
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const size = columns(word);
    if (line !== '' && used + 1 + size > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line = line === '' ? word : `${line} ${word}`;
    used = columns(line);
  }
  lines.push(line);
  return lines;
}

/** `1 tool`, `2 tools`. */
export function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}
