import { expect, test } from 'vitest';
import { INSTALL_MS } from '../helpers/sdk.ts';
import { about, registered, STRICT, saysSdk, V1 } from './facts.ts';
import { EMPTY, listsBoth, ROOTS, SHAPES, tellsOfShapes, tellsOfUnlistable, UNLISTABLE } from './topics.ts';

const V1_IMPORTS = `${V1}
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';`;

test('one type without a JSON Schema form makes the list fail for every tool', { timeout: INSTALL_MS }, async () => {
  const script = listsBoth(V1_IMPORTS);
  expect(await saysSdk('mcp-v1-1.32', 'list', script.replace('BAD', 'z.string()'))).toBe(2);
  expect(await saysSdk('mcp-v1-1.32', 'list', script.replace('BAD', 'z.date()'))).toMatch(/cannot be represented/);
});

about(
  'MCP SDK 1.32',
  'mcp-v1-1.32',
  {
    'shapes.ts': registered(V1, SHAPES),
    'roots.ts': registered(V1, ROOTS),
    'unlistable.ts': registered(V1, { good: STRICT, ...UNLISTABLE }),
    'meta.ts': registered(V1, { meta: `${STRICT}.meta({ id: 'Root' })` }),
    'three.ts': registered(
      V1,
      {
        plain3: 'z.object({ a: z.string() })',
        refined3: `${STRICT}.refine(() => true)`,
        branded3: `${STRICT}.brand('B')`,
        date3: 'z.object({ f: z.date() })',
      },
      'zod/v3',
    ),
  },
  (facts) => {
    tellsOfShapes(facts);
    tellsOfUnlistable(facts);

    test.each(Object.keys(ROOTS))(
      'a root that is %s is advertised without inputs, and parsed for real',
      async (name) => {
        expect(facts().advertised(name)).toEqual(EMPTY);
        const wrong = await facts().call(name, { zzz: [] });
        if (name === 'catch') expect(wrong).toEqual({ accepts: true, value: { a: 'C' } });
        else expect(wrong.accepts).toBe(false);
      },
    );

    test('a call without arguments does not reach a default of the root', async () => {
      expect((await facts().call('default', {})).accepts).toBe(false);
    });

    test('calls of a tool that takes the list down are answered', async () => {
      expect(await facts().call('coerced', { f: 0 })).toEqual({
        accepts: true,
        value: { f: '1970-01-01T00:00:00.000Z' },
      });
    });

    test("a root with an id is a reference without a type, and the SDK's own client refuses the list", () => {
      expect(facts().offer('meta').listError).toMatch(/client rejects the list: inputSchema\.type/);
      expect(facts().offer('meta').advertised).toHaveProperty('$ref');
    });

    test('with zod 3 a plain object is advertised closed, and deletes', async () => {
      expect(facts().advertised('plain3')).toMatchObject({ additionalProperties: false });
      expect(await facts().call('plain3', { a: 'x', zzz: 1 })).toEqual({ accepts: true, value: { a: 'x' } });
    });

    test('with zod 3 a refinement or brand around the root hides the inputs', () => {
      expect(facts().advertised('refined3')).toEqual(EMPTY);
      expect(facts().advertised('branded3')).toEqual(EMPTY);
    });

    test('with zod 3 a date is listed, and no call can pass', async () => {
      expect(facts().advertised('date3')).toMatchObject({ properties: { f: { format: 'date-time' } } });
      expect((await facts().call('date3', { f: '2030-01-01T00:00:00.000Z' })).accepts).toBe(false);
    });
  },
);

about('MCP SDK 1.23', 'mcp-v1-1.23', { 'roots.ts': registered(V1, { object: STRICT, ...ROOTS }) }, (facts) => {
  test('takes an object', () => {
    expect(facts().advertised('object')).toMatchObject({ additionalProperties: false });
  });

  test.each(['transform', 'pipe', 'preprocess', 'record'])('throws at registration for %s', (name) => {
    expect(facts().offer(name)).toMatchObject({
      advertised: null,
      mountError: expect.stringMatching(/Mixed Zod versions/),
    });
  });

  test.each(['union', 'optional', 'readonly'])('advertises no inputs for %s', (name) => {
    expect(facts().advertised(name)).toEqual(EMPTY);
  });
});

about(
  'MCP SDK 1.20',
  'mcp-v1-1.20',
  { 'roots.ts': registered(V1, { object: STRICT, refined: `${STRICT}.refine(() => true)`, shape: `${STRICT}.shape` }) },
  (facts) => {
    test('takes the members of a schema for fields: the list fails or is empty and closed, and so does every call', async () => {
      // A zod 3 object that has not parsed anything yet has a member that is null.
      expect(facts().offer('object').listError).toMatch(/reading '_def'/);
      expect(facts().advertised('refined')).toMatchObject({ ...EMPTY, additionalProperties: false });
      for (const name of ['object', 'refined']) {
        expect((await facts().call(name, { a: 'x' })).accepts).toBe(false);
        expect((await facts().call(name, {})).accepts).toBe(false);
      }
    });

    test('takes a shape', async () => {
      expect(facts().advertised('shape')).toMatchObject({ properties: { a: { type: 'string' } } });
      expect(await facts().call('shape', { a: 'x', zzz: 1 })).toEqual({ accepts: true, value: { a: 'x' } });
    });
  },
);
