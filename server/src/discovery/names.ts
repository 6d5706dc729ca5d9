import type { NameSource } from '../../../shared/src/model.ts';
import type { Named } from './found.ts';
import { keyText, onlyReturn, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** A name that an expression gives; its text when the expression is a literal. */
export function nameOf(expression: ts.Expression, from: NameSource['from']): Named {
  const inner = unwrap(expression);
  const text = ts.isStringLiteralLike(inner) ? { text: inner.text } : {};
  return { name: inner, nameSource: { from, span: span(inner), ...text } };
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
