import { describe, expect, it } from 'vitest';
import * as zod41 from 'zod-4-1';
import * as zod44 from 'zod-4-4';
import type { JsonObject } from '../../../shared/src/model.ts';
import { fixed, type Options, only, summary, textOf } from './helpers/workspace.ts';

const tool = (schema: string): string =>
  `server.registerTool('find', { inputSchema: z.object({ at: ${schema} }) }, async () => ({}));\n`;
const tool3 = (schema: string): string =>
  `server.registerTool('find', { inputSchema: z3.object({ at: ${schema} }) }, async () => ({}));\n`;
const SIDES = `const Core = z.strictObject({ line: z.string() });\nconst Extra = z.object({ platform: z.string() });\n`;
const severityOf = async (text: string, options?: Options): Promise<string | undefined> =>
  (await summary(text, options)).map((line) => line.split(':')[0]?.replace('intersection-policy ', ''))[0];

describe('intersection-policy: an undeclared key', () => {
  it('that a strict side rejects and the intersection deletes', async () => {
    const text = SIDES + tool('Core.and(Extra)');
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('Core.and(Extra)');
    expect(finding).toMatchObject({ rule: 'intersection-policy', severity: 'warning', surfaces: ['mcp-v1'] });
    expect(finding.message).toBe(
      'An undeclared key such as "extra" at `at` is deleted: `Core` alone rejects it, `Extra` alone deletes it, and the ' +
        'intersection deletes it.',
    );
    expect(finding.witness).toEqual({
      arguments: { at: { line: 'text', platform: 'text', extra: 'x' } },
      expected: { by: 'source', name: 'Core', accepts: false, error: 'Unrecognized key: "extra"' },
      actual: { by: 'mcp-v1', accepts: true, received: { at: { line: 'text', platform: 'text' } } },
    });
    expect(finding.related.map(({ message }) => message)).toEqual([
      'Core is strict here',
      'Extra deletes undeclared keys here',
    ]);
  });

  it.each([
    ['loose & strict', 'z.looseObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))'],
    ['strict & record', 'z.strictObject({ a: z.string() }).and(z.record(z.string(), z.unknown()))'],
    ['z.intersection', 'z.intersection(z.strictObject({ a: z.string() }), z.object({ b: z.string() }))'],
    ['catchall & plain', 'z.object({ a: z.string() }).catchall(z.number()).and(z.object({ b: z.number() }))'],
    ['described', `z.strictObject({ a: z.string() }).and(z.object({ b: z.string() })).describe('d')`],
    [
      'a union of strict objects & plain',
      'z.union([z.strictObject({ a: z.string() }), z.strictObject({ c: z.string() })]).and(z.object({ b: z.number() }))',
    ],
  ])('is a warning for %s', async (_what, schema) => {
    expect(await summary(tool(schema))).toEqual([`intersection-policy warning: ${schema}`]);
  });

  it('is answered by the surface, not by the schema', async () => {
    const deletes: Options = {
      probe: (real) => ({
        ...real,
        call: async (offer, args) => {
          const { extra: _extra, ...at } = args.at as Record<string, string>;
          return real.call(offer, { at });
        },
      }),
    };
    const text = tool('z.looseObject({ a: z.string() }).and(z.object({ b: z.string() }))');
    expect(await summary(text)).toEqual([]);
    const finding = await only(text, deletes);
    expect(finding.message).toContain('alone keeps it');
    expect(finding.message).toContain('the intersection deletes it');
  });

  it('is nothing where the surface rejects every call', async () => {
    const down: Options = { probe: (real) => ({ ...real, call: async () => ({ accepts: false, error: 'down' }) }) };
    expect(await summary(SIDES + tool('Core.and(Extra)'), down)).toEqual([]);
  });
});

