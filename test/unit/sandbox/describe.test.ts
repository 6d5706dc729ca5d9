import { expect, describe as group, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { z as alone3 } from 'zod-3';
import { z as z41 } from 'zod-4-1';
import { z as z44 } from 'zod-4-4';
import {
  describe as describeObjects,
  isRawShape,
  isSchema,
  type KnownObjects,
  majorOf,
} from '../../../server/src/evaluation/sandbox/describe.ts';
import { describe, type SiteGraph, type SiteNode } from './graph.ts';
import { recorder } from './recorder.ts';

const graphOf = (schema: object, limit?: number): SiteGraph => describe(schema, recorder(), limit).graph;
const rootOf = (schema: object): SiteNode => graphOf(schema).nodes[0] as SiteNode;

/** The graph as nested kinds, with the roles of the children: short enough to compare by eye. */
function outline(graph: SiteGraph, id = graph.root, seen: readonly number[] = []): unknown {
  const node = graph.nodes[id] as SiteNode;
  if (seen.includes(id)) return `^${seen.length - seen.indexOf(id)}`;
  const below = (child: number): unknown => outline(graph, child, [...seen, id]);
  const children: Record<string, unknown> = {};
  for (const role of ['catchall', 'element', 'rest', 'left', 'right', 'key', 'value', 'inner', 'in', 'out'] as const) {
    const child = node[role];
    if (child !== undefined) children[role] = below(child);
  }
  if (node.items) children.items = node.items.map(below);
  if (node.options) children.options = node.options.map(below);
  if (node.fields) for (const [name, child] of Object.entries(node.fields)) children[`.${name}`] = below(child);
  return Object.keys(children).length === 0 ? node.kind : { [node.kind]: children };
}

const FOURS = { '4.6': z, '4.4': z44, '4.1': z41 } as unknown as Record<string, typeof z>;
const THREES = { 'zod/v3': z3, '3.25': alone3 } as unknown as Record<string, typeof z3>;

group.each(Object.entries(FOURS))('zod %s', (_, zod) => {
  test.each<[string, (zod_: typeof z) => object, unknown]>([
    ['string', (z) => z.string(), 'string'],
    ['email', (z) => z.email(), 'string'],
    ['number', (z) => z.number(), 'number'],
    ['int', (z) => z.int(), 'number'],
    ['boolean', (z) => z.boolean(), 'boolean'],
    ['bigint', (z) => z.bigint(), 'bigint'],
    ['date', (z) => z.date(), 'date'],
    ['symbol', (z) => z.symbol(), 'symbol'],
    ['undefined', (z) => z.undefined(), 'undefined'],
    ['null', (z) => z.null(), 'null'],
    ['void', (z) => z.void(), 'void'],
    ['any', (z) => z.any(), 'any'],
    ['unknown', (z) => z.unknown(), 'unknown'],
    ['never', (z) => z.never(), 'never'],
    ['nan', (z) => z.nan(), 'nan'],
    ['literal', (z) => z.literal('a'), 'literal'],
    ['enum', (z) => z.enum(['a']), 'enum'],
    ['file', (z) => z.file(), 'file'],
    ['custom', (z) => z.custom(() => true), 'custom'],
    ['template literal', (z) => z.templateLiteral(['a', z.number()]), 'template_literal'],
    ['array', (z) => z.array(z.string()), { array: { element: 'string' } }],
    ['tuple', (z) => z.tuple([z.string()], z.number()), { tuple: { items: ['string'], rest: 'number' } }],
    ['record', (z) => z.record(z.string(), z.number()), { record: { key: 'string', value: 'number' } }],
    ['map', (z) => z.map(z.string(), z.number()), { map: { key: 'string', value: 'number' } }],
    ['set', (z) => z.set(z.string()), { set: { element: 'string' } }],
    ['union', (z) => z.union([z.string(), z.number()]), { union: { options: ['string', 'number'] } }],
    ['and', (z) => z.string().and(z.any()), { intersection: { left: 'string', right: 'any' } }],
    ['optional', (z) => z.string().optional(), { optional: { inner: 'string' } }],
    ['nullish', (z) => z.string().nullish(), { optional: { inner: { nullable: { inner: 'string' } } } }],
    ['nonoptional', (z) => z.nonoptional(z.any()), { nonoptional: { inner: 'any' } }],
    ['default', (z) => z.string().default('a'), { default: { inner: 'string' } }],
    ['prefault', (z) => z.string().prefault('a'), { prefault: { inner: 'string' } }],
    ['catch', (z) => z.string().catch('a'), { catch: { inner: 'string' } }],
    ['readonly', (z) => z.string().readonly(), { readonly: { inner: 'string' } }],
    ['promise', (z) => z.promise(z.string()), { promise: { inner: 'string' } }],
    ['lazy', (z) => z.lazy(() => z.string()), { lazy: { inner: 'string' } }],
    ['transform', (z) => z.string().transform(Number), { pipe: { in: 'string', out: 'transform' } }],
    ['preprocess', (z) => z.preprocess(String, z.string()), { pipe: { in: 'transform', out: 'string' } }],
    ['pipe', (z) => z.string().pipe(z.any()), { pipe: { in: 'string', out: 'any' } }],
    ['refine', (z) => z.string().refine(() => true), 'string'],
    ['brand', (z) => z.string().brand('B'), 'string'],
    [
      'object',
      (z) => z.object({ b: z.string(), a: z.object({}).catchall(z.date()) }),
      { object: { '.b': 'string', '.a': { object: { catchall: 'date' } } } },
    ],
  ])('%s', (_name, make, expected) => {
    const graph = graphOf(make(zod));
    expect(outline(graph)).toEqual(expected);
    expect(graph.nodes.every((node) => node.zod === 4 && node.broken === undefined)).toBe(true);
    expect(graph.truncated).toBeUndefined();
  });

  test('key policies', () => {
    const policy = (schema: object) => rootOf(schema).policy;
    const plain = zod.object({ a: zod.string() });
    expect(policy(plain)).toBe('strip');
    expect(policy(plain.strict())).toBe('strict');
    expect(policy(zod.strictObject({}))).toBe('strict');
    expect(policy(plain.loose())).toBe('loose');
    expect(policy(plain.passthrough())).toBe('loose');
    expect(policy(plain.catchall(zod.number()))).toBe('catchall');
    expect(policy(plain.strict().strip())).toBe('strip');
    expect(policy(plain.catchall(zod.never()))).toBe('strict');
  });

  test('details of a node', () => {
    expect(rootOf(zod.string().min(1).regex(/a/).describe('text'))).toMatchObject({
      description: 'text',
      checks: ['min_length', 'regex'],
    });
    expect(rootOf(zod.email())).toMatchObject({ format: 'email', checks: ['email'] });
    expect(rootOf(zod.coerce.number().refine(() => true))).toMatchObject({ coerce: true, checks: ['custom'] });
    expect(rootOf(zod.object({}).superRefine(() => {}))).toMatchObject({ checks: ['custom'] });
    expect(rootOf(zod.number().default(7))).toMatchObject({ defaultValue: 7 });
    expect(rootOf(zod.literal(['a', 1]))).toMatchObject({ literals: ['a', 1] });
    expect(rootOf(zod.enum({ A: 0, B: 1, 0: 'A', 1: 'B' } as unknown as Record<string, number>))).toMatchObject({
      literals: [0, 1],
    });
    const union = zod.discriminatedUnion('kind', [zod.object({ kind: zod.literal('a') })]);
    expect(rootOf(union)).toMatchObject({ discriminator: 'kind' });
  });

  test('a default that throws has no value', () => {
    const node = rootOf(
      zod.number().default(() => {
        throw new Error('no clock');
      }),
    );
    expect(node.kind).toBe('default');
    expect(node.defaultValue).toBeUndefined();
  });

  test('getters in a shape close the circle', () => {
    const Category = zod.object({
      name: zod.string(),
      get parent() {
        return Category.optional();
      },
    });
    expect(outline(graphOf(Category))).toEqual({
      object: { '.name': 'string', '.parent': { optional: { inner: '^2' } } },
    });
  });
});

test('zod/mini', () => {
  const schema = mini.object({ a: mini.optional(mini.string().check(mini.minLength(2))), b: mini.email() });
  const graph = graphOf(schema);
  expect(outline(graph)).toEqual({ object: { '.a': { optional: { inner: 'string' } }, '.b': 'string' } });
  expect(graph.nodes.find((node) => node.kind === 'string' && node.checks?.includes('min_length'))).toBeDefined();
  expect(rootOf(mini.strictObject({})).policy).toBe('strict');
  expect(rootOf(mini.string().register(mini.globalRegistry, { description: 'words' })).description).toBe('words');
});

group.each(Object.entries(THREES))('%s', (_, zod) => {
  enum Color {
    Red,
    Blue = 'blue',
  }
  test.each<[string, (zod_: typeof z3) => object, unknown]>([
    ['string', (z) => z.string(), 'string'],
    ['number', (z) => z.number(), 'number'],
    ['boolean', (z) => z.boolean(), 'boolean'],
    ['bigint', (z) => z.bigint(), 'bigint'],
    ['date', (z) => z.date(), 'date'],
    ['symbol', (z) => z.symbol(), 'symbol'],
    ['undefined', (z) => z.undefined(), 'undefined'],
    ['null', (z) => z.null(), 'null'],
    ['void', (z) => z.void(), 'void'],
    ['any', (z) => z.any(), 'any'],
    ['unknown', (z) => z.unknown(), 'unknown'],
    ['never', (z) => z.never(), 'never'],
    ['nan', (z) => z.nan(), 'nan'],
    ['literal', (z) => z.literal('a'), 'literal'],
    ['enum', (z) => z.enum(['a']), 'enum'],
    ['native enum', (z) => z.nativeEnum(Color), 'enum'],
    ['function', (z) => z.function(), 'function'],
    ['array', (z) => z.array(z.string()), { array: { element: 'string' } }],
    ['tuple', (z) => z.tuple([z.string()]).rest(z.number()), { tuple: { items: ['string'], rest: 'number' } }],
    ['record', (z) => z.record(z.number()), { record: { key: 'string', value: 'number' } }],
    ['map', (z) => z.map(z.string(), z.number()), { map: { key: 'string', value: 'number' } }],
    ['set', (z) => z.set(z.string()), { set: { element: 'string' } }],
    ['union', (z) => z.union([z.string(), z.number()]), { union: { options: ['string', 'number'] } }],
    ['and', (z) => z.string().and(z.any()), { intersection: { left: 'string', right: 'any' } }],
    ['optional', (z) => z.string().optional(), { optional: { inner: 'string' } }],
    ['nullable', (z) => z.string().nullable(), { nullable: { inner: 'string' } }],
    ['default', (z) => z.string().default('a'), { default: { inner: 'string' } }],
    ['catch', (z) => z.string().catch('a'), { catch: { inner: 'string' } }],
    ['readonly', (z) => z.string().readonly(), { readonly: { inner: 'string' } }],
    ['promise', (z) => z.promise(z.string()), { promise: { inner: 'string' } }],
    ['lazy', (z) => z.lazy(() => z.string()), { lazy: { inner: 'string' } }],
    ['brand', (z) => z.string().brand('B'), { branded: { inner: 'string' } }],
    ['refine', (z) => z.string().refine(() => true), { refinement: { inner: 'string' } }],
    ['transform', (z) => z.string().transform(Number), { transform: { in: 'string' } }],
    ['preprocess', (z) => z.preprocess(String, z.string()), { pipe: { out: 'string' } }],
    ['pipe', (z) => z.string().pipe(z.any()), { pipe: { in: 'string', out: 'any' } }],
    [
      'object',
      (z) => z.object({ a: z.object({}).catchall(z.date()) }),
      { object: { '.a': { object: { catchall: 'date' } } } },
    ],
  ])('%s', (_name, make, expected) => {
    const graph = graphOf(make(zod));
    expect(outline(graph)).toEqual(expected);
    expect(graph.nodes.every((node) => node.zod === 3 && node.broken === undefined)).toBe(true);
  });

  test('key policies', () => {
    const policy = (schema: object) => rootOf(schema).policy;
    const plain = zod.object({ a: zod.string() });
    expect(policy(plain)).toBe('strip');
    expect(policy(plain.strict())).toBe('strict');
    expect(policy(plain.passthrough())).toBe('loose');
    expect(policy(plain.catchall(zod.number()))).toBe('catchall');
    expect(policy(plain.strict().strip())).toBe('strip');
    // What it does counts: a typed catchall is asked, whatever `.strict()` said.
    const both = plain.strict().catchall(zod.number());
    expect(both.safeParse({ a: 'x', b: 1 }).success).toBe(true);
    expect(policy(both)).toBe('catchall');
  });

  test('details of a node', () => {
    expect(rootOf(zod.string().min(1).email().describe('text'))).toMatchObject({
      description: 'text',
      format: 'email',
      checks: ['min_length', 'email'],
    });
    expect(rootOf(zod.coerce.number().int().max(3))).toMatchObject({ coerce: true, checks: ['safeint', 'less_than'] });
    expect(rootOf(zod.array(zod.any()).nonempty())).toMatchObject({ checks: ['min_length'] });
    expect(rootOf(zod.object({}).superRefine(() => {}))).toMatchObject({ checks: ['custom'] });
    expect(rootOf(zod.number().default(7))).toMatchObject({ defaultValue: 7 });
    expect(rootOf(zod.literal('a'))).toMatchObject({ literals: ['a'] });
    expect(rootOf(zod.nativeEnum(Color))).toMatchObject({ literals: [0, 'blue'] });
    const union = zod.discriminatedUnion('kind', [zod.object({ kind: zod.literal('a') })]);
    expect(rootOf(union)).toMatchObject({ discriminator: 'kind', options: [expect.any(Number)] });
  });
});

group('what is a schema', () => {
  test('schemas of every zod, by their internals', () => {
    for (const schema of [z.string(), mini.string(), z41.object({})]) {
      expect(isSchema(schema)).toBe(true);
      expect(majorOf(schema)).toBe(4);
    }
    for (const schema of [z3.string(), alone3.object({})]) {
      expect(isSchema(schema)).toBe(true);
      expect(majorOf(schema)).toBe(3);
    }
  });

  test('nothing else is', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('hands off');
        },
      },
    );
    for (const value of [
      undefined,
      null,
      'string',
      {},
      { _def: {} },
      { type: 'object' },
      z,
      () => z.string(),
      hostile,
    ]) {
      expect(isSchema(value)).toBe(false);
    }
  });

  test('a raw shape is a plain record of schemas', () => {
    expect(isRawShape({})).toBe(true);
    expect(isRawShape({ a: z.string(), b: z3.string() })).toBe(true);
    expect(isRawShape(Object.assign(Object.create(null), { a: z.string() }))).toBe(true);
    for (const value of [z.object({}), [], [z.string()], { a: z.string(), b: 1 }, new Date(), null, new Map()]) {
      expect(isRawShape(value)).toBe(false);
    }
    expect(
      isRawShape({
        get a(): never {
          throw new Error('not yet');
        },
      }),
    ).toBe(false);
  });
});

