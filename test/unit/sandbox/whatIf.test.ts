import { expect, describe as group, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { z as alone3 } from 'zod-3';
import { z as z41 } from 'zod-4-1';
import { z as z44 } from 'zod-4-4';
import { parseNow } from '../../../server/src/evaluation/sandbox/parse.ts';
import { applyWhatIf } from '../../../server/src/evaluation/sandbox/whatIf.ts';

const ZODS = { '4.6': z, '4.4': z44, '4.1': z41, '3 in 4.6': z3, '3.25': alone3 } as unknown as Record<
  string,
  typeof z3
>;

const change = (union: object, option: number, field: string, others: object[] = []): object =>
  applyWhatIf([union, ...others], { union: 0, option, field, change: 'optional' });

group.each(Object.entries(ZODS))('zod %s', (_, zod) => {
  test('the default is gone from the copy and stays in the original', () => {
    const union = zod.union([
      zod.object({ a: zod.number(), page: zod.number().default(1) }).strict(),
      zod.object({ b: zod.string() }),
    ]);
    const changed = change(union, 0, 'page');
    expect(parseNow(changed, { a: 1 })).toEqual({ accepts: true, value: { a: 1 } });
    expect(parseNow(changed, { a: 1, page: 2 })).toEqual({ accepts: true, value: { a: 1, page: 2 } });
    expect(parseNow(changed, { a: 1, page: 'x' }).accepts).toBe(false);
    expect(parseNow(changed, { b: 'x' })).toEqual({ accepts: true, value: { b: 'x' } });
    // The key policy of the option is kept.
    expect(parseNow(changed, { a: 1, c: 2 }).accepts).toBe(false);
    expect(parseNow(union, { a: 1 })).toEqual({ accepts: true, value: { a: 1, page: 1 } });
  });

  test('a catch too, below other wrappers and within wrappers of the option', () => {
    const union = zod.union([
      zod
        .object({ n: zod.number().catch(7).nullable() })
        .refine(() => true)
        .readonly(),
      zod.null(),
    ]);
    expect(parseNow(union, { n: 'x' })).toEqual({ accepts: true, value: { n: 7 } });
    const changed = change(union, 0, 'n');
    expect(parseNow(changed, { n: 'x' }).accepts).toBe(false);
    expect(parseNow(changed, { n: null })).toEqual({ accepts: true, value: { n: null } });
  });

  test('an option that is branded', () => {
    const union = zod.union([zod.object({ n: zod.number().default(7) }).brand('N'), zod.null()]);
    expect(parseNow(change(union, 0, 'n'), {})).toEqual({ accepts: true, value: {} });
  });

  test('an option that is lazy, or transformed', () => {
    const lazy = zod.lazy(() => zod.object({ n: zod.number().default(7) }));
    const transformed = zod.object({ s: zod.string().default('x') }).transform((value) => [value.s ?? null]);
    const union = zod.union([lazy, transformed]);
    expect(parseNow(change(union, 0, 'n'), {})).toEqual({ accepts: true, value: {} });
    const other = zod.union([transformed, zod.number()]);
    expect(parseNow(other, {})).toEqual({ accepts: true, value: ['x'] });
    expect(parseNow(change(other, 0, 's'), {})).toEqual({ accepts: true, value: [null] });
  });

  test('what is not there is said to be so', () => {
    const union = zod.union([zod.object({ a: zod.string() }), zod.string()]);
    expect(() => change(union, 0, 'b')).toThrow('no field "b"');
    expect(() => change(union, 0, 'a')).toThrow('has no default');
    expect(() => change(union, 1, 'a')).toThrow('is no object');
    expect(() => change(union, 2, 'a')).toThrow('no option 2');
    expect(() => change(zod.string(), 0, 'a')).toThrow('is no union');
  });
});

test('zod 4: prefault, and the tag of a discriminated union', () => {
  const union = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a').default('a'), n: z.number().prefault(3) }),
    z.object({ kind: z.literal('b') }),
  ]);
  expect(parseNow(union, { n: 1 })).toEqual({ accepts: true, value: { kind: 'a', n: 1 } });
  expect(parseNow(change(union, 0, 'kind'), { n: 1 })).toEqual({ accepts: true, value: { n: 1 } });
  expect(parseNow(change(union, 0, 'n'), { kind: 'a' })).toEqual({ accepts: true, value: { kind: 'a' } });
});

test('zod 3: the tag of a discriminated union', () => {
  const union = z3.discriminatedUnion('kind', [
    z3.object({ kind: z3.literal('a').default('a'), n: z3.number().default(1) }),
    z3.object({ kind: z3.literal('b') }),
  ]);
  expect(parseNow(union, {}).accepts).toBe(false);
  expect(parseNow(change(union, 0, 'kind'), {})).toEqual({ accepts: true, value: { n: 1 } });
  expect(parseNow(change(union, 0, 'n'), { kind: 'a' })).toEqual({ accepts: true, value: { kind: 'a' } });
});

test('zod/mini, where the contract has an optional schema to learn from', () => {
  const union = mini.union([mini.object({ n: mini._default(mini.number(), 7) }), mini.string()]);
  expect(parseNow(change(union, 0, 'n', [mini.optional(mini.string())]), {})).toEqual({ accepts: true, value: {} });
  expect(() => change(union, 0, 'n')).toThrow('no optional()');
});
