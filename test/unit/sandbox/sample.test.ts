import { expect, describe as group, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { z as alone3 } from 'zod-3';
import { z as z41 } from 'zod-4-1';
import { z as z44 } from 'zod-4-4';
import type { Sample, SampleRequest } from '../../../server/src/evaluation/sandbox/messages.ts';
import { sample } from '../../../server/src/evaluation/sandbox/sample.ts';
import { replaceAt } from '../../../server/src/rules/values.ts';
import type { Json } from '../../../shared/src/model.ts';
import { describe } from './graph.ts';
import { recorder } from './recorder.ts';

type Ask = Partial<Omit<SampleRequest, 'through' | 'node'>> & {
  readonly through?: readonly object[];
  readonly of?: object;
};

function ask(schema: object, { through, of = schema, ...rest }: Ask = {}): Sample {
  const { objects } = describe(schema, recorder());
  const id = (object: object): number => {
    const found = objects.indexOf(object);
    if (found < 0) throw new Error('no such node');
    return found;
  };
  const request = {
    contract: 'c',
    node: id(of),
    mode: 'min',
    ...rest,
    ...(through && { through: through.map(id) }),
  } as const;
  const answer = sample(objects, request);
  expect(sample(objects, request)).toEqual(answer);
  return answer;
}
/** @param replace takes the place of what the path ends at */
function sampled(schema: object, { replace, ...options }: Ask & { readonly replace?: Json } = {}): Json {
  const answer = ask(schema, options);
  if (!answer.found) throw new Error(answer.reason);
  return replace === undefined ? answer.value : replaceAt(answer.value, answer.end ?? [], replace);
}
function reasonOf(schema: object, options?: Ask): string {
  const answer = ask(schema, options);
  if (answer.found) throw new Error(`found ${JSON.stringify(answer.value)}`);
  return answer.reason;
}

const ZODS = { '4.6': z, '4.4': z44, '4.1': z41, '3 in 4.6': z3, '3.25': alone3 } as unknown as Record<
  string,
  typeof z3
>;
const FOURS = { '4.6': z, '4.4': z44, '4.1': z41 } as unknown as Record<string, typeof z>;

group.each(Object.entries(ZODS))('zod %s', (_, zod) => {
  test.each<[string, (z: typeof z3) => z3.ZodTypeAny]>([
    ['string', (z) => z.string()],
    ['string with length', (z) => z.string().length(18)],
    ['long string', (z) => z.string().min(500).max(600)],
    ['short string', (z) => z.string().max(2)],
    ['email', (z) => z.string().email()],
    ['email with length', (z) => z.string().email().min(12)],
    ['url', (z) => z.string().url()],
    ['uuid', (z) => z.string().uuid()],
    ['cuid', (z) => z.string().cuid()],
    ['cuid2', (z) => z.string().cuid2()],
    ['ulid', (z) => z.string().ulid()],
    ['nanoid', (z) => z.string().nanoid()],
    ['emoji', (z) => z.string().emoji()],
    ['jwt', (z) => z.string().jwt()],
    ['base64', (z) => z.string().base64()],
    ['base64url', (z) => z.string().base64url()],
    ['datetime', (z) => z.string().datetime()],
    ['datetime with offset', (z) => z.string().datetime({ offset: true })],
    ['local datetime', (z) => z.string().datetime({ local: true })],
    ['date', (z) => z.string().date()],
    ['time', (z) => z.string().time()],
    ['duration', (z) => z.string().duration()],
    ['starts, ends, includes', (z) => z.string().startsWith('s3://').endsWith('.csv').includes('/data/')],
    ['starts with and length', (z) => z.string().startsWith('id_').length(20)],
    ['pattern', (z) => z.string().regex(/^[A-Z]{3}-\d{4}$/)],
    ['pattern with branches', (z) => z.string().regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/)],
    ['pattern with lookahead', (z) => z.string().regex(/^(?=.*[A-Z])(?=.*\d).{8,}$/)],
    [
      'pattern and length',
      (z) =>
        z
          .string()
          .regex(/^[a-z]+$/)
          .min(9),
    ],
    ['named groups', (z) => z.string().regex(/^(?<year>\d{4})\/(?<month>\d\d)$/)],
    [
      'two patterns',
      (z) =>
        z
          .string()
          .regex(/^[a-f0-9]+$/)
          .regex(/^.{40}$/),
    ],
    ['trimmed', (z) => z.string().trim().min(1).toLowerCase()],
    ['refined string', (z) => z.string().refine((text) => text.includes('@'))],
    ['number', (z) => z.number()],
    ['range', (z) => z.number().min(17).max(18)],
    ['open range', (z) => z.number().gt(17).lt(17.5)],
    ['negative', (z) => z.number().negative()],
    ['multiple', (z) => z.number().multipleOf(7).min(50)],
    ['step', (z) => z.number().multipleOf(0.25).gt(3)],
    ['whole', (z) => z.number().int().max(-3)],
    ['boolean', (z) => z.boolean()],
    ['null', (z) => z.null()],
    ['any', (z) => z.any()],
    ['enum', (z) => z.enum(['red', 'blue'])],
    ['literal', (z) => z.literal(7)],
    ['coerced number', (z) => z.coerce.number()],
    ['coerced date', (z) => z.coerce.date()],
    ['coerced bigint', (z) => z.coerce.bigint()],
    [
      'transform',
      (z) =>
        z
          .string()
          .transform(Number)
          .refine((number) => number === 10),
    ],
    ['pipe', (z) => z.string().transform(Number).pipe(z.number().min(2))],
    [
      'preprocess',
      (z) => z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(z.string())),
    ],
    ['preprocess of another type', (z) => z.preprocess((value) => new Set(value as []), z.set(z.any()))],
    ['array', (z) => z.array(z.string().email()).min(3)],
    ['array of fixed length', (z) => z.array(z.number()).length(5)],
    [
      'array without repetition',
      (z) =>
        z
          .array(z.string())
          .min(3)
          .refine((all) => new Set(all).size === all.length),
    ],
    ['tuple', (z) => z.tuple([z.string(), z.number()])],
    ['record', (z) => z.record(z.string(), z.number())],
    ['record that wants a key', (z) => z.record(z.string(), z.number()).refine((all) => Object.keys(all).length > 0)],
    ['record over an enum', (z) => z.record(z.enum(['a', 'b']), z.number())],
    ['union', (z) => z.union([z.never(), z.object({ a: z.literal(1) })])],
    ['discriminated union', (z) => z.discriminatedUnion('k', [z.object({ k: z.literal('a'), n: z.number() })])],
    ['intersection', (z) => z.object({ a: z.string() }).and(z.object({ b: z.string() }))],
    [
      'nested intersection',
      (z) => z.object({ o: z.object({ a: z.string() }) }).and(z.object({ o: z.object({ b: z.string() }) })),
    ],
    ['intersection of scalars', (z) => z.string().and(z.enum(['x', 'y']))],
    [
      'intersection with a union',
      (z) => z.object({ a: z.string() }).and(z.union([z.object({ b: z.number() }), z.object({})])),
    ],
    ['optional', (z) => z.string().optional()],
    ['nullable', (z) => z.number().nullable()],
    ['default', (z) => z.number().default(3)],
    ['catch', (z) => z.number().catch(3)],
    ['brand', (z) => z.string().email().brand('E')],
    ['readonly', (z) => z.array(z.string()).readonly()],
    ['lazy', (z) => z.lazy(() => z.object({ a: z.string() }))],
    ['strict', (z) => z.object({ a: z.object({ b: z.string() }).strict() }).strict()],
    ['loose', (z) => z.object({ a: z.string() }).passthrough()],
    ['catchall', (z) => z.object({ a: z.string() }).catchall(z.number())],
    [
      'one of two',
      (z) =>
        z
          .object({ a: z.string().optional(), b: z.string().optional() })
          .refine((o) => (o.a === undefined) !== (o.b === undefined)),
    ],
    [
      'either pair',
      (z) =>
        z
          .object({ a: z.number().optional(), b: z.number().optional(), c: z.string() })
          .refine((o) => o.a !== undefined && o.b !== undefined),
    ],
    [
      'two of four',
      (z) =>
        z
          .object({
            a: z.number().optional(),
            b: z.number().optional(),
            c: z.number().optional(),
            d: z.number().optional(),
          })
          .refine((o) => Object.keys(o).length === 2),
    ],
    ['a literal on one side', (z) => z.object({ k: z.literal('x') }).and(z.object({ k: z.string() }))],
    ['a literal on the other side', (z) => z.object({ k: z.string() }).and(z.object({ k: z.literal('x') }))],
    [
      'pattern that repeats',
      (z) =>
        z
          .string()
          .regex(/^[xy]+-\d+$/)
          .min(30),
    ],
    ['order of fields', (z) => z.object({ from: z.number(), to: z.number() }).refine((o) => o.from < o.to)],
    [
      'order of dates',
      (z) => z.object({ from: z.string().date(), to: z.string().date() }).refine((o) => o.from < o.to),
    ],
    ['equal fields', (z) => z.object({ a: z.string(), b: z.string() }).refine((o) => o.a === o.b)],
    ['three anys', (z) => z.object({ a: z.any(), b: z.any(), c: z.any() })],
  ])('%s: min and max are accepted', (_name, make) => {
    for (const mode of ['min', 'max'] as const) {
      const schema = make(zod);
      expect(schema.safeParse(sampled(schema, { mode })).success).toBe(true);
    }
  });

  test('min leaves out what may be left out, max leaves nothing out', () => {
    const schema = zod.object({
      a: zod.string(),
      b: zod.number().optional(),
      c: zod.boolean().default(true),
      d: zod.array(zod.string()),
      e: zod.object({ f: zod.null().optional() }).optional(),
    });
    expect(sampled(schema)).toEqual({ a: 'text', d: [] });
    expect(sampled(schema, { mode: 'max' })).toEqual({ a: 'text', b: 1, c: true, d: ['text'], e: { f: null } });
  });

  test('max leaves out an optional field that has no JSON value', () => {
    expect(sampled(zod.object({ at: zod.date().optional(), a: zod.string() }), { mode: 'max' })).toEqual({ a: 'text' });
  });

  test('a schema that contains itself ends', () => {
    const Tree: z3.ZodTypeAny = zod.object({ name: zod.string(), children: zod.array(zod.lazy(() => Tree)) });
    expect(sampled(Tree)).toEqual({ name: 'text', children: [] });
    expect(sampled(Tree, { mode: 'max' })).toEqual({ name: 'text', children: [{ name: 'text', children: [] }] });
    const link = () => zod.union([zod.lazy(() => Wide), zod.null()]);
    const Wide: z3.ZodTypeAny = zod.object({ a: link(), b: link(), c: link() });
    expect(Wide.safeParse(sampled(Wide, { mode: 'max' })).success).toBe(true);
    const List: z3.ZodTypeAny = zod.object({ next: zod.union([zod.lazy(() => List), zod.null()]) });
    expect(List.safeParse(sampled(List, { mode: 'max' })).success).toBe(true);
    const Endless: z3.ZodTypeAny = zod.object({ next: zod.lazy(() => Endless) });
    expect(reasonOf(Endless)).toMatch(/contains itself without an end/);
  });

  test.each<[string, (z: typeof z3) => object, RegExp]>([
    [
      'date',
      (z) => z.object({ stops: z.array(z.object({ at: z.date() })).min(1) }),
      /^stops\[0\]\.at: a date cannot be sent as JSON$/,
    ],
    ['bigint', (z) => z.bigint(), /^a bigint cannot be sent as JSON$/],
    ['map', (z) => z.map(z.string(), z.string()), /^a Map cannot/],
    ['never', (z) => z.object({ a: z.never() }), /^a: nothing is ever accepted$/],
    ['pattern', (z) => z.string().regex(/^(?!)x$/), /^no string was found for \/\^\(\?!\)x\$\/$/],
    ['own check', (z) => z.object({ a: z.number().refine((n) => n === 123456789) }), /a: its own check accepts none/],
    [
      'missing package',
      (z) =>
        z.string().refine(() => {
          throw new Error('no database');
        }),
      /^parse throws: no database$/,
    ],
    ['asynchronous check', (z) => z.string().refine(async () => true), /^parse throws: .*(async|promise)/i],
    ['the field that must be there', (z) => z.object({ x: z.date().optional(), y: z.symbol() }), /^y: a symbol cannot/],
  ])('%s: says why there is no value', (_name, make, reason) => {
    expect(reasonOf(make(zod), { mode: 'max' })).toMatch(reason);
  });
});

