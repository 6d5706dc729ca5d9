import { expect, test } from 'vitest';
import type { JsonObject } from '../../shared/src/model.ts';
import { INSTALL_MS } from '../helpers/sdk.ts';
import { about, offered, STRICT, saysSdk } from './facts.ts';
import { ROOTS, tellsOfUnlistable, UNLISTABLE } from './topics.ts';

const LOOSE = 'z.object({ a: z.string() }).passthrough()';
const AI_TOOLS = {
  good: STRICT,
  ...UNLISTABLE,
  plain: 'z.object({ a: z.string(), inner: z.object({ b: z.string() }).optional() })',
  kept: 'z.object({ m: z.record(z.string(), z.number()), l: z.looseObject({}) })',
  loose: LOOSE,
  openSide: `z.object({ event: z.intersection(${LOOSE}, z.object({ b: z.string() })) })`,
  variants: 'z.object({ w: z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })]) })',
  unionRoot: ROOTS.union,
  shape: `${STRICT}.shape`,
  merged: `${STRICT}.merge(z.object({ b: z.string().optional() }))`,
  extended: `${STRICT}.extend({ b: z.string().optional() })`,
  defaultRoot: ROOTS.default,
};
const AI_THREE = {
  plain3: 'z.object({ a: z.string() })',
  intersection3: ROOTS.intersection,
  date3: 'z.object({ f: z.date() })',
};

/** A script that hands `generateText` a tool with a date beside a good one. */
const GENERATES = `import { generateText, tool } from 'ai';
import { z } from 'zod';
let asked = 0;
const model = { specificationVersion: 'SPEC', provider: 'p', modelId: 'm', supportedUrls: {}, doGenerate: async () => {
  asked++;
  return { content: [{ type: 'text', text: '' }], warnings: [], finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } };
} };
const tools = { good: tool({ inputSchema: z.object({ a: z.string() }) }), bad: tool({ inputSchema: z.object({ f: z.date() }) }) };
const said = await generateText({ model, prompt: 'p', tools, maxRetries: 0 }).then(() => 'done', (error) => error.message);
console.log(JSON.stringify({ said, asked }));
`;

test('AI SDK 7: a type without a JSON Schema form makes the whole of generateText throw', {
  timeout: INSTALL_MS,
}, async () => {
  expect(await saysSdk('ai-7', 'generate', GENERATES.replace('SPEC', 'v4'))).toEqual({
    said: expect.stringMatching(/cannot be represented/),
    asked: 0,
  });
});

about('AI SDK 7', 'ai-7', { 'tools.ts': offered(AI_TOOLS), 'three.ts': offered(AI_THREE, 'zod/v3') }, (facts) => {
  tellsOfUnlistable(facts);

  test('a tool that cannot be converted cannot be called either', async () => {
    expect(await facts().call('coerced', { f: 0 })).toMatchObject({
      accepts: false,
      error: expect.stringMatching(/cannot be represented/),
    });
  });

  test('every object is advertised closed, and undeclared keys are deleted all the same', async () => {
    expect(facts().advertised('plain')).toMatchObject({
      additionalProperties: false,
      properties: { inner: { additionalProperties: false } },
    });
    const received = await facts().call('plain', { a: 'x', zzz: 1, inner: { b: 'y', zzz: 1 } });
    expect(received).toEqual({ accepts: true, value: { a: 'x', inner: { b: 'y' } } });
  });

  test('a schema of undeclared keys stays: of a record, and of a loose object', async () => {
    expect(facts().advertised('kept')).toMatchObject({
      additionalProperties: false,
      properties: { m: { additionalProperties: { type: 'number' } }, l: { additionalProperties: {} } },
    });
    expect(await facts().call('loose', { a: 'x', zzz: 1 })).toEqual({ accepts: true, value: { a: 'x', zzz: 1 } });
  });

  test('an intersection with a loose side is advertised closed, and keeps undeclared keys', async () => {
    expect(facts().advertised('openSide')).toMatchObject({ properties: { event: { additionalProperties: false } } });
    const args = { event: { a: 'x', b: 'y', who: 1 } };
    expect(await facts().call('openSide', args)).toEqual({ accepts: true, value: args });
  });

  test('objects in a union are closed, too', () => {
    expect(facts().advertised('variants')).toMatchObject({
      properties: { w: { anyOf: [{ additionalProperties: false }, { additionalProperties: false }] } },
    });
  });

  test('a union of plain objects deletes declared keys of a later, wider variant', async () => {
    expect(await facts().call('variants', { w: { a: 'x', b: 'y' } })).toEqual({
      accepts: true,
      value: { w: { a: 'x' } },
    });
  });

  test('a union at the root is passed on without a type', () => {
    expect(facts().advertised('unionRoot')).toMatchObject({ anyOf: expect.any(Array) });
    expect(facts().advertised('unionRoot')).not.toHaveProperty('type');
  });

  test('a shape is no schema: the provider is never asked', async () => {
    expect(facts().offer('shape')).toMatchObject({
      advertised: null,
      listError: expect.stringMatching(/not a function/),
    });
    expect((await facts().call('shape', { a: 'x' })).accepts).toBe(false);
  });

  test("merge takes the argument's key policy, extend keeps the receiver's", async () => {
    expect(await facts().call('merged', { a: 'x', zzz: 1 })).toEqual({ accepts: true, value: { a: 'x' } });
    expect((await facts().call('extended', { a: 'x', zzz: 1 })).accepts).toBe(false);
  });

  test('a call without arguments does not reach a default of the root', async () => {
    expect((await facts().call('defaultRoot', {})).accepts).toBe(false);
  });

  test('with zod 3 sides of an intersection are advertised side by side, and a date can be sent', () => {
    expect(facts().advertised('intersection3')).toMatchObject({ allOf: [{}, {}] });
    expect(facts().advertised('plain3')).toMatchObject({ additionalProperties: false });
    expect(facts().advertised('date3')).toMatchObject({ properties: { f: { format: 'date-time' } } });
  });
});

about('AI SDK 5', 'ai-5', { 'tools.ts': offered(AI_TOOLS) }, (facts) => {
  test('objects in a union stay open', () => {
    const { properties } = facts().advertised('variants') as { properties: { w: { anyOf: JsonObject[] } } };
    expect(properties.w.anyOf).toHaveLength(2);
    for (const variant of properties.w.anyOf) expect(variant).not.toHaveProperty('additionalProperties');
    expect(facts().advertised('plain')).toMatchObject({ additionalProperties: false });
  });
});

const PAIRS = {
  pair: `z.object({ w: z.intersection(${STRICT}, z.object({ b: z.string() }).strict()) })`,
  mixed: ROOTS.intersection,
};

about('AI SDK 7 with zod 4.4', 'ai-7-zod-4.4', { 'tools.ts': offered(PAIRS) }, (facts) => {
  test('strict sides are two closed branches, which accept nothing, although the call passes', async () => {
    const { properties } = facts().advertised('pair') as { properties: { w: JsonObject } };
    expect(properties.w).toMatchObject({ allOf: [{ additionalProperties: false }, { additionalProperties: false }] });
    expect((await facts().call('pair', { w: { a: 'x', b: 'y' } })).accepts).toBe(true);
  });
});

about('AI SDK 7 with zod 4.3.1', 'ai-7-zod-4.3', { 'tools.ts': offered(PAIRS) }, (facts) => {
  test('a strict side rejects the keys of the other side', async () => {
    expect((await facts().call('mixed', { a: 'x', b: 'y' })).accepts).toBe(false);
  });
});
