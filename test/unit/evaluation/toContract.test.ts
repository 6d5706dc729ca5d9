import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Modules } from '../../../server/src/evaluation/modules.ts';
import { describe } from '../../../server/src/evaluation/sandbox/describe.ts';
import type { WireContract } from '../../../server/src/evaluation/sandbox/messages.ts';
import { toContract } from '../../../server/src/evaluation/toContract.ts';
import { recorder } from '../sandbox/recorder.ts';

test('a graph that came as JSON has the fields that were declared, and no others', () => {
  const shape = Object.fromEntries(['__proto__', 'toString', 'a'].map((name) => [name, z.string()]));
  const { graph } = describe(z.object(shape), recorder());
  const sent = { id: 'a#0:0', name: 'a', form: 'schema', graph, rebuiltFrom: [], output: null } as WireContract;
  const wire = JSON.parse(JSON.stringify(sent)) as WireContract;
  const candidate = { id: 'a#0', file: '/a.ts', way: 'tool', certain: true, span: { start: 0, end: 1 } } as const;
  const contract = toContract(
    candidate,
    wire,
    { candidate: 'a#0', files: [], environment: [], contracts: [wire] },
    {} as Modules,
  );
  const fields = contract?.graph?.nodes[0]?.fields ?? {};
  expect(Object.keys(fields)).toEqual(['__proto__', 'toString', 'a']);
  expect([fields.constructor, fields.hasOwnProperty]).toEqual([undefined, undefined]);
});
