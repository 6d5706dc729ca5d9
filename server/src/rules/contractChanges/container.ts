import type { Place } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import { bare } from '../syntax.ts';
import { keyText, propertyValue } from './entryStyle.ts';
import type { Insertion } from './literals.ts';

/** The literal that entries stand in: by tool, as a list, or as the pairs of a Map. */
export interface Container {
  readonly form: 'record' | 'list' | 'map';
  readonly literal: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression;
  /** An entry that is there, to write like it. */
  readonly model: ts.ObjectLiteralExpression | undefined;
}

/** The object literal at a place, in a file's present text. */
export function literalAt(place: Place, text: string): ts.ObjectLiteralExpression | undefined {
  let found: ts.ObjectLiteralExpression | undefined;
  const source = parse(place.file, text);
  const visit = (node: ts.Node): void => {
    if (node.pos > place.span.start || node.end < place.span.end) return;
    if (
      node.getStart(source) === place.span.start &&
      node.end === place.span.end &&
      ts.isObjectLiteralExpression(node)
    ) {
      found = node;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The literal that an entry stands in directly; undefined when a helper puts it there. */
export function containerOf(entry: ts.ObjectLiteralExpression): Container | undefined {
  const outer = outermost(entry);
  const { parent } = outer;
  if (ts.isPropertyAssignment(parent) && ts.isObjectLiteralExpression(parent.parent)) {
    return { form: 'record', literal: parent.parent, model: entry };
  }
  if (!ts.isArrayLiteralExpression(parent)) return undefined;
  if (propertyValue(entry, 'tool')) return { form: 'list', literal: parent, model: entry };
  const pairs = outermost(parent).parent;
  return ts.isArrayLiteralExpression(pairs) && parent.elements.length === 2
    ? { form: 'map', literal: pairs, model: entry }
    : undefined;
}

/** The literal that a file exports under a name; undefined when the value is made otherwise. */
export function exportedContainer(source: ts.SourceFile, name: string): Container | undefined {
  const initializer = initializerOf(source, localNameOf(source, name) ?? name);
  const value = initializer && opened(initializer);
  if (!value) return undefined;
  if (ts.isObjectLiteralExpression(value)) return { form: 'record', literal: value, model: undefined };
  const isMap = ts.isNewExpression(value.parent) && value.parent.expression.getText() === 'Map';
  return { form: isMap ? 'map' : 'list', literal: value, model: undefined };
}

/** An element for a container that says what an entry of a tool says, in its place where the container is sorted. */
export function elementFor(container: Container, tool: string, key: string, entry: string): Insertion {
  const text =
    container.form === 'record' ? `${key}: ${entry}` : container.form === 'map' ? `[${key}, ${entry}]` : entry;
  const elements = named(container);
  const names = elements.map(({ name }) => name);
  const isSorted = names.length > 1 && names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name);
  const next = isSorted ? elements.find(({ name }) => name > tool) : undefined;
  return next ? { text, before: next.node } : { text };
}

/** The elements of a container with the tools that they are for; those that do not say it in words are left out. */
function named({ literal, form }: Container): { name: string; node: ts.Node }[] {
  const elements: readonly ts.Node[] = ts.isObjectLiteralExpression(literal) ? literal.properties : literal.elements;
  return elements.flatMap((node) => {
    const name = nameIn(node, form);
    return name === undefined ? [] : [{ name, node }];
  });
}

function nameIn(node: ts.Node, form: Container['form']): string | undefined {
  if (form === 'record') return ts.isPropertyAssignment(node) ? keyText(node.name) : undefined;
  const value = ts.isExpression(node) ? bare(node) : undefined;
  if (!value) return undefined;
  const name =
    form === 'map' && ts.isArrayLiteralExpression(value)
      ? value.elements[0]
      : ts.isObjectLiteralExpression(value)
        ? propertyValue(value, 'tool')
        : undefined;
  return name && ts.isStringLiteralLike(name) ? name.text : undefined;
}

/** The node around casts and parentheses. */
function outermost(expression: ts.Expression): ts.Expression {
  let outer = expression;
  while (ts.isExpression(outer.parent) && bare(outer.parent) === bare(expression)) outer = outer.parent;
  return outer;
}

/** What a module calls a binding that it exports under another name. */
function localNameOf(source: ts.SourceFile, name: string): string | undefined {
  for (const statement of source.statements) {
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (!clause || !ts.isNamedExports(clause)) continue;
    const element = clause.elements.find((one) => one.name.text === name);
    if (element) return (element.propertyName ?? element.name).text;
  }
  return undefined;
}

function initializerOf(source: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name: binding, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(binding) && binding.text === name) return initializer;
      }
    }
    if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
    const { left, right } = statement.expression;
    if ([`exports.${name}`, `module.exports.${name}`].includes(left.getText())) return right;
  }
  return undefined;
}

/** The literal in `{…} as const`, `Object.freeze({…})`, `new Map([…])`, `define({…})`, or behind another constant. */
function opened(expression: ts.Expression): Container['literal'] | undefined {
  const value = bare(expression);
  if (ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value)) return value;
  if ((ts.isCallExpression(value) || ts.isNewExpression(value)) && value.arguments?.[0]) {
    return opened(value.arguments[0]);
  }
  const behind = ts.isIdentifier(value) ? initializerOf(value.getSourceFile(), value.text) : undefined;
  return behind && bare(behind) !== value ? opened(behind) : undefined;
}
