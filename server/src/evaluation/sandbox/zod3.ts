import type { Json, KeyPolicy, SchemaKind } from '../../../../shared/src/model.ts';
import { enumValues, jsonOf, type Parts, type Role, readFields } from './schema.ts';

/** The part of a zod 3 definition that is read here. */
export interface Zod3Def {
  readonly typeName: string;
  readonly description?: string;
  readonly checks?: readonly Zod3Check[];
  readonly coerce?: boolean;
  readonly unknownKeys?: 'strict' | 'strip' | 'passthrough';
  readonly catchall?: Zod3Schema;
  readonly shape?: () => object;
  /** Arrays, promises and branded: the wrapped schema. */
  readonly type?: object;
  readonly items?: readonly object[];
  readonly rest?: object | null;
  readonly options?: readonly object[] | ReadonlyMap<unknown, object>;
  readonly discriminator?: string;
  readonly left?: object;
  readonly right?: object;
  readonly keyType?: object;
  readonly valueType?: object;
  readonly innerType?: object;
  readonly schema?: object;
  readonly effect?: { readonly type: 'refinement' | 'transform' | 'preprocess' };
  readonly getter?: () => object;
  readonly in?: object;
  readonly out?: object;
  readonly defaultValue?: () => unknown;
  readonly value?: unknown;
  readonly values?: readonly string[] | Record<string, string | number>;
  readonly minLength?: { readonly value: number } | null;
  readonly maxLength?: { readonly value: number } | null;
  readonly exactLength?: { readonly value: number } | null;
  readonly minSize?: { readonly value: number } | null;
  readonly maxSize?: { readonly value: number } | null;
}
export interface Zod3Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
}
export interface Zod3Schema {
  readonly _def: Zod3Def;
  readonly constructor: new (def: Zod3Def) => object;
}

const KINDS: { readonly [typeName: string]: SchemaKind } = {
  ZodString: 'string',
  ZodNumber: 'number',
  ZodNaN: 'nan',
  ZodBigInt: 'bigint',
  ZodBoolean: 'boolean',
  ZodDate: 'date',
  ZodSymbol: 'symbol',
  ZodUndefined: 'undefined',
  ZodNull: 'null',
  ZodAny: 'any',
  ZodUnknown: 'unknown',
  ZodNever: 'never',
  ZodVoid: 'void',
  ZodArray: 'array',
  ZodObject: 'object',
  ZodUnion: 'union',
  ZodDiscriminatedUnion: 'union',
  ZodIntersection: 'intersection',
  ZodTuple: 'tuple',
  ZodRecord: 'record',
  ZodMap: 'map',
  ZodSet: 'set',
  ZodFunction: 'function',
  ZodLazy: 'lazy',
  ZodLiteral: 'literal',
  ZodEnum: 'enum',
  ZodNativeEnum: 'enum',
  ZodOptional: 'optional',
  ZodNullable: 'nullable',
  ZodDefault: 'default',
  ZodCatch: 'catch',
  ZodPromise: 'promise',
  ZodBranded: 'branded',
  ZodPipeline: 'pipe',
  ZodReadonly: 'readonly',
};
/** An effect is a wrapper in zod 3: a transform keeps its schema as `in`, a preprocess as `out`, a refinement as `inner`. */
const EFFECTS: { readonly [effect: string]: readonly [SchemaKind, Role] } = {
  refinement: ['refinement', 'inner'],
  transform: ['transform', 'in'],
  preprocess: ['pipe', 'out'],
};

/** The zod 3 definition of a schema. */
export function zod3Def(schema: object): Zod3Def {
  return (schema as Zod3Schema)._def;
}

/** The kind of a zod 3 schema. Calls nothing of the author's. */
export function kindOfZod3(schema: object): SchemaKind {
  const def = zod3Def(schema);
  return def.typeName === 'ZodEffects'
    ? (EFFECTS[def.effect?.type ?? '']?.[0] ?? 'unsupported')
    : (KINDS[def.typeName] ?? 'unsupported');
}

/**
 * Reads a zod 3 schema.
 *
 * @throws what the getter of a lazy schema throws
 */
export function readZod3(schema: object): Parts {
  const def = zod3Def(schema);
  const effect = def.typeName === 'ZodEffects' ? EFFECTS[def.effect?.type ?? ''] : undefined;
  const kind = kindOfZod3(schema);
  const checks = kind === 'refinement' ? ['custom'] : checkNames(def, kind);
  const format = kind === 'string' ? def.checks?.find((check) => FORMATS.has(check.kind))?.kind : undefined;
  return {
    kind,
    children: effect ? only(effect[1], def.schema) : childrenOf(def, kind),
    ...(typeof def.description === 'string' && { description: def.description }),
    ...(checks.length > 0 && { checks }),
    ...(format !== undefined && { format }),
    ...(def.coerce === true && { coerce: true }),
    ...listsOf(def, kind),
    ...literalsOf(def, kind),
  };
}

