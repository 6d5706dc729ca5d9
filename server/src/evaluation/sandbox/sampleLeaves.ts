import RandExp from 'randexp';
import type { Json } from '../../../../shared/src/model.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import type { Parts } from './schema.ts';

/** Strings that formats, patterns and refinements commonly ask for, plain ones first, at least two of a kind. */
const STRINGS: readonly string[] = [
  'text',
  'a',
  'other',
  'user@example.com',
  'other@example.com',
  'https://example.com',
  'https://example.com/page',
  'http://localhost:3000',
  '2024-01-31',
  '2024-12-31',
  '2024-01-31T12:00:00Z',
  '2024-12-31T12:00:00Z',
  '2024-01-31T12:00:00+00:00',
  '2024-01-31T12:00:00',
  '12:00',
  '12:00:00',
  '2024-01',
  'P1D',
  'P1W',
  '123e4567-e89b-42d3-a456-426614174000',
  '123e4567-e89b-12d3-a456-426614174000',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  '127.0.0.1',
  '::1',
  '10.0.0.0/8',
  '2001:db8::/32',
  'example.com',
  'localhost',
  '1',
  '10',
  '0',
  '-1',
  '1.5',
  '12345',
  'true',
  'false',
  'A',
  'AB',
  'ABC',
  'A1',
  'US',
  'USD',
  'en',
  'en-US',
  '#ffffff',
  'fff',
  'ff0000',
  'text-1',
  'text_1',
  'owner/name',
  '/path/to/file.txt',
  './file.txt',
  'file.json',
  'image.png',
  '1.0.0',
  'v1.0.0',
  'dGV4dA==',
  'dGV4dA',
  '+14155552671',
  '😀',
  '{}',
  '[]',
  '{"key":"value"}',
  'Passw0rd!1',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'cjld2cjxh0000qzrmn831i7rn',
  'tz4a98xxat96iws9zmbrgj3a',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'V1StGXR8_Z5jdHi6B-myT',
  '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  '9m4e2mr0ui3e8a215n4g',
  '0x0000000000000000000000000000000000000000',
  '48.85,2.35',
  '0,0,1,1',
  ...[24, 32, 40, 64].map((length) => 'a'.repeat(length)),
  '',
];
const NUMBERS: readonly number[] = [1, 0, 2, 10, 5, 100, 0.5, -1, 1000, 2024, 60, 1_000_000, 443];
/** What a check or a transform that says nothing of its input may take. */
const ANYTHING: readonly Json[] = [
  'text',
  1,
  true,
  {},
  [],
  null,
  ...STRINGS.slice(1),
  ...NUMBERS.slice(1),
  [1],
  ['text'],
];
/** Numbers and strings that coercion turns into dates, bigints and the like. */
const COERCED: readonly Json[] = [
  '2024-01-31',
  '2024-12-31',
  1,
  '1',
  0,
  true,
  '2024-01-31T12:00:00Z',
  1_700_000_000_000,
];
/** Strings tried for one pattern: enough that a pattern with lookaheads has a chance. */
const PATTERN_TRIES = 24;

/** Kinds of values that a JSON text cannot carry, as sentences name them. */
const NO_JSON: { readonly [kind: string]: string } = {
  bigint: 'a bigint',
  date: 'a date',
  map: 'a Map',
  set: 'a Set',
  symbol: 'a symbol',
  function: 'a function',
  file: 'a file',
  promise: 'a promise',
  nan: 'NaN',
};

/**
 * Values to try for a schema without inner schemas, likely ones first. They still have to be parsed.
 *
 * @returns candidates, where undefined means to leave the value out; the same ones each time
 */
