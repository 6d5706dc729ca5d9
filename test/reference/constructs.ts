import type { JsonObject } from '../../shared/src/model.ts';

/** A schema as source text over `z`, with calls that tell what is done with it. */
export interface Construct {
  readonly id: string;
  /** The expression of the schema; undefined: the tool takes no input. */
  readonly code?: string;
  readonly calls: readonly JsonObject[];
  /** The oldest zod major that has all of it. */
  readonly since: 3 | 4;
}

/** A key that no schema declares. */
const EXTRA = { zzz: 1 };
const all: Construct[] = [];

function add(id: string, code: string | undefined, calls: readonly JsonObject[], since: 3 | 4 = 3): void {
  all.push({ id, ...(code !== undefined && { code }), calls, since });
}

const FIELDS = '{ id: z.string(), n: z.number().optional() }';
const STRICT = `z.object(${FIELDS}).strict()`;
const CALLS = [{ id: 'a', n: 1 }, { id: 'a', ...EXTRA }, { id: 5 }];

// What an object does with undeclared keys.
add('plain', `z.object(${FIELDS})`, CALLS);
add('strict', STRICT, CALLS);
add('loose', `z.object(${FIELDS}).passthrough()`, CALLS);
add('catchall-number', `z.object(${FIELDS}).catchall(z.number())`, [...CALLS, { id: 'a', zzz: 'x' }]);
add('catchall-date', `z.object(${FIELDS}).catchall(z.date())`, [{ id: 'a' }, { id: 'a', zzz: '2020-01-01' }]);
add('catchall-never', `z.object(${FIELDS}).catchall(z.never())`, CALLS);
add('empty', 'z.object({})', [{}, EXTRA]);
add('empty-strict', 'z.object({}).strict()', [{}, EXTRA]);
add('no-schema', undefined, [{}, EXTRA]);

// An object in another.
const INNER = 'z.object({ id: z.string() })';
const within = (key: string, value: (part: JsonObject) => JsonObject[string]): JsonObject[] => [
  { [key]: value({ id: 'a' }) },
  { [key]: value({ id: 'a', ...EXTRA }) },
  { [key]: value({ id: 'a' }), ...EXTRA },
];
add(
  'strict-in-array',
  `z.object({ items: z.array(${INNER}.strict()) })`,
  within('items', (part) => [part]),
);
add('strict-in-optional', `z.object({ item: ${INNER}.strict().optional() })`, [{}, ...within('item', (part) => part)]);
add(
  'strict-in-record',
  `z.object({ map: z.record(z.string(), ${INNER}.strict()) })`,
  within('map', (k) => ({ k })),
);
add('strict-in-nullable', `z.object({ item: ${INNER}.strict().nullable() })`, [
  { item: null },
  ...within('item', (part) => part),
]);
add(
  'strict-in-tuple',
  `z.object({ t: z.tuple([${INNER}.strict(), z.number()]) })`,
  within('t', (part) => [part, 1]),
);
add(
  'plain-in-strict',
  `z.object({ item: ${INNER} }).strict()`,
  within('item', (part) => part),
);
add(
  'loose-in-strict',
  `z.object({ item: ${INNER}.passthrough() }).strict()`,
  within('item', (part) => part),
);
add(
  'strict-in-loose',
  `z.object({ item: ${INNER}.strict() }).passthrough()`,
  within('item', (part) => part),
);

// Objects made from others.
const MORE = '{ extra: z.string().optional() }';
const PLAIN_P = 'z.object({ p: z.string().optional() })';
const MADE = [{ id: 'a' }, { id: 'a', extra: 'e', p: 'p' }, { id: 'a', ...EXTRA }];
add('spread-shape', `z.object({ ...${STRICT}.shape, extra: z.string().optional() })`, MADE);
add('strict.extend', `${STRICT}.extend(${MORE})`, MADE);
add('strict.safeExtend', `${STRICT}.safeExtend(${MORE})`, MADE, 4);
add('strict.merge-plain', `${STRICT}.merge(${PLAIN_P})`, MADE);
add('plain.merge-strict', `${PLAIN_P}.merge(${STRICT})`, MADE);
add('strict.merge-loose', `${STRICT}.merge(${PLAIN_P}.passthrough())`, MADE);
add('strict.pick', `${STRICT}.pick({ id: true })`, MADE);
add('strict.omit', `${STRICT}.omit({ n: true })`, MADE);
add('strict.partial', `${STRICT}.partial()`, [{}, EXTRA]);
add('catchall.extend', `z.object(${FIELDS}).catchall(z.number()).extend(${MORE})`, [...MADE, { id: 'a', zzz: 'x' }]);