group.each(Object.entries(FOURS))('zod %s alone', (_, zod) => {
  test.each<[string, (z_: typeof z) => z.ZodType]>([
    [
      'top-level formats',
      (z) =>
        z.object({
          a: z.email(),
          b: z.uuidv4(),
          c: z.ipv4(),
          d: z.ipv6(),
          e: z.cidrv4(),
          f: z.iso.date(),
          g: z.e164(),
          h: z.base64(),
          i: z.ksuid(),
          j: z.xid(),
        }),
    ],
    ['url with a host', (z) => z.url({ hostname: /^example\.com$/, protocol: /^https$/ })],
    ['int32', (z) => z.int32().positive()],
    ['template literal', (z) => z.templateLiteral(['v', z.number().int(), '.', z.enum(['x', 'y'])])],
    ['stringbool', (z) => z.stringbool()],
    ['several literals', (z) => z.literal(['a', 'b'])],
    ['prefault', (z) => z.string().prefault('a')],
    ['nonoptional', (z) => z.string().optional().nonoptional()],
    ['partial record', (z) => z.partialRecord(z.enum(['a', 'b']), z.number())],
    [
      'codec',
      (z) =>
        z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
    ],
    ['custom', (z) => z.custom<string>((value) => typeof value === 'string')],
    ['tuple with optional and rest', (z) => z.tuple([z.string(), z.number().optional()], z.boolean())],
    [
      'superRefine',
      (z) =>
        z.object({ a: z.string() }).superRefine((o, ctx) => {
          if (o.a !== 'other') ctx.addIssue({ code: 'custom' });
        }),
    ],
  ])('%s', (_name, make) => {
    for (const mode of ['min', 'max'] as const) {
      const schema = make(zod);
      expect(schema.safeParse(sampled(schema, { mode })).success).toBe(true);
    }
  });

  test('getters that close the circle', () => {
    const Category = zod.object({
      name: zod.string(),
      get parent() {
        return Category.optional();
      },
    });
    expect(sampled(Category)).toEqual({ name: 'text' });
    expect(Category.safeParse(sampled(Category, { mode: 'max' })).success).toBe(true);
  });
});

