import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { z as z41 } from 'zod-4-1';
import { z as z44 } from 'zod-4-4';
import { inputJsonSchema } from '../../../server/src/evaluation/sandbox/jsonSchema.ts';
import { workspaceZod, wrapShape } from '../../../server/src/evaluation/sandbox/workspaceZod.ts';

const FROM = '/w/tools.ts';
/** A workspace in which these packages are installed, under other names here. */
const workspace =
  (packages: { readonly [specifier: string]: string | object }) =>
  async (specifier: string, from: string): Promise<Record<string, unknown>> => {
    expect(from).toBe(FROM);
    const found = packages[specifier];
    if (found === undefined) throw new Error(`no ${specifier}`);
    return (typeof found === 'string' ? await import(found) : found) as Record<string, unknown>;
  };
const V46 = workspace({ zod: 'zod', 'zod/v3': 'zod/v3', 'zod/v4': 'zod/v4', 'zod/v4/core': 'zod/v4/core' });
const schemaOf = async (schema: object, load = V46) => {
  const answer = await inputJsonSchema(schema, FROM, load);
  if ('error' in answer) throw new Error(answer.error);
  return answer.schema;
};

describe('JSON Schema of the input side', () => {
  test('by the zod that the file sees, with what goes in', async () => {
    expect(await schemaOf(z.object({ a: z.string().transform(Number), b: z.number().default(1) }))).toMatchObject({
      properties: { a: { type: 'string' }, b: { type: 'number', default: 1 } },
      required: ['a'],
    });
  });

  test('of zod/mini, and of mini fields in an object of the classic zod', async () => {
    expect(await schemaOf(mini.object({ a: mini.string() }))).toMatchObject({ properties: { a: { type: 'string' } } });
    expect(await schemaOf(z.object({ a: mini.string() }))).toMatchObject({ properties: { a: { type: 'string' } } });
  });

  test('a schema of another release than the one that the file sees converts itself', async () => {
    // zod 4.5 and later make a reference of a root with an id.
    const boat = (zod: typeof z) => zod.object({ a: zod.string() }).meta({ id: 'Boat' });
    expect(await schemaOf(boat(z))).not.toHaveProperty('type');
    expect(await schemaOf(boat(z44 as unknown as typeof z))).toMatchObject({ type: 'object' });
    expect(await schemaOf(boat(z44 as unknown as typeof z), workspace({}))).toMatchObject({ type: 'object' });
  });

  test('zod 4.1 has a function alone', async () => {
    const schema = z41.object({ a: z41.string() });
    expect(await schemaOf(schema, workspace({ zod: 'zod-4-1' }))).toMatchObject({ required: ['a'] });
    const answer = await inputJsonSchema(schema, FROM, workspace({}));
    expect(answer).toEqual({ error: expect.stringMatching(/No zod 4 can be loaded from \/w\/tools\.ts \(no zod\)/) });
  });

  test("zod 3, by the workspace's converter or by the one that comes along", async () => {
    const schema = z3.object({ a: z3.string().transform(Number).pipe(z3.number()) }).strict();
    expect(await schemaOf(schema)).toMatchObject({
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
    const zodToJsonSchema = vi.fn(() => ({ type: 'theirs' }));
    expect(await schemaOf(schema, workspace({ 'zod-to-json-schema': { zodToJsonSchema } }))).toEqual({
      type: 'theirs',
    });
    expect(zodToJsonSchema).toHaveBeenCalledWith(schema, { pipeStrategy: 'input' });
  });

  test.each([
    ['a date', z.object({ at: z.date() }), /Date cannot be represented/],
    ['a literal that is no JSON', z3.literal(1n), /BigInt/],
  ])('%s gives the error of the conversion', async (_, schema, sentence) => {
    expect(await inputJsonSchema(schema, FROM, V46)).toEqual({ error: expect.stringMatching(sentence) });
  });
});

describe("the workspace's zod", () => {
  test('is found by its major, in either package', async () => {
    const three = workspace({ zod: 'zod-3', 'zod/v4': 'zod/v4' });
    expect('_zod' in (await workspaceZod(4, FROM, three)).object({})).toBe(true);
    expect('_zod' in (await workspaceZod(3, FROM, three)).object({})).toBe(false);
    expect('_zod' in (await workspaceZod(3, FROM, V46)).object({})).toBe(false);
    expect('_zod' in (await workspaceZod(4, FROM, workspace({ zod: { z } }))).object({})).toBe(true);
    await expect(workspaceZod(3, FROM, workspace({ zod: 'zod-4-1' }))).rejects.toThrow(
      /No zod 3 .* run your package manager/,
    );
  });

  test('wraps a shape of its own fields as a plain object', async () => {
    const field = z.string();
    const wrapped = (await wrapShape({ field }, FROM, V46)) as z.ZodObject;
    expect(wrapped.shape.field).toBe(field);
    expect(wrapped.safeParse({ field: 'x', other: 1 })).toEqual({ success: true, data: { field: 'x' } });
    expect('_zod' in (await wrapShape({ a: z3.string() }, FROM, V46))).toBe(false);
    expect('_zod' in (await wrapShape({}, FROM, workspace({ zod: 'zod-3' })))).toBe(false);
    await expect(wrapShape({ a: z.string(), b: z3.string() }, FROM, V46)).rejects.toThrow(/mixes schemas/);
  });
});
