import { expect, test } from 'vitest';
import { lanes } from '../../../server/src/reporters/witness.ts';
import { inline, shortError } from '../../../server/src/rules/callWords.ts';
import type { Witness } from '../../../shared/src/model.ts';

test('JSON on one line reads as a person writes it', () => {
  expect(inline({ a: [1, 'x', null, {}], 'b c': { d: [] }, e: true })).toBe(
    '{ "a": [1, "x", null, {}], "b c": { "d": [] }, "e": true }',
  );
  expect(inline('a\n\u001b[31mb')).toBe('"a\\n\\u001b[31mb"');
});

const witness = (changes: Partial<Witness>): Witness => ({
  arguments: {},
  expected: { by: 'source', name: 'ListBoats', accepts: true },
  actual: { by: 'mcp-v1', accepts: true },
  ...changes,
});

test('a lane tells who answers, what, and which keys came or went, at every depth', () => {
  const [expected, actual] = lanes(
    witness({
      arguments: { id: 1, place: { lat: 1, lon: 2 }, list: [{ a: 1, b: 2 }] },
      actual: {
        by: 'mcp-v1',
        accepts: true,
        received: { id: 1, place: { harbour: 'h', lat: 1 }, list: [{ a: 1 }], page: 1 },
      },
    }),
    'list_boats',
  );
  expect(expected).toEqual({ who: 'ListBoats', what: 'accepts', deleted: [], added: [] });
  expect(actual).toEqual({
    who: 'list_boats',
    what: 'runs with { "id": 1, "place": { "harbour": "h", "lat": 1 }, "list": [{ "a": 1 }], "page": 1 }',
    deleted: ['place.lon', 'list.0.b'],
    added: ['place.harbour', 'page'],
  });
});

test('what is expected of a part of the arguments is not compared with the whole', () => {
  const [expected] = lanes(
    witness({
      arguments: { place: { lat: 1 } },
      expected: { by: 'contract', name: 'variant 2 alone', accepts: true, value: { lat: 1 } },
    }),
    't',
  );
  expect(expected).toEqual({ who: 'variant 2 alone', what: 'gives { "lat": 1 }', deleted: [], added: [] });
});

test('a call that is rejected deletes nothing', () => {
  const [expected, actual] = lanes(
    witness({
      arguments: { a: 1 },
      expected: { by: 'source', name: 'A', accepts: false, error: ' ' },
      actual: { by: 'mcp-v1', accepts: false, received: {}, error: 'no' },
    }),
    't',
  );
  expect(expected).toMatchObject({ what: 'rejects', deleted: [] });
  expect(actual).toMatchObject({ what: 'rejects: no', deleted: [], added: [] });
});

test('of a list of issues the messages are kept, whatever words stand before', () => {
  const issues = JSON.stringify(
    [
      { code: 'unrecognized_keys', path: [], message: 'Unrecognized key: "x"' },
      { code: 'invalid_type', path: ['a', 0], message: 'expected string' },
      { code: 'invalid_type', path: ['a', 0], message: 'expected string' },
    ],
    null,
    2,
  );
  const short = 'Unrecognized key: "x"; expected string (at a.0)';
  expect(shortError(issues)).toBe(short);
  expect(shortError(`MCP error -32602: Invalid arguments for tool [t]: ${issues}`)).toBe(short);
});

test('any other error is one line without control characters', () => {
  expect(shortError('first\n  second\u001b[31m red')).toBe('first second red');
  expect(shortError('got [1, 2')).toBe('got [1, 2');
  expect(shortError('[{"no":"message"}]')).toBe('[{"no":"message"}]');
  expect(shortError('[{broken]')).toBe('[{broken]');
});