describe('intersection-policy: no call passes', () => {
  it.each([
    ['a strict side, before zod 4.3.2', 'z.strictObject({ a: z.string() }).and(z.object({ b: z.string() }))', zod41],
    [
      'two strict sides, before zod 4.3.2',
      'z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))',
      zod41,
    ],
    [
      'a strict side in a union, before zod 4.3.2',
      'z.union([z.strictObject({ a: z.string() }), z.strictObject({ c: z.string() })]).and(z.object({ b: z.string() }))',
      zod41,
    ],
    [
      'strict objects under one key',
      'z.object({ p: z.strictObject({ a: z.string() }) }).and(z.object({ p: z.strictObject({ b: z.string() }) }))',
      undefined,
    ],
    ['one key of two types', 'z.object({ a: z.string() }).and(z.object({ a: z.number() }))', undefined],
    [
      'one key of two literals',
      'z.object({ a: z.literal("x"), b: z.string() }).and(z.object({ a: z.enum(["y", "z"]), b: z.string() }))',
      undefined,
    ],
    [
      'two strict sides that share a key, before zod 4.3.2',
      'z.strictObject({ a: z.string() }).and(z.strictObject({ a: z.string().max(9), b: z.string() }))',
      zod41,
    ],
    [
      'a record that judges a declared key',
      'z.object({ a: z.string() }).and(z.record(z.string(), z.number()))',
      undefined,
    ],
    [
      'a parse that throws',
      'z.looseObject({ a: z.string() }).and(z.object({ b: z.string().transform((s) => s.length) }))',
      undefined,
    ],
  ])('is an error: %s', async (_what, schema, zod) => {
    const finding = await only(tool(schema), { zod });
    expect(finding.severity).toBe('error');
    expect(finding.message).toMatch(/^No call can pass at `at`: /);
    expect(finding.witness).toMatchObject({ expected: { accepts: true }, actual: { by: 'mcp-v1', accepts: false } });
  });

  it('of zod 3 with a strict side', async () => {
    expect(await severityOf(tool3('z3.object({ a: z3.string() }).strict().and(z3.object({ b: z3.string() }))'))).toBe(
      'error',
    );
  });

  it('is shown even for a refined side, when each side takes the very value', async () => {
    const schema =
      'z.looseObject({ a: z.string() }).refine(() => true).and(z.object({ b: z.string().transform((s) => s.length) }))';
    expect(await severityOf(tool(schema))).toBe('error');
  });

  it('is shown by arguments with no more than the tool needs', async () => {
    const never = 'z.object({ a: z.string() }).and(z.object({ a: z.number() }))';
    const root = `z.object({ id: z.string(), note: z.string().optional(), list: z.array(z.tuple([z.boolean(), z.record(z.string(), ${never})])) })`;
    const finding = await only(`server.registerTool('find', { inputSchema: ${root} }, async () => ({}));\n`);
    expect(finding.witness?.arguments).toEqual({ id: 'text', list: [[expect.any(Boolean), { text: { a: 1 } }]] });
  });

  it('names the side whose catchall judges what only the other declares', async () => {
    const schema = 'z.object({ a: z.string() }).catchall(z.number()).and(z.object({ b: z.string() }))';
    const { message } = await only(tool(schema));
    expect(message).toContain('The catchall of the first side also judges "b", which only the second side declares.');
  });

  it('is a warning when parse throws at the least that both sides take, and at nothing else', async () => {
    const finding = await only(tool('z.object({ n: z.int().default(1) }).and(z.object({ n: z.int().default(2) }))'));
    expect(finding.severity).toBe('warning');
    expect(finding.message).toMatch(/^Legal calls such as \{\} at `at` are rejected/);
  });

  it('is a warning when only some legal calls are rejected', async () => {
    const schema = 'z.object({ a: z.string() }).catchall(z.number()).and(z.object({ b: z.string().optional() }))';
    const finding = await only(tool(schema));
    expect(finding.severity).toBe('warning');
    expect(finding.message).toMatch(/^Legal calls such as \{ "a": "text", "b": "text" \} at `at` are rejected/);
  });
});

