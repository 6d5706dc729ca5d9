import { expect, test } from 'vitest';
import { columns, count, pad, wrap } from '../../../server/src/reporters/text.ts';
import { plain } from '../../../shared/src/plain.ts';

test('columns are what a terminal draws', () => {
  expect(columns('abc')).toBe(3);
  expect(columns('\u001b[31mabc\u001b[39m')).toBe(3);
  expect(columns('\u001b]8;;file:///a#L1,2\u001b\\abc\u001b]8;;\u001b\\')).toBe(3);
  expect(columns('港の船')).toBe(6);
  expect(columns('🚢')).toBe(2);
  expect(columns('cafe\u0301')).toBe(4);
  expect(pad('港', 4)).toBe('港  ');
  expect(pad('\u001b[31mab\u001b[39m', 4)).toBe('\u001b[31mab\u001b[39m  ');
  expect(pad('abc', 2)).toBe('abc');
});

test('lines break at spaces; a longer word stays whole', () => {
  expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc']);
  expect(wrap('aa /a/very/long/path bb', 6)).toEqual(['aa', '/a/very/long/path', 'bb']);
  expect(wrap('港 の 船', 5)).toEqual(['港 の', '船']);
  expect(wrap('', 5)).toEqual(['']);
  expect(wrap('\u001b[31maa\u001b[39m bb', 5)).toEqual(['\u001b[31maa\u001b[39m bb']);
});

test('text of others cannot steer the terminal', () => {
  expect(plain('a\u001b[2J\r\nb\u0007\u009b31m \tc')).toBe('a b c');
});

test('numbers and words', () => {
  expect(count(1, 'tool')).toBe('1 tool');
  expect(count(0, 'tool')).toBe('0 tools');
  expect(count(1000, 'tool')).toBe('1,000 tools');
});
