import { expect, test } from 'vitest';
import { closest } from '../../../shared/src/closest.ts';

test('a mistyped word is recognised: added, dropped, changed and swapped letters', () => {
  const words = ['check', 'list', 'advertise'];
  expect(closest('chekc', words)).toBe('check');
  expect(closest('chck', words)).toBe('check');
  expect(closest('checkk', words)).toBe('check');
  expect(closest('LIST', words)).toBe('list');
  expect(closest('lits', words)).toBe('list');
  expect(closest('advertize', words)).toBe('advertise');
  expect(closest('dropped-catchal', ['default-in-union-variant', 'dropped-catchall'])).toBe('dropped-catchall');
});

test('the nearest one wins, and another word is no mistake', () => {
  expect(closest('cart', ['chart', 'card', 'cat'])).toBe('chart');
  expect(closest('carts', ['chart', 'cart'])).toBe('cart');
  expect(closest('serve', ['check', 'list', 'advertise'])).toBeUndefined();
  expect(closest('', ['a'])).toBe('a');
  expect(closest('x', [])).toBeUndefined();
});
