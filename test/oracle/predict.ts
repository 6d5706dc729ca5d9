import ts from 'typescript';
import type { SchemaKind } from '../../shared/src/model.ts';

/** Functions of zod's namespace, by the kind of what they make. */
const FACTORIES: Readonly<Record<string, SchemaKind>> = {
  string: 'string',
  number: 'number',
  int: 'number',
  float32: 'number',
  float64: 'number',
  int32: 'number',
  uint32: 'number',
  boolean: 'boolean',
  bigint: 'bigint',
  date: 'date',
  symbol: 'symbol',
  undefined: 'undefined',
  null: 'null',
  void: 'void',
  any: 'any',
  unknown: 'unknown',
  never: 'never',
  nan: 'nan',
  literal: 'literal',
  enum: 'enum',
  nativeEnum: 'enum',
  file: 'file',
  object: 'object',
  strictObject: 'object',
  looseObject: 'object',
  array: 'array',
  tuple: 'tuple',
  record: 'record',
  partialRecord: 'record',
  looseRecord: 'record',
  map: 'map',
  set: 'set',
  union: 'union',
  xor: 'union',
  discriminatedUnion: 'union',
  intersection: 'intersection',
  lazy: 'lazy',
  optional: 'optional',
  nullish: 'optional',
  nullable: 'nullable',
  promise: 'promise',
  templateLiteral: 'template_literal',
  codec: 'pipe',
  pipe: 'pipe',
  stringbool: 'pipe',
  custom: 'custom',
  instanceof: 'custom',
  _default: 'default',
  prefault: 'prefault',
  catch: 'catch',
  readonly: 'readonly',
  json: 'lazy',
  keyof: 'enum',
};
for (const format of 'email url uuid uuidv4 guid nanoid cuid cuid2 ulid xid ksuid ipv4 ipv6 cidrv4 cidrv6 base64 base64url e164 jwt emoji hostname hex'.split(
  ' ',
)) {
  (FACTORIES as Record<string, SchemaKind>)[format] = 'string';
}

/** Methods that wrap their receiver, or make another kind of it. */
const WRAPPING: Readonly<Record<string, SchemaKind>> = {
  optional: 'optional',
  nullish: 'optional',
  exactOptional: 'optional',
  nullable: 'nullable',
  nonoptional: 'nonoptional',
  default: 'default',
  prefault: 'prefault',
  catch: 'catch',
  readonly: 'readonly',
  array: 'array',
  or: 'union',
  and: 'intersection',
  pipe: 'pipe',
  promise: 'promise',
  extract: 'enum',
  exclude: 'enum',
  keyof: 'enum',
};
/** Methods that only objects have, and that make an object. */
const OF_OBJECTS = new Set(
  'extend safeExtend augment merge pick omit partial deepPartial strict strip loose passthrough catchall setKey required'.split(
    ' ',
  ),
);
/** Methods that answer the kind that they are called on. */
const KEEPING = new Set(
  (
    'describe meta register min max length nonempty email url uuid regex includes startsWith endsWith trim toLowerCase ' +
    'toUpperCase normalize datetime date time ip cidr cuid cuid2 ulid nanoid base64 base64url jwt emoji gt gte lt lte int ' +
    'positive negative nonnegative nonpositive multipleOf finite safe step check with overwrite clone size mime rest'
  ).split(' '),
);

/** What the text of an expression says about the schema that it makes. */
export interface Prediction {
  readonly kind?: SchemaKind;
  /** Name of what is called last. */
  readonly method?: string;
}

/**
 * Predicts a node from the text at its origin alone.
 *
 * @param text the expression
 * @param zod major version of the zod that made it
 */
export function predict(text: string, zod: 3 | 4): Prediction {
  const source = ts.createSourceFile('x.tsx', `(${text})`, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const [statement] = source.statements;
  if (!statement || !ts.isExpressionStatement(statement)) return {};
  return ofExpression(statement.expression, zod);
}

function ofExpression(expression: ts.Expression, zod: 3 | 4): Prediction {
  const call = bare(expression);
  if (!ts.isCallExpression(call)) return {};
  const callee = bare(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return ts.isIdentifier(callee) ? { method: callee.text } : {};
  const method = callee.name.text;
  const kind = isNamespace(callee.expression) ? ofFactory(method, zod) : ofMethod(method, callee.expression, zod);
  return { method, ...(kind && { kind }) };
}

/** `z`, `zod`, `z3`, `mini`, and their `coerce` and `iso`. */
function isNamespace(expression: ts.Expression): boolean {
  const inner = bare(expression);
  if (ts.isPropertyAccessExpression(inner)) {
    return ['coerce', 'iso', 'z', 'default'].includes(inner.name.text) && isNamespace(inner.expression);
  }
  return ts.isIdentifier(inner) && /^(z|zod|zod_1|z\d|mini|zm|zz|v[34])$/.test(inner.text);
}

function ofFactory(name: string, zod: 3 | 4): SchemaKind | undefined {
  if (name === 'preprocess') return zod === 4 ? 'pipe' : undefined;
  if (name === 'datetime' || name === 'time' || name === 'duration') return 'string';
  // `z.iso.date()` is a string, `z.date()` a date: the caller does not tell them apart.
  if (name === 'date') return undefined;
  return FACTORIES[name];
}

function ofMethod(name: string, receiver: ts.Expression, zod: 3 | 4): SchemaKind | undefined {
  if (Object.hasOwn(WRAPPING, name)) return WRAPPING[name];
  if (OF_OBJECTS.has(name)) return 'object';
  const made = ofExpression(receiver, zod).kind;
  if (name === 'transform') return zod === 4 ? 'pipe' : undefined;
  if (name === 'refine' || name === 'superRefine' || name === 'refinement') return zod === 4 ? made : 'refinement';
  if (name === 'brand') return zod === 4 ? made : 'branded';
  return KEEPING.has(name) ? made : undefined;
}

/** The expression inside parentheses and casts. */
function bare(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isTypeAssertionExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}