group('recursion and limits', () => {
  test('a lazy schema that comes back to itself is a circle', () => {
    const Node3: z3.ZodTypeAny = z3.object({ next: z3.lazy(() => Node3) });
    expect(outline(graphOf(Node3))).toEqual({ object: { '.next': { lazy: { inner: '^2' } } } });
  });

  test('a lazy schema that makes a fresh one each time is cut by the expression that makes it', () => {
    const sites = new WeakMap<object, number>();
    const at = <T extends object>(site: number, schema: T): T => {
      sites.set(schema, site);
      return schema;
    };
    const tree = (): z.ZodType =>
      at(
        1,
        z.lazy(() => at(2, z.object({ name: z.string(), left: tree(), right: tree() }))),
      );
    const { graph } = describe(
      tree(),
      recorder(new Map(), (schema) => sites.get(schema)),
    );
    expect(graph.truncated).toBeUndefined();
    expect(graph.nodes.length).toBeLessThan(50);
    expect(graph.nodes.every((node) => node.kind !== 'object' || Object.keys(node.fields ?? {}).length === 3)).toBe(
      true,
    );
  });

  test('an object whose getter makes a fresh one each time is cut too', () => {
    const sites = new WeakMap<object, number>();
    const list = (): z.ZodType => {
      const schema = z.object({
        get next() {
          return list();
        },
      });
      sites.set(schema, 7);
      return schema;
    };
    const { graph } = describe(
      list(),
      recorder(new Map(), (schema) => sites.get(schema)),
    );
    expect(graph.truncated).toBeUndefined();
    expect(graph.nodes.length).toBeLessThan(20);
  });

  test('a helper used inside itself is no recursion', () => {
    const sites = new WeakMap<object, number>();
    const strict = (shape: z.ZodRawShape) => {
      const schema = z.object(shape).strict();
      sites.set(schema, 3);
      return schema;
    };
    const deep = strict({ a: strict({ b: strict({ c: strict({ d: z.string() }) }) }) });
    const { graph } = describe(
      deep,
      recorder(new Map(), (schema) => sites.get(schema)),
    );
    expect(outline(graph)).toEqual({
      object: { '.a': { object: { '.b': { object: { '.c': { object: { '.d': 'string' } } } } } } },
    });
  });

  test('nor is one that is used outside and inside a lazy schema', () => {
    const sites = new WeakMap<object, number>();
    const strict = (shape: z.ZodRawShape) => {
      const schema = z.object(shape).strict();
      sites.set(schema, 3);
      return schema;
    };
    const outer = strict({ a: z.lazy(() => strict({ b: strict({ c: z.string() }) })) });
    const { graph } = describe(
      outer,
      recorder(new Map(), (schema) => sites.get(schema)),
    );
    expect(outline(graph)).toEqual({
      object: { '.a': { lazy: { inner: { object: { '.b': { object: { '.c': 'string' } } } } } } },
    });
  });

  test('without sites the limit ends it', () => {
    const tree = (): z.ZodType => z.lazy(() => z.object({ left: tree(), right: tree() }));
    const graph = graphOf(tree(), 30);
    expect(graph.nodes).toHaveLength(30);
    expect(graph.truncated).toBe(true);
  });

  test('what lies deepest is cut, and the history has a share of its own', () => {
    const fields = (name: string) =>
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${name}${index}`, z.object({ deep: z.string() })]));
    const source = z.strictObject(fields('a'));
    const rebuilt = z.object({ ...source.shape });
    const { graph } = describe(
      rebuilt,
      { ...recorder(), flows: (schema) => (schema === rebuilt ? [{ owner: source, read: 1 }] : undefined) },
      12,
    );
    expect(graph.truncated).toBe(true);
    const [root] = graph.nodes;
    expect(Object.keys(root?.fields ?? {})).toHaveLength(9);
    const owner = graph.nodes[root?.rebuiltFrom?.[0]?.owner ?? -1];
    expect(owner?.policy).toBe('strict');
    expect(owner?.fields).toEqual(root?.fields);
  });

  test('a chain as deep as the limit does not exhaust the stack', () => {
    let schema: z.ZodType = z.string();
    for (let depth = 0; depth < 3000; depth++) schema = z.array(schema);
    expect(graphOf(schema).nodes).toHaveLength(3001);
  });

  test('a getter that throws breaks its node alone', () => {
    const broken = () => {
      throw new Error('no\n  database');
    };
    for (const schema of [
      z.object({ bad: z.lazy(broken), good: z.string() }),
      z3.object({ bad: z3.lazy(broken), good: z3.string() }),
    ]) {
      const { nodes } = graphOf(schema);
      expect(nodes.map((node) => [node.kind, node.broken])).toEqual([
        ['object', undefined],
        ['lazy', 'no database'],
        ['string', undefined],
      ]);
    }
  });

  test('a getter of a shape that throws breaks its object: zod 4 resolves them all at once', () => {
    const shape = {
      get bad(): z.ZodString {
        throw new Error('not yet');
      },
      good: z.string(),
    };
    const { nodes } = graphOf(z.array(z.object(shape)));
    expect(nodes.map((node) => [node.kind, node.broken])).toEqual([
      ['array', undefined],
      ['object', 'not yet'],
    ]);
  });

  test('a field that is no schema breaks alone', () => {
    const { nodes } = graphOf(z.object({ bad: undefined as unknown as z.ZodType, good: z.string() }));
    expect(nodes[1]).toMatchObject({ kind: 'unsupported', broken: '"bad" is no Zod schema', zod: 4 });
    expect(nodes[0]?.fields).toEqual({ bad: 1, good: 2 });
  });

  test('a field called __proto__ is a field', () => {
    const shape = Object.fromEntries([['__proto__', z.string()]]);
    const sent = JSON.parse(JSON.stringify(graphOf(z.object(shape)))) as SiteGraph;
    expect(Object.keys(sent.nodes[0]?.fields ?? {})).toEqual(['__proto__']);
  });
});

group('history', () => {
  test('receivers and owners of shapes come after the structure, with their own structure', () => {
    const Base = z.object({ id: z.string() });
    const Strict = Base.strict();
    const Rebuilt = z.object({ ...Strict.shape, at: z.number() });
    const { graph, objects } = describe(
      Rebuilt,
      recorder(
        new Map<object, object>([
          [Rebuilt, { origin: 10, flows: [{ owner: Strict, read: 9 }] }],
          [Strict, { origin: 5, from: Base }],
          [Base, { origin: 4 }],
        ]),
      ),
    );
    const [root, id, at, strict, base] = graph.nodes;
    expect(graph.nodes).toHaveLength(5);
    expect(root).toMatchObject({
      origin: 10,
      rebuiltFrom: [{ owner: 3, read: 9 }],
      fields: { id: 1, at: 2 },
    });
    expect([id?.kind, at?.kind]).toEqual(['string', 'number']);
    // The borrowed field is the very object, so both point at one node.
    expect(strict).toMatchObject({ policy: 'strict', origin: 5, from: 4, fields: { id: 1 } });
    expect(base).toMatchObject({ policy: 'strip', origin: 4, fields: { id: 1 } });
    expect(objects).toEqual([Rebuilt, Base.shape.id, Rebuilt.shape.at, Strict, Base]);
  });

  test('what was read before is told again, but for what has changed since', () => {
    const known: KnownObjects = new WeakMap();
    const field = z.string();
    const schema = z.object({ field });
    const places = new Map<object, object>();
    const read = () => describeObjects(schema, recorder(places), known).wires;
    const [first] = read();
    expect(read()[0]).toBe(first);
    places.set(schema, { origin: 7 });
    expect(read()).toMatchObject([{ origin: 7 }, { kind: 'string' }]);
  });

  test('an object that could not be read is read again', () => {
    const known: KnownObjects = new WeakMap();
    let isThere = false;
    const lazy = z.lazy(() => {
      if (!isThere) throw new Error('not yet');
      return z.string();
    });
    const read = () => describeObjects(z.object({ lazy }), recorder(), known).wires.map(({ kind }) => kind);
    expect(read()).toEqual(['object', 'lazy']);
    isThere = true;
    expect(read()).toEqual(['object', 'lazy', 'string']);
  });
});
