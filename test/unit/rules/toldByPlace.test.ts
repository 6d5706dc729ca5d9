import { expect, test } from 'vitest';
import { type Shown, toldByPlace } from '../../../server/src/rules/inputChanges/byPlace.ts';
import type { Witness } from '../../../shared/src/model.ts';

const WITNESS: Witness = {
  arguments: { a: 1 },
  expected: { by: 'baseline', name: '1.0.0', accepts: true },
  actual: { by: 'mcp-v1', accepts: false, error: 'no a' },
};
const at = (start: number) => ({ file: '/a.ts', span: { start, end: start + 1 } });

interface Change extends Shown {
  readonly at: number;
}
const change = (start: number, witness: Witness | null, ...surfaces: Shown['surfaces']): Change => ({
  at: start,
  witness,
  surfaces,
});

test('changes at one place are told together, with the surfaces of all and the witness of any', () => {
  const changes = [change(1, null, 'mcp-v1'), change(2, null, 'ai-sdk'), change(1, WITNESS, 'mcp-v1', 'ai-sdk')];
  const told = toldByPlace(changes, (one) => at(one.at), 'error');
  expect(told).toEqual([
    {
      at: at(1),
      changes: [changes[0], changes[2]],
      severity: 'error',
      witness: WITNESS,
      surfaces: ['mcp-v1', 'ai-sdk'],
    },
    { at: at(2), changes: [changes[1]], severity: 'warning', witness: null, surfaces: ['ai-sdk'] },
  ]);
});

test.each([
  ['error', 'warning'],
  ['warning', 'information'],
] as const)('what no call shows is told one step lower: %s as %s', (severity, lower) => {
  const [told] = toldByPlace([change(1, null, 'mcp-v1')], (one) => at(one.at), severity);
  expect(told?.severity).toBe(lower);
});
