import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../client/src/commandNames.ts';
import { configuration, rulesTable, settingsTable, withTable } from '../../scripts/lib/manifest.ts';
import { readParts, settingsSchema } from '../../shared/src/config.ts';
import { RULES } from '../../shared/src/rules.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(resolve(PROJECT, file), 'utf8');

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: { readonly [key: string]: Setting } };
    readonly commands: readonly { readonly command: string; readonly category: string }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown } };
}
interface Setting {
  readonly default: unknown;
  readonly properties?: { readonly [code: string]: { readonly enum: readonly string[] } };
}

const manifest = JSON.parse(text('package.json')) as Manifest;
const { properties } = manifest.contributes.configuration;

test('settings are what the tables say; `node scripts/manifest.mjs` writes them anew', () => {
  expect(manifest.contributes.configuration).toEqual(configuration());
});

test("README's tables are what the tables say; `node scripts/manifest.mjs` writes them anew", () => {
  const readme = text('README.md');
  expect(withTable(readme, 'rules', rulesTable())).toBe(readme);
  expect(withTable(readme, 'settings', settingsTable())).toBe(readme);
});

test('each rule has its severity setting', () => {
  const { properties: severities = {} } = properties['toolContracts.rules'] ?? {};
  expect(Object.keys(severities)).toEqual(RULES.map((row) => row.code));
  for (const severity of Object.values(severities)) expect(severity.enum).toContain('off');
});

test('each setting is one that the server reads, and its default is legal', () => {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const [key, { default: value }] of Object.entries(properties)) {
    const [, first = '', second] = key.split('.');
    if (first === 'trace') continue;
    if (second === undefined) Object.assign(settings, { [first]: value });
    else settings[first] = { ...settings[first], [second]: value };
  }
  const { value, problems } = readParts(settingsSchema, settings, 'manifest');
  expect(problems).toEqual([]);
  expect(value).toEqual(settings);
  expect(Object.keys(settings).sort()).toEqual(Object.keys(settingsSchema.shape).sort());
});

test('each command of the client is in the palette', () => {
  const { commands } = manifest.contributes;
  expect(commands.map((one) => one.command).sort()).toEqual(Object.values(COMMANDS).sort());
  expect(new Set(commands.map((one) => one.category))).toEqual(new Set(['Tool Contracts']));
});

test('nothing of an untrusted workspace runs, but the extension does', () => {
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
});