function listsOf(def: Zod3Def, kind: SchemaKind): Partial<Parts> {
  if (kind === 'object') return { policy: policyOf(def), fields: readFields(def.shape?.() ?? {}) };
  if (kind === 'tuple') return { items: def.items ?? [] };
  if (kind !== 'union') return {};
  return { options: optionsOf(def), ...(def.discriminator !== undefined && { discriminator: def.discriminator }) };
}

/** The options of a union, in order; zod 3 kept those of a discriminated union in a map before 3.22. */
export function optionsOf(def: Zod3Def): readonly object[] {
  const { options = [] } = def;
  return 'values' in options && !Array.isArray(options)
    ? [...new Set((options as ReadonlyMap<unknown, object>).values())]
    : (options as readonly object[]);
}

function only(role: Role, child: object | null | undefined): Parts['children'] {
  return child ? { [role]: child } : {};
}

function childrenOf(def: Zod3Def, kind: SchemaKind): Parts['children'] {
  switch (kind) {
    case 'object':
      return policyOf(def) === 'catchall' ? only('catchall', def.catchall) : {};
    case 'array':
      return only('element', def.type);
    case 'set':
      return only('element', def.valueType);
    case 'tuple':
      return only('rest', def.rest);
    case 'promise':
    case 'branded':
      return only('inner', def.type);
    case 'lazy':
      return only('inner', lazyInner(def));
    case 'pipe':
      return { ...only('in', def.in), ...only('out', def.out) };
    case 'intersection':
      return { ...only('left', def.left), ...only('right', def.right) };
    case 'record':
    case 'map':
      return { ...only('key', def.keyType), ...only('value', def.valueType) };
    default:
      return only('inner', def.innerType);
  }
}

const opened = new WeakMap<Zod3Def, object>();

/** zod 3 calls the getter again for each parse; here it is called once, so that node ids keep meaning the same objects. */
function lazyInner(def: Zod3Def): object | undefined {
  const known = opened.get(def);
  if (known) return known;
  const inner = def.getter?.();
  if (inner) opened.set(def, inner);
  return inner;
}

function policyOf(def: Zod3Def): KeyPolicy {
  // A typed catchall is asked before `unknownKeys` (zod 3.25, ZodObject._parse).
  if (def.catchall && def.catchall._def.typeName !== 'ZodNever') return 'catchall';
  return def.unknownKeys === 'strict' ? 'strict' : def.unknownKeys === 'passthrough' ? 'loose' : 'strip';
}

function literalsOf(def: Zod3Def, kind: SchemaKind): { literals?: readonly Json[]; defaultValue?: Json } {
  if (kind === 'literal') {
    const literal = jsonOf(def.value);
    return { literals: literal === undefined ? [] : [literal] };
  }
  if (kind === 'enum') {
    const { values = [] } = def;
    return { literals: Array.isArray(values) ? values : enumValues(values as Record<string, string | number>) };
  }
  if (kind !== 'default') return {};
  try {
    const defaultValue = jsonOf(def.defaultValue?.());
    return defaultValue === undefined ? {} : { defaultValue };
  } catch {
    return {};
  }
}

const FORMATS = new Set(
  'email url emoji uuid nanoid cuid cuid2 ulid jwt datetime date time duration ip cidr base64 base64url regex'.split(
    ' ',
  ),
);
/** zod 3's names of checks in zod 4's words, where they differ. */
const CHECK_NAMES: { readonly [kind: string]: { readonly [check: string]: string } } = {
  string: {
    min: 'min_length',
    max: 'max_length',
    length: 'length_equals',
    startsWith: 'starts_with',
    endsWith: 'ends_with',
    trim: 'overwrite',
    toLowerCase: 'overwrite',
    toUpperCase: 'overwrite',
  },
  number: { min: 'greater_than', max: 'less_than', multipleOf: 'multiple_of', int: 'safeint' },
  bigint: { min: 'greater_than', max: 'less_than', multipleOf: 'multiple_of' },
  date: { min: 'greater_than', max: 'less_than' },
};

function checkNames(def: Zod3Def, kind: SchemaKind): string[] {
  const names = (def.checks ?? []).map((check) => CHECK_NAMES[kind]?.[check.kind] ?? check.kind);
  if (def.minLength) names.push('min_length');
  if (def.maxLength) names.push('max_length');
  if (def.exactLength) names.push('length_equals');
  if (def.minSize) names.push('min_size');
  if (def.maxSize) names.push('max_size');
  return names;
}