// Intersections.
const A = 'z.object({ a: z.string() })';
const B = 'z.object({ b: z.string() })';
const BOTH = [{ a: 'x', b: 'y' }, { a: 'x', b: 'y', ...EXTRA }, { a: 'x' }];
const both = (left: string, right: string): string => `z.intersection(${left}, ${right})`;
add('plain-and-plain', both(A, B), BOTH);
add('strict-and-plain', both(`${A}.strict()`, B), BOTH);
add('strict-and-strict', both(`${A}.strict()`, `${B}.strict()`), BOTH);
add('loose-and-plain', both(`${A}.passthrough()`, B), BOTH);
add('loose-and-strict', both(`${A}.passthrough()`, `${B}.strict()`), BOTH);
add('catchall-and-plain', both(`${A}.catchall(z.number())`, B), [...BOTH, { a: 'x', b: 'y', zzz: 'x' }]);
add('and-method', `${A}.strict().and(${B})`, BOTH);
add(
  'nested-strict-and-plain',
  `z.object({ w: ${both(`${A}.strict()`, B)} })`,
  BOTH.map((w) => ({ w })),
);
add(
  'nested-loose-and-plain',
  `z.object({ w: ${both(`${A}.passthrough()`, B)} })`,
  BOTH.map((w) => ({ w })),
);
add(
  'nested-plain-and-plain',
  `z.object({ w: ${both(A, B)} })`,
  BOTH.map((w) => ({ w })),
);

// Unions.
const ADD = "op: z.literal('add'), text: z.string()";
const DEL = "op: z.literal('del'), id: z.number()";
const VARIANTS = [
  { op: 'add', text: 't' },
  { op: 'del', id: 1 },
  { op: 'add', text: 't', ...EXTRA },
  { op: 'del', id: 1, ...EXTRA },
  { op: 'add', text: 't', id: 1 },
  { op: 'nope' },
];
const tagged = (first: string, second: string): string => `z.discriminatedUnion('op', [${first}, ${second}])`;
const KINDS: readonly (readonly [id: string, first: string, second: string, since?: 4])[] = [
  ['all-strict', `z.object({ ${ADD} }).strict()`, `z.object({ ${DEL} }).strict()`],
  ['all-plain', `z.object({ ${ADD} })`, `z.object({ ${DEL} })`],
  ['all-loose', `z.object({ ${ADD} }).passthrough()`, `z.object({ ${DEL} }).passthrough()`],
  ['strict-plain', `z.object({ ${ADD} }).strict()`, `z.object({ ${DEL} })`],
  ['strict-loose', `z.object({ ${ADD} }).strict()`, `z.object({ ${DEL} }).passthrough()`],
  ['default', `z.object({ ${ADD}, mode: z.string().default('fast') }).strict()`, `z.object({ ${DEL} }).strict()`],
  ['prefault', `z.object({ ${ADD}, mode: z.string().prefault('fast') }).strict()`, `z.object({ ${DEL} }).strict()`, 4],
  ['catch', `z.object({ ${ADD}, mode: z.string().catch('fast') }).strict()`, `z.object({ ${DEL} }).strict()`],
];
for (const [id, first, second, since] of KINDS) {
  add(`tagged-root:${id}`, tagged(first, second), VARIANTS, since);
  add(
    `tagged-nested:${id}`,
    `z.object({ w: ${tagged(first, second)} })`,
    VARIANTS.map((w) => ({ w })),
    since,
  );
  if (id === 'catch' || id === 'prefault') continue;
  add(`union-root:${id}`, `z.union([${first}, ${second}])`, VARIANTS, since);
}
const OVERLAP = `z.union([${A}, z.object({ a: z.string(), b: z.string() })])`;
add('union-root:overlap', OVERLAP, [{ a: 'x' }, { a: 'x', b: 'y' }]);
add('union-nested:overlap', `z.object({ w: ${OVERLAP} })`, [{ w: { a: 'x' } }, { w: { a: 'x', b: 'y' } }]);
add('union-field', `z.object({ w: z.union([z.string(), ${INNER}.strict()]) })`, [
  { w: 's' },
  { w: { id: 'a' } },
  { w: { id: 'a', ...EXTRA } },
]);

