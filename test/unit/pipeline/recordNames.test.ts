import { describe, expect, test } from 'vitest';
import { nameByRecords } from '../../../server/src/pipeline/recordNames.ts';
import type { Candidate, Contract, NameSource, SurfaceId } from '../../../shared/src/model.ts';

const span = { start: 0, end: 1 };

/** A definition, known by a name from somewhere. */
function definition(file: string, name: string, from: NameSource['from'] = 'variable', claim?: SurfaceId): Contract {
  const candidate = { id: `${file}#${name}`, file, span, name: { from, span, text: name }, ...(claim && { claim }) };
  return { id: `${file}#${name}:0`, name, candidate, definedAt: { file, span }, registeredAt: null } as Contract;
}

/** `tools: { key: variable }`, where the variable is of the file or of a module. */
function record(file: string, key: string, names: Candidate['names'], claim?: SurfaceId, start = 0): Candidate {
  const place = { start, end: start + 1 };
  const name: NameSource = { from: 'key', span: place, text: key };
  return {
    id: `${file}#${start}`,
    file,
    span: place,
    way: 'tool',
    certain: false,
    name,
    ...(names && { names }),
    ...(claim && { claim }),
  };
}

const follow = (specifier: string): string | undefined => (specifier.startsWith('./') ? specifier.slice(2) : undefined);
const named = (contracts: readonly Contract[], candidates: readonly Candidate[]): (string | null)[] =>
  nameByRecords(contracts, candidates, follow).map(({ name }) => name);

describe('a tool that only its variable names', () => {
  const weather = definition('w.ts', 'weatherTool');

  test('takes the key, the place and the SDK of the record', () => {
    const use = record('agent.ts', 'weather', { variable: 'weatherTool', module: './w.ts' }, 'ai-sdk', 7);
    const [contract] = nameByRecords([weather], [use], follow);
    expect(contract).toMatchObject({
      name: 'weather',
      candidate: { claim: 'ai-sdk', name: { text: 'weatherTool' } },
      registeredAt: { file: 'agent.ts', span: { start: 7, end: 8 } },
      definedAt: weather.definedAt,
    });
  });

  test('keeps a claim of its own', () => {
    const own = definition('w.ts', 'weatherTool', 'variable', 'mcp-v1');
    const use = record('agent.ts', 'weather', { variable: 'weatherTool', module: './w.ts' }, 'ai-sdk');
    expect(nameByRecords([own], [use], follow)[0]?.candidate.claim).toBe('mcp-v1');
  });

  test.each([
    ['of the same file', record('w.ts', 'weather', { variable: 'weatherTool' })],
    ['of a file that only hands it on', record('a.ts', 'weather', { variable: 'weatherTool', module: './index.ts' })],
    ['the default export of a file with one', record('a.ts', 'weather', { variable: 'default', module: './w.ts' })],
  ])('%s', (_, use) => {
    expect(named([weather], [use])).toEqual(['weather']);
  });

  test.each([
    ['of another file', record('a.ts', 'weather', { variable: 'weatherTool' })],
    ['of a package', record('a.ts', 'weather', { variable: 'weatherTool', module: 'weather-tools' })],
    ['another variable of its file', record('a.ts', 'tides', { variable: 'tidesTool', module: './w.ts' })],
  ])('is none that a record means %s', (_, use) => {
    expect(named([weather], [use])).toEqual(['weatherTool']);
  });

  test('behind a file that only hands on, two of one name are none', () => {
    const use = record('a.ts', 'weather', { variable: 'weatherTool', module: './index.ts' });
    expect(named([weather, definition('other.ts', 'weatherTool')], [use])).toEqual(['weatherTool', 'weatherTool']);
    const direct = record('a.ts', 'weather', { variable: 'weatherTool', module: './other.ts' });
    expect(named([weather, definition('other.ts', 'weatherTool')], [direct])).toEqual(['weatherTool', 'weather']);
  });

  test('the default export of a file with two is none', () => {
    const use = record('a.ts', 'weather', { variable: 'default', module: './w.ts' });
    expect(named([weather, definition('w.ts', 'tides')], [use])).toEqual(['weatherTool', 'tides']);
  });

  test('the first record counts, by file and position', () => {
    const uses = [
      record('b.ts', 'third', { variable: 'weatherTool', module: './w.ts' }),
      record('a.ts', 'second', { variable: 'weatherTool', module: './w.ts' }, undefined, 9),
      record('a.ts', 'first', { variable: 'weatherTool', module: './w.ts' }, undefined, 2),
    ];
    expect(named([weather], uses)).toEqual(['first']);
  });
});

test.each<NameSource['from']>(['property', 'argument', 'key', 'class'])('a name from a %s stays', (from) => {
  const use = record('a.ts', 'other', { variable: 'weather', module: './w.ts' });
  expect(named([definition('w.ts', 'weather', from)], [use])).toEqual(['weather']);
});

test('a tool that a call registers stays as it is', () => {
  const registered: Contract = { ...definition('w.ts', 'weather'), registeredAt: { file: 's.ts', span } };
  const use = record('a.ts', 'other', { variable: 'weather', module: './w.ts' }, 'ai-sdk');
  expect(nameByRecords([registered], [use], follow)).toEqual([registered]);
});
