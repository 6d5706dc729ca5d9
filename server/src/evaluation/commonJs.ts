import { unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';

/** A member of a CommonJS module's exports, as a lazy binding; `*cjs` is the whole of `module.exports`. */
export interface CommonJsExport {
  readonly name: string;
  readonly value: ts.Expression;
  /** The value is a getter that has to be called. */
  readonly isGetter?: boolean;
}

/** The exports that a top-level expression of a CommonJS module sets; undefined when it is something else. */
export function commonJsExports(expression: ts.Expression): CommonJsExport[] | undefined {
  if (ts.isBinaryExpression(expression)) return assigned(expression);
  return ts.isCallExpression(expression) ? defined(expression) : undefined;
}

/** The specifier of `__exportStar(require("./x"), exports)`, as TypeScript writes `export * from`. */
export function commonJsStar(expression: ts.Expression): string | undefined {
  if (!ts.isCallExpression(expression)) return undefined;
  const callee = unwrap(expression.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
  if (name !== '__exportStar' && name !== '__export' && name !== '__reExport') return undefined;
  const required = expression.arguments.map(requiredSpecifier).find((specifier) => specifier !== undefined);
  return required;
}

/** The specifier of `require("./x")`. */
export function requiredSpecifier(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'require') {
    return undefined;
  }
  const argument = node.arguments[0];
  return argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
}

/** Whether an expression is `exports` or `module.exports`. */
export function isExportsObject(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'exports';
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'exports' &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === 'module'
  );
}

/** `exports.a = X`, `module.exports = X`, `exports.a = exports.b = X`: what counts is the value at the end. */
function assigned(expression: ts.BinaryExpression): CommonJsExport[] | undefined {
  const names: string[] = [];
  let value: ts.Expression = expression;
  while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const name = exportedName(unwrap(value.left));
    if (name === undefined) break;
    names.push(name);
    value = unwrap(value.right);
  }
  return names.length > 0 ? names.map((name) => ({ name, value })) : undefined;
}

function exportedName(target: ts.Expression): string | undefined {
  if (isExportsObject(target)) return '*cjs';
  if (ts.isPropertyAccessExpression(target) && isExportsObject(target.expression)) return target.name.text;
  if (ts.isElementAccessExpression(target) && isExportsObject(target.expression)) {
    return ts.isStringLiteralLike(target.argumentExpression) ? target.argumentExpression.text : undefined;
  }
  return undefined;
}

/** `Object.defineProperty(exports, "x", { get: … })`, as compilers write `export { x } from`. */
function defined(call: ts.CallExpression): CommonJsExport[] | undefined {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'defineProperty') return undefined;
  const [target, key, descriptor] = call.arguments;
  if (!target || !isExportsObject(target) || !key || !ts.isStringLiteralLike(key)) return undefined;
  if (!descriptor || !ts.isObjectLiteralExpression(descriptor)) return undefined;
  for (const property of descriptor.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
    if (property.name.text === 'get') return [{ name: key.text, value: property.initializer, isGetter: true }];
    if (property.name.text === 'value') return [{ name: key.text, value: property.initializer }];
  }
  return undefined;
}
