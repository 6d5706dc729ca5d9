import { describe, expect, it } from 'vitest';
import { resolveFix } from '../../../server/src/rules/index.ts';
import { check, fixed, only } from './helpers/workspace.ts';

const BOATS = `const ListBoats = z.strictObject({ harbour: z.string() });\n`;
const tool = (schema: string): string => `server.registerTool('list', { inputSchema: ${schema} }, async () => ({}));\n`;

/** The new schema after a fix, which `fixed` has checked again. */
async function schemaAfter(text: string, title: string, options = {}): Promise<string | undefined> {
  const changed = await fixed(text, title, options);
  return changed.match(/inputSchema: (.*?) \}, async/s)?.[1];
}

describe('fixes of a rebuilt object', () => {
  it.each([
    ['Extend ListBoats instead', 'ListBoats.extend({ page: z.number() })'],
    ['Put .strict() back', 'z.object({ ...ListBoats.shape, page: z.number() }).strict()'],
    ['Keep unknown keys with .loose()', 'z.object({ ...ListBoats.shape, page: z.number() }).loose()'],
    ['Say .strip() explicitly', 'z.object({ ...ListBoats.shape, page: z.number() }).strip()'],
  ])('%s', async (title, schema) => {
    const text = BOATS + tool('z.object({ ...ListBoats.shape, page: z.number() })');
    expect(await schemaAfter(text, title)).toBe(schema);
  });

  it('prefer extending, and stand in this order', async () => {
    const { fixes } = await only(BOATS + tool('z.object({ ...ListBoats.shape, page: z.number() })'));
    expect(fixes.map(({ title, preferred }) => (preferred ? `* ${title}` : title))).toEqual([
      '* Extend ListBoats instead',
      'Put .strict() back',
      'Keep unknown keys with .loose()',
      'Say .strip() explicitly',
      'Ignore on this line',
    ]);
  });

  it('take the source itself when nothing is added', async () => {
    expect(await schemaAfter(BOATS + tool('z.object(ListBoats.shape)'), 'Use ListBoats itself')).toBe('ListBoats');
    expect(await schemaAfter(BOATS + tool('z.object({ ...ListBoats.shape })'), 'Use ListBoats itself')).toBe(
      'ListBoats',
    );
  });

  it('keep comments, line breaks and what follows', async () => {
    const text =
      BOATS +
      tool(`z.object({\n  ...ListBoats.shape, // all of it\n  // how many\n  page: z.number(),\n}).describe('d')`);
    expect(await schemaAfter(text, 'Extend ListBoats instead')).toBe(
      `ListBoats.extend({ // all of it\n  // how many\n  page: z.number(),\n}).describe('d')`,
    );
    expect(await schemaAfter(text, 'Put .strict() back')).toContain(`}).strict().describe('d')`);
  });

  it('do not extend where the order of fields would change', async () => {
    const { fixes } = await only(BOATS + tool('z.object({ page: z.number(), ...ListBoats.shape })'));
    expect(fixes.map(({ id }) => id)).toEqual(['strict', 'loose', 'strip', 'ignore']);
  });

  it('keep further spreads', async () => {
    const text = `${BOATS}const B = z.object({ b: z.string() });\n${tool('z.object({ ...ListBoats.shape, ...B.shape })')}`;
    expect(await schemaAfter(text, 'Extend ListBoats instead')).toBe('ListBoats.extend({ ...B.shape })');
  });

  it('put a loose policy back', async () => {
    const text = `const Note = z.looseObject({ id: z.string() });\n${tool('z.object(Note.shape)')}`;
    expect(await schemaAfter(text, 'Put .loose() back')).toBe('z.object(Note.shape).loose()');
  });

  it('put a typed catchall back when its type can be written there', async () => {
    const text = `const Times = z.object({ id: z.string() }).catchall(z.number().min(3));\n${tool('z.object(Times.shape)')}`;
    expect(await schemaAfter(text, 'Put .catchall() back')).toBe('z.object(Times.shape).catchall(z.number().min(3))');
    const foreign = `const T = z.number();\nconst Times = z.object({ id: z.string() }).catchall(T);\n${tool('z.object(Times.shape)')}`;
    expect((await only(foreign)).fixes.map(({ id }) => id)).toEqual(['extend', 'loose', 'strip', 'ignore']);
  });

  it('speak zod 3', async () => {
    const text = `const A = z3.object({ id: z3.string() }).strict();\n${tool('z3.object({ ...A.shape, b: z3.number() })')}`;
    expect(await schemaAfter(text, 'Keep unknown keys with .passthrough()')).toBe(
      'z3.object({ ...A.shape, b: z3.number() }).passthrough()',
    );
    expect(await schemaAfter(text, 'Extend A instead')).toBe('A.extend({ b: z3.number() })');
  });

  it('bring a lost refinement back by extending only', async () => {
    const range = `const Range = z.object({ from: z.number(), to: z.number() }).refine((v) => v.from <= v.to);\n`;
    const text = range + tool('z.object({ ...Range.shape, unit: z.string() })');
    expect((await only(text)).fixes.map(({ id }) => id)).toEqual(['extend', 'ignore']);
    expect(await schemaAfter(text, 'Extend Range instead')).toBe('Range.safeExtend({ unit: z.string() })');
  });

  it('change a helper', async () => {
    const text = `${BOATS}const relax = (s) => z.object({ ...s.shape, page: z.number() });\n${tool('relax(ListBoats)')}`;
    expect(await fixed(text, 'Extend s instead')).toContain('(s) => s.extend({ page: z.number() })');
  });

  it('rename the factory where schemas have no methods', async () => {
    const text = `import { z } from 'zod/mini';\n${BOATS}${tool('z.object({ ...ListBoats.shape })')}`;
    const { fixes } = await only(text);
    expect(fixes.map(({ id }) => id)).toEqual(['strict', 'loose', 'ignore']);
    expect(await schemaAfter(text, 'Put .strict() back')).toBe('z.strictObject({ ...ListBoats.shape })');
    const both = `import * as mini from 'zod/mini';\nimport { z } from 'zod';\n${BOATS}${tool('z.object(ListBoats.shape)')}`;
    expect((await only(both)).fixes.map(({ id }) => id)).toEqual(['extend', 'strict', 'loose', 'strip', 'ignore']);
    const registered = `import * as z from 'zod/mini';\n${BOATS}${tool('ListBoats.shape')}`;
    expect((await only(registered)).fixes.map(({ id }) => id)).toEqual(['register', 'ignore']);
  });
});

