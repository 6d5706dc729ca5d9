import { Ajv } from 'ajv';
import { describe, expect, it, test } from 'vitest';
import {
  type LockFile,
  lockFileJsonSchema,
  lockFileSchema,
  lockFileText,
  readLockFile,
  recordedNames,
  recordedTool,
} from '../../../server/src/baseline/lockFile.ts';
import { MemoryTree } from '../../helpers/memoryTree.ts';

const NAME = 'packages/api/tool-contracts.lock.json';
const schema = { type: 'object', properties: { from: { type: 'string' } } };

function read(text: string) {
  const tree = new MemoryTree({ [NAME]: text });
  return readLockFile(tree, tree.path(NAME));
}

function problemOf(value: unknown): string {
  const result = read(typeof value === 'string' ? value : JSON.stringify(value));
  return 'problem' in result ? result.problem : 'none';
}

// `npx vitest run --project unit test/unit/baseline -u` writes it anew.
test('the schema that ships is what the code reads', async () => {
  await expect(`${JSON.stringify(lockFileJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../../schemas/tool-contracts.lock.schema.json',
  );
});

test('editors and the code accept the same', () => {
  const validate = new Ajv({ allowUnionTypes: true, strict: false }).compile(lockFileJsonSchema());
  const whole = { version: 1, release: '1.0.0', tools: { go: { inputSchema: schema } } };
  const samples: [unknown, boolean][] = [
    [whole, true],
    [{ ...whole, $schema: 'x', recordedWith: { zod: '4.6.7' } }, true],
    [{ ...whole, tools: { go: { inputSchema: schema, outputSchema: {}, annotations: { readOnlyHint: true } } } }, true],
    [{ ...whole, later: 'addition' }, true],
    [{ ...whole, version: 2 }, false],
    [{ ...whole, release: '' }, false],
    [{ ...whole, tools: { go: {} } }, false],
    [{ ...whole, tools: { go: { inputSchema: 'none' } } }, false],
    [{ ...whole, tools: [] }, false],
    [{ version: 1, release: '1.0.0' }, false],
    [[], false],
  ];
  for (const [sample, ok] of samples) {
    expect(validate(sample), JSON.stringify(sample)).toBe(ok);
    expect(lockFileSchema.safeParse(sample).success, JSON.stringify(sample)).toBe(ok);
  }
});

describe('a recorded file that cannot be used is one sentence with its path and what to do', () => {
  it.each([
    ['no JSON', '{ "version": 1, ', /is no JSON \(1:\d+: .*restore it from version control/],
    ['a newer version', { version: 2, release: '1.0.0', tools: {} }, /is of version 2.*use a newer tool-contracts\.$/],
    ['a version that never was', { version: '1', tools: {} }, /is of version "1".*record it again/],
    ['no release', { version: 1, tools: {} }, /is not valid \("release": /],
    [
      'a tool without a schema',
      { version: 1, release: '1.0.0', tools: { go: {} } },
      /is not valid \("tools\.go\.inputSchema": /,
    ],
    ['a list', [], /is not valid \(/],
    ['nothing', '', /is no JSON/],
  ])('%s', (_, value, expected) => {
    const problem = problemOf(value);
    expect(problem).toMatch(expected);
    expect(problem).toMatch(/^packages\/api\/tool-contracts\.lock\.json /);
    expect(problem).toContain('so no tool is compared with it');
    expect(problem).not.toMatch(/\n/);
  });

  it('unless it is fine', () => {
    expect(problemOf({ version: 1, release: '1.0.0', tools: {} })).toBe('none');
  });
});

test('a tool may be called as what every object has', () => {
  const tools = Object.fromEntries(['__proto__', 'constructor', 'go'].map((name) => [name, { inputSchema: schema }]));
  const result = read(lockFileText({ version: 1, release: '1.0.0', tools }));
  if (!('lock' in result)) throw new Error(result.problem);
  expect(recordedNames(result.lock).map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'go']);
  expect(recordedTool(result.lock, '__proto__', 'a.ts')).toEqual({ inputSchema: schema });
  expect(recordedTool(result.lock, 'toString', 'a.ts')).toBeUndefined();
});

test('a tool may be recorded with its file, where a name occurs twice', () => {
  const lock: LockFile = {
    version: 1,
    release: '1.0.0',
    tools: {
      'src/a.ts#go': { inputSchema: {} },
      'src/b.ts#go': { inputSchema: {} },
      'issue#7': { inputSchema: {} },
    },
  };
  expect(recordedNames(lock).map(({ name, file }) => [name, file])).toEqual([
    ['go', 'src/a.ts'],
    ['go', 'src/b.ts'],
    ['issue#7', undefined],
  ]);
});

test('the text is in a stable order and reads back as it was', () => {
  const lock: LockFile = {
    tools: { b: { inputSchema: { type: 'object', properties: { z: {}, a: {} } } }, a: { inputSchema: {} } },
    release: '1.0.0',
    version: 1,
  };
  const text = lockFileText(lock);
  expect(text.endsWith('}\n')).toBe(true);
  expect(Object.keys(JSON.parse(text))).toEqual(['version', 'release', 'tools']);
  expect(Object.keys(JSON.parse(text).tools)).toEqual(['a', 'b']);
  expect(Object.keys(JSON.parse(text).tools.b.inputSchema.properties)).toEqual(['z', 'a']);
  expect(read(text)).toEqual({ lock });
});
