import { describe, expect, test } from 'vitest';
import { configFor, nearestConfigFile, readConfigFile } from '../../../server/src/files/config.ts';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { DEFAULT_CONFIG, mergeConfig, readParts, settingsSchema } from '../../../shared/src/config.ts';
import { workspace } from '../files/workspace.ts';

function read(text: string) {
  const at = workspace({ 'sub/tool-contracts.json': text });
  const { value, problems } = readConfigFile(new DiskTree(at('')), at('sub/tool-contracts.json'));
  return { value, problems: problems.map((problem) => problem.message) };
}

describe('tool-contracts.json', () => {
  test('everything it can say', () => {
    const value = {
      $schema: './schema.json',
      rules: { 'dropped-catchall': 'error', 'not-evaluated': 'off' },
      surfaces: ['mcp-v1'],
      include: ['src/**/*.ts'],
      exclude: ['legacy/**'],
      discovery: { schemaKeys: ['takes'] },
    };
    expect(read(JSON.stringify(value))).toEqual({ value, problems: [] });
  });

  test('comments, trailing commas and a byte order mark are fine', () => {
    expect(read('\ufeff{\r\n  // all of them\r\n  "surfaces": "auto",\r\n}\r\n')).toEqual({
      value: { surfaces: 'auto' },
      problems: [],
    });
  });

  test('of a text that is no JSON what can be read holds', () => {
    const { value, problems } = read('{\n  "surfaces": "auto"\n  "exclude": ["old/**"],\n  "rules": {');
    expect(value).toEqual({ surfaces: 'auto', exclude: ['old/**'], rules: {} });
    expect(problems).toEqual(['sub/tool-contracts.json:3:3: comma expected; what can be read of it is used.']);
  });

  test('a wrong part is named with its path, and the parts beside it hold', () => {
    const { value, problems } = read(
      JSON.stringify({
        rules: { 'dropped-catchal': 'off', 'not-evaluated': 'loud', 'intersection-policy': 'error' },
        surfaces: ['mcp-v1', 'mcp-v9'],
        include: ['src', 7, '', 'lib'],
        exclude: 'old/**',
        discovery: { schemaKeys: ['takes'], schemaKey: 'x' },
        baselin: 'v1',
      }),
    );
    expect(value).toEqual({
      rules: { 'intersection-policy': 'error' },
      include: ['src', 'lib'],
      discovery: { schemaKeys: ['takes'] },
    });
    expect(problems).toEqual([
      expect.stringMatching(/^sub\/tool-contracts\.json: "rules\.dropped-catchal" is ignored: .*"dropped-catchall"\?$/),
      'sub/tool-contracts.json: "rules.not-evaluated" is ignored: expected one of "default"|"error"|"warning"|"information"|"hint"|"off".',
      'sub/tool-contracts.json: "surfaces" is ignored: expected "auto" or a list of "mcp-v1", "mcp-v2", "ai-sdk", "contract".',
      'sub/tool-contracts.json: "include.1" is ignored: expected string, received number.',
      expect.stringMatching(/^sub\/tool-contracts\.json: "include\.2" is ignored: /),
      'sub/tool-contracts.json: "exclude" is ignored: expected array, received string.',
      'sub/tool-contracts.json: "discovery.schemaKey" is not a known option and is ignored.',
      'sub/tool-contracts.json: "baselin" is not a known option and is ignored.',
    ]);
  });

  test.each([
    ['', 'sub/tool-contracts.json is empty, so the defaults are used.'],
    ['[]', 'sub/tool-contracts.json: expected an object, so the defaults are used.'],
    ['"strict"', 'sub/tool-contracts.json: expected an object, so the defaults are used.'],
  ])('%j holds nothing', (text, problem) => {
    expect(read(text)).toEqual({ value: {}, problems: [problem] });
  });

  test('null is nothing', () => {
    expect(read('null')).toEqual({ value: {}, problems: [] });
    expect(read('{ "rules": null, "include": null, "discovery": { "schemaKeys": null } }')).toEqual({
      value: { discovery: {} },
      problems: [],
    });
  });

  test('the nearest one holds, up to the root and not above it', () => {
    const at = workspace({
      'tool-contracts.json': '{ "rules": { "not-evaluated": "error" } }',
      'repo/packages/api/tool-contracts.json': '{ "rules": { "not-evaluated": "off" }, "exclude": ["x/**"] }',
      'repo/packages/api/src/a.ts': '',
      'repo/packages/web/src/a.ts': '',
    });
    const repo = new DiskTree(at('repo'));
    expect(nearestConfigFile(repo, at('repo/packages/api/src/a.ts'))).toBe(at('repo/packages/api/tool-contracts.json'));
    expect(nearestConfigFile(repo, at('repo/packages/web/src/a.ts'))).toBeUndefined();
    expect(configFor(repo, at('repo/packages/api'), {}).config).toMatchObject({
      rules: { 'not-evaluated': 'off' },
      exclude: ['x/**'],
      include: DEFAULT_CONFIG.include,
    });
    expect(configFor(repo, at('repo'), {})).toEqual({ config: DEFAULT_CONFIG, file: undefined, problems: [] });
    expect(configFor(new DiskTree(at('')), at('repo'), {}).file).toBe(at('tool-contracts.json'));
  });

  test('an unsaved edit of it counts', () => {
    const at = workspace({ 'tool-contracts.json': '{}' });
    const tree = new DiskTree(at(''));
    tree.open(at('tool-contracts.json'), '{ "surfaces": ["contract"] }');
    expect(configFor(tree, at(''), {}).config.surfaces).toEqual(['contract']);
  });
});

