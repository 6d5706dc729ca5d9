import { describe, expect, it } from 'vitest';
import * as zod44 from 'zod-4-4';
import { check, fixed, only, summary, textOf } from './helpers/workspace.ts';

const tool = (schema: string): string => `server.registerTool('find', { inputSchema: ${schema} }, async () => ({}));\n`;
const code = 'default-in-union-variant';

describe('default-in-union-variant is an error', () => {
  const lost = `z.object({ by: z.union([z.object({ speed: z.number().catch(10) }), z.object({ speed: z.string() })]) })`;

  it('where a call loses its data and would not with .optional()', async () => {
    const text = tool(lost);
    const finding = await only(text);
    expect(finding).toMatchObject({ rule: code, severity: 'error', surfaces: ['mcp-v1'] });
    expect(textOf(text, finding.at)).toBe('z.number().catch(10)');
    expect(finding.message).toBe(
      'A call made for another variant of the union, such as { "speed": "text" }, loses "speed": the `.catch()` of ' +
        '"speed" lets this variant take it. With `.optional()` in its place the call passes.',
    );
    expect(finding.witness).toEqual({
      arguments: { by: { speed: 'text' } },
      expected: { by: 'contract', name: 'variant 2 alone', accepts: true, value: { speed: 'text' } },
      actual: { by: 'mcp-v1', accepts: true, received: { by: { speed: 10 } } },
    });
  });

  it('where a call is rejected and would not be with .optional()', async () => {
    const text = tool(
      `z.object({ by: z.discriminatedUnion('unit', [z.object({ unit: z.literal('metric').default('metric'), cm: z.number() }), z.object({ unit: z.literal('imperial'), inch: z.number() })]) })`,
    );
    const finding = await only(text, { zod: zod44 });
    expect(finding.severity).toBe('error');
    expect(finding.message).toMatch(/^A call made for this variant of the union, such as \{ "cm": 1 \}, is rejected: /);
    expect(finding.witness).toMatchObject({
      expected: { accepts: true, value: { unit: 'metric', cm: 1 } },
      actual: { accepts: false },
    });
  });

  it('only on the surfaces that show it', async () => {
    const elsewhere = await only(tool(lost), {
      probe: (real) => ({ ...real, call: async (_offer, args) => ({ accepts: true, value: args }) }),
    });
    expect(elsewhere.severity).toBe('information');
  });

  it('in an intersection, where the other side needs keys of its own', async () => {
    const text = tool(
      `z.object({ id: z.string() }).and(z.union([z.object({ speed: z.number().catch(10) }), z.object({ speed: z.string() })]))`,
    );
    const findings = await check(text);
    const finding = findings.find(({ rule }) => rule === code);
    expect(finding).toMatchObject({ severity: 'error', witness: { arguments: { id: 'text', speed: 'text' } } });
  });
});

