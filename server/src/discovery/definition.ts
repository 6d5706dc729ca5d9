import type { Draft, Named } from './found.ts';
import { DESCRIPTION_KEYS, HANDLER_KEYS, type KeyStrength, OUTPUT_KEYS, type SchemaKeys } from './keys.ts';
import { NAME_KEYS, nameFrom, nameOf, nameOfFile, nameOfKey } from './names.ts';
import { isDeniedAsTool, isHttpLike, saysTool } from './notTools.ts';
import { type SchemaForm, type SchemaPart, schemaAt, schemaForm, startsAtZod } from './schemas.ts';
import { type Sdk, sdkOf } from './sdk.ts';
import { type Standing, standingOf } from './standing.ts';
import {
  type Call,
  calleeName,
  isFunctionLiteral,
  isText,
  isValueProperty,
  keyText,
  propertyValue,
  span,
  unwrap,
} from './syntax.ts';
import { ts } from './typescript.ts';

/** A definition object, with the literals in it that are shapes and so no definitions. */
export interface Definition {
  readonly draft: Draft;
  readonly owned: readonly ts.ObjectLiteralExpression[];
}

export type Properties = ReadonlyMap<string, ts.ObjectLiteralElementLike>;

/** The properties of a literal by name; the last of a name wins, as at run time. */
export function propertiesOf(object: ts.ObjectLiteralExpression): Properties {
  const properties = new Map<string, ts.ObjectLiteralElementLike>();
  for (const property of object.properties) {
    const key = property.name && keyText(property.name);
    if (key !== undefined) properties.set(key, property);
  }
  return properties;
}

/**
 * An object literal with a schema under one of the known keys, and enough beside it to be a tool, wherever it stands:
 * argument, list, record, const, return value, `super()`.
 *
 * @returns undefined when it is none, or is one of the things that only look alike
 */
export function definition(object: ts.ObjectLiteralExpression, keys: SchemaKeys): Definition | undefined {
  const properties = propertiesOf(object);
  if (!hasKey(properties, keys)) return undefined;
  if (isShapeLiteral(properties)) return undefined;
  const slot = schemaSlot(properties, keys);
  if (!slot) return undefined;
  const standing = standingOf(object);
  const evidence = evidenceOf(properties, standing);
  if (!isEnough(slot, evidence, properties, standing)) return undefined;
  return {
    draft: toDraft(object, properties, slot, standing, evidence),
    owned: slot.owned,
  };
}

function hasKey(properties: Properties, keys: SchemaKeys): boolean {
  for (const key of properties.keys()) if (keys.all.has(key)) return true;
  return false;
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
    const form = schemaForm(value);
    const nested = ts.isObjectLiteralExpression(value) ? nestedSlot(key, value, strength) : undefined;
    if (nested) return nested;
    if (!form || (form === 'json' && strength === 'weak') || (form === 'empty' && strength !== 'strong')) continue;
    const owned = ts.isObjectLiteralExpression(value) ? [value] : [];
    return { key, strength, form, part: schemaAt(value, key, span(property)), owned };
  }
  return undefined;
}

/** `schema: { inputSchema: X }`, `config: …`: the schema one level deeper. */
function nestedSlot(key: string, value: ts.ObjectLiteralExpression, strength: KeyStrength): Slot | undefined {
  if (key !== 'schema') return undefined;
  const inner = propertiesOf(value);
  for (const innerKey of ['inputSchema', 'input', 'parameters', 'args']) {
    const property = inner.get(innerKey);
    if (!property || !isValueProperty(property)) continue;
    const form = schemaForm(propertyValue(property));
    // In a shape, a field called `input` is a plain schema of some kind; its siblings are fields as well.
    if (!form || (innerKey !== 'inputSchema' && form === 'expression' && inner.size > 2)) continue;
    const deep = unwrap(propertyValue(property));
    const owned = ts.isObjectLiteralExpression(deep) ? [value, deep] : [value];
    return { key: innerKey, strength, form, part: schemaAt(deep, innerKey, span(property)), owned };
  }
  return undefined;
}

interface Evidence {
  /** From the object's own property, a call's string, or a key. */
  readonly name: Named | undefined;
  readonly described: boolean;
  readonly handled: boolean;
  readonly sdk: Sdk | undefined;
  /** Some word around it says tool. */
  readonly toolish: boolean;
}

