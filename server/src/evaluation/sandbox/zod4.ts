import type { Json, KeyPolicy, SchemaKind } from '../../../../shared/src/model.ts';
import { enumValues, jsonOf, type Parts, type Role, readFields } from './schema.ts';

/** The part of a zod 4 definition that is read here: the union of what zod 4.0 to 4.6 and zod/mini write there. */
export interface Zod4Def {
  readonly type: string;
  readonly checks?: readonly Zod4Check[];
  readonly check?: string;
  readonly format?: string;
  readonly coerce?: boolean;
  readonly shape?: object;
  readonly catchall?: Zod4Schema;
  readonly element?: object;
  readonly items?: readonly object[];
  readonly rest?: object | null;
  readonly options?: readonly object[];
  readonly discriminator?: string;
  readonly left?: object;
  readonly right?: object;
  readonly keyType?: object;
  readonly valueType?: object;
  readonly innerType?: object;
  readonly getter?: () => object;
  readonly in?: object;
  readonly out?: object;
  readonly defaultValue?: unknown;
  readonly entries?: Record<string, string | number>;
  readonly values?: readonly unknown[];
}
interface Zod4Check {
  readonly _zod?: { readonly def?: Zod4CheckDef };
}
export interface Zod4CheckDef {
  readonly check?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly pattern?: RegExp;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
}
export interface Zod4Schema {
  readonly _zod: {
    readonly def: Zod4Def;
    readonly innerType?: object;
    readonly constr: new (def: Zod4Def) => object;
    readonly optin?: string;
    readonly values?: ReadonlySet<unknown>;
    readonly pattern?: RegExp;
    readonly version?: { readonly major: number; readonly minor: number; readonly patch: number };
  };
  readonly description?: unknown;
}

const KINDS: { readonly [type: string]: SchemaKind } = Object.fromEntries(
  (
    'string number boolean bigint date symbol undefined null void any unknown never nan literal enum file function ' +
    'custom template_literal object array tuple record map set union intersection optional nullable nonoptional ' +
    'default prefault catch readonly success promise lazy pipe transform'
  )
    .split(' ')
    .map((type) => [type, type as SchemaKind]),
);

/** The zod 4 definition of a schema. */
export function zod4Def(schema: object): Zod4Def {
  return (schema as Zod4Schema)._zod.def;
}

/** The kind of a zod 4 schema. Calls nothing of the author's. */
export function kindOfZod4(schema: object): SchemaKind {
  return KINDS[zod4Def(schema).type] ?? 'unsupported';
}

/**
 * Reads a zod 4 or zod/mini schema.
 *
 * @throws what a getter of a lazy schema or of a shape throws; the shape resolves all of its getters at once
 */
export function readZod4(schema: object): Parts {
  const { _zod: internals } = schema as Zod4Schema;
  const def = internals.def;
  const kind = kindOfZod4(schema);
  const description = descriptionOf(schema as Zod4Schema);
  const checks = checkNames(internals);
  const format = def.format ?? def.checks?.find((check) => check._zod?.def?.format)?._zod?.def?.format;
  return {
    kind,
    children: childrenOf(schema as Zod4Schema, kind),
    ...(description !== undefined && { description }),
    ...(checks.length > 0 && { checks }),
    ...(typeof format === 'string' && { format }),
    ...(def.coerce === true && { coerce: true }),
    ...listsOf(def, kind),
    ...literalsOf(def, kind),
  };
}

function listsOf(def: Zod4Def, kind: SchemaKind): Partial<Parts> {
  if (kind === 'object') return { policy: policyOf(def), fields: readFields(def.shape ?? {}) };
  if (kind === 'tuple') return { items: def.items ?? [] };
  if (kind !== 'union') return {};
  return { options: def.options ?? [], ...(def.discriminator !== undefined && { discriminator: def.discriminator }) };
}

function childrenOf(schema: Zod4Schema, kind: SchemaKind): Parts['children'] {
  const def = schema._zod.def;
  const children: { [role in Role]?: object } = {};
  const put = (role: Role, child: object | null | undefined): void => {
    if (child) children[role] = child;
  };
  if (kind === 'object' && policyOf(def) === 'catchall') put('catchall', def.catchall);
  else if (kind === 'array') put('element', def.element);
  else if (kind === 'set') put('element', def.valueType);
  else if (kind === 'tuple') put('rest', def.rest);
  else if (kind === 'lazy') put('inner', schema._zod.innerType ?? def.getter?.());
  else if (kind !== 'object') {
    put('left', def.left);
    put('right', def.right);
    put('key', def.keyType);
    put('value', def.valueType);
    put('inner', def.innerType);
    put('in', def.in);
    put('out', def.out);
  }
  return children;
}

function policyOf(def: Zod4Def): KeyPolicy {
  if (!def.catchall) return 'strip';
  const type = def.catchall._zod.def.type;
  return type === 'never' ? 'strict' : type === 'unknown' ? 'loose' : 'catchall';
}

function literalsOf(def: Zod4Def, kind: SchemaKind): { literals?: readonly Json[]; defaultValue?: Json } {
  if (kind === 'literal') return { literals: (def.values ?? []).flatMap((value) => jsonOf(value) ?? []) };
  if (kind === 'enum') return { literals: enumValues(def.entries ?? {}) };
  if (kind !== 'default' && kind !== 'prefault') return {};
  try {
    // A getter that calls the author's function for `.default(() => …)`.
    const defaultValue = jsonOf(def.defaultValue);
    return defaultValue === undefined ? {} : { defaultValue };
  } catch {
    return {};
  }
}

function checkNames(internals: Zod4Schema['_zod']): string[] {
  const names: string[] = [];
  const put = (def: { check?: string; format?: string } | undefined): void => {
    // `.check(fn)` and `.refine` have no name of their own; formats are more telling than the check that tests them.
    names.push(def?.format ?? def?.check ?? 'custom');
  };
  // `z.email()` and `z.int()` are schema and check in one object.
  if (internals.def.check) put(internals.def as { check: string; format?: string });
  for (const check of internals.def.checks ?? []) put(check._zod?.def);
  return names;
}

function descriptionOf(schema: Zod4Schema): string | undefined {
  if (typeof schema.description === 'string') return schema.description;
  // zod/mini has no `description` property. The registry is shared over `globalThis` since zod 4.2.
  const registry = (globalThis as { __zod_globalRegistry?: { get(key: object): { description?: string } | undefined } })
    .__zod_globalRegistry;
  const description = registry?.get(schema)?.description;
  return typeof description === 'string' ? description : undefined;
}
