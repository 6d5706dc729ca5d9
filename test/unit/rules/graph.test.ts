import { describe, expect, it } from 'vitest';
import { findLoss, findLossOfShape } from '../../../server/src/rules/droppedCatchall/loss.ts';
import { childrenOf, lineage, placeOf, unwrap, walk } from '../../../server/src/rules/graph.ts';
import { damage, locate, mergeDeep, partAt, replaceAt, shown } from '../../../server/src/rules/values.ts';
import type { Place, SchemaGraph, SchemaNode } from '../../../shared/src/model.ts';

const place = (start: number): Place => ({ file: '/workspace/a.ts', span: { start, end: start + 1 } });
/** A graph of nodes whose ids are their positions; the first is the root. */
function graphOf(...nodes: (Partial<SchemaNode> & Pick<SchemaNode, 'kind'>)[]): SchemaGraph {
  return { root: 0, nodes: nodes.map((node, id) => ({ id, uid: id + 100, zod: 4, ...node })) };
}
const node = (graph: SchemaGraph, id: number): SchemaNode => graph.nodes[id] as SchemaNode;

describe('the walk over a graph', () => {
  it('meets every child once, by a path that people read', () => {
    const graph = graphOf(
      { kind: 'object', fields: { list: 1, pair: 3, map: 6, any: 8 }, catchall: 12 },
      { kind: 'array', element: 2 },
      { kind: 'optional', inner: 4 },
      { kind: 'tuple', items: [4], rest: 5 },
      { kind: 'string' },
      { kind: 'number' },
      { kind: 'record', key: 4, value: 7 },
      { kind: 'object', fields: { deep: 4 } },
      { kind: 'union', options: [9, 10] },
      { kind: 'intersection', left: 7, right: 11 },
      { kind: 'lazy', inner: 0 },
      { kind: 'set', element: 5 },
      { kind: 'boolean' },
    );
    expect([...walk(graph)].map(({ node: { id }, name, path }) => [id, name, path.length])).toEqual([
      [0, '', 1],
      [1, 'list', 2],
      [3, 'pair', 2],
      [6, 'map', 2],
      [8, 'any', 2],
      [12, '{}', 2],
      [2, 'list[]', 3],
      [4, 'pair[0]', 3],
      [5, 'pair[]', 3],
      [7, 'map{}', 3],
      [9, 'any', 3],
      [10, 'any', 3],
      [11, 'any', 4],
    ]);
  });

  it('goes where a value is parsed first: into a pipe, out of a preprocess', () => {
    const graph = graphOf(
      { kind: 'pipe', in: 1, out: 2 },
      { kind: 'string' },
      { kind: 'number' },
      { kind: 'transform' },
    );
    expect(childrenOf(graph, node(graph, 0))).toEqual([{ id: 1, step: '' }]);
    const preprocess = graphOf({ kind: 'pipe', in: 1, out: 2 }, { kind: 'transform' }, { kind: 'number' });
    expect(unwrap(preprocess, node(preprocess, 0)).id).toBe(2);
    const zod3 = graphOf({ kind: 'transform', in: 1 }, { kind: 'transform', in: 2 }, { kind: 'string' });
    expect(unwrap(zod3, node(zod3, 0)).id).toBe(2);
  });

  it('ends at what was cut off, wraps itself or wraps nothing', () => {
    const graph = graphOf({ kind: 'object', fields: { a: 7, b: 1 } }, { kind: 'lazy', inner: 1 }, { kind: 'optional' });
    expect([...walk(graph)].map(({ node: { id } }) => id)).toEqual([0, 1]);
    expect(unwrap(graph, node(graph, 1)).id).toBe(1);
    expect(unwrap(graph, node(graph, 2)).id).toBe(2);
    expect([...walk({ nodes: [], root: 0 })]).toEqual([]);
  });
});

describe('the place of a node', () => {
  it('is its own, else that of what it wraps, else of the nearest ancestor', () => {
    const graph = graphOf(
      { kind: 'object', origin: { place: place(1), method: 'object' } },
      { kind: 'optional', inner: 2 },
      { kind: 'string', origin: { place: place(2), method: 'string' } },
      { kind: 'number' },
    );
    const at = (id: number) => placeOf(graph, { node: node(graph, id), path: [0, id], name: '' });
    expect([0, 1, 2, 3].map(at)).toEqual([place(1), place(2), place(2), place(1)]);
    const bare = graphOf({ kind: 'string' });
    expect(placeOf(bare, { node: node(bare, 0), path: [0], name: '' })).toBeUndefined();
  });
});

