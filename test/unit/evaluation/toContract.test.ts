import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Modules } from '../../../server/src/evaluation/modules.ts';
import { describe, ObjectTable } from '../../../server/src/evaluation/sandbox/describe.ts';
import type { WireContract } from '../../../server/src/evaluation/sandbox/messages.ts';
import { toContract } from '../../../server/src/evaluation/toContract.ts';
import { recorder } from '../sandbox/recorder.ts';

test('a graph that came as JSON has the fields that were declared, and no others', () => {
  const shape = Object.fromEntries(['__proto__', 'toString', 'a'].map((name) => [name, z.string()]));
  const table = new ObjectTable();
  const graph = table.graph(describe(z.object(shape), recorder()));
  const contracts: WireContract[] = [{ id: 'a#0:0', name: 'a', form: 'schema', graph, output: null }];
  const sent = { candidate: 'a#0', files: [], environment: [], contracts, objects: table.objects };
  const result = JSON.parse(JSON.stringify(sent)) as typeof sent;
  const candidate = { id: 'a#0', file: '/a.ts', way: 'tool', certain: true, span: { start: 0, end: 1 } } as const;
  const contract = toContract(candidate, result.contracts[0] as WireContract, result, {} as Modules);
  const fields = contract?.graph?.nodes[0]?.fields ?? {};
  expect(Object.keys(fields)).toEqual(['__proto__', 'toString', 'a']);
  expect([fields.constructor, fields.hasOwnProperty]).toEqual([undefined, undefined]);
});
