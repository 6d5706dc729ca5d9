import { type Evidence, evidenceOf, nameFor } from './evidence.ts';
import type { Draft } from './found.ts';
import { DESCRIPTION_KEYS, type KeyStrength, OUTPUT_KEYS, type SchemaKeys } from './keys.ts';
import { isDeniedAsTool, isHttpLike, isPromptLike } from './notTools.ts';
import { type SchemaForm, type SchemaPart, schemaAt, schemaForm, startsAtZod } from './schemas.ts';
import { lookup } from './scopes.ts';
import { type Standing, standingOf } from './standing.ts';
import {
  type Call,
  calleeName,
  isValueProperty,
  keyText,
  type Properties,
  propertiesOf,
  propertyValue,
  rootIdentifier,
  span,
  unwrap,
  wrapped,
} from './syntax.ts';
import { ts } from './typescript.ts';
import { isToolWord } from './words.ts';

/** A definition object, with the literals in it that are shapes and so no definitions. */
export interface Definition {
  readonly draft: Draft;
  readonly owned: readonly ts.ObjectLiteralExpression[];
}

/**
 * An object literal with a schema under one of the known keys, and enough beside it to be a tool, wherever it stands:
 * argument, list, record, const, return value, `super()`.
 *
 * @returns undefined when it is none, or is one of the things that only look alike
 */
export function definition(object: ts.ObjectLiteralExpression, keys: SchemaKeys): Definition | undefined {
  if (!mayDefine(object, keys)) return withoutInput(object);
  const properties = propertiesOf(object);
  if (isShapeLiteral(properties)) return undefined;
  const slot = schemaSlot(properties, keys);
  if (!slot) return undefined;
  const standing = standingOf(object);
  if (isDeniedAsTool(standing) || (standing.key && keys.all.has(keyText(standing.key) ?? ''))) return undefined;
  const evidence = evidenceOf(properties, standing);
  if (!isEnough(slot, evidence, properties, standing)) return undefined;
  if (!evidence.sdk && isCopy(slot.part.schema, properties)) return undefined;
  const { sdk, toolish, name, described, handled } = evidence;
  const complete = name !== undefined && described && handled;
  const draft: Draft = {
    anchor: object,
    way: wayOf(standing.calls),
    certain: (sdk !== undefined && toolish) || (complete && (slot.strength !== 'weak' || toolish)),
    ...(sdk?.claim && { claim: sdk.claim }),
    ...(name ?? nameFor(standing, object)),
    ...slot.part,
    output: outputOf(properties),
  };
  return { draft, owned: slot.owned };
}

function mayDefine(object: ts.ObjectLiteralExpression, keys: SchemaKeys): boolean {
  return object.properties.some((property) => {
    const key = property.name && keyText(property.name);
    return key !== undefined && keys.all.has(key);
  });
}

/** `addTool({ name, description, execute })`: a tool that takes nothing, where the call itself says that it is one. */
function withoutInput(object: ts.ObjectLiteralExpression): Definition | undefined {
  const call = wrapped(object).parent;
  if (!call || !(ts.isCallExpression(call) || ts.isNewExpression(call)) || !isToolWord(calleeName(call)))
    return undefined;
  // What a spread brings may hold a schema under any key.
  if (object.properties.some(ts.isSpreadAssignment)) return undefined;
  const properties = propertiesOf(object);
  if (isShapeLiteral(properties) || ![...DESCRIPTION_KEYS].some((key) => properties.has(key))) return undefined;
  const standing = standingOf(object);
  const { name, described, handled, sdk } = evidenceOf(properties, standing);
  if (!described || !handled || isDeniedAsTool(standing) || !(sdk || calleeName(call) === 'addTool')) return undefined;
  const draft: Draft = {
    anchor: object,
    way: wayOf(standing.calls),
    certain: sdk !== undefined || name !== undefined,
    ...(sdk?.claim && { claim: sdk.claim }),
    ...(name ?? nameFor(standing, object)),
    schema: null,
    output: outputOf(properties),
  };
  return { draft, owned: [] };
}

/** Whether the literal is itself the shape of a schema: what would describe a tool is a Zod schema. */
function isShapeLiteral(properties: Properties): boolean {
  for (const key of ['name', 'description', 'title', 'type', 'handler', 'execute', 'id']) {
    const property = properties.get(key);
    if (property && isValueProperty(property) && startsAtZod(propertyValue(property))) return true;
  }
  return false;
}

