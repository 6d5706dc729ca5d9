import { lookup } from '../discovery/scopes.ts';
import { rootIdentifier, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { nameOfFunction } from './callers.ts';
import { firstAwait } from './effects.ts';

/** A reference that nothing in the file can supply. */
export class Unsupplied extends Error {
  constructor(
    readonly reason: string,
    readonly node: ts.Node,
  ) {
    super(reason);
  }
}

/** What has to be brought along from one scope around the candidate. */
export interface ScopeNeeds {
  readonly declarations: Set<ts.Node>;
  loop?: { readonly over: ts.Expression; readonly kind: 'of' | 'in' | 'callback' };
  wrapper?: { readonly callers: readonly ts.CallExpression[]; readonly used: Set<number> };
}

/** The parameters that a call fills: `this` is only a type. */
export function parametersOf(scope: ts.SignatureDeclaration): ts.ParameterDeclaration[] {
  return scope.parameters.filter(({ name }) => !(ts.isIdentifier(name) && name.text === 'this'));
}

/** Whether an argument is the function itself: `tools.forEach(register)`. */
export function handsOn(argument: ts.Expression, scope: ts.SignatureDeclaration): boolean {
  const inner = unwrap(argument);
  return ts.isIdentifier(inner) && inner.text === nameOfFunction(scope);
}

/** `const` or `let`, whichever a local that is brought along needs. */
export function keyword(node: ts.ParameterDeclaration | ts.VariableDeclaration, scope: ts.Node): string {
  if (ts.isParameter(node)) return 'let';
  if (!node.initializer && !ts.isForOfStatement(scope)) return 'let';
  return ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0 ? 'const' : 'let';
}

/** Statements of a block that build up a local: assignments to it, `push` and `set` on it. */
export function effectsOn(name: string, declaration: ts.Node, scope: ts.Node): ts.Statement[] {
  if (!ts.isVariableDeclaration(declaration) || !('statements' in scope)) return [];
  const touches = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node)) return false;
    if (ts.isExpressionStatement(node)) {
      const expression = unwrap(node.expression);
      const target = ts.isBinaryExpression(expression)
        ? expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
          expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
          ? expression.left
          : undefined
        : ts.isCallExpression(expression) &&
            ts.isPropertyAccessExpression(expression.expression) &&
            /^(push|unshift|set|add)$/.test(expression.expression.name.text)
          ? expression.expression.expression
          : undefined;
      const root = target && rootIdentifier(target);
      return root?.text === name && lookup(name, root)?.declaration === declaration;
    }
    return ts.forEachChild(node, (child) => touches(child) || undefined) === true;
  };
  const statements = scope.statements as ts.NodeArray<ts.Statement>;
  return statements.filter(
    (statement) =>
      !ts.isVariableStatement(statement) &&
      !ts.isFunctionDeclaration(statement) &&
      !ts.isReturnStatement(statement) &&
      !firstAwait(statement) &&
      touches(statement),
  );
}