describe('default-in-union-variant is a warning on a discriminator', () => {
  it('that the union fills in', async () => {
    const text = tool(
      `z.object({ by: z.discriminatedUnion('unit', [z.object({ unit: z.literal('metric').default('metric'), cm: z.number() }), z.object({ unit: z.literal('imperial'), inch: z.number() })]) })`,
    );
    const finding = await only(text);
    expect(finding.severity).toBe('warning');
    expect(textOf(text, finding.at)).toBe(`z.literal('metric').default('metric')`);
    expect(finding.message).toMatch(/^A call without "unit" is taken for this variant of the union/);
    expect(finding.witness).toMatchObject({
      arguments: { by: { cm: 1 } },
      actual: { accepts: true, received: { by: { unit: 'metric', cm: 1 } } },
    });
  });

  it('in every variant, where the union rejects the call', async () => {
    const text = tool(
      `z.object({ door: z.discriminatedUnion('act', [z.object({ act: z.literal('open').default('open'), key: z.string() }), z.object({ act: z.literal('shut').default('shut'), slam: z.boolean() })]) })`,
    );
    const findings = await check(text);
    expect(findings.map(({ at, severity }) => `${severity} ${textOf(text, at)}`)).toEqual([
      `warning z.literal('open').default('open')`,
      `warning z.literal('shut').default('shut')`,
    ]);
    expect(findings[0]?.message).toMatch(/^A call without "act" is rejected, although/);
    expect(findings[0]?.witness?.actual.accepts).toBe(false);
  });

  it('with a catch', async () => {
    const text = tool(
      `z.object({ by: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a').catch('a') }), z.object({ kind: z.literal('b'), n: z.number() })]) })`,
    );
    expect((await check(text)).find(({ rule }) => rule === code)?.message).toContain('its tag has a `.catch()`');
  });

  it.each([
    ['zod 4', 'z'],
    ['zod 3', 'z3'],
  ])('and information on a field beside the tag, which alone chooses: %s', async (_zod, z) => {
    const variants = `[${z}.object({ unit: ${z}.literal('a'), cm: ${z}.number().default(1) }), ${z}.object({ unit: ${z}.literal('b'), cm: ${z}.string() })]`;
    const tagged = tool(`${z}.object({ by: ${z}.discriminatedUnion('unit', ${variants}) })`);
    expect(await summary(tagged)).toEqual([`${code} information: ${z}.number().default(1)`]);
    const [finding] = await check(tagged);
    expect(finding?.message).toContain('is the one that "unit" names');
    expect(finding?.message).not.toContain('lets the variant match');
  });

  it('of zod 3', async () => {
    const text = tool(
      `z3.object({ by: z3.discriminatedUnion('unit', [z3.object({ unit: z3.literal('a').default('a'), cm: z3.number() }), z3.object({ unit: z3.literal('b') })]) })`,
    );
    expect(await summary(text)).toEqual([expect.stringMatching(/(warning|error): z3\.literal\('a'\)\.default\('a'\)/)]);
  });

  it('and information when no call can be built', async () => {
    const text = tool(
      `z.object({ by: z.discriminatedUnion('unit', [z.object({ unit: z.literal('a').default('a') }), z.object({ unit: z.literal('b') })]) })`,
    );
    const finding = await only(text, {
      probe: (real) => ({ ...real, sample: async () => ({ found: false, reason: 'none' }) }),
    });
    expect(finding).toMatchObject({ severity: 'information', witness: null });
    expect(finding.message).toMatch(/No call could be built that shows it\.$/);
  });
});

describe('default-in-union-variant is information', () => {
  it('where the call loses its data with .optional() too', async () => {
    const text = tool(
      `z.object({ page: z.union([z.object({ limit: z.number().default(20) }), z.object({ cursor: z.string() })]) })`,
    );
    const finding = await only(text);
    expect(finding.severity).toBe('information');
    expect(finding.message).toContain('loses "cursor"; `.optional()` would not change that.');
    expect(finding.fixes.map(({ id }) => id)).toEqual(['ignore']);
    expect(finding.witness?.actual.received).toEqual({ page: { limit: 20 } });
  });

  it('does not blame a default for what another variant takes', async () => {
    const text = tool(
      `z.object({ by: z.union([z.object({ id: z.string() }), z.object({ id: z.string(), tag: z.string() }), z.object({ n: z.number(), limit: z.number().default(20) })]) })`,
    );
    const finding = await only(text);
    expect(finding.severity).toBe('information');
    expect(finding.message).not.toContain('"tag"');
    expect(finding.witness?.actual.received).toEqual({ by: { n: 1, limit: 20 } });
  });

  it.each([
    ['default', 'z.number().default(20)'],
    ['prefault', 'z.number().prefault(20)'],
    ['catch', 'z.number().catch(20)'],
    ['described', `z.number().default(20).describe('how many')`],
    ['below optional', 'z.number().default(20).optional()'],
    ['below nullable', 'z.number().default(20).nullable()'],
    ['below readonly', 'z.number().default(20).readonly()'],
    ['before a transform', 'z.number().default(20).transform((n) => n + 1)'],
  ])('at the value expression: %s', async (_what, value) => {
    const text = tool(`z.object({ by: z.union([z.object({ a: z.literal(1), n: ${value} }), z.string()]) })`);
    expect(await summary(text)).toEqual([`${code} information: ${value}`]);
  });

  it.each([
    ['an object', '{ deep: z.object({ n: z.number().default(1) }) }'],
    ['an array', '{ deep: z.array(z.object({ n: z.number().default(1) })) }'],
    ['a record', '{ deep: z.record(z.string(), z.object({ n: z.number().default(1) })) }'],
    ['two objects', '{ deep: z.object({ er: z.object({ n: z.number().default(1) }).optional() }) }'],
  ])('for a field nested in a variant: %s', async (_what, shape) => {
    const text = tool(`z.object({ by: z.union([z.object(${shape}), z.string()]) })`);
    expect(await summary(text)).toEqual([`${code} information: z.number().default(1)`]);
  });

  it('for each union of a recursive schema once', async () => {
    const text = `const Tree = z.union([z.object({ leaf: z.number().default(1) }), z.object({ kids: z.array(z.lazy(() => Tree)) })]);\n${tool('z.object({ tree: Tree })')}`;
    expect(await summary(text)).toHaveLength(1);
  });

  it('names the way to a nested field', async () => {
    const text = tool(
      `z.object({ by: z.union([z.object({ stops: z.array(z.object({ n: z.number().default(1) })) }), z.string()]) })`,
    );
    const finding = await only(text);
    expect(finding.message).toContain('When "n" (`by.stops[].n`) is left out, 1 is filled in only if');
    expect(finding.witness?.actual.received).toEqual({ by: { stops: [{ n: 1 }] } });
  });
});