describe('intersection-policy: the advertised schema', () => {
  it('that accepts nothing is an error (zod 4.3.2 to 4.4)', async () => {
    const schema = 'z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))';
    const finding = await only(tool(schema), { zod: zod44 });
    expect(finding.severity).toBe('error');
    expect(finding.message).toMatch(/^The advertised schema accepts no value at `at`/);
    expect(finding.witness).toMatchObject({
      expected: { by: 'contract', name: 'parse', accepts: true },
      actual: { accepts: false, error: expect.stringMatching(/^the advertised schema refuses it: /) },
    });
  });

  it('that forbids some calls is a warning', async () => {
    const schema = 'z.strictObject({ a: z.string() }).and(z.record(z.string(), z.unknown()))';
    const finding = await only(tool(schema));
    expect(finding.message).toMatch(/^The advertised schema forbids \{ .* \} at `at`, although the call passes/);
  });

  it('that allows what parse rejects, where it is right about each side', async () => {
    const schema = 'z.looseObject({ a: z.string() }).and(z.object({ b: z.string() }))';
    const strange: Options = {
      probe: (real) => ({
        ...real,
        parse: async (contract, node, value, whatIf) =>
          JSON.stringify(value).includes('"a"') &&
          JSON.stringify(value).includes('"b"') &&
          JSON.stringify(value).includes('extra')
            ? { accepts: false, error: 'no extra' }
            : real.parse(contract, node, value, whatIf),
        call: async (_offer, args) =>
          JSON.stringify(args).includes('extra')
            ? { accepts: false, error: 'no extra' }
            : { accepts: true, value: args },
      }),
    };
    expect((await only(tool(schema), strange)).message).toContain('and the call is rejected');
  });

  it('is nothing where it is as wrong about a side alone', async () => {
    const closed: Options = {
      probe: (real) => ({
        ...real,
        jsonSchema: async (contract, node) => {
          const answer = await real.jsonSchema(contract, node);
          if ('error' in answer) return answer;
          return { schema: { ...(answer.schema as JsonObject), additionalProperties: false } };
        },
      }),
      subject: ({ contract, offers }) => ({
        contract,
        offers: offers.map((offer) => ({ ...offer, advertised: { not: {} } })),
      }),
    };
    expect(await summary(tool('z.object({ a: z.string() }).and(z.object({ b: z.string() }))'), closed)).toEqual([]);
  });

  it('is nothing where the surface advertises something else', async () => {
    const schema = 'z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))';
    const open: Options = {
      zod: zod44,
      subject: ({ contract, offers }) => ({
        contract,
        offers: offers.map((offer) => ({ ...offer, advertised: { type: 'object' } })),
      }),
    };
    expect(await summary(tool(schema), open)).toEqual([]);
    const unlisted: Options = {
      ...open,
      subject: ({ contract, offers }) => ({
        contract,
        offers: offers.map((offer) => ({ ...offer, advertised: null })),
      }),
    };
    expect(await summary(tool(schema), unlisted)).toEqual([]);
  });
});