function evidenceOf(properties: Properties, standing: Standing): Evidence {
  let described = false;
  let handled = standing.decorated !== undefined && ts.isMethodDeclaration(standing.decorated);
  for (const [key, property] of properties) {
    described ||= DESCRIPTION_KEYS.has(key);
    handled ||= HANDLER_KEYS.has(key) && !isPlainValue(property);
  }
  for (const call of standing.calls) {
    handled ||= call.arguments?.some((argument) => isFunctionLiteral(unwrap(argument))) === true;
    described ||= (call.arguments?.filter(isText).length ?? 0) > 1;
  }
  return {
    name: nameFor(properties, standing),
    described,
    handled,
    sdk: sdkOfCalls(standing),
    toolish: saysTool(standing),
  };
}

function isPlainValue(property: ts.ObjectLiteralElementLike): boolean {
  if (!ts.isPropertyAssignment(property)) return false;
  const value = unwrap(property.initializer);
  return isText(value) || ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value);
}

function sdkOfCalls(standing: Standing): Sdk | undefined {
  for (const call of standing.calls) {
    const sdk = call.expression.kind === ts.SyntaxKind.SuperKeyword ? undefined : sdkOf(call.expression);
    if (sdk) return sdk;
  }
  return undefined;
}

function isEnough(slot: Slot, evidence: Evidence, properties: Properties, standing: Standing): boolean {
  if (isDeniedAsTool(standing)) return false;
  const { described, handled, toolish } = evidence;
  const named = evidence.name !== undefined;
  if (slot.form === 'json') return named && (described || toolish) && slot.strength !== 'weak';
  if (slot.strength === 'strong') return properties.has('name') || described || handled || toolish;
  if (isHttpLike(properties, standing)) return false;
  if (slot.strength === 'common') return described || handled || toolish;
  return described || handled || (evidence.sdk !== undefined && toolish);
}

function toDraft(
  object: ts.ObjectLiteralExpression,
  properties: Properties,
  slot: Slot,
  standing: Standing,
  evidence: Evidence,
): Draft {
  const { sdk, described, handled, toolish } = evidence;
  const named = evidence.name ?? variableName(standing, object);
  const complete = evidence.name !== undefined && described && handled;
  return {
    anchor: object,
    way: wayOf(standing.calls),
    certain: (sdk !== undefined && toolish) || (complete && (slot.strength !== 'weak' || toolish)),
    ...(sdk?.claim && { claim: sdk.claim }),
    ...named,
    ...slot.part,
    output: outputOf(properties),
  };
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
    if (property && isValueProperty(property) && schemaForm(propertyValue(property)))
      return unwrap(propertyValue(property));
  }
  return null;
}

function nameFor(properties: Properties, standing: Standing): Named | undefined {
  for (const key of NAME_KEYS) {
    const property = properties.get(key);
    if (property && isValueProperty(property)) return nameOf(propertyValue(property), 'property');
  }
  for (const call of standing.calls) {
    const text = call.arguments?.find((argument) => isNameLike(argument));
    if (text) return nameOf(text, 'argument');
  }
  if (standing.entry) return nameOf(standing.entry, 'key');
  return standing.key && nameOfKey(standing.key);
}

/** An argument that is a tool's name: the first text, or something that is called a name. */
function isNameLike(argument: ts.Expression): boolean {
  const value = unwrap(argument);
  if (ts.isStringLiteralLike(value)) return true;
  if (ts.isPropertyAccessExpression(value)) {
    return (
      /name|tool/i.test(value.name.text) ||
      (ts.isIdentifier(value.expression) && /name|tool/i.test(value.expression.text))
    );
  }
  return ts.isIdentifier(value) && (/name$/i.test(value.text) || /^[A-Z][A-Z0-9_]+$/.test(value.text));
}

/** The weakest names: of what the object is assigned to, of the class or method it belongs to, of the file. */
function variableName(standing: Standing, object: ts.Node): Named | undefined {
  if (standing.variable) return nameFrom(standing.variable, 'variable', standing.variable.text);
  const { decorated } = standing;
  if (decorated && (ts.isMethodDeclaration(decorated) || ts.isClassLike(decorated))) {
    const text = keyText(decorated.name);
    if (decorated.name && text !== undefined)
      return nameFrom(decorated.name, ts.isClassLike(decorated) ? 'class' : 'key', text);
  }
  if (standing.isDefaultExport) return nameOfFile(object.getSourceFile(), object);
  if (standing.assigned) return nameFrom(standing.assigned.name, 'variable', standing.assigned.name.text);
  if (standing.calls.some((call) => call.expression.kind === ts.SyntaxKind.SuperKeyword)) {
    for (let node: ts.Node = object; node; node = node.parent) {
      if (ts.isClassLike(node)) return node.name && nameFrom(node.name, 'class', node.name.text);
    }
  }
  return undefined;
}
