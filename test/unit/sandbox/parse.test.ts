import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { parse, parseNow } from '../../../server/src/evaluation/sandbox/parse.ts';

describe.each([
  ['4', z],
  ['3', z3 as unknown as typeof z],
])('zod %s', (_, zod) => {
  const schema = zod.object({ at: zod.coerce.date(), stops: zod.array(zod.object({ gate: zod.string() })) });

  test('what is accepted comes back as JSON', async () => {
    const outcome = { accepts: true, value: { at: '1970-01-01T00:00:00.000Z', stops: [] } };
    expect(await parse(schema, { at: 0, stops: [], extra: 1 })).toEqual(outcome);
    expect(parseNow(schema, { at: 0, stops: [], extra: 1 })).toEqual(outcome);
  });

  test('what is rejected names the place and the reason of every issue', async () => {
    const outcome = await parse(schema, { at: 0, stops: [{ gate: 1 }, {}] });
    expect(outcome).toMatchObject({ accepts: false });
    if (!outcome.accepts) expect(outcome.error).toMatch(/^stops\.0\.gate: .+; stops\.1\.gate: .+$/);
    const root = await parse(zod.string(), 1);
    if (!root.accepts) expect(root.error).toMatch(/^\w+.*string/);
  });

  test('asynchronous checks are waited for, or said to be so', async () => {
    const slow = zod.string().refine(async (text) => text === 'a');
    expect(await parse(slow, 'a')).toEqual({ accepts: true, value: 'a' });
    expect((await parse(slow, 'b')).accepts).toBe(false);
    expect(parseNow(slow, 'a')).toMatchObject({
      accepts: false,
      error: expect.stringMatching(/^parse throws: .*async/i),
    });
  });

  test('a parse that throws is a rejection with the message', async () => {
    const throws = zod.string().transform(() => {
      throw new Error('no\n database');
    });
    const outcome = { accepts: false, error: 'parse throws: no database' };
    expect(await parse(throws, 'a')).toEqual(outcome);
    expect(parseNow(throws, 'a')).toEqual(outcome);
  });
});

test('what is no schema rejects', async () => {
  expect(await parse({}, 1)).toMatchObject({ accepts: false });
  expect(parseNow({}, 1)).toMatchObject({ accepts: false });
});