describe('what an object lost', () => {
  const strict = { kind: 'object', policy: 'strict' } as const;
  const plain = { kind: 'object', policy: 'strip' } as const;
  const flow = (owner: number) => [{ owner, read: place(owner) }];
  const loss = (graph: SchemaGraph) => findLoss(graph, node(graph, 0))?.source.id;

  it('is nothing of an object that was made from it', () => {
    const fields = { a: 2 };
    const derived = graphOf(
      { ...plain, fields, rebuiltFrom: flow(1) },
      { ...strict, fields, from: 0 },
      { kind: 'string' },
    );
    expect(loss(derived)).toBeUndefined();
    const other = graphOf({ ...plain, fields, rebuiltFrom: flow(1) }, { ...strict, fields }, { kind: 'string' });
    expect(loss(other)).toBe(1);
  });

  it('is nothing where no field lives on', () => {
    const string = { kind: 'string' } as const;
    const fields = graphOf(
      { ...plain, fields: { a: 2 }, rebuiltFrom: flow(1) },
      { ...strict, fields: { a: 3 } },
      string,
      string,
    );
    expect(loss(fields)).toBeUndefined();
    const wrapped = graphOf(
      { ...plain, fields: { a: 2 }, rebuiltFrom: flow(1) },
      { ...strict, fields: { a: 3 } },
      { kind: 'default', inner: 4 },
      string,
      { kind: 'string', from: 3 },
    );
    expect(loss(wrapped)).toBe(1);
    const again = graphOf(
      { ...plain, fields: { a: 2 }, rebuiltFrom: flow(1) },
      { ...strict, fields: { a: 3 } },
      { ...string, origin: { place: place(9), method: 'string' } },
      { ...string, origin: { place: place(9), method: 'string' } },
    );
    expect(loss(again)).toBe(1);
  });

  it('is looked for in the receiver of a merge only', () => {
    const made = (method: string) =>
      graphOf({ ...plain, from: 1, origin: { place: place(1), method } }, { ...strict, fields: {} });
    expect(loss(made('merge'))).toBe(1);
    expect(loss(made('strip'))).toBeUndefined();
    expect(loss(made('clone'))).toBeUndefined();
  });

  it('is a key policy rather than a refinement', () => {
    const graph = graphOf(
      { ...plain, fields: { a: 3 }, rebuiltFrom: [...flow(1), ...flow(2)] },
      { ...plain, fields: { a: 3 }, checks: ['custom'] },
      { ...strict, fields: { a: 3 } },
      { kind: 'string' },
    );
    expect(loss(graph)).toBe(2);
    expect(findLossOfShape(graph, node(graph, 0), flow(1))).toMatchObject({ policy: false, refinement: true });
  });

  it('follows a lineage that bites its tail no further', () => {
    const graph = graphOf({ ...plain, from: 1 }, { ...plain, from: 0 });
    expect(lineage(graph, node(graph, 0)).map(({ id }) => id)).toEqual([0, 1]);
    expect(loss(graph)).toBeUndefined();
  });
});

describe('values', () => {
  it('are located, read and replaced', () => {
    const value = { a: [{ b: 1 }, { b: 2 }] };
    expect(locate(value, { b: 2 })).toEqual(['a', 1]);
    expect(locate(value, value)).toEqual([]);
    expect(locate(value, { b: 3 })).toBeUndefined();
    expect(partAt(value, ['a', 1, 'b'])).toBe(2);
    expect(partAt(value, ['a', 2, 'b'])).toBeUndefined();
    expect(partAt(value, ['toString'])).toBeUndefined();
    expect(replaceAt(value, ['a', 0], 'x')).toEqual({ a: ['x', { b: 2 }] });
  });

  it('are damaged where what was sent is gone or changed', () => {
    expect(damage({ a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 2, d: 3 } }, { a: 9, b: { d: 3 } })).toEqual([
      'a',
      'b.c',
    ]);
    expect(damage({ a: 1 }, { a: 1, filled: 2 }, { a: 1 })).toEqual([]);
    expect(damage({ a: 1, dropped: 2 }, { a: 1 }, { a: 1 })).toEqual([]);
    expect(damage({ a: [1, 2] }, { a: [1, 2] }, { a: [1] })).toEqual(['a.1']);
    expect(damage({ a: 1 }, { a: 1 }, null)).toEqual(['a']);
    expect(damage(1, 2, 2)).toEqual([]);
  });

  it('are merged below, and shown in one line', () => {
    expect(mergeDeep({ a: { b: 1 }, c: 1 }, { a: { d: 2 }, c: 2 })).toEqual({ a: { b: 1, d: 2 }, c: 2 });
    expect(shown({ a: [1], b: 'x' })).toBe('{ "a": [ 1 ], "b": "x" }');
    expect(shown('x'.repeat(100), 10)).toHaveLength(10);
  });
});
