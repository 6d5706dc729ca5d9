import { describe, expect, it } from 'vitest';
import { check, fixed, only, summary, textOf } from './helpers/workspace.ts';

const tool = (schema: string): string => `server.registerTool('list', { inputSchema: ${schema} }, async () => ({}));\n`;
const BOATS = `const ListBoats = z.strictObject({ harbour: z.string(), filters: z.array(z.string()).optional() });\n`;

describe('dropped-catchall reports', () => {
  it('a registered shape, at the read of the shape', async () => {
    const text = BOATS + tool('ListBoats.shape');
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('ListBoats.shape');
    expect(finding).toMatchObject({
      rule: 'dropped-catchall',
      severity: 'warning',
      tools: ['list'],
      surfaces: ['mcp-v1'],
    });
    expect(finding.message).toBe(
      'An undeclared argument such as "filter" would be deleted: `ListBoats.shape` is registered instead of `ListBoats`, ' +
        'and the plain object that it becomes is no longer strict. A call that `ListBoats` rejects succeeds without it.',
    );
    expect(finding.witness).toEqual({
      arguments: { harbour: 'text', filter: 'x' },
      expected: { by: 'source', name: 'ListBoats', accepts: false, error: 'Unrecognized key: "filter"' },
      actual: { by: 'mcp-v1', accepts: true, received: { harbour: 'text' } },
    });
    expect(finding.related.map(({ message }) => message)).toEqual(['ListBoats is strict here']);
  });

  it.each([
    ['z.object(ListBoats.shape)'],
    ['z.object({ ...ListBoats.shape, page: z.number().optional() })'],
    ['ListBoats.merge(z.object({ page: z.number() }))'],
  ])('%s', async (schema) => {
    expect(await summary(BOATS + tool(schema))).toEqual([`dropped-catchall warning: ${schema}`]);
  });
});
