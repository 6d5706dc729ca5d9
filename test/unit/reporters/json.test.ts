import { expect, test } from 'vitest';
import { type JsonReport, json } from '../../../server/src/reporters/json.ts';
import { dropped, found, tool } from './found.ts';
import { report } from './look.ts';

function parsed(changes = {}): JsonReport {
  return JSON.parse(json(report(changes))) as JsonReport;
}

test('the document has exactly the fields of version 1', () => {
  const document = parsed({ tools: [tool('src/tools/boats.ts', 'get_boat', 'strict')], findings: [dropped] });
  expect(document).toEqual({
    version: 1,
    root: '.',
    baseline: null,
    baselines: [],
    tools: [
      {
        name: 'get_boat',
        file: 'src/tools/boats.ts',
        range: { start: { line: 3, character: 20 }, end: { line: 3, character: 30 } },
        registeredAt: null,
        package: '.',
        surface: { id: 'mcp-v1', sdk: '@modelcontextprotocol/sdk', version: '1.32.2' },
        zod: '4.6.7',
        evaluated: true,
        policy: 'strict',
        advertised: { type: 'object', properties: {} },
        listed: true,
      },
    ],
    findings: [
      {
        rule: 'dropped-catchall',
        severity: 'warning',
        tools: ['list_boats'],
        surfaces: ['mcp-v1'],
        file: 'src/tools/boats.ts',
        range: { start: { line: 1, character: 15 }, end: { line: 1, character: 30 } },
        message: dropped.message,
        related: [
          {
            file: 'src/schemas/boats.ts',
            range: { start: { line: 2, character: 25 }, end: { line: 2, character: 39 } },
            message: '`ListBoats` is strict here',
          },
        ],
        witness: dropped.witness,
        fixes: [
          { title: 'Put `.strict()` back', preferred: false },
          { title: 'Ignore on this line', preferred: false },
          { title: 'Register `ListBoats` itself', preferred: true },
        ],
      },
    ],
  });
});

test('a tool that was not evaluated says why, and one that cannot be listed too', () => {
  const boats = tool('src/tools/boats.ts', 'get_boat', 'strict');
  const offers = boats.offers.map((offer) => ({ ...offer, advertised: null, listError: 'Date has no form' }));
  const document = parsed({
    tools: [...found().tools.filter((row) => row.unevaluated), { ...boats, offers }],
    findings: [],
  });
  expect(document.tools).toMatchObject([
    { name: 'get_boat', evaluated: true, listed: false, listError: 'Date has no form' },
    { name: 'tide_table', evaluated: false, surface: null, policy: null, reason: expect.stringContaining('awaited') },
  ]);
  expect(document.tools[0]).not.toHaveProperty('advertised');
});

test('two runs are equal byte for byte, whatever order they found things in and however long they took', () => {
  const { tools, findings } = found();
  const again = report({ tools: tools.toReversed(), findings: findings.toReversed(), durationMs: 5 });
  expect(json(again)).toBe(json(report()));
  expect(json(again).endsWith('}\n')).toBe(true);
});
