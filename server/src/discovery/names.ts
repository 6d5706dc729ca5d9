import type { NameSource } from '../../../shared/src/model.ts';
import type { Named } from './found.ts';
import { lookup, moduleConst } from './scopes.ts';
import { calleeName, findProperty, keyText, onlyReturn, propertyValue, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** A name that an expression gives; its text when the file alone says what it is. */
export function nameOf(expression: ts.Expression, from: NameSource['from']): Named {
  const inner = unwrap(expression);
  const text = textOf(inner);
  return { name: inner, nameSource: { from, span: span(inner), ...(text !== undefined && { text }) } };
}

/** The text of a literal, of a const of the module that is one, or of a member of such an object or enum. */
function textOf(value: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isIdentifier(value)) return literalText(moduleConst(value));
  if (!ts.isPropertyAccessExpression(value) || !ts.isIdentifier(value.expression)) return undefined;
  const made = moduleConst(value.expression);
  const object = made && frozen(made);
  if (object && ts.isObjectLiteralExpression(object)) {
    const property = findProperty(object, value.name.text);
    const spread = object.properties.some(ts.isSpreadAssignment);
    return property && !spread ? literalText(propertyValue(property)) : undefined;
  }
  const declaration = lookup(value.expression.text, value)?.declaration;
  if (!declaration || !ts.isEnumDeclaration(declaration)) return undefined;
  return literalText(declaration.members.find((member) => keyText(member.name) === value.name.text)?.initializer);
}

function literalText(expression: ts.Expression | undefined): string | undefined {
  const value = expression && unwrap(expression);
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
}

/** The object in `Object.freeze({…})`, else the value itself. */
function frozen(made: ts.Expression): ts.Expression {
  const value = unwrap(made);
  const first = ts.isCallExpression(value) && calleeName(value) === 'freeze' ? value.arguments[0] : undefined;
  return first ? unwrap(first) : value;
}

/** Whether an argument may be a tool's name: text, or something that is called a name. */
export function isNameLike(argument: ts.Expression): boolean {
  const value = unwrap(argument);
  if (ts.isStringLiteralLike(value)) return true;
  if (ts.isPropertyAccessExpression(value)) {
    const owner = ts.isIdentifier(value.expression) ? value.expression.text : '';
    return /name|tool/i.test(value.name.text) || /name|tool/i.test(owner);
  }
  return ts.isIdentifier(value) && (/name$/i.test(value.text) || /^[A-Z][A-Z0-9_]+$/.test(value.text));
}

/** A name that stands in the source as an identifier or key, not as a value. */
export function nameFrom(node: ts.Node, from: NameSource['from'], text: string): Named {
  return { name: { literal: text }, nameSource: { from, span: span(node), text } };
}

/** The name that a record's key gives: its text, or the expression of a computed key. */
export function nameOfKey(key: ts.PropertyName): Named | undefined {
  const text = keyText(key);
  if (text !== undefined) return nameFrom(key, 'key', text);
  return ts.isComputedPropertyName(key) ? nameOf(key.expression, 'key') : undefined;
}

/** The file's own name without its extensions, for modules that are a tool by themselves. */
export function nameOfFile(source: ts.SourceFile, at: ts.Node): Named {
  const base = source.fileName.replace(/^.*[\\/]/, '').replace(/\..*$/, '');
  return nameFrom(at, 'file', base);
}

/** The keys under which definitions carry their name, best first. `title` is for people and no name. */
export const NAME_KEYS = ['name', 'toolName', 'tool_name', 'id'] as const;

/** What a class member holds: a field's initialiser, or the one expression that its getter returns. */
export function memberValue(member: ts.ClassElement): ts.Expression | undefined {
  if (ts.isPropertyDeclaration(member)) return member.initializer;
  return ts.isGetAccessor(member) ? onlyReturn(member.body) : undefined;
}
