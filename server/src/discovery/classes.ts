import type { Draft, Named } from './found.ts';
import { DESCRIPTION_KEYS, HANDLER_KEYS, HANDLER_METHOD, OUTPUT_KEYS, type SchemaKeys } from './keys.ts';
import { memberValue, NAME_KEYS, nameFrom, nameOf } from './names.ts';
import { schemaAt, schemaForm } from './schemas.ts';
import { freeReferences } from './scopes.ts';
import { sdkOfHeritage } from './sdk.ts';
import { baseNames, fieldAssignment, isFunctionLiteral, keyText, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';
import { isOtherContainer, isToolWord } from './words.ts';

/** A field of a class: its value, and the node that a person edits. */
interface Field {
  readonly value: ts.Expression | undefined;
  readonly node: ts.Node;
}

type Fields = ReadonlyMap<string, Field>;

/**
 * A class that is a tool by its fields: a schema, a description, a method that runs it. Fields may be static, getters
 * with one `return`, or assignments in the constructor (what compilers make of fields).
 *
 * @returns undefined when the class is no tool by itself
 */
export function classTool(owner: ts.ClassLikeDeclaration, keys: SchemaKeys): Draft | undefined {
  const fields = fieldsOf(owner);
  const bases = baseNames(owner);
  const toolish = [owner.name?.text ?? '', ...bases].some(isToolWord);
  if (!toolish && bases.some(isOtherContainer)) return undefined;
  const { described, handled } = fieldEvidence(fields, toolish);
  for (const [key, strength] of keys.ordered) {
    const field = fields.get(key);
    const form = field?.value && schemaForm(field.value);
    if (!field?.value || !form || form === 'json') continue;
    if (
      strength === 'strong'
        ? !(described || handled || toolish)
        : !(toolish ? described || handled : described && handled)
    ) {
      continue;
    }
    const sdk = sdkOfHeritage(owner);
    const named = nameOfClass(owner, fields);
    return {
      anchor: owner,
      way: 'class',
      certain: described && handled && named !== undefined && (toolish || strength === 'strong'),
      ...(sdk?.claim && { claim: sdk.claim }),
      ...named,
      ...schemaAt(field.value, key, span(field.node)),
      output: outputOf(fields),
    };
  }
  return undefined;
}

/** Whether fields say what a tool is for and what runs it. */
function fieldEvidence(fields: Fields, toolish: boolean): { readonly described: boolean; readonly handled: boolean } {
  let described = false;
  let handled = false;
  for (const [name, field] of fields) {
    described ||= DESCRIPTION_KEYS.has(name);
    handled ||= (HANDLER_KEYS.has(name) && !isData(field)) || (toolish && isMethod(field) && HANDLER_METHOD.test(name));
  }
  return { described, handled };
}

function isMethod(field: Field): boolean {
  return ts.isMethodDeclaration(field.node) || (field.value !== undefined && isFunctionLiteral(unwrap(field.value)));
}

/** What the class around a definition says about it: `super({ inputSchema })` with the name in a field. */
export function aboutClass(owner: ts.ClassLikeDeclaration): {
  readonly name: Named | undefined;
  readonly described: boolean;
  readonly handled: boolean;
} {
  const fields = fieldsOf(owner);
  return { name: nameOfClass(owner, fields), ...fieldEvidence(fields, true) };
}

/** The fields of a class by name, but for those that only hold what its constructor was given. */
function fieldsOf(owner: ts.ClassLikeDeclaration): Fields {
  const fields = new Map<string, Field>();
  for (const member of owner.members) {
    if (ts.isConstructorDeclaration(member)) {
      for (const statement of member.body?.statements ?? []) {
        const assigned = fieldAssignment(statement);
        if (assigned && !isGiven(assigned.value, member)) fields.set(assigned.name, assigned);
      }
      continue;
    }
    const name = keyText(member.name);
    if (name !== undefined) fields.set(name, { value: memberValue(member), node: member });
  }
  return fields;
}

/** Whether a value depends on what the constructor's caller supplies. */
function isGiven(value: ts.Expression, maker: ts.ConstructorDeclaration): boolean {
  return freeReferences(value).some(({ found }) => found !== undefined && isWithin(found.scope, maker));
}

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  return node === outer || (node.pos >= outer.pos && node.end <= outer.end);
}

function isData(field: Field): boolean {
  const value = field.value && unwrap(field.value);
  return value !== undefined && (ts.isStringLiteralLike(value) || ts.isObjectLiteralExpression(value));
}

function nameOfClass(owner: ts.ClassLikeDeclaration, fields: Fields): Named | undefined {
  for (const key of NAME_KEYS) {
    const value = fields.get(key)?.value;
    if (value) return nameOf(value, 'property');
  }
  return owner.name && nameFrom(owner.name, 'class', owner.name.text);
}

function outputOf(fields: Fields): ts.Expression | null {
  for (const key of OUTPUT_KEYS) {
    const value = fields.get(key)?.value;
    if (value && schemaForm(value)) return unwrap(value);
  }
  return null;
}
