import type { Span } from '../../../shared/src/model.ts';
import { ts } from './typescript.ts';

/** After an edit the file is compiled, then rules look at the same text, and each of its fixes does. */
let last: ts.SourceFile | undefined;

/**
 * Parses one file, with parents. Syntax errors do not throw: the tree holds what could be read. Nobody may change the
 * tree: who asks for the same text next gets it, too.
 *
 * @param file its extension decides about JSX and type annotations
 */
export function parse(file: string, text: string): ts.SourceFile {
  if (last?.fileName !== file || last.text !== text) last = parsed(file, text);
  return last;
}

function parsed(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(
    file,
    text,
    {
      languageVersion: ts.ScriptTarget.ESNext,
      impliedNodeFormat: ts.ModuleKind.ESNext,
      // Comments of JavaScript say types; those of TypeScript are for people.
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo,
    },
    true,
    scriptKind(file),
  );
}

function scriptKind(file: string): ts.ScriptKind {
  const extension = file.slice(file.lastIndexOf('.') + 1);
  if (extension === 'tsx') return ts.ScriptKind.TSX;
  if (extension === 'jsx') return ts.ScriptKind.JSX;
  return extension === 'js' || extension === 'mjs' || extension === 'cjs' ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** Offset of a node's first token, after its comments. */
export function start(node: ts.Node): number {
  return node.getStart(undefined, false);
}

/** A node's range without the comments before it. */
export function span(node: ts.Node): Span {
  return { start: start(node), end: node.end };
}

/** Whether a node only changes the type of the expression inside it. */
export function isWrapping(
  node: ts.Node,
): node is
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression
  | ts.TypeAssertion {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  );
}

/** The expression inside parentheses, `as`, `satisfies`, `!` and type assertions. */
export function unwrap(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (isWrapping(inner)) inner = inner.expression;
  return inner;
}

/** The outermost node that only wraps this expression in parentheses and casts. */
export function wrapped(expression: ts.Node): ts.Node {
  let outer = expression;
  while (outer.parent && isWrapping(outer.parent)) outer = outer.parent;
  return outer;
}

/** The text of a property's name, or undefined when it is computed or private. */
export function keyText(name: ts.Node | undefined): string | undefined {
  if (!name) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)) return name.expression.text;
  return undefined;
}

/** A property of an object literal that holds an expression. */
export type ValueProperty = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

export function isValueProperty(property: ts.Node): property is ValueProperty {
  return ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property);
}

/** The expression that a property holds; the name itself in shorthand. */
export function propertyValue(property: ValueProperty): ts.Expression {
  return ts.isPropertyAssignment(property) ? property.initializer : property.name;
}

/** The last property of that name which holds an expression, as the last one wins at run time. */
export function findProperty(object: ts.ObjectLiteralExpression, key: string): ValueProperty | undefined {
  for (let index = object.properties.length - 1; index >= 0; index--) {
    const property = object.properties[index];
    if (property && isValueProperty(property) && keyText(property.name) === key) return property;
  }
  return undefined;
}

/** The properties of a literal by name; the last of a name wins, as at run time. */
export type Properties = ReadonlyMap<string, ts.ObjectLiteralElementLike>;

export function propertiesOf(object: ts.ObjectLiteralExpression): Properties {
  const properties = new Map<string, ts.ObjectLiteralElementLike>();
  for (const property of object.properties) {
    const key = property.name && keyText(property.name);
    if (key !== undefined) properties.set(key, property);
  }
  return properties;
}

export type Call = ts.CallExpression | ts.NewExpression;

/** The last name of what is called: `tool` in `tool()`, `a.tool()`, `a['tool']()`; `super` in `super()`; else ''. */
export function calleeName(call: Call): string {
  const callee = unwrap(call.expression);
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  if (ts.isElementAccessExpression(callee) && ts.isStringLiteralLike(callee.argumentExpression)) {
    return callee.argumentExpression.text;
  }
  return callee.kind === ts.SyntaxKind.SuperKeyword ? 'super' : '';
}

/** What a method is called on (`a.b` in `a.b.tool()`), or undefined for a plain function. */
export function receiverOf(call: Call): ts.Expression | undefined {
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee) ? callee.expression : undefined;
}

/** The identifier at the left end of a chain of reads and calls: `z` in `z.object({}).strict()`. */
export function rootIdentifier(expression: ts.Expression): ts.Identifier | undefined {
  for (let part = unwrap(expression); ; ) {
    if (ts.isIdentifier(part)) return part;
    if (ts.isPropertyAccessExpression(part) || ts.isElementAccessExpression(part) || ts.isCallExpression(part)) {
      part = unwrap(part.expression);
    } else return undefined;
  }
}

/** Whether the expression is written out as a function. */
export function isFunctionLiteral(expression: ts.Expression): expression is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(expression) || ts.isFunctionExpression(expression);
}

/** Whether the expression is text: a literal, a template, or a concatenation that holds one. */
export function isText(expression: ts.Expression): boolean {
  let part = unwrap(expression);
  while (ts.isBinaryExpression(part) && part.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    if (isText(part.right)) return true;
    part = unwrap(part.left);
  }
  return ts.isStringLiteralLike(part) || ts.isTemplateExpression(part);
}

/** The field that a statement of a constructor sets: `this.name = value`. */
export function fieldAssignment(
  statement: ts.Statement,
): { readonly name: string; readonly value: ts.Expression; readonly node: ts.Node } | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, operatorToken, right } = statement.expression;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(left)) return undefined;
  if (left.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  return { name: left.name.text, value: right, node: statement.expression };
}

/** The class around a node, or undefined. */
export function enclosingClass(from: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let node = from.parent; node; node = node.parent) if (ts.isClassLike(node)) return node;
  return undefined;
}

/** The names of what a class extends, such as `Tool` in `extends base.Tool<Input>`. */
export function baseNames(owner: ts.ClassLikeDeclaration): string[] {
  const names: string[] = [];
  for (const clause of owner.heritageClauses ?? []) {
    for (const { expression } of clause.types) {
      if (ts.isIdentifier(expression)) names.push(expression.text);
      else if (ts.isPropertyAccessExpression(expression)) names.push(expression.name.text);
    }
  }
  return names;
}

/** What a function returns when its body is one expression or one `return`; undefined otherwise. */
export function onlyReturn(body: ts.ConciseBody | undefined): ts.Expression | undefined {
  if (!body) return undefined;
  if (!ts.isBlock(body)) return body;
  const [statement, more] = body.statements;
  return statement && !more && ts.isReturnStatement(statement) ? statement.expression : undefined;
}