// What may stand around the root.
const BAD = [...CALLS, { id: 'bad' }];
add('root.optional', `${STRICT}.optional()`, CALLS);
add('root.nullable', `${STRICT}.nullable()`, CALLS);
add('root.default', `${STRICT}.default({ id: 'D' })`, [...CALLS, {}]);
add('root.prefault', `${STRICT}.prefault({ id: 'D' })`, [...CALLS, {}], 4);
add('root.catch', `${STRICT}.catch({ id: 'C' })`, CALLS);
add('root.readonly', `${STRICT}.readonly()`, CALLS);
add('root.brand', `${STRICT}.brand('B')`, CALLS);
add('root.describe', `${STRICT}.describe('What it takes')`, CALLS);
add('root.meta', `${STRICT}.meta({ id: 'RootMeta', title: 'T' })`, CALLS, 4);
add('root.refine', `${STRICT}.refine((value) => value.id !== 'bad', 'no bad')`, BAD);
add(
  'root.superRefine',
  `${STRICT}.superRefine((value, context) => { if (value.id === 'bad') context.addIssue({ code: 'custom', message: 'no' }); })`,
  BAD,
);
add('root.transform', `${STRICT}.transform((value) => ({ ...value, t: 1 }))`, CALLS);
add('root.pipe', `${STRICT}.pipe(z.object({ id: z.string() }))`, CALLS);
add('root.preprocess', `z.preprocess((value) => value, ${STRICT})`, CALLS);
add('root.lazy', `z.lazy(() => ${STRICT})`, CALLS);
add('root-record', 'z.record(z.string(), z.number())', [{ a: 1 }, { a: 'x' }]);
add('root-string', 'z.string()', [{ a: 1 }]);
add('root-any', 'z.any()', [{ a: 1 }, {}]);
add('root-unknown', 'z.unknown()', [{ a: 1 }]);
add('root-array', 'z.array(z.number())', [{ a: 1 }]);

