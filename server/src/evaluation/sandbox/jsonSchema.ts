import { zodToJsonSchema as bundledConverter } from 'zod-to-json-schema';
import type { Json } from '../../../../shared/src/model.ts';
import type { Dialect } from './messages.ts';
import { majorOf, messageOf } from './schema.ts';
import { type Load, workspaceZod } from './workspaceZod.ts';
import type { Zod4Schema } from './zod4.ts';

type Converter = (schema: object, options: { pipeStrategy: 'input' }) => unknown;
type Convert = (schema: object, options: Options) => unknown;
type Options = { readonly io: 'input'; readonly target?: Dialect };

/**
 * JSON Schema of a schema's input side, by its own zod: `toJSONSchema({ io: 'input' })` of zod 4; for zod 3, which has
 * no conversion of its own, the workspace's `zod-to-json-schema`, or the one that comes with this program.
 *
 * @param from the workspace file whose zod counts
 * @param dialect the version of JSON Schema; a converter of zod 3 knows draft 7 alone
 * @returns the schema, or the error that the conversion throws. Never throws.
 */
export async function inputJsonSchema(
  schema: object,
  from: string,
  load: Load,
  dialect?: Dialect,
): Promise<{ readonly schema: Json } | { readonly error: string }> {
  try {
    const converted =
      majorOf(schema) === 4 ? await byZod4(schema, from, load, dialect) : await byConverter(schema, from, load);
    return { schema: JSON.parse(JSON.stringify(converted)) as Json };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

async function byZod4(schema: object, from: string, load: Load, target?: Dialect): Promise<unknown> {
  const options: Options = { io: 'input', ...(target && { target }) };
  let other: Convert | undefined;
  for (const entry of ['zod', 'zod/v4/core']) {
    const zod = await load(entry, from).catch((): Record<string, unknown> => ({}));
    if (typeof zod.toJSONSchema !== 'function') continue;
    if (sameRelease(schema, zod)) return (zod as { toJSONSchema: Convert }).toJSONSchema(schema, options);
    other ??= zod.toJSONSchema as Convert;
  }
  // The workspace's zod is another copy than the one that made the schema, which brings its own method since zod 4.2.
  const { toJSONSchema: method } = schema as { toJSONSchema?: (options: Options) => unknown };
  if (typeof method === 'function') return method.call(schema, options);
  const convert = other ?? (await workspaceZod(4, from, load)).toJSONSchema;
  if (!convert) throw new Error(`The zod 4 that ${from} sees has no toJSONSchema.`);
  return convert(schema, options);
}

function sameRelease(schema: object, zod: Record<string, unknown>): boolean {
  const { version } = (schema as Zod4Schema)._zod;
  const theirs = (zod.core as { version?: unknown } | undefined)?.version ?? zod.version;
  return JSON.stringify(version) === JSON.stringify(theirs);
}

async function byConverter(schema: object, from: string, load: Load): Promise<unknown> {
  const own = await load('zod-to-json-schema', from).catch((): Record<string, unknown> => ({}));
  const convert = (own.zodToJsonSchema ?? bundledConverter) as Converter;
  return convert(schema, { pipeStrategy: 'input' });
}
