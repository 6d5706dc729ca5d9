import type { Json, KeyPolicy, SchemaKind } from '../../../../shared/src/model.ts';

/** What a schema object consists of, in the same words for zod 3 and zod 4. Children are schema objects. */
export interface Parts {
  readonly kind: SchemaKind;
  readonly description?: string;
  readonly checks?: readonly string[];
  readonly policy?: KeyPolicy;
  /** Objects: name → schema, in declaration order. What is no schema is an error instead. */
  readonly fields?: ReadonlyMap<string, object | FieldError>;
  readonly children: { readonly [role in Role]?: object };
  readonly items?: readonly object[];
  readonly options?: readonly object[];
  readonly discriminator?: string;
  readonly defaultValue?: Json;
  readonly literals?: readonly Json[];
  readonly format?: string;
  readonly coerce?: boolean;
}

/** The places of a schema that hold one other schema; the same names as in `SchemaNode`. */
export const ROLES = ['catchall', 'element', 'rest', 'left', 'right', 'key', 'value', 'inner', 'in', 'out'] as const;
export type Role = (typeof ROLES)[number];

export class FieldError {
  constructor(readonly message: string) {}
}

/**
 * Whether a value is a schema of any copy of zod 3, zod 4 or zod/mini. Recognised by its internals, since `instanceof`
 * only knows one of the copies that live side by side in the process. Never throws.
 */
export function isSchema(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const { _zod, _def } = value as { _zod?: { def?: { type?: unknown } }; _def?: { typeName?: unknown } };
    if (_zod) return typeof _zod === 'object' && typeof _zod.def?.type === 'string';
    return typeof _def === 'object' && _def !== null && typeof _def.typeName === 'string';
  } catch {
    return false;
  }
}

/** The major version of the zod that made a schema. */
export function majorOf(schema: object): 3 | 4 {
  return '_zod' in schema ? 4 : 3;
}

/** Whether a value is a plain record of schemas, which SDKs wrap in a plain object; `{}` is one. Never throws. */
export function isRawShape(value: unknown): value is Record<string, object> {
  if (typeof value !== 'object' || value === null || isSchema(value)) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) return false;
    return Object.values(value).every(isSchema);
  } catch {
    return false;
  }
}

/** A thrown value as one line for people. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
      .replace(/\s+/g, ' ')
      .trim();
  } catch {
    return 'a value without a message was thrown';
  }
}

/** The fields of a shape; a getter that throws becomes a FieldError. */
export function readFields(shape: object): Map<string, object | FieldError> {
  const fields = new Map<string, object | FieldError>();
  for (const name of Object.keys(shape)) {
    try {
      const field = (shape as Record<string, unknown>)[name];
      fields.set(name, isSchema(field) ? field : new FieldError(`"${name}" is no Zod schema`));
    } catch (error) {
      fields.set(name, new FieldError(messageOf(error)));
    }
  }
  return fields;
}

/** A default or literal as JSON, or undefined when it has no such form (a function, a cycle). */
export function jsonOf(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part));
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** The values of an enum object; TypeScript's numeric enums also map each number back to its name. */
export function enumValues(entries: Record<string, string | number>): (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  return Object.entries(entries)
    .filter(([key]) => !numbers.includes(Number(key)))
    .map(([, value]) => value);
}
