import { describe, expect, test } from 'vitest';
import { Positions } from '../../../server/src/features/positions.ts';

/** The text that a range of positions covers. */
function covered(text: string, { start, end }: ReturnType<Positions['range']>): string {
  const lines = text.split('\n');
  if (start.line === end.line) return lines[start.line]?.slice(start.character, end.character) ?? '';
  const middle = lines.slice(start.line + 1, end.line);
  return [lines[start.line]?.slice(start.character), ...middle, lines[end.line]?.slice(0, end.character)].join('\n');
}

describe('positions in a text that has moved on', () => {
  const checked = 'one\ntwo\nthree\nfour\n';
  test.each([
    ['the same text', checked],
    ['a line before', `zero\n${checked}`],
    ['a line behind', `${checked}five {\n`],
    ['an edit between', checked.replace('two', 'two {\nand a half')],
    ['a deletion between', checked.replace('two\n', '')],
    ['an edit that repeats what is there', checked.replace('two\n', 'two\ntwo\n')],
  ])('with %s, what has not changed is found again, both ways', (_, shown) => {
    const positions = new Positions(checked, shown);
    for (const word of ['one', 'three', 'four']) {
      const start = checked.indexOf(word);
      const range = positions.range({ start, end: start + word.length });
      expect(covered(shown, range)).toBe(word);
      expect(positions.offset(range.start)).toBe(start);
    }
  });

  test('inside what has changed there is a place within it, never beyond the text', () => {
    const positions = new Positions('a {xxxx} b', 'a {} b');
    expect(positions.range({ start: 5, end: 6 })).toEqual({
      start: { line: 0, character: 3 },
      end: { line: 0, character: 3 },
    });
    expect(new Positions('a {} b', 'a {xxxx} b').offset({ line: 0, character: 6 })).toBe(3);
    expect(new Positions('', 'abc').offset({ line: 9, character: 9 })).toBe(0);
    expect(new Positions('abc', '').range({ start: 1, end: 3 })).toEqual({
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
    });
  });
});
