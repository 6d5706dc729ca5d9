import type { SchemaSource, Span } from '../../../shared/src/model.ts';
import { moduleConst } from './scopes.ts';
import {
  calleeName,
  isFunctionLiteral,
  isText,
  isValueProperty,
  keyText,
  propertyValue,
  receiverOf,
  rootIdentifier,
  span,
  unwrap,
} from './syntax.ts';
import { ts } from './typescript.ts';

/** What an expression may turn out to be, judged by how it is written. */
export type SchemaForm =
  /** Some expression that only evaluating can tell. */
  | 'expression'
  /** An object literal with a field whose value may be a schema. */
  | 'shape'
  /** `{}`: a tool without input. */
  | 'empty'
  /** An object literal in JSON Schema. */
  | 'json';

/**
 * Says what a schema expression may be, so that text, numbers, functions, lists and settings are not evaluated.
 *
 * @returns undefined when it certainly is no schema
 */
export function schemaForm(expression: ts.Expression): SchemaForm | undefined {
  const value = unwrap(expression);
  switch (value.kind) {
    case ts.SyntaxKind.Identifier:
      return (value as ts.Identifier).text === 'undefined' ? undefined : 'expression';
    case ts.SyntaxKind.CallExpression:
      return TEXT_CALL.test(calleeName(value as ts.CallExpression)) ? undefined : 'expression';
    case ts.SyntaxKind.PropertyAccessExpression:
    case ts.SyntaxKind.ElementAccessExpression:
    case ts.SyntaxKind.ConditionalExpression:
    case ts.SyntaxKind.AwaitExpression:
    case ts.SyntaxKind.TaggedTemplateExpression:
      return 'expression';
    case ts.SyntaxKind.BinaryExpression:
      return isText(value) || !isChoice(value as ts.BinaryExpression) ? undefined : 'expression';
    case ts.SyntaxKind.NewExpression:
      return /zod|schema/i.test(calleeName(value as ts.NewExpression)) ? 'expression' : undefined;
    case ts.SyntaxKind.ObjectLiteralExpression:
      return literalForm(value as ts.ObjectLiteralExpression);
    default:
      return undefined;
  }
}

/** Functions whose results are text, numbers or lists. */
const TEXT_CALL = /^(?:stringify|String|toString|join|Number|Boolean|dedent|trim|keys|entries|values|Symbol)$/;

function isChoice(expression: ts.BinaryExpression): boolean {
  const operator = expression.operatorToken.kind;
  return (
    operator === ts.SyntaxKind.BarBarToken ||
    operator === ts.SyntaxKind.QuestionQuestionToken ||
    operator === ts.SyntaxKind.AmpersandAmpersandToken
  );
}

const JSON_SCHEMA_KEYS = /^(?:\$schema|\$ref|properties|additionalProperties|anyOf|oneOf|allOf)$/;

function literalForm(object: ts.ObjectLiteralExpression): SchemaForm | undefined {
  if (object.properties.length === 0) return 'empty';
  let shape = false;
  for (const property of object.properties) {
    if (ts.isSpreadAssignment(property) || ts.isGetAccessor(property)) shape = true;
    if (!isValueProperty(property)) continue;
    const key = keyText(property.name);
    const value = unwrap(propertyValue(property));
    if (key === 'type' && ts.isStringLiteralLike(value)) return 'json';
    if (key && JSON_SCHEMA_KEYS.test(key) && (ts.isObjectLiteralExpression(value) || ts.isStringLiteralLike(value))) {
      return 'json';
    }
    shape ||= schemaForm(value) === 'expression' || isDescribedField(value);
  }
  return shape ? 'shape' : undefined;
}

/** A field in mcp-framework's older form: `{ type: z.string(), description: '…' }`. */
function isDescribedField(value: ts.Expression): boolean {
  if (!ts.isObjectLiteralExpression(value)) return false;
  return value.properties.some(
    (property) =>
      isValueProperty(property) &&
      keyText(property.name) === 'type' &&
      ts.isCallExpression(unwrap(propertyValue(property))),
  );
}

const ZOD_MODULE = /^(?:npm:)?(?:zod(?:$|[/@])|@hono\/zod-openapi)/;
const zodNames = new WeakMap<ts.SourceFile, Set<string>>();

function importedFromZod(source: ts.SourceFile): Set<string> {
  let names = zodNames.get(source);
  if (!names) {
    names = new Set();
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) || !statement.importClause) continue;
      if (!ts.isStringLiteral(statement.moduleSpecifier) || !ZOD_MODULE.test(statement.moduleSpecifier.text)) continue;
      const { name, namedBindings } = statement.importClause;
      if (name) names.add(name.text);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) names.add(namedBindings.name.text);
      else for (const element of namedBindings?.elements ?? []) names.add(element.name.text);
    }
    zodNames.set(source, names);
  }
  return names;
}

