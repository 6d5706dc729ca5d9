import { describe, expect, test } from 'vitest';
import { brief, row } from './rows.ts';

describe('positional helpers', () => {
  test.each([
    [`tool('a', 'Title', 'What', { q: z.string() }, async () => {});`, '{ q: z.string() }'],
    [`addTool('a', 'What', Q.shape, async () => {});`, 'Q.shape'],
    [`addTool(server, 'a', 'What', { q: z.string() }, async () => {});`, '{ q: z.string() }'],
    [`registry.defineTool('a', 'What', z.object({}), handler);`, 'z.object({})'],
    [`register('a', 'What', z.object({}), async () => {});`, 'z.object({})'],
    [`this.paidTool('a', 'What', {}, () => {}, { checkout: { price: 1 } });`, '{}'],
    [`new SimpleTool('a', 'What', { q: z.string() }, async () => {});`, '{ q: z.string() }'],
  ])('%s', (text, schema) => {
    expect(row(text)).toMatchObject({ way: 'positional', name: 'a', from: 'argument', schema, whole: undefined });
  });

  test('a name that is no literal counts by what it is called', () => {
    expect(row(`defineTool(NAMES.toolA, 'What', { q: z.string() }, async () => {});`).name).toBe('`NAMES.toolA`');
    expect(row(`define(NAMES.toolA, 'What it does', { q: z.string() }, async () => {});`).name).toBe('`NAMES.toolA`');
    expect(row(`addTool(ctx.tools, 'dim', 'Dims', { q: z.string() }, async () => {});`).name).toBe('dim');
    expect(brief(`define(things, 'What it does', { q: z.string() }, async () => {});`)).toEqual([]);
  });

  test('several arguments that may be the schema are alternatives', () => {
    expect(row(`addTool('a', WHAT, params, async () => {});`)).toMatchObject({
      schema: 'WHAT',
      alternatives: ['WHAT', 'params'],
      shown: 'params',
    });
  });

  test('certain with a description, a schema and a handler, or by a known library', () => {
    expect(row(`addTool('a', 'What', { q: z.string() }, async () => {});`).certain).toBe(true);
    expect(row(`addTool('a', WHAT, params, async () => {});`).certain).toBe(false);
    expect(
      row(`import { tool } from '@anthropic-ai/claude-agent-sdk'; tool('a', WHAT, params, async () => {});`).certain,
    ).toBe(true);
    expect(row(`register('a', 'What', z.object({}), async () => {});`).certain).toBe(false);
  });

  test('an object with the schema inside is the candidate instead', () => {
    expect(row(`createTool('a', { description: 'What', inputSchema: S }, async () => {});`)).toMatchObject({
      way: 'tool',
      name: 'a',
      schema: 'S',
    });
  });

  test.each([
    `addTool('a', 'What', async () => {});`,
    `addTool('a', 'What', [1, 2], async () => {});`,
    `addTool(...all);`,
    `addTool('a', S);`,
    `foo('a', 'What', { q: z.string() }, async () => {});`,
    `foo('a', options, async () => {});`,
    `recordTool(name, params, userId);`,
    `it('a', { q: z.string() }, async () => {});`,
    `router.post('a', { q: z.string() }, async () => {});`,
  ])('not %s', (text) => {
    expect(brief(text)).toEqual([]);
  });

  test('annotations are no schema', () => {
    expect(brief(`addTool('a', 'What', { readOnlyHint: true }, { q: z.string() }, async () => {});`)).toEqual([
      'a: { q: z.string() }',
    ]);
  });

  test('super with parts, in a class that says tool', () => {
    expect(row(`class DimTool extends Base { constructor() { super('dim', 'What', z.object({})); } }`)).toMatchObject({
      way: 'class',
      name: 'dim',
      schema: 'z.object({})',
      span: `super('dim', 'What', z.object({}))`,
    });
  });
});