test('zod/mini', () => {
  const schema = mini.object({ a: mini.string().check(mini.minLength(8)), b: mini.optional(mini.email()) });
  expect(sampled(schema)).toEqual({ a: expect.stringMatching(/.{8,}/) });
  expect(schema.safeParse(sampled(schema, { mode: 'max' })).success).toBe(true);
});

test('a record that must not have a field has another', () => {
  const schema = z.record(z.string(), z.number());
  expect(sampled(schema, { mode: 'max' })).toEqual({ text: 1 });
  expect(sampled(schema, { mode: 'max', without: ['text'] })).toEqual({ a: 1 });
});

test('many fields with patterns of their own are all found', () => {
  const code = (index: number) => z.string().regex(new RegExp(`^K${index}-[A-Z]{4}-\\d{3}$`, 'g'));
  const schema = z.object(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, code(index)])));
  expect(schema.safeParse(sampled(schema)).success).toBe(true);
});

group('through a path', () => {
  const Boat = z.object({ name: z.string(), mast: z.number().optional() });
  const Car = z.object({ wheels: z.number() });

  test('everything on the path is there, the rest is as small as can be', () => {
    const union = z.union([Car, Boat]);
    const list = z.array(union);
    const field = z.optional(list);
    const schema = z.object({ other: z.string().optional(), list: field });
    expect(sampled(schema)).toEqual({});
    expect(sampled(schema, { through: [schema, field, list, union, Boat] })).toEqual({ list: [{ name: 'text' }] });
    expect(sampled(schema, { through: [schema, field, list, union, Car] })).toEqual({ list: [{ wheels: 1 }] });
  });

  test('the end is replaced', () => {
    const record = z.record(z.string(), Boat);
    const wrapped = record.default({});
    const schema = z.object({ boats: wrapped, id: z.string() });
    const replace = { anything: [1] };
    expect(sampled(schema, { through: [schema, wrapped, record, Boat], replace })).toEqual({
      boats: { text: replace },
      id: 'text',
    });
    expect(sampled(schema, { through: [schema], replace })).toEqual(replace);
    expect(sampled(schema, { replace: null })).toBeNull();
  });

  test('tuples, rests, lazy schemas, pipes and catchalls', () => {
    const lazy = z.lazy(() => Boat);
    const tuple = z.tuple([z.string(), lazy], Car);
    expect(sampled(tuple, { through: [tuple, lazy, Boat], replace: 0 })).toEqual(['text', 0]);
    expect(sampled(tuple, { through: [tuple, Car], replace: 0 })).toEqual(['text', { name: 'text' }, 0]);
    const transformed = Boat.transform((boat) => boat.name);
    const holder = z.object({ boat: transformed });
    expect(sampled(holder, { through: [holder, transformed, Boat], replace: 0 })).toEqual({ boat: 0 });
    const before = z.preprocess((value) => value, Boat);
    expect(sampled(before, { through: [before, Boat], replace: 0 })).toEqual(0);
    const open = z.object({ other: z.string() }).catchall(Car);
    expect(sampled(open, { through: [open, Car], replace: 0 })).toEqual({ other: 'text', another: 0 });
  });

  test('zod 3 wrappers, and a lazy schema whose getter makes a new one each time', () => {
    const inner = z3.object({ a: z3.string() });
    const refined = inner.refine(() => true);
    const list = z3.array(refined);
    const lazy = z3.lazy(() => z3.object({ list: z3.array(z3.object({ b: z3.number() })) }));
    const schema = z3.object({ list, lazy });
    expect(sampled(schema, { through: [schema, list, refined, inner], replace: 0 })).toMatchObject({ list: [0] });
    const { objects, graph } = describe(schema, recorder());
    const made = graph.nodes.find((node) => node.kind === 'object' && node.fields?.b !== undefined);
    const path = [0, objects.indexOf(lazy)];
    for (let node = graph.nodes[path[1] as number]; node && node !== made; node = graph.nodes[path.at(-1) as number]) {
      path.push(node.inner ?? node.element ?? Object.values(node.fields ?? {})[0] ?? -1);
    }
    const answer = sample(objects, { contract: 'c', node: 0, mode: 'min', through: path });
    expect(answer).toMatchObject({ found: true, value: { list: [] }, end: ['lazy', 'list', 0] });
  });

  test('either side of an intersection, with what the other side needs', () => {
    const inner = z.object({ b: z.string() });
    const left = z.object({ a: inner });
    const schema = z.intersection(left, z.object({ a: z.looseObject({}), c: z.number() }));
    expect(sampled(schema, { through: [schema, left, inner], replace: { b: 'x', y: 1 } })).toEqual({
      a: { b: 'x', y: 1 },
      c: 1,
    });
  });

  test('fields are left out of the object at the end, and only there', () => {
    const variant = z.object({ kind: z.literal('a').default('a'), inner: z.object({ kind: z.string() }) });
    const union = z.union([z.object({ n: z.number() }), variant]);
    const schema = z.object({ kind: z.string(), of: union });
    expect(sampled(schema, { mode: 'max', through: [schema, union, variant], without: ['kind'] })).toEqual({
      kind: 'text',
      of: { inner: { kind: 'text' } },
    });
    expect(sampled(variant, { mode: 'max', without: ['kind'] })).toEqual({ inner: { kind: 'text' } });
    expect(reasonOf(Car, { without: ['wheels'] })).toMatch(/none of the values/);
  });

  test('an intersection does not bring back a field that must be absent', () => {
    const left = z.object({ a: z.string().optional(), b: z.string() });
    const schema = z.intersection(left, z.object({ a: z.string().optional() }));
    const value = ask(schema, { mode: 'max', through: [schema, left], without: ['a'] });
    if (value.found) expect(value.value).not.toHaveProperty('a');
    else expect(value.reason).not.toBe('');
  });

  test('a node below the root can be asked for alone', () => {
    const schema = z.object({ boat: Boat });
    expect(sampled(schema, { of: Boat, mode: 'max' })).toEqual({ name: 'text', mast: 1 });
  });

  test('a path that the schema does not have is said to be so', () => {
    const schema = z.object({ boat: Boat, car: Car });
    expect(reasonOf(schema, { through: [schema, Boat.shape.name] })).toMatch(/path leads to a part/);
    expect(reasonOf(schema, { through: [Boat] })).toMatch(/path does not start/);
    expect(sample([schema], { contract: 'c', node: 9, mode: 'min' })).toMatchObject({ found: false });
  });
});

test('checks that nothing passes end the search', () => {
  let parses = 0;
  const stubborn = z.object(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`f${index}`, z.union([z.string(), z.array(z.string())]).optional()]),
    ),
  );
  const schema = z
    .array(
      stubborn.refine(() => {
        parses++;
        return false;
      }),
    )
    .min(1);
  expect(reasonOf(schema, { mode: 'max' })).not.toBe('');
  expect(parses).toBeLessThan(10_001);
});

test('an object of many fields gets its least value', () => {
  const of = (count: number, field: (index: number) => z.ZodType) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, field(index)]));
  expect(sampled(z.object(of(1500, () => z.string().optional())))).toEqual({});
  const half = sampled(z.object(of(1500, (index) => (index % 2 ? z.string() : z.number().default(1)))));
  expect(Object.keys(half as object)).toEqual(Array.from({ length: 750 }, (_, index) => `f${index * 2 + 1}`));
  const least = sampled(
    z.object(of(1500, () => z.string().optional())).refine((value) => Object.keys(value).length > 0),
  );
  expect(Object.keys(least as object)).toHaveLength(1);
});
