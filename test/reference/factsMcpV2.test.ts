import { expect, test } from 'vitest';
import { INSTALL_MS } from '../helpers/sdk.ts';
import { about, registered, STRICT, saysSdk, V2 } from './facts.ts';
import { EMPTY, listsBoth, ROOTS, SHAPES, tellsOfShapes, tellsOfUnlistable, UNLISTABLE } from './topics.ts';

const V2_IMPORTS = `import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';`;

test('one type without a JSON Schema form makes the list fail for every tool', { timeout: INSTALL_MS }, async () => {
  const script = listsBoth(V2_IMPORTS);
  expect(await saysSdk('mcp-v2-2.4', 'list', script.replace('BAD', 'z.string()'))).toBe(2);
  expect(await saysSdk('mcp-v2-2.4', 'list', script.replace('BAD', 'z.date()'))).toMatch(/cannot be represented/);
});

about(
  'MCP SDK 2.4',
  'mcp-v2-2.4',
  {
    'shapes.ts': registered(V2, SHAPES),
    'roots.ts': registered(V2, { ...ROOTS, text: 'z.string()', list: 'z.array(z.number())', anything: 'z.any()' }),
    'unlistable.ts': registered(V2, { good: STRICT, ...UNLISTABLE }),
    'meta.ts': registered(V2, { meta: `${STRICT}.meta({ id: 'Root' })` }),
    'three.ts': registered(V2, { schema3: STRICT, shape3: `${STRICT}.shape` }, 'zod/v3'),
    'mini.ts': registered(
      V2,
      { schemaMini: 'z.strictObject({ a: z.string() })', shapeMini: '({ a: z.string() })' },
      'zod/mini',
    ),
  },
  (facts) => {
    tellsOfShapes(facts);
    tellsOfUnlistable(facts);

    test.each(Object.keys(ROOTS))('a root that is %s is advertised as it is, an object', (name) => {
      const advertised = facts().advertised(name);
      expect(advertised).toMatchObject({ type: 'object' });
      expect(advertised).not.toEqual(expect.objectContaining(EMPTY));
    });

    test('a root with an id is a reference, with the type in front', () => {
      expect(facts().advertised('meta')).toMatchObject({ type: 'object', $ref: expect.any(String) });
    });

    test.each(['text', 'list'])('a root of another type makes the list fail: %s', (name) => {
      expect(facts().offer(name)).toMatchObject({ advertised: null, listError: expect.stringMatching(/object/) });
    });

    test('a root that may be anything is advertised as an object', () => {
      expect(facts().advertised('anything')).toMatchObject({ type: 'object' });
    });

    test('with zod 3 a schema cannot be listed and a shape cannot be registered', () => {
      expect(facts().offer('schema3')).toMatchObject({ advertised: null, listError: expect.any(String) });
      expect(facts().offer('shape3')).toMatchObject({ advertised: null, mountError: expect.any(String) });
    });

    test('with zod/mini a schema is as good as any, a shape makes the list fail', async () => {
      expect(facts().advertised('schemaMini')).toMatchObject({ additionalProperties: false });
      expect((await facts().call('schemaMini', { a: 'x', zzz: 1 })).accepts).toBe(false);
      expect(facts().offer('shapeMini').listError).toMatch(/Non-representable|cannot be represented/);
    });
  },
);
