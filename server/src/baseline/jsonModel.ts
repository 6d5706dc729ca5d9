import type { Json, JsonObject } from '../../../shared/src/model.ts';
import { isObject } from '../files/jsonText.ts';
import { byType } from './graphModel.ts';
import { ANY, type Field, type InputModel, intersect, type Kind } from './inputModel.ts';
import { KnownKinds } from './knownKinds.ts';

/** Intersections get ids beyond those of the schemas themselves. */
const FIRST_INTERSECTION = 1 << 30;
const TYPES: { readonly [type: string]: Kind } = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'number' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
};

/** A JSON Schema (draft 7 or 2020-12) as an input model. What it says in keywords that are not known is left out. */
export function jsonModel(schema: Json): InputModel {
  return new JsonModel(schema);
}

class JsonModel implements InputModel {
  readonly root: number;
  private readonly schemas: Json[] = [];
  private readonly ids = new Map<Json, number>();
  private readonly known = new KnownKinds(FIRST_INTERSECTION, (id, open) => this.read(this.schemas[id] ?? true, open));

  constructor(private readonly whole: Json) {
    this.root = this.id(whole);
  }

  kinds(id: number): readonly Kind[] {
    return this.known.of(id);
  }

  description(id: number): string | undefined {
    const schema = this.schemas[this.known.both.partsOf(id)?.[0] ?? id];
    if (!isObject(schema)) return undefined;
    if (typeof schema.description === 'string') return schema.description;
    return typeof schema.$ref === 'string' ? this.description(this.id(this.referred(schema.$ref))) : undefined;
  }

  private id(schema: Json): number {
    const known = this.ids.get(schema);
    if (known !== undefined) return known;
    const id = this.schemas.push(schema) - 1;
    this.ids.set(schema, id);
    return id;
  }

  /** Everything that a schema says holds at once. */
  private read(schema: Json, open: ReadonlySet<number>): readonly Kind[] {
    if (schema === false) return [];
    if (!isObject(schema)) return [ANY];
    const said: (readonly Kind[])[] = [this.own(schema)];
    if (typeof schema.$ref === 'string') said.push(this.known.of(this.id(this.referred(schema.$ref)), open));
    for (const part of list(schema.allOf)) said.push(this.known.of(this.id(part), open));
    for (const key of ['anyOf', 'oneOf']) {
      const options = list(schema[key]);
      if (options.length > 0) said.push(options.flatMap((option) => this.known.of(this.id(option), open)));
    }
    return said.reduce((left, right) => intersect(left, right, this.known.both));
  }

  /** What a schema says without its references and combinations. */
  private own(schema: JsonObject): readonly Kind[] {
    if (schema.const !== undefined) return this.values([schema.const], schema);
    if (Array.isArray(schema.enum)) return this.values(schema.enum, schema);
    const types = typeof schema.type === 'string' ? [schema.type] : list(schema.type).map(String);
    if (types.length === 0) {
      if (['properties', 'required', 'additionalProperties', 'patternProperties'].some((key) => key in schema)) {
        types.push('object');
      } else if ('items' in schema || 'prefixItems' in schema) types.push('array');
      else return [ANY];
    }
    const kinds = types.map((type): Kind => this.ofType(type, schema));
    return schema.nullable === true ? [...kinds, { type: 'null' }] : kinds;
  }

  private ofType(type: string, schema: JsonObject): Kind {
    if (type === 'object') return this.object(schema);
    return type === 'array' ? this.array(schema) : (TYPES[type] ?? ANY);
  }

  private values(values: readonly Json[], schema: JsonObject): readonly Kind[] {
    // Object and array values are too rare to be compared.
    return byType(schema.nullable === true ? [...values, null] : values);
  }

  private object(schema: JsonObject): Kind {
    const required = new Set(list(schema.required));
    const fields = new Map<string, Field>();
    for (const [name, part] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      fields.set(name, { node: this.id(part), required: required.has(name) });
    }
    const { additionalProperties: rest = true } = schema;
    const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
    const [values] = isObject(rest) && Object.keys(rest).length > 0 ? [rest] : patterns;
    const common = { type: 'object', fields, nodes: [] } as const;
    if (values !== undefined) {
      return { ...common, policy: fields.size === 0 ? 'record' : 'catchall', rest: this.id(values) };
    }
    return { ...common, policy: rest === false ? 'strict' : 'open' };
  }

  private array(schema: JsonObject): Kind {
    // Draft 7 writes a tuple as a list of `items`, with `additionalItems` for what comes after.
    const prefix = list(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []));
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    return {
      type: 'array',
      prefix: prefix.map((part) => this.id(part)),
      ...(rest !== undefined && rest !== false && { items: this.id(rest) }),
    };
  }

  /** The schema that a reference within the document leads to; one that leads elsewhere says nothing. */
  private referred(reference: string): Json {
    if (!reference.startsWith('#')) return true;
    let part: Json | undefined = this.whole;
    for (const step of decode(reference.slice(1)).split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      part = typeof part === 'object' && part !== null ? (part as { [key: string]: Json })[key] : undefined;
    }
    return part ?? true;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
