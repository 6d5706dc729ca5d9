import { z } from 'zod';
import { DEFAULT_CONFIG, settingsSchema } from '../../shared/src/config.ts';
import { configJsonSchema } from '../../shared/src/configJsonSchema.ts';
import type { JsonObject } from '../../shared/src/model.ts';
import { RULES } from '../../shared/src/rules.ts';

/**
 * The manifest's `contributes.configuration`: what `settingsSchema` takes, with the defaults of `DEFAULT_CONFIG` and the
 * words that `tool-contracts.json` has for the same options.
 */
export function configuration(): JsonObject {
  const file = configJsonSchema().properties as { readonly [name: string]: JsonObject };
  const discovery = file.discovery?.properties as { readonly [name: string]: JsonObject };
  const nameOf = (option: string): JsonObject => {
    const { properties } = file[option] as { readonly properties: { readonly name: JsonObject } };
    return properties.name;
  };
  const { timeout, memory } = settingsSchema.shape.evaluation.unwrap().shape;
  const settings: { readonly [key: string]: JsonObject } = {
    enable: {
      type: 'boolean',
      default: DEFAULT_CONFIG.enable,
      description: 'Check tool contracts. Off: nothing of the workspace is read or run.',
    },
    rules: { ...file.rules, default: {} },
    surfaces: { ...file.surfaces, default: 'auto' },
    baseline: { ...file.baseline, default: DEFAULT_CONFIG.baseline },
    'contractChanges.name': { ...nameOf('contractChanges'), default: DEFAULT_CONFIG.contractChanges },
    'retiredTools.name': { ...nameOf('retiredTools'), default: DEFAULT_CONFIG.retiredTools },
    include: { ...file.include, default: [...DEFAULT_CONFIG.include] },
    exclude: { ...file.exclude, default: [...DEFAULT_CONFIG.exclude] },
    'discovery.schemaKeys': { ...discovery.schemaKeys, default: [...DEFAULT_CONFIG.schemaKeys] },
    'codeLens.enabled': {
      type: 'boolean',
      default: DEFAULT_CONFIG.codeLens,
      description: 'Show a line above each tool: its SDK, what it does with unknown keys, what breaks its callers.',
    },
    'evaluation.timeout': {
      ...limits(timeout),
      default: DEFAULT_CONFIG.timeoutMs,
      description: 'Milliseconds that evaluating one tool may take.',
    },
    'evaluation.memory': {
      ...limits(memory),
      default: DEFAULT_CONFIG.memoryMb,
      description: 'Megabytes of memory that the process which evaluates may use.',
    },
    'trace.server': {
      enum: ['off', 'messages', 'verbose'],
      default: 'off',
      description: 'Write what editor and language server say to each other to the log, when its level is Trace.',
      scope: 'window',
    },
  };
  const properties = Object.entries(settings).map(([key, setting]): [string, JsonObject] => [
    `toolContracts.${key}`,
    { scope: 'resource', ...setting },
  ]);
  return { title: 'Tool Contracts', properties: Object.fromEntries(properties) };
}

function limits(schema: z.ZodType): JsonObject {
  const { type, minimum, maximum } = z.toJSONSchema(schema) as JsonObject;
  return { type, minimum, maximum } as JsonObject;
}

/** README's table of rules. */
export function rulesTable(): string {
  const rows = RULES.map(
    ({ code, severity, description }) =>
      `| [\`${code}\`](docs/rules/${code}.md) | ${severity} | ${cell(description)} |`,
  );
  return ['| code | default | reports |', '| --- | --- | --- |', ...rows].join('\n');
}

/** README's table of settings. */
export function settingsTable(): string {
  const properties = configuration().properties as { readonly [key: string]: JsonObject };
  const rows = Object.entries(properties).map(([key, setting]) => {
    const fallback = JSON.stringify(setting.default);
    const shown = fallback.length > 40 ? 'see the manifest' : `\`${fallback}\``;
    return `| \`${key}\` | ${shown} | ${cell(String(setting.description))} |`;
  });
  return ['| setting | default | does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Puts a table between README's markers `<!-- NAME -->` and `<!-- /NAME -->`. */
export function withTable(readme: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md has no ${begin} … ${end}.`);
  return `${readme.slice(0, from + begin.length)}\n\n${table}\n\n${readme.slice(to)}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