/** A strict object with one field, called with these values of it; undefined: the field is left out. */
function field(id: string, code: string, values: readonly (JsonObject[string] | undefined)[], since: 3 | 4 = 3): void {
  const calls = values.map((value): JsonObject => (value === undefined ? {} : { f: value }));
  add(`field.${id}`, `z.object({ f: ${code} }).strict()`, calls, since);
}
field('optional', 'z.string().optional()', ['x', undefined, null]);
field('nullable', 'z.string().nullable()', ['x', undefined, null]);
field('nullish', 'z.string().nullish()', ['x', undefined, null]);
field('default', "z.string().default('D')", ['x', undefined, null]);
field('default.optional', "z.string().default('D').optional()", ['x', undefined]);
field('optional.default', "z.string().optional().default('D')", ['x', undefined]);
field('prefault', "z.string().prefault('D')", ['x', undefined], 4);
field('catch', "z.string().catch('C')", ['x', undefined, 5]);
field('transform', 'z.string().transform((text) => text.length)', ['xyz', 5]);
field('pipe', 'z.string().transform((text) => Number(text)).pipe(z.number())', ['42', 5]);
field('preprocess', "z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number())", [
  5,
  '5',
  undefined,
]);
field('refine', "z.string().refine((text) => text !== 'bad', 'no bad')", ['x', 'bad']);
field('coerce.number', 'z.coerce.number()', [5, '5', undefined]);
field('coerce.date', 'z.coerce.date()', ['2020-01-01T00:00:00Z', 0]);
field('date', 'z.date()', ['2020-01-01T00:00:00Z']);
field('bigint', 'z.bigint()', [5, '5']);
field('coerce.bigint', 'z.coerce.bigint()', [5, 'x']);
field('map', 'z.map(z.string(), z.number())', [[['a', 1]], { a: 1 }]);
field('set', 'z.set(z.string())', [['a']]);
field('symbol', 'z.symbol()', ['a']);
field('undefined', 'z.undefined()', [undefined]);
field('custom', 'z.custom((value) => value === 1)', [1, 2]);
field('never.optional', 'z.never().optional()', [undefined, 1]);
field('any', 'z.any()', [{ a: 1 }, undefined]);
field('record', 'z.record(z.string(), z.number())', [{ a: 1 }, { a: 'x' }]);
field('record-enum-key', "z.record(z.enum(['a', 'b']), z.number())", [{ a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2, c: 3 }]);
field('partialRecord', "z.partialRecord(z.enum(['a', 'b']), z.number())", [{ a: 1 }, { c: 3 }], 4);
field('looseRecord', 'z.looseRecord(z.string().regex(/^a/), z.number())', [{ a: 1 }, { zz: 'text' }], 4);
field('tuple', 'z.tuple([z.string(), z.number()])', [['a', 1], ['a'], ['a', 1, 2]]);
field('enum', "z.enum(['x', 'y'])", ['x', 'q']);
field('nativeEnum', "z.nativeEnum({ A: 'x', B: 1 })", ['x', 1, 'A']);
field('literal', "z.literal('x')", ['x', 'y']);
field('literal-many', "z.literal(['x', 1, null])", ['x', 1, null, 'y'], 4);
field('literal-bigint', 'z.literal(5n)', [5]);
field('templateLiteral', "z.templateLiteral(['id-', z.number()])", ['id-5', 'x'], 4);
field('stringbool', 'z.stringbool()', ['true', true], 4);
field(
  'codec',
  'z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })',
  ['2020-01-01T00:00:00Z', 'x'],
  4,
);
field('int', 'z.number().int()', [5, 1.5]);
field('email', 'z.string().email()', ['a@b.co', 'x']);
field('readonly', 'z.array(z.string()).readonly()', [['a']]);
field('brand', "z.string().brand('B')", ['a']);
field('describe', "z.string().describe('What it is')", ['a']);
field('describe.optional', "z.string().describe('What it is').optional()", ['a']);
field('describe.default', "z.string().describe('What it is').default('D')", ['a', undefined]);
field('describe.transform', "z.string().describe('What it is').transform((text) => text)", ['a']);
field('transform.describe', "z.string().transform((text) => text).describe('What it is')", ['a']);
field('describe.min', "z.string().describe('What it is').min(1)", ['a', '']);
field('describe.refine', "z.string().describe('What it is').refine(() => true)", ['a']);
add(
  'shared-meta',
  "(() => { const Shared = z.string().meta({ id: 'Shared', title: 'S' }); return z.object({ a: Shared, b: Shared }).strict(); })()",
  [{ a: 'x', b: 'y' }, { a: 1 }],
  4,
);

// Recursion.
const TREES = [
  { name: 'a', kids: [{ name: 'b' }] },
  { name: 'a', ...EXTRA },
  { name: 'a', kids: [{ name: 'b', ...EXTRA }] },
];
const LAZY =
  '(() => { const Tree = z.object({ name: z.string(), kids: z.array(z.lazy(() => Tree)).optional() }).strict(); return Tree; })()';
const GETTER =
  '(() => { const Tree = z.object({ name: z.string(), get kids() { return z.array(Tree).optional(); } }).strict(); return Tree; })()';
add('recursive-lazy', LAZY, TREES);
add('recursive-getter', GETTER, TREES, 4);
add(
  'recursive-field',
  `z.object({ tree: ${GETTER} })`,
  TREES.map((tree) => ({ tree })),
  4,
);

/** Constructs that a zod major has. */
export function constructs(zod: 3 | 4): readonly Construct[] {
  return all.filter(({ since }) => since <= zod);
}

/** A construct's raw shape, for those whose schema is an object. Its id ends in `@shape`. */
export function shapeOf({ id, code, calls, since }: Construct): Construct | undefined {
  const isObject =
    code !== undefined && !/^(?:root[-.]|tagged-root|union-root)/.test(id) && !/^z\.intersection|\.and\(z/.test(code);
  return isObject ? { id: `${id}@shape`, code: `${code}.shape`, calls, since } : undefined;
}