interface Slot {
  readonly key: string;
  readonly strength: KeyStrength;
  readonly form: SchemaForm;
  readonly part: SchemaPart;
  readonly owned: readonly ts.ObjectLiteralExpression[];
}

function schemaSlot(properties: Properties, keys: SchemaKeys): Slot | undefined {
  for (const [key, strength] of keys.ordered) {
    const property = properties.get(key);
    if (!property || !isValueProperty(property)) continue;
    const value = unwrap(propertyValue(property));
    const nested = key === 'schema' && ts.isObjectLiteralExpression(value) ? nestedSlot(value, strength) : undefined;
    if (nested) return nested;
    const form = schemaForm(value);
    if (!form || (form === 'json' && strength === 'weak')) continue;
    const owned = ts.isObjectLiteralExpression(value) ? [value] : [];
    return { key, strength, form, part: schemaAt(value, key, span(property)), owned };
  }
  return undefined;
}

/** `schema: { inputSchema: X }`: the schema one level deeper. A shape's fields may have these names as well. */
function nestedSlot(value: ts.ObjectLiteralExpression, strength: KeyStrength): Slot | undefined {
  const inner = propertiesOf(value);
  for (const key of ['inputSchema', 'input', 'parameters', 'args']) {
    const property = inner.get(key);
    if (!property || !isValueProperty(property)) continue;
    const form = schemaForm(propertyValue(property));
    const isField =
      key !== 'inputSchema' && ![...inner.keys()].every((one) => /^(?:input|output|parameters|args)/.test(one));
    if (!form || isField) continue;
    const deep = unwrap(propertyValue(property));
    const owned = ts.isObjectLiteralExpression(deep) ? [value, deep] : [value];
    return { key, strength, form, part: schemaAt(deep, key, span(property)), owned };
  }
  return undefined;
}

function isEnough(slot: Slot, evidence: Evidence, properties: Properties, standing: Standing): boolean {
  const { described, handled, toolish, name, sdk } = evidence;
  if (slot.form === 'json') return name !== undefined && (described || toolish);
  if (slot.strength === 'strong') return properties.has('name') || described || handled || toolish;
  if (isHttpLike(properties, standing)) return false;
  if (slot.strength === 'weak' && !toolish && isPromptLike(properties, standing)) return false;
  // Settings that are left empty are common; a tool without input says what it is for and what runs it.
  if (slot.form === 'empty') return described && handled && (toolish || name !== undefined);
  if (slot.strength === 'common') return described || handled || toolish;
  const value = slot.part.schema;
  if (value && !toolish && (ts.isBinaryExpression(value) || ts.isConditionalExpression(value))) return false;
  return described || (handled && name !== undefined) || (toolish && (handled || sdk !== undefined));
}

/**
 * Whether an object only repeats another definition in another form, as `{ name: tool.name, inputSchema: tool.schema }`
 * for each tool: name and schema are read off the same parameter or loop variable.
 */
function isCopy(schema: ts.Expression | null, properties: Properties): boolean {
  const name = properties.get('name') ?? properties.get('toolName');
  const description = properties.get('description');
  const owner = schema && parameterOf(schema);
  if (!owner) return false;
  return [name, description].some(
    (property) => property && isValueProperty(property) && parameterOf(propertyValue(property)) === owner,
  );
}

/** The parameter or loop variable at the left end of a chain of reads. */
function parameterOf(expression: ts.Expression): ts.Node | undefined {
  const root = rootIdentifier(expression);
  const found = root && lookup(root.text, root);
  if (!found) return undefined;
  if (ts.isForOfStatement(found.scope)) return found.declaration;
  if (!ts.isParameter(found.declaration)) return undefined;
  // A function with a name may be called with parts of its own, and its callers are followed.
  const isOwnPart = ts.isIdentifier(found.declaration.name) && root === unwrap(expression);
  return isOwnPart ? undefined : found.declaration;
}

function wayOf(calls: readonly Call[]): Draft['way'] {
  for (const call of calls) {
    const callee = calleeName(call);
    if (callee === 'addTool') return 'addTool';
    if (/tool$/i.test(callee)) return 'tool';
  }
  return 'definition';
}

function outputOf(properties: Properties): ts.Expression | null {
  for (const key of OUTPUT_KEYS) {
    const property = properties.get(key);
    if (property && isValueProperty(property) && schemaForm(propertyValue(property))) {
      return unwrap(propertyValue(property));
    }
  }
  return null;
}
