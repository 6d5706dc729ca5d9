import { expect, test } from 'vitest';
import { z } from 'zod';
import { compareInputs } from '../../../server/src/baseline/compare.ts';
import { graphModel } from '../../../server/src/baseline/graphModel.ts';
import { jsonModel } from '../../../server/src/baseline/jsonModel.ts';
import type { Json, SchemaGraph } from '../../../shared/src/model.ts';
import { describe as describeSchema } from '../sandbox/graph.ts';
import { recorder } from '../sandbox/recorder.ts';

const graphOf = (schema: object) => describeSchema(schema, recorder()).graph as unknown as SchemaGraph;

test('a union that holds itself has the alternatives of its other members', () => {
  const Boat = z.object({ name: z.string() });
  const Fleet: z.ZodType = z.lazy(() => z.union([Boat, Fleet]));
  const model = graphModel(graphOf(z.object({ fleet: Fleet })));
  const [root] = model.kinds(model.root);
  const fleet = root?.type === 'object' ? root.fields.get('fleet') : undefined;
  expect(model.kinds(fleet?.node ?? -1)).toMatchObject([{ type: 'object', policy: 'strip' }]);
});

test('a JSON Schema that refers to itself has the alternatives of its other members', () => {
  const schema: Json = {
    anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { $ref: '#' }],
  };
  const model = jsonModel(schema);
  expect(model.kinds(model.root)).toMatchObject([{ type: 'object' }]);
});

test('schemas that go round are compared, and differ where they differ', () => {
  const tree = (fields: z.ZodRawShape): z.ZodType => {
    const Node: z.ZodType = z.lazy(() =>
      z.object({ ...fields, sons: z.array(Node), both: z.intersection(Node, Node) }),
    );
    return z.object({ tree: Node });
  };
  const [before, now] = [tree({ a: z.string(), b: z.string() }), tree({ a: z.string() })].map((one) =>
    graphModel(graphOf(one)),
  );
  if (!before || !now) throw new Error('no models');
  const changes = compareInputs(before, now);
  expect(changes.map(({ kind }) => kind)).toContain('removed');
  expect(compareInputs(now, now)).toEqual([]);
});
