import { lookup } from '../discovery/scopes.ts';
import { unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { awaitedImport } from './instrument.ts';

/**
 * Which top-level statements are kept. Most are not: `main()`, `server.connect()`, a listener or a throw is never run.
 * Kept are those that only build values which a schema may read: assignments to bindings of the module or their
 * members, `Object.assign`, `push`, `set`, registries, `z.config`, and `if` and `for` made only of these.
 */
export function isKeptEffect(statement: ts.Statement, source: ts.SourceFile): boolean {
  if (firstAwait(statement)) return false;
  if (ts.isExpressionStatement(statement)) return isKeptExpression(statement.expression, source);
  if (!isCompound(statement)) return false;
  let kept = 0;
  let other = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isExpressionStatement(node)) {
      if (isKeptExpression(node.expression, source)) kept++;
      else other++;
      return;
    }
    if (ts.isThrowStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) other++;
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return kept > 0 && other === 0;
}

/** The first expression under a node that awaits, not counting inner functions. */
export function firstAwait(node: ts.Node): ts.Node | undefined {
  if (ts.isFunctionLike(node)) return undefined;
  if (ts.isAwaitExpression(node) && awaitedImport(node) === undefined) return node;
  if (ts.isForOfStatement(node) && node.awaitModifier) return node;
  return ts.forEachChild(node, firstAwait);
}

/** The identifier that a chain of member accesses and calls starts with. */
export function rootIdentifier(expression: ts.Expression): ts.Identifier | undefined {
  let current = unwrap(expression);
  while (
    ts.isPropertyAccessExpression(current) ||
    ts.isElementAccessExpression(current) ||
    ts.isCallExpression(current)
  ) {
    current = unwrap(current.expression);
  }
  return ts.isIdentifier(current) ? current : undefined;
}

function isCompound(statement: ts.Statement): boolean {
  return (
    ts.isIfStatement(statement) ||
    ts.isForStatement(statement) ||
    ts.isForOfStatement(statement) ||
    ts.isForInStatement(statement) ||
    ts.isTryStatement(statement) ||
    ts.isBlock(statement) ||
    ts.isSwitchStatement(statement)
  );
}

function isKeptExpression(expression: ts.Expression, source: ts.SourceFile): boolean {
  const inner = unwrap(expression);
  if (ts.isBinaryExpression(inner)) return isAssignment(inner) && assignsModuleBinding(inner.left, source);
  return ts.isCallExpression(inner) && isKeptCall(inner, source);
}

function isAssignment(expression: ts.BinaryExpression): boolean {
  const { kind } = expression.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function assignsModuleBinding(target: ts.Expression, source: ts.SourceFile): boolean {
  const root = rootIdentifier(target);
  if (!root) return false;
  if (root.text === 'module' || root.text === 'exports') return true;
  const found = lookup(root.text, root);
  return found?.scope === source && !isImport(found.declaration);
}

function isImport(declaration: ts.Node): boolean {
  return ts.isImportSpecifier(declaration) || ts.isImportClause(declaration) || ts.isNamespaceImport(declaration);
}

function isKeptCall(call: ts.CallExpression, source: ts.SourceFile): boolean {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  const method = callee.name.text;
  const receiver = unwrap(callee.expression);
  const receiverName = ts.isPropertyAccessExpression(receiver)
    ? receiver.name.text
    : ts.isIdentifier(receiver)
      ? receiver.text
      : '';
  const isOfModule = (expression: ts.Expression | undefined) => {
    const root = expression && rootIdentifier(expression);
    return root !== undefined && lookup(root.text, root)?.scope === source;
  };
  if (receiverName === 'Object' && ['assign', 'defineProperty', 'freeze'].includes(method))
    return isOfModule(call.arguments[0]);
  if (['push', 'unshift', 'set', 'register'].includes(method)) return isOfModule(callee.expression);
  if (method === 'add') return /[rR]egistry$/.test(receiverName) && isOfModule(callee.expression);
  return (method === 'config' || method === 'setErrorMap') && /^z(od)?$/.test(receiverName);
}
