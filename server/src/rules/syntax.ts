import type { Place, Span } from '../../../shared/src/model.ts';
import { ts } from '../discovery/typescript.ts';
import type { SourceText } from './rule.ts';

/** Whether a text has an error of syntax. Types do not count. */
export function hasSyntaxErrors(file: string, text: string): boolean {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext, noCheck: true },
  });
  return diagnostics.some(({ category }) => category === ts.DiagnosticCategory.Error);
}

/** The whole text of a file, or undefined when it is gone. */
export function fileText(source: SourceText, file: string): string | undefined {
  return source.text({ file, span: { start: 0, end: Number.MAX_SAFE_INTEGER } });
}

/** The expression that spans exactly a range, without casts and parentheses of the same range; undefined when none. */
export function expressionAt(source: ts.SourceFile, { start, end }: Span): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (node.pos > start || node.end < end) return;
    if (node.getStart(source) === start && node.end === end && ts.isExpression(node)) found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The expression inside casts and parentheses. */
export function bare(expression: ts.Expression): ts.Expression {
  let current = expression;
  while (
    ts.isParenthesizedExpression(current) ||
    ts.isAsExpression(current) ||
    ts.isSatisfiesExpression(current) ||
    ts.isTypeAssertionExpression(current) ||
    ts.isNonNullExpression(current)
  ) {
    current = current.expression;
  }
  return current;
}

/** The outermost expression that adds nothing but casts and parentheses. */
export function dressed(expression: ts.Expression): ts.Expression {
  let current = expression;
  while (ts.isExpression(current.parent) && bare(current.parent) === bare(expression)) {
    current = current.parent;
  }
  return current;
}

/** A method call such as `A.merge(B)`: its receiver, name and arguments; undefined for anything else. */
export function methodCall(
  expression: ts.Expression,
):
  | { call: ts.CallExpression; receiver: ts.Expression; name: ts.MemberName; args: readonly ts.Expression[] }
  | undefined {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return undefined;
  const { expression: receiver, name } = expression.expression;
  return { call: expression, receiver, name, args: expression.arguments };
}

/** The method calls of a chain such as `z.number().default(1)`, outermost first. */
export function chainOf(expression: ts.Expression | undefined): NonNullable<ReturnType<typeof methodCall>>[] {
  const calls = [];
  for (let call = expression && methodCall(bare(expression)); call; call = methodCall(bare(call.receiver))) {
    calls.push(call);
  }
  return calls;
}

/** Text of the shape of an object schema: the literal in `z.object({ … })`, else `.shape` of the expression. */
export function shapeText(object: ts.Expression): string {
  const factory = methodCall(bare(object));
  const [literal] = factory?.args ?? [];
  const isPlain = factory && /^(strict|loose)?[oO]bject$/.test(factory.name.text) && factory.args.length === 1;
  return isPlain && literal && ts.isObjectLiteralExpression(literal)
    ? literal.getText()
    : `${memberable(object)}.shape`;
}

/** Text of an expression that a member access may follow. */
export function memberable(expression: ts.Expression): string {
  const text = expression.getText();
  return ts.isLeftHandSideExpression(expression) ? text : `(${text})`;
}

const ZOD = /^(@zod\/|zod$|zod\/)/;
const MINI = /^zod\/(v4-)?mini$|^zod\/v4\/mini$|^@zod\/mini$/;

/**
 * Whether an expression makes a schema of zod/mini, which has no methods such as `.strict()`: judged by the import that
 * its first name comes from, or where it is no import by all that the file imports of zod.
 */
export function usesMini(expression: ts.Expression): boolean {
  const imports = expression.getSourceFile().statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const { text } = statement.moduleSpecifier;
    return ZOD.test(text) ? [{ text, names: importedNames(statement.importClause) }] : [];
  });
  const name = firstName(expression);
  const named = imports.find(({ names }) => name !== undefined && names.includes(name));
  if (named) return MINI.test(named.text);
  return imports.length > 0 && imports.every(({ text }) => MINI.test(text));
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const names = clause?.name ? [clause.name.text] : [];
  if (!bindings) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, bindings.name.text];
  return [...names, ...bindings.elements.map((element) => element.name.text)];
}

function firstName(expression: ts.Expression): string | undefined {
  let current = bare(expression);
  while (ts.isCallExpression(current) || ts.isPropertyAccessExpression(current)) current = bare(current.expression);
  return ts.isIdentifier(current) ? current.text : undefined;
}

/** An expression short enough to be a name in a message: `ListBoats`, `schemas.boat`, `this.input`. */
const SHORT_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*){0,3}$/u;

/** The text when it can stand as a name in a sentence, else undefined. */
export function shortName(text: string | undefined): string | undefined {
  const name = text?.trim();
  return name !== undefined && name.length <= 48 && SHORT_NAME.test(name) ? name : undefined;
}

/** The name of the variable or class field that an expression initialises, read from the text before it. */
export function bindingName(source: SourceText, { file, span }: Place): string | undefined {
  const before = source.text({ file, span: { start: Math.max(0, span.start - 160), end: span.start } });
  return before?.match(/(?:const|let|var|readonly|static)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=;]*)?=\s*\(*$/u)?.[1];
}
