import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { NotInstalled } from '../../../server/src/evaluation/sandbox/driver.ts';
import { mcpV1 } from '../../../server/src/surfaces/drivers/mcpV1.ts';
import { tool, workspace } from './workspace.ts';

const open = () => mcpV1.open(workspace(), '/w/tools.ts');
const Boat = z.object({ name: z.string(), length: z.number().default(7) });

describe('mcp-v1', () => {
  test('says which SDK it drives', async () => {
    const session = await open();
    expect(session.sdk).toBe('@modelcontextprotocol/sdk');
    expect(session.version).toMatch(/^1\.\d+\.\d+$/);
  });

  test('advertises what the SDK lists, and a call shows what the handler received', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('boat', Boat)]);
    expect(offer).toMatchObject({ contract: 'boat', advertised: { type: 'object', required: ['name'] } });
    expect(offer?.listError).toBeUndefined();
    expect(await session.call('boat', { name: 'Ida', mast: 1 })).toEqual({
      accepts: true,
      value: { name: 'Ida', length: 7 },
    });
  });

  test('a rejected call carries the text of the SDK, with the name of the tool', async () => {
    const session = await open();
    await session.offer([tool('boat', Boat)]);
    const outcome = await session.call('boat', { name: 1 });
    expect(outcome).toMatchObject({
      accepts: false,
      error: expect.stringContaining('Invalid arguments for tool boat'),
    });
  });

  test('a registered shape loses the key policy of its object', async () => {
    const session = await open();
    const Strict = Boat.strict();
    await session.offer([tool('schema', Strict), tool('shape', Strict.shape)]);
    const args = { name: 'Ida', mast: 1 };
    expect((await session.call('schema', args)).accepts).toBe(false);
    expect(await session.call('shape', args)).toEqual({ accepts: true, value: { name: 'Ida', length: 7 } });
  });

  test('zod 3 schemas and shapes are driven too', async () => {
    const session = await open();
    const Loose = z3.object({ name: z3.string() }).passthrough();
    const offers = await session.offer([tool('three', Loose), tool('threeShape', Loose.shape)]);
    expect(offers.map((offer) => offer.advertised)).toMatchObject([
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: false },
    ]);
    expect(await session.call('three', { name: 'a', x: 1 })).toEqual({ accepts: true, value: { name: 'a', x: 1 } });
    expect(await session.call('threeShape', { name: 'a', x: 1 })).toEqual({ accepts: true, value: { name: 'a' } });
  });

  test('a tool without input is listed with an empty object and receives nothing', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('none', undefined)]);
    expect(offer?.advertised).toMatchObject({ type: 'object', properties: {} });
    expect(await session.call('none', {})).toEqual({ accepts: true, value: {} });
  });

  test('a union root is advertised empty and still parsed with the real schema', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('union', z.union([Boat, z.object({ id: z.number() })]))]);
    expect(offer?.advertised).toEqual({ type: 'object', properties: {} });
    expect((await session.call('union', { id: 'x' })).accepts).toBe(false);
  });

  test('a tool that takes the list down has the error, the others keep their answers', async () => {
    const session = await open();
    const offers = await session.offer([
      tool('before', Boat),
      tool('date', z.object({ at: z.date() })),
      tool('after', Boat.strict()),
      tool('big', z.object({ n: z.bigint() })),
    ]);
    expect(offers.map((offer) => offer.contract)).toEqual(['before', 'date', 'after', 'big']);
    expect(offers.map((offer) => offer.listError)).toEqual([
      undefined,
      expect.stringMatching(/date/i),
      undefined,
      expect.stringMatching(/bigint/i),
    ]);
    expect(offers[1]?.advertised).toBeNull();
    expect(offers[2]?.advertised).toMatchObject({ additionalProperties: false });
    expect((await session.call('after', { name: 'a' })).accepts).toBe(true);
    expect((await session.call('date', { at: 'today' })).accepts).toBe(false);
  });

  test('a list that cannot be written as JSON is a failing list', async () => {
    const session = await open();
    const offers = await session.offer([tool('n', z3.object({ n: z3.literal(1n) })), tool('ok', Boat)]);
    expect(offers[0]?.listError).toMatch(/BigInt/);
    expect(offers[1]?.listError).toBeUndefined();
  });

  test("a tool that the SDK's own client rejects has the error, and its neighbour has none", async () => {
    const session = await open();
    const offers = await session.offer([
      tool('id', z.object({ a: z.string() }).meta({ id: 'Root' })),
      tool('ok', Boat),
    ]);
    expect(offers[0]?.listError).toMatch(/client rejects the list: inputSchema\.type/);
    expect(offers[1]?.listError).toBeUndefined();
  });

  test('a tool that cannot be registered has the error of the SDK', async () => {
    const session = await open();
    const mixed = { a: z.string(), b: z3.string() };
    const offers = await session.offer([tool('mixed', mixed), tool('ok', Boat)]);
    expect(offers[0]).toMatchObject({ advertised: null, mountError: expect.stringContaining('Mixed Zod versions') });
    expect(offers[1]?.mountError).toBeUndefined();
    expect((await session.call('mixed', {})).accepts).toBe(false);
  });

  test('a name that every object has is refused by the SDK, and the others are not', async () => {
    const session = await open();
    // SDK 1.x keeps its tools in a plain object.
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const offers = await session.offer([...names.map((name) => tool(name, Boat)), tool('ok', Boat)]);
    expect(offers.map(({ contract, mountError }) => [contract, mountError])).toEqual([
      ...names.map((name) => [name, `Tool ${name} is already registered`]),
      ['ok', undefined],
    ]);
    expect((await session.call('ok', { name: 'Ida' })).accepts).toBe(true);
  });

  test('tools of the same name are told apart, under their own name', async () => {
    const session = await open();
    const offers = await session.offer([
      { contract: 'a', name: 'same', schema: Boat, output: undefined },
      { contract: 'b', name: 'same', schema: Boat.strict(), output: undefined },
    ]);
    expect(offers.map((offer) => offer.mountError)).toEqual([undefined, undefined]);
    const [first, second] = [
      await session.call('a', { name: 'x', y: 1 }),
      await session.call('b', { name: 'x', y: 1 }),
    ];
    expect(first.accepts).toBe(true);
    expect(second).toMatchObject({ accepts: false, error: expect.stringContaining('for tool same:') });
  });

  test('an output schema is listed and does not hide what the handler received', async () => {
    const session = await open();
    const [offer] = await session.offer([tool('out', Boat, z.object({ ok: z.boolean() }))]);
    expect(offer?.outputSchema).toMatchObject({ properties: { ok: { type: 'boolean' } } });
    expect(await session.call('out', { name: 'a' })).toEqual({ accepts: true, value: { name: 'a', length: 7 } });
  });

  test('calls that overlap are answered each with its own arguments', async () => {
    const session = await open();
    await session.offer([
      tool(
        'slow',
        z.object({ n: z.number() }).refine(async () => true),
      ),
      tool('fast', Boat),
    ]);
    const [slow, fast] = await Promise.all([session.call('slow', { n: 1 }), session.call('fast', { name: 'a' })]);
    expect(slow).toEqual({ accepts: true, value: { n: 1 } });
    expect(fast).toEqual({ accepts: true, value: { name: 'a', length: 7 } });
  });

  test('offering again replaces, and a released tool is gone', async () => {
    const session = await open();
    const register = vi.spyOn(McpServer.prototype, 'registerTool');
    await session.offer([tool('t', Boat), tool('other', Boat)]);
    const remove = vi.spyOn(register.mock.results[0]?.value, 'remove');
    register.mockRestore();
    await session.offer([tool('t', Boat.strict())]);
    expect(remove).toHaveBeenCalledTimes(1);
    expect((await session.call('t', { name: 'a', x: 1 })).accepts).toBe(false);
    session.release(['t']);
    expect(await session.call('t', { name: 'a' })).toMatchObject({ accepts: false, error: 'The tool is not offered.' });
  });

  test('a thousand tools are listed by one request', async () => {
    const session = await open();
    const connect = vi.spyOn(McpServer.prototype, 'connect');
    const tools = Array.from({ length: 1000 }, (_, index) =>
      tool(`t${index}`, Boat.extend({ [`f${index}`]: z.string() })),
    );
    const offers = await session.offer(tools);
    expect(connect).toHaveBeenCalledTimes(1);
    connect.mockRestore();
    expect(offers.every((offer) => offer.advertised !== null && offer.listError === undefined)).toBe(true);
    expect(offers[999]?.advertised).toMatchObject({ required: ['name', 'f999'] });
  });

  test('one copy of the SDK has one session', async () => {
    expect(await open()).toBe(await open());
  });

  test.each([
    ['not there', undefined, /not installed: run your package manager/],
    ['too old', '1.11.4', /1\.11\.4 is too old/],
    ['version 2', '2.4.0', /2\.4\.0/],
  ])('an SDK that is %s is said to be so', async (_, version, sentence) => {
    const opened = mcpV1.open({ ...workspace(), version: () => version }, '/w/tools.ts');
    await expect(opened).rejects.toThrow(NotInstalled);
    await expect(opened).rejects.toThrow(sentence);
  });

  test('an SDK that throws while it is loaded is said to be so', async () => {
    const host = {
      ...workspace(),
      load: () => Promise.reject(new Error('no such file')),
    };
    await expect(mcpV1.open(host, '/w/tools.ts')).rejects.toThrow(/cannot be loaded: no such file/);
  });
});