/** Whether an expression is a chain that starts at zod: `z.object({}).strict()`. Also where `z` comes from a barrel. */
export function startsAtZod(expression: ts.Expression): boolean {
  const root = rootIdentifier(expression);
  if (!root || !ts.isCallExpression(unwrap(expression))) return false;
  return /^z[34]?$|^zod(?:v?[34])?$/i.test(root.text) || importedFromZod(root.getSourceFile()).has(root.text);
}

/** Methods of schemas whose object arguments are shapes, masks or notes and never definitions of tools. */
const SCHEMA_METHODS =
  /^(?:extend|safeExtend|merge|augment|object|strictObject|looseObject|pick|omit|partial|required|meta|describe|openapi|default|prefault|catch|register)$/;

/** Whether an object literal is an argument of a schema's method, on whatever that schema is called on. */
export function isShapeArgument(call: ts.CallExpression): boolean {
  return receiverOf(call) !== undefined && SCHEMA_METHODS.test(calleeName(call));
}

const CONVERSION = /^(?:(?:zod_?)?to_?json_?schema|zodToMcp\w*|toMcpInputSchema|zodSchema|zodTo\w*Schema)$/i;

export interface Converted {
  /** What parses. */
  readonly schema: ts.Expression;
  /** The whole conversion: what is advertised. */
  readonly converted: ts.Expression;
}

/** Looks through a conversion to JSON Schema, written in place or as a const of the module. */
export function conversionOf(expression: ts.Expression): Converted | undefined {
  const value = unwrap(expression);
  if (ts.isIdentifier(value)) {
    const made = moduleConst(value);
    return made && ts.isCallExpression(unwrap(made)) ? conversionOf(made) : undefined;
  }
  if (!ts.isCallExpression(value) || !CONVERSION.test(calleeName(value))) return undefined;
  const [first] = value.arguments;
  const receiver = receiverOf(value);
  // zod 4.4 and later: a schema converts itself, `X.toJSONSchema({ io: 'input' })`.
  const own = receiver && !(first && isNamespace(receiver)) && /^toJSONSchema$/.test(calleeName(value));
  const schema = own ? receiver : first;
  if (!schema || ts.isSpreadElement(schema) || schemaForm(schema) !== 'expression') return undefined;
  return { schema: unwrap(schema), converted: value };
}

function isNamespace(receiver: ts.Expression): boolean {
  const value = unwrap(receiver);
  return (
    ts.isIdentifier(value) &&
    (/^(?:z[34]?|zod\w*)$/i.test(value.text) || importedFromZod(value.getSourceFile()).has(value.text))
  );
}

/** The schema part of a draft. */
export interface SchemaPart {
  readonly schema: ts.Expression | null;
  readonly schemaSource?: SchemaSource;
  readonly property?: string;
  readonly converted?: ts.Expression;
}

/** A schema that is written as the value of a property, or of a class's member. */
export function schemaAt(expression: ts.Expression, key: string, property: Span | undefined): SchemaPart {
  const value = unwrap(expression);
  const through = conversionOf(value);
  const schemaSource: SchemaSource = { span: span(through?.schema ?? value), key, ...(property && { property }) };
  return through ? { ...through, schemaSource } : { schema: value, schemaSource };
}

const OTHER_ARGUMENT = /(?:annotations?|desc(?:ription)?|title|options|callback|handler)$/i;

/**
 * The expressions among a call's middle arguments that may be a schema: neither text nor function nor list, and not
 * called something else.
 */
export function schemaArguments(candidates: readonly ts.Expression[]): ts.Expression[] {
  return candidates.filter((argument) => {
    const value = unwrap(argument);
    if (ts.isSpreadElement(value) || isFunctionLiteral(value) || !schemaForm(value)) return false;
    const name = lastName(value);
    return name === undefined || !OTHER_ARGUMENT.test(name);
  });
}

function lastName(value: ts.Expression): string | undefined {
  if (ts.isIdentifier(value)) return value.text;
  return ts.isPropertyAccessExpression(value) ? value.name.text : undefined;
}

/** Among several possible schemas, the one to point at: what is written or called as one, else the last. */
export function likeliest(possible: readonly ts.Expression[]): ts.Expression | undefined {
  const named = (one: ts.Expression): boolean => /schema|shape|param|args|input/i.test(lastName(unwrap(one)) ?? '');
  return (
    possible.find((one) => schemaForm(one) !== 'expression' || ts.isCallExpression(unwrap(one)) || named(one)) ??
    possible.at(-1)
  );
}
