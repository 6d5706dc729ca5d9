import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { configFileSchema, severitySetting } from '../../../shared/src/config.ts';
import { configJsonSchema } from '../../../shared/src/configJsonSchema.ts';
import { RULES } from '../../../shared/src/rules.ts';

// `npx vitest run --project unit test/unit/config -u` writes it anew.
test('the schema that ships is what the code reads', async () => {
  await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../../schemas/tool-contracts.schema.json',
  );
});

test('editors and the code accept the same', () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(configJsonSchema());
  const rules = Object.fromEntries(RULES.map((row) => [row.code, 'off']));
  const samples: [unknown, boolean][] = [
    [{}, true],
    [
      { $schema: 'x', rules, surfaces: 'auto', include: ['a'], exclude: [], discovery: { schemaKeys: ['takes'] } },
      true,
    ],
    [{ surfaces: ['mcp-v1', 'contract'] }, true],
    [{ surfaces: ['mcp-v9'] }, false],
    [{ surfaces: 'all' }, false],
    [{ include: [''] }, false],
    [{ include: 'src' }, false],
    [{ discovery: { keys: [] } }, false],
    [{ unknown: 1 }, false],
    [{ rules: { 'no-such-rule': 'off' } }, false],
    [{ rules: { 'dropped-catchall': 'loud' } }, false],
    ...severitySetting.options.map((severity): [unknown, boolean] => [
      { rules: { 'dropped-catchall': severity } },
      true,
    ]),
    [[], false],
  ];
  for (const [sample, ok] of samples) {
    expect(validate(sample), JSON.stringify(sample)).toBe(ok);
    expect(configFileSchema.safeParse(sample).success, JSON.stringify(sample)).toBe(ok);
  }
});

test('every rule is described with its built-in severity', () => {
  const { properties } = configJsonSchema() as {
    properties: { rules: { properties: Record<string, { description: string }> } };
  };
  expect(Object.keys(properties.rules.properties)).toEqual(RULES.map((row) => row.code));
  for (const row of RULES) {
    expect(properties.rules.properties[row.code]?.description).toContain(`Built in: ${row.severity}.`);
  }
});