describe('intersection-policy never reports', () => {
  it.each([
    ['plain & plain', 'z.object({ a: z.string() }).and(z.object({ b: z.string() }))', undefined],
    ['plain & plain, earlier zod', 'z.object({ a: z.string() }).and(z.object({ b: z.string() }))', zod44],
    [
      'strict & strict where zod merges them',
      'z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))',
      undefined,
    ],
    ['loose & plain', 'z.looseObject({ a: z.string() }).and(z.object({ b: z.string() }))', undefined],
    ['loose & plain, earlier zod', 'z.looseObject({ a: z.string() }).and(z.object({ b: z.string() }))', zod44],
    ['plain & record', 'z.object({ a: z.string() }).and(z.record(z.string(), z.string()))', undefined],
    ['loose & loose', 'z.looseObject({ a: z.string() }).and(z.looseObject({ b: z.string() }))', undefined],
    ['scalars', `z.string().and(z.literal('a'))`, undefined],
    ['arrays', 'z.array(z.string()).and(z.array(z.string()).min(1))', undefined],
    [
      'a refinement of a side',
      'z.object({ a: z.string() }).refine((v) => Object.keys(v).length === 1).and(z.object({ b: z.string() }))',
      undefined,
    ],
    [
      'a refinement of a loose side',
      'z.looseObject({ a: z.string() }).refine((v) => Object.keys(v).length === 1).and(z.object({ b: z.string() }))',
      undefined,
    ],
    ['a record of numbers', 'z.object({ a: z.number() }).and(z.record(z.string(), z.number()))', undefined],
    ['one key that a side coerces', 'z.object({ a: z.coerce.number() }).and(z.object({ a: z.string() }))', undefined],
    ['a coerced field', 'z.object({ a: z.coerce.number() }).and(z.object({ b: z.coerce.date() }))', undefined],
    ['a caught field', 'z.object({ a: z.number().catch(1) }).and(z.object({ b: z.string() }))', undefined],
    [
      'a preprocessed field',
      'z.object({ a: z.preprocess((v) => v, z.number()) }).and(z.object({ b: z.string() }))',
      undefined,
    ],
    [
      'one key with two constraints that one value may satisfy',
      'z.object({ a: z.string().min(9) }).and(z.object({ a: z.string().regex(/^b+$/) }))',
      undefined,
    ],
    [
      'one key of an enum and a string',
      `z.object({ a: z.enum(['x', 'y']) }).and(z.object({ a: z.string() }))`,
      undefined,
    ],
    [
      'the same field on both sides',
      'z.object({ a: z.string() }).and(z.object({ a: z.string(), b: z.string() }))',
      undefined,
    ],
  ])('%s', async (_what, schema, zod) => {
    expect(await summary(tool(schema), { zod })).toEqual([]);
  });

  it.each([
    ['plain & plain', 'z3.object({ a: z3.string() }).and(z3.object({ b: z3.string() }))'],
    ['loose & plain', 'z3.object({ a: z3.string() }).passthrough().and(z3.object({ b: z3.string() }))'],
    [
      'a refinement of a loose side',
      'z3.object({ a: z3.string() }).passthrough().refine((v) => Object.keys(v).length === 1).and(z3.object({ b: z3.string() }))',
    ],
  ])('of zod 3: %s', async (_what, schema) => {
    expect(await summary(tool3(schema))).toEqual([]);
  });

  it.each([
    ['overlapping literals', 'z.object({ a: z.enum(["x", "y"]) }).and(z.object({ a: z.enum(["y", "z"]) }))', undefined],
    ['equal defaults', 'z.object({ n: z.int().default(1) }).and(z.object({ n: z.int().default(1) }))', undefined],
    [
      'strict sides with the same keys, before zod 4.3.2',
      'z.strictObject({ a: z.string() }).and(z.strictObject({ a: z.string().max(9) }))',
      zod41,
    ],
  ])('%s', async (_what, schema, zod) => {
    expect(await summary(tool(schema), { zod })).toEqual([]);
  });

  it('a root of plain objects', async () => {
    const text = `server.registerTool('find', { inputSchema: z.object({ a: z.string() }).and(z.object({ b: z.string() })) }, async () => ({}));\n`;
    expect(await summary(text)).toEqual([]);
  });
});

describe('fixes of intersection-policy', () => {
  const after = async (schema: string, title: string): Promise<string | undefined> =>
    (await fixed(SIDES + tool(schema), title)).match(/at: (.*) \}\) \}, async/)?.[1];

  it.each([
    ['Core.and(Extra)', 'Extend Core instead', 'Core.extend(Extra.shape)'],
    ['Core.and(Extra)', 'Extend and keep other keys with .loose()', 'Core.extend(Extra.shape).loose()'],
    ['Core.and(Extra)', 'Extend and delete other keys with .strip()', 'Core.extend(Extra.shape).strip()'],
    ['Extra.and(Core)', 'Extend Core instead', 'Core.extend(Extra.shape)'],
    ['z.intersection(Core, Extra)', 'Extend Core instead', 'Core.extend(Extra.shape)'],
    ['Core.and(z.object({ b: z.string() }))', 'Extend Core instead', 'Core.extend({ b: z.string() })'],
    [`Core.and(Extra).describe('d')`, 'Extend Core instead', `Core.extend(Extra.shape).describe('d')`],
    [
      'z.looseObject({ a: z.string() }).and(Core)',
      'Extend and reject other keys with .strict()',
      'z.looseObject({ a: z.string() }).extend(Core.shape).strict()',
    ],
  ])('%s: %s', async (schema, title, expected) => {
    expect(await after(schema, title)).toBe(expected);
  });

  it.each([
    ['a union', 'z.union([Core, z.strictObject({ c: z.string() })]).and(Extra)'],
    ['a shared field', 'Core.and(z.object({ line: z.string(), b: z.string() }))'],
    ['a refined side', `Core.and(Extra.refine(() => true))`],
  ])('are not offered for %s', async (_what, schema) => {
    expect((await only(SIDES + tool(schema))).fixes.map(({ id }) => id)).toEqual(['ignore']);
  });
});
