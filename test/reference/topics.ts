import { expect, test } from 'vitest';
import { type Facts, STRICT } from './facts.ts';

/** What a tool without inputs is advertised as. */
export const EMPTY = { type: 'object', properties: {} };
export const ROOTS = {
  union: `z.union([${STRICT}, z.object({ b: z.string() })])`,
  intersection: `z.intersection(${STRICT}, z.object({ b: z.string() }))`,
  optional: `${STRICT}.optional()`,
  default: `${STRICT}.default({ a: 'D' })`,
  catch: `${STRICT}.catch({ a: 'C' })`,
  readonly: `${STRICT}.readonly()`,
  lazy: `z.lazy(() => ${STRICT})`,
  transform: `${STRICT}.transform((value) => value)`,
  pipe: `${STRICT}.pipe(z.object({ a: z.string() }))`,
  preprocess: `z.preprocess((value) => value, ${STRICT})`,
  record: 'z.record(z.string(), z.number())',
};
export const UNLISTABLE = {
  date: 'z.object({ f: z.date() })',
  coerced: 'z.object({ f: z.coerce.date() })',
  bigint: 'z.object({ f: z.bigint() })',
  map: 'z.object({ f: z.map(z.string(), z.string()) })',
  set: 'z.object({ f: z.set(z.string()) })',
  symbol: 'z.object({ f: z.symbol() })',
  undef: 'z.object({ f: z.undefined() })',
  custom: 'z.object({ f: z.custom((value) => value === 1) })',
  dateCatchall: 'z.object({ f: z.string() }).catchall(z.date())',
  deep: 'z.object({ list: z.array(z.object({ f: z.date().optional() })) })',
};
export const SHAPES = {
  strict: `${STRICT}.shape`,
  loose: 'z.object({ a: z.string() }).passthrough().shape',
  catchall: 'z.object({ a: z.string() }).catchall(z.number()).shape',
  refined: "z.object({ a: z.string() }).refine(({ a }) => a !== 'bad').shape",
  described: "z.object({ a: z.string() }).describe('What it takes').shape",
  titled: "z.object({ a: z.string() }).meta({ title: 'T' }).shape",
  itself: STRICT,
};

/** What happens to a raw shape, wherever one is taken. */
export function tellsOfShapes(facts: () => Facts): void {
  test.each(['strict', 'loose', 'catchall'])('a raw shape of a %s object deletes undeclared keys', async (name) => {
    expect(await facts().call(name, { a: 'x', zzz: 1 })).toEqual({ accepts: true, value: { a: 'x' } });
    expect(facts().advertised(name)).not.toHaveProperty('additionalProperties');
    expect((await facts().call('itself', { a: 'x', zzz: 1 })).accepts).toBe(false);
  });

  test("a raw shape has none of its object's refinement, description and meta", async () => {
    expect((await facts().call('refined', { a: 'bad' })).accepts).toBe(true);
    expect(facts().advertised('described')).not.toHaveProperty('description');
    expect(facts().advertised('titled')).not.toHaveProperty('title');
  });
}

/** A type without a JSON Schema form among good ones, in the built sandbox. */
export function tellsOfUnlistable(facts: () => Facts): void {
  test.each(Object.keys(UNLISTABLE))('%s cannot be listed, its neighbour can', (name) => {
    expect(facts().offer(name)).toMatchObject({
      advertised: null,
      listError: expect.stringMatching(/cannot be represented/),
    });
    expect(facts().offer(name).mountError).toBeUndefined();
    expect(facts().advertised('good')).toMatchObject({ type: 'object', properties: { a: { type: 'string' } } });
  });
}

/** A script that puts a tool with a date beside a good one and says what `tools/list` does. */
export const listsBoth = (imports: string): string => `${imports}
import { z } from 'zod';
const server = new McpServer({ name: 's', version: '1' });
server.registerTool('good', { inputSchema: z.object({ a: z.string() }) }, () => ({ content: [] }));
server.registerTool('bad', { inputSchema: z.object({ f: BAD }) }, () => ({ content: [] }));
const client = new Client({ name: 'c', version: '1' });
const [mine, its] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(its), client.connect(mine)]);
const listed = await client.listTools().then(({ tools }) => tools.length, (error) => error.message);
console.log(JSON.stringify(listed));
process.exit(0);
`;