export function* leafCandidates(schema: object, parts: Parts): Generator<Json | undefined> {
  switch (parts.kind) {
    case 'string':
    case 'template_literal':
      yield* strings(boundsOf(schema));
      break;
    case 'number':
      yield* numbers(boundsOf(schema));
      break;
    case 'boolean':
      yield* [true, false];
      break;
    case 'literal':
    case 'enum':
      yield* parts.literals ?? [];
      break;
    case 'null':
      yield null;
      break;
    case 'undefined':
    case 'void':
      yield undefined;
      break;
    case 'never':
      break;
    case 'bigint':
    case 'date':
      if (parts.coerce) yield* COERCED;
      break;
    default:
      if (!(parts.kind in NO_JSON)) yield* ANYTHING;
  }
}

/** Why none of a leaf's candidates was accepted, as a clause. */
export function leafReason(schema: object, parts: Parts): string {
  const unsendable = NO_JSON[parts.kind];
  if (unsendable && !parts.coerce) return `${unsendable} cannot be sent as JSON`;
  if (parts.kind === 'never') return 'nothing is ever accepted';
  const [pattern] = parts.kind === 'string' ? boundsOf(schema).patterns : [];
  if (pattern && !parts.checks?.includes('custom')) return `no string was found for ${pattern}`;
  if (parts.checks?.includes('custom')) return `its own check accepts none of the values that were tried`;
  return `none of the values that were tried is accepted`;
}

/** Strings that fit the bounds; a pattern is tested here, since parsing costs more. */
function* strings(bounds: Bounds): Generator<string> {
  for (const text of anyStrings(bounds)) if (bounds.patterns.every((pattern) => text.search(pattern) >= 0)) yield text;
}

function* anyStrings(bounds: Bounds): Generator<string> {
  const { prefix = '', suffix = '', includes, minLength = 0, maxLength = Number.POSITIVE_INFINITY, patterns } = bounds;
  const adapt = (text: string): string => {
    const inside = includes.filter((part) => !text.includes(part)).join('');
    const around = (text.startsWith(prefix) ? '' : prefix) + text + inside;
    return around.endsWith(suffix) ? around : around + suffix;
  };
  const isFree = patterns.length === 0;
  for (const text of STRINGS) {
    const fitted = adapt(text);
    if (fitted.length >= minLength && fitted.length <= maxLength) yield fitted;
    else if (isFree && fitted.length < minLength)
      yield adapt(text.padEnd(text.length + minLength - fitted.length, 'a'));
  }
  for (const pattern of patterns) {
    for (const text of matching(pattern, minLength)) {
      yield text;
      yield adapt(text);
    }
  }
}

function* numbers({ minimum, maximum, multipleOf }: Bounds): Generator<number> {
  yield* NUMBERS;
  if (minimum !== undefined) yield* [minimum, minimum + 1, minimum + 0.001, Math.ceil(minimum)];
  if (maximum !== undefined) yield* [maximum, maximum - 1, maximum - 0.001, Math.floor(maximum)];
  if (minimum !== undefined && maximum !== undefined) yield (minimum + maximum) / 2;
  if (multipleOf === undefined || multipleOf === 0) return;
  const step = Math.abs(multipleOf);
  const first = Math.ceil((minimum ?? Math.min(0, maximum ?? 0)) / step) * step;
  yield* [multipleOf, first, first + step, Math.floor((maximum ?? 0) / step) * step];
}

/** Strings that a pattern may match: few repetitions first, then more, down different branches. Always the same ones. */
function* matching(pattern: RegExp, minLength: number): Generator<string> {
  for (let attempt = 0; attempt < PATTERN_TRIES; attempt++) {
    try {
      const generator = new RandExp(pattern);
      generator.max = attempt < 2 ? 1 : Math.max(minLength, attempt);
      generator.randInt = choices(attempt);
      yield generator.gen();
    } catch {
      // The library does not know all of the syntax, such as a set of the `v` flag.
      return;
    }
  }
}

/** Stands in for randomness: lowest, highest, then a fixed sequence per attempt (the constants of "minimal standard"). */
function choices(attempt: number): (from: number, to: number) => number {
  if (attempt === 0) return (from) => from;
  if (attempt === 1) return (_from, to) => to;
  let state = attempt * 7919;
  return (from, to) => {
    state = (state * 48271) % 2147483647;
    return from + (state % (to - from + 1));
  };
}
