import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { contract } from '../../../server/src/surfaces/drivers/contract.ts';
import { tool, workspace } from './workspace.ts';

const open = () => contract.open(workspace(), '/w/tools.ts');

describe('contract', () => {
  test("advertises the zod's own conversion and parses with the schema", async () => {
    const session = await open();
    const Boat = z.strictObject({ name: z.string(), length: z.number().default(7) });
    const [offer] = await session.offer([tool('boat', Boat)]);
    expect(offer).toMatchObject({ advertised: { required: ['name'], additionalProperties: false } });
    expect(session.sdk).toBeUndefined();
    expect(await session.call('boat', { name: 'Ida' })).toEqual({ accepts: true, value: { name: 'Ida', length: 7 } });
    expect(await session.call('boat', { name: 'Ida', x: 1 })).toMatchObject({ accepts: false });
  });

  test('a shape is wrapped as a plain object of its own zod', async () => {
    const session = await open();
    const offers = await session.offer([
      tool('four', { a: z.string() }),
      tool('three', { a: z3.string() }),
      tool('none', {}),
    ]);
    expect(offers.map((offer) => offer.advertised)).toMatchObject([
      { properties: { a: { type: 'string' } } },
      { properties: { a: { type: 'string' } } },
      { type: 'object', properties: {} },
    ]);
    for (const id of ['four', 'three']) {
      expect(await session.call(id, { a: 'x', b: 1 })).toEqual({ accepts: true, value: { a: 'x' } });
    }
  });

  test('a tool without input takes every call without arguments', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('none', undefined)]);
    expect(offer?.advertised).toEqual({ type: 'object', properties: {} });
    expect(await session.call('none', { x: 1 })).toEqual({ accepts: true, value: {} });
  });

  test('what cannot be converted has the error, and can still be called', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('date', z.object({ at: z.coerce.date() }))]);
    expect(offer).toMatchObject({ advertised: null, listError: expect.stringMatching(/date/i) });
    expect(await session.call('date', { at: 0 })).toEqual({ accepts: true, value: { at: '1970-01-01T00:00:00.000Z' } });
  });

  test.each([
    ['plain JSON Schema', { type: 'object' }, /neither a Zod schema nor/],
    ['a shape of both majors', { a: z.string(), b: z3.string() }, /mixes schemas of zod 3 and zod 4/],
  ])('%s cannot be mounted', async (_, schema, sentence) => {
    const session = await open();
    const [offer] = await session.offer([tool('t', schema)]);
    expect(offer?.mountError).toMatch(sentence);
    expect((await session.call('t', {})).accepts).toBe(false);
  });

  test('offering again replaces what was offered, also by what cannot be', async () => {
    const session = await open();
    await session.offer([tool('t', z.object({}))]);
    await session.offer([tool('t', 'no schema')]);
    expect((await session.call('t', {})).accepts).toBe(false);
  });

  test('a released tool is gone', async () => {
    const session = await open();
    await session.offer([tool('t', z.object({}))]);
    session.release(['t']);
    expect(await session.call('t', {})).toEqual({ accepts: false, error: 'The tool is not offered.' });
  });
});