describe('settings', () => {
  const settings = (value: unknown) => readParts(settingsSchema, value, 'Settings toolContracts');

  test('null, nothing and nulls inside are no settings', () => {
    for (const value of [null, undefined, {}, { enable: null, rules: null, evaluation: null }]) {
      expect(settings(value)).toEqual({ value: {}, problems: [] });
    }
    expect(settings({ evaluation: { timeout: null, memory: 128 } }).value).toEqual({ evaluation: { memory: 128 } });
  });

  test('a wrong type keeps the default and says so; what others own is passed over', () => {
    const { value, problems } = settings({
      enable: 'yes',
      codeLens: { enabled: 7 },
      panel: { enabled: 7 },
      evaluation: { timeout: -1, memory: 256 },
      include: ['a', null],
    });
    expect(mergeConfig({}, value)).toEqual({ ...DEFAULT_CONFIG, memoryMb: 256, include: ['a'] });
    expect(problems.map((problem) => problem.message)).toEqual([
      'Settings toolContracts: "enable" is ignored: expected boolean, received string.',
      'Settings toolContracts: "codeLens.enabled" is ignored: expected boolean, received number.',
      expect.stringMatching(/^Settings toolContracts: "evaluation\.timeout" is ignored: /),
    ]);
    for (const value of ['on', 7, [], true]) expect(settings(value).problems).toHaveLength(1);
  });

  test('settings win over the file, and default takes a severity back', () => {
    const config = mergeConfig(
      {
        rules: { 'dropped-catchall': 'error', 'not-evaluated': 'off' },
        discovery: { schemaKeys: ['a'] },
        include: ['f'],
      },
      { rules: { 'not-evaluated': 'hint' }, discovery: { schemaKeys: ['b'] }, surfaces: 'auto' },
    );
    expect(config.rules).toEqual({ 'dropped-catchall': 'error', 'not-evaluated': 'hint' });
    expect(config.schemaKeys).toEqual(['a', 'b']);
    expect(config.include).toEqual(['f']);
    expect(
      mergeConfig({ rules: { 'dropped-catchall': 'error' } }, { rules: { 'dropped-catchall': 'default' } }).rules,
    ).toEqual({});
  });
});