describe('fixes of a merge', () => {
  it('extend with the shape of the argument', async () => {
    const text = `${BOATS}const Page = z.object({ page: z.number() });\n${tool('ListBoats.merge(Page)')}`;
    expect(await schemaAfter(text, 'Extend ListBoats instead')).toBe('ListBoats.extend(Page.shape)');
    expect(await schemaAfter(text, 'Put .strict() back')).toBe('ListBoats.merge(Page).strict()');
  });

  it('extend with the literal of the argument', async () => {
    const text = BOATS + tool('ListBoats.merge(z.object({ page: z.number() }))');
    expect(await schemaAfter(text, 'Extend ListBoats instead')).toBe('ListBoats.extend({ page: z.number() })');
  });
});

describe('fixes of a registered shape', () => {
  it.each([
    ['ListBoats.shape', 'Register ListBoats itself', 'ListBoats'],
    ['ListBoats.shape as never', 'Register ListBoats itself', 'ListBoats as never'],
    ['{ ...ListBoats.shape, page: z.number() }', 'Extend ListBoats instead', 'ListBoats.extend({ page: z.number() })'],
    ['ListBoats.shape', 'Say .strip() explicitly', 'ListBoats.strip().shape'],
  ])('%s: %s', async (schema, title, after) => {
    expect(await schemaAfter(BOATS + tool(schema), title)).toBe(after);
  });

  it.each([
    [`'Lists', ListBoats.shape`, `{ description: 'Lists', inputSchema: ListBoats }`],
    ['ListBoats.shape', '{ inputSchema: ListBoats }'],
    [
      `'Lists', ListBoats.shape, { readOnlyHint: true }`,
      `{ description: 'Lists', inputSchema: ListBoats, annotations: { readOnlyHint: true } }`,
    ],
    [
      `'Lists', { ...ListBoats.shape, page: z.number() }`,
      `{ description: 'Lists', inputSchema: ListBoats.extend({ page: z.number() }) }`,
    ],
  ])('server.tool with %s becomes registerTool', async (args, config) => {
    const text = `${BOATS}server.tool('list', ${args}, async () => ({}));\n`;
    expect(await fixed(text, 'Register ListBoats itself with registerTool')).toBe(
      `${BOATS}server.registerTool('list', ${config}, async () => ({}));\n`,
    );
  });

  it('offer the schema itself only where the SDK takes one and nothing else reads the shape', async () => {
    const old = await only(BOATS + tool('ListBoats.shape'), { sdk: '1.20.2' });
    expect(old.fixes.map(({ id }) => id)).toEqual(['strip', 'ignore']);
    const shared = await only(`${BOATS}const shape = ListBoats.shape;\n${tool('shape')}`);
    expect(shared.fixes.map(({ id }) => id)).toEqual(['strip', 'ignore']);
  });
});

describe('a fix of text that has changed', () => {
  it('is not made', async () => {
    const text = BOATS + tool('z.object(ListBoats.shape)');
    const [finding] = await check(text);
    if (!finding) throw new Error('no finding');
    expect(resolveFix(finding, 'strict', () => text)).toHaveLength(1);
    expect(resolveFix(finding, 'strict', () => ` ${text}`)).toBeUndefined();
    expect(resolveFix(finding, 'strict', () => undefined)).toBeUndefined();
    expect(resolveFix(finding, 'no such fix', () => text)).toBeUndefined();
  });
});