describe('default-in-union-variant never reports', () => {
  it.each([
    [
      'a default on the whole union',
      `z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).default({ a: 'x' })`,
    ],
    ['a default on a scalar member', `z.union([z.string().default('misc'), z.array(z.string())])`],
    ['a default under nullable', 'z.object({ deep: z.boolean().default(true) }).nullable()'],
    ['a default under optional', 'z.object({ deep: z.boolean().default(true) }).optional()'],
    ['a default under a union with null', 'z.union([z.object({ deep: z.boolean().default(true) }), z.null()])'],
    ['a default outside any union', 'z.object({ deep: z.boolean().default(true) })'],
    ['an optional field', 'z.union([z.object({ a: z.string().optional(), k: z.literal(1) }), z.string()])'],
    ['a default of array elements', `z.union([z.object({ a: z.array(z.string().default('x')) }), z.string()])`],
  ])('%s', async (_what, schema) => {
    expect(await summary(tool(`z.object({ by: ${schema} })`))).toEqual([]);
  });
});

describe('fixes of default-in-union-variant', () => {
  it('.optional() is preferred where it was shown to mend the call', async () => {
    const text = tool(
      `z.object({ by: z.union([z.object({ speed: z.number().catch(10).describe('d') }), z.object({ speed: z.string() })]) })`,
    );
    expect((await only(text)).fixes[0]).toEqual({ id: 'optional', title: 'Use .optional() instead', preferred: true });
    expect(await fixed(text, 'Use .optional() instead')).toContain(`speed: z.number().optional().describe('d') }`);
  });

  it.each([
    ['z.number().default(20)', 'z.number().optional()'],
    ['z.number().optional().default(20)', 'z.number().optional()'],
    ['z.number().default(20).optional()', 'z.number().optional()'],
    ['z.number().nullish().default(20)', 'z.number().nullish()'],
    ['z.number()\n  .min(1)\n  .prefault(20)', 'z.number()\n  .min(1).optional()'],
  ])('.optional() for %s', async (value, after) => {
    const text = tool(`z.object({ by: z.union([z.object({ a: z.literal(1), n: ${value} }), z.string()]) })`);
    expect((await only(text)).fixes[0]?.preferred).toBe(false);
    expect(await fixed(text, 'Use .optional() instead')).toContain(`n: ${after} }`);
  });

  it('a tag is required again', async () => {
    const text = tool(
      `z.object({ by: z.discriminatedUnion('unit', [z.object({ unit: z.literal('a').default('a'), cm: z.number() }), z.object({ unit: z.literal('b') })]) })`,
    );
    expect((await only(text)).fixes.map(({ title }) => title)).toEqual(['Require "unit"', 'Ignore on this line']);
    expect(await fixed(text, 'Require "unit"')).toContain(`unit: z.literal('a'), cm`);
  });

  it('change the shared expression, wherever it stands', async () => {
    const text = `const Limit = z.number().default(20);\n${tool(
      'z.object({ by: z.union([z.object({ a: z.literal(1), limit: Limit }), z.string()]) })',
    )}`;
    expect(await fixed(text, 'Use .optional() instead')).toContain('const Limit = z.number().optional();');
  });

  it('are not offered where the expression has no such call', async () => {
    const text = tool(
      `z.object({ by: z.union([z.object({ a: z.literal(1), n: z.preprocess((v) => v, z.number().default(20)) }), z.string()]) })`,
    );
    expect((await only(text)).fixes.map(({ id }) => id)).toEqual(['ignore']);
  });
});
