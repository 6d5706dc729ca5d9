import type { WhatIf } from './messages.ts';
import { kindOf, partsOf } from './read.ts';
import { FieldError, majorOf, type Parts } from './schema.ts';
import { type Zod3Def, type Zod3Schema, zod3Def } from './zod3.ts';
import { type Zod4Def, type Zod4Schema, zod4Def } from './zod4.ts';

/** Wrappers around an option's object, or around a field's default, that stay as they are. */
const KEPT = new Set<Parts['kind']>([
  'optional',
  'nullable',
  'nonoptional',
  'readonly',
  'lazy',
  'refinement',
  'branded',
  'transform',
  'pipe',
]);
const ROLES = ['inner', 'in', 'out'] as const;
type Role = (typeof ROLES)[number];
/** Where a definition keeps the child of a role, of zod 4 and mostly of zod 3. */
const KEYS = { inner: 'innerType', in: 'in', out: 'out' } as const;

/**
 * The union with one field of one option changed: its default, prefault or catch is replaced by `.optional()`. Nothing
 * of the original is touched; the copy is made by the constructors of the very zod that made the union.
 *
 * @param objects the contract's schema objects by node id
 * @throws Error with a sentence when the union, the option or the field's default is not there
 */
export function applyWhatIf(objects: readonly object[], { union, option, field }: WhatIf): object {
  const schema = objects[union];
  if (!schema || kindOf(schema) !== 'union') throw new Error(`Node ${union} is no union.`);
  const options = [...(partsOf(schema).options ?? [])];
  const chosen = options[option];
  if (!chosen) throw new Error(`The union has no option ${option}.`);
  options[option] = withField(chosen, field, objects);
  return withOptions(schema, options);
}

/** A copy of an object, or of wrappers around one, whose field has no default. */
function withField(schema: object, field: string, objects: readonly object[]): object {
  const { kind, children, fields } = partsOf(schema);
  if (kind === 'object') {
    const current = fields?.get(field);
    if (!current || current instanceof FieldError) throw new Error(`The option has no field "${field}".`);
    return withShape(schema, new Map([...(fields ?? []), [field, undefaulted(current, objects)]]));
  }
  const role = KEPT.has(kind) ? ROLES.find((name) => children[name] && holdsObject(children[name])) : undefined;
  const child = role && children[role];
  if (!role || !child) throw new Error('The option is no object.');
  return withChild(schema, role, withField(child, field, objects));
}

function holdsObject(schema: object): boolean {
  const { kind, children } = partsOf(schema);
  if (kind === 'object') return true;
  return KEPT.has(kind) && ROLES.some((role) => children[role] && holdsObject(children[role]));
}

/** The field with `.optional()` in place of its default, below the wrappers that stand around it. */
function undefaulted(schema: object, objects: readonly object[]): object {
  const { kind, children } = partsOf(schema);
  const { inner } = children;
  if (inner && (kind === 'default' || kind === 'prefault' || kind === 'catch')) return optional(inner, objects);
  if (inner && KEPT.has(kind)) return withChild(schema, 'inner', undefaulted(inner, objects));
  throw new Error('The field has no default.');
}

function optional(schema: object, objects: readonly object[]): object {
  const { optional: method } = schema as { optional?(): object };
  if (method) return method.call(schema);
  // Schemas of zod/mini have no methods; the class is known when the contract has another optional schema.
  const other = objects.find((object) => majorOf(object) === 4 && kindOf(object) === 'optional');
  if (!other) throw new Error('The schema has no optional().');
  return copy4(other, { innerType: schema });
}

function withOptions(union: object, options: readonly object[]): object {
  if (majorOf(union) === 4) return copy4(union, { options });
  const { discriminator } = zod3Def(union);
  if (discriminator === undefined) return copy3(union, { options });
  // zod 3 looks options up in a map that only `create` makes.
  const made = union.constructor as unknown as { create(discriminator: string, options: readonly object[]): object };
  return made.create(discriminator, options);
}

function withShape(object: object, fields: ReadonlyMap<string, object>): object {
  const shape = Object.fromEntries(fields);
  return majorOf(object) === 4 ? copy4(object, { shape }) : copy3(object, { shape: () => shape });
}

function withChild(schema: object, role: Role, child: object): object {
  const isLazy = kindOf(schema) === 'lazy';
  if (majorOf(schema) === 4) return copy4(schema, isLazy ? { getter: () => child } : { [KEYS[role]]: child });
  const { typeName } = zod3Def(schema);
  if (isLazy) return copy3(schema, { getter: () => child });
  if (typeName === 'ZodEffects') return copy3(schema, { schema: child });
  if (typeName === 'ZodBranded') return copy3(schema, { type: child });
  return copy3(schema, { [KEYS[role]]: child });
}

function copy4(schema: object, change: Partial<Zod4Def>): object {
  // zod ≥ 4.4 keeps what a lazy getter returned in the definition.
  const { _cachedInner: _, ...def } = zod4Def(schema) as Zod4Def & { _cachedInner?: object };
  return new (schema as Zod4Schema)._zod.constr({ ...def, ...change });
}

function copy3(schema: object, change: Partial<Zod3Def>): object {
  return new (schema as Zod3Schema).constructor({ ...zod3Def(schema), ...change });
}
