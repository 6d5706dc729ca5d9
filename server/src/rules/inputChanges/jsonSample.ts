import RandExp from 'randexp';
import type { Json, JsonObject } from '../../../../shared/src/model.ts';
import type { Step } from '../../baseline/inputChange.ts';
import { isObject } from '../values.ts';

/** Values of the formats that zod writes. */
const FORMATS: { readonly [format: string]: string } = {
  'date-time': '2024-01-31T12:00:00Z',
  date: '2024-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};
/** How deep references are followed: what is required in a circle has no value. */
const MAX_DEPTH = 24;

/**
 * Small arguments for a recorded JSON Schema in which an input is present. They are built from the usual keywords, so
 * whether the schema accepts them is for the asker to find out.
 *
 * @param path where the input stands
 * @returns undefined when none could be made
 */
export function sampleJsonSchema(schema: Json, path: readonly Step[]): JsonObject | undefined {
  const value = new JsonSampler(schema).value(schema, path, 0);
  return isObject(value) ? value : undefined;
}

class JsonSampler {
  constructor(private readonly whole: Json) {}

  value(written: Json | undefined, path: readonly Step[], depth: number): Json | undefined {
    if (depth > MAX_DEPTH || written === false) return undefined;
    const schema = this.resolved(written, depth);
    if (schema === undefined) return undefined;
    const options = list(schema.anyOf ?? schema.oneOf);
    if (options.length > 0) return this.ofOptions(schema, options, path, depth);
    if (path.length === 0) {
      if (schema.const !== undefined) return schema.const;
      if (Array.isArray(schema.enum)) return schema.enum[0];
      if (schema.default !== undefined) return schema.default;
    }
    const [next] = path;
    const types = list(schema.type).length > 0 ? list(schema.type) : [schema.type ?? guess(schema, next)];
    const type = next === undefined ? types[0] : types.find((one) => one === (next === 'items' ? 'array' : 'object'));
    switch (type) {
      case 'object':
        return this.object(schema, path, depth);
      case 'array':
        return this.array(schema, path, depth);
      case 'string':
        return text(schema);
      case 'number':
      case 'integer':
        return number(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return undefined;
    }
  }

  private ofOptions(
    schema: JsonObject,
    options: readonly Json[],
    path: readonly Step[],
    depth: number,
  ): Json | undefined {
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    for (const option of options) {
      const value = this.value(merged(rest, this.resolved(option, depth + 1) ?? {}), path, depth + 1);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private object(schema: JsonObject, path: readonly Step[], depth: number): Json | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const [next, ...rest] = path;
    const made: JsonObject = {};
    if (next === 'values') {
      const value = this.value(valuesSchema(schema), rest, depth + 1);
      if (value === undefined) return undefined;
      made.key = value;
    } else if (typeof next === 'object' && !Object.hasOwn(properties, next.field)) return undefined;
    const wanted = typeof next === 'object' ? next.field : undefined;
    const required = list(schema.required).map(String);
    for (const name of Object.keys(properties)) {
      if (name !== wanted && !required.includes(name)) continue;
      const value = this.value(properties[name], name === wanted ? rest : [], depth + 1);
      if (value === undefined) return undefined;
      made[name] = value;
    }
    return made;
  }

  private array(schema: JsonObject, path: readonly Step[], depth: number): Json | undefined {
    const [next, ...rest] = path;
    const prefix = list(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []));
    const items = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    const count = Math.max(Number(schema.minItems ?? 0), prefix.length, next === 'items' ? 1 : 0);
    const made: Json[] = [];
    for (let index = 0; index < count; index++) {
      const part = prefix[index] ?? items ?? true;
      const value = this.value(part, index === 0 && next === 'items' ? rest : [], depth + 1);
      if (value === undefined) return undefined;
      made.push(value);
    }
    return made;
  }

  /** A schema with its references and `allOf` put in. */
  private resolved(schema: Json | undefined, depth: number): JsonObject | undefined {
    if (schema === true || schema === undefined) return {};
    if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
    const { $ref: reference, allOf, ...own } = schema;
    const parts = [...(typeof reference === 'string' ? [this.referred(reference)] : []), ...list(allOf)];
    return parts.reduce<JsonObject | undefined>((whole, part) => {
      const resolved = this.resolved(part, depth + 1);
      return whole && resolved && merged(whole, resolved);
    }, own);
  }

  private referred(reference: string): Json {
    let part: Json | undefined = this.whole;
    for (const step of reference.replace(/^#/, '').split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      part = typeof part === 'object' && part !== null ? (part as JsonObject)[key] : undefined;
    }
    return part ?? true;
  }
}

/** Both schemas at once, as far as objects are concerned. */
function merged(a: JsonObject, b: JsonObject): JsonObject {
  const properties = { ...(isObject(a.properties) && a.properties), ...(isObject(b.properties) && b.properties) };
  const required = [...new Set([...list(a.required), ...list(b.required)])];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function valuesSchema({ additionalProperties, patternProperties }: JsonObject): Json {
  if (isObject(additionalProperties)) return additionalProperties;
  return isObject(patternProperties) ? (Object.values(patternProperties)[0] ?? true) : true;
}

function guess(schema: JsonObject, next: Step | undefined): string {
  if (next !== undefined) return next === 'items' ? 'array' : 'object';
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}

function text({ format, pattern, minLength = 0 }: JsonObject): string {
  const known = FORMATS[String(format)];
  if (known !== undefined) return known;
  if (typeof pattern === 'string') {
    try {
      const generator = new RandExp(pattern);
      generator.max = Math.max(1, Number(minLength));
      generator.randInt = (from) => from;
      return generator.gen();
    } catch {
      return '';
    }
  }
  return 'text'.padEnd(Number(minLength), 't');
}

function number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const lowest = Math.max(bound(minimum, -Infinity), bound(exclusiveMinimum, -Infinity) + step);
  const highest = Math.min(bound(maximum, Infinity), bound(exclusiveMaximum, Infinity) - step);
  const wanted = Math.min(Math.max(step, lowest), highest);
  return Math.ceil(wanted / step) * step <= highest ? Math.ceil(wanted / step) * step : wanted;
}

function bound(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
