import { freeReferences, lookup } from '../discovery/scopes.ts';
import { rootIdentifier, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { isExportsObject } from './commonJs.ts';
import { awaitedImport } from './instrument.ts';

/**
 * Which top-level statements are kept. Most are not: `main()`, `server.connect()`, a listener or a throw is never run.
 * Kept are those that only build values which a schema may read: assignments to bindings of the module or their
 * members, `Object.assign`, `push`, `set`, registries, `z.config`, namespaces as compilers write them, and `if` and
 * `for` made only of these.
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
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing)
    return node;
  return ts.forEachChild(node, firstAwait);
}

/** Names of the module's bindings that a statement assigns to, not counting inner functions. */
export function assignedBindings(statement: ts.Statement, source: ts.SourceFile): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isBinaryExpression(node) && isAssignment(node)) {
      const target = unwrap(node.left);
      if (ts.isIdentifier(target) && lookup(target.text, target)?.scope === source) names.add(target.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return [...names];
}

/**
 * Names of the module's bindings that a kept statement reads when it runs. They are evaluated before it: a statement
 * that changes something must not be given up half-way, when a module turns out to be missing.
 */
export function readAtOnce(statement: ts.Statement, source: ts.SourceFile): string[] {
  const names = new Set<string>();
  for (const { name, node, found } of freeReferences(statement)) {
    if (found?.scope === source && isAtOnce(node, statement)) names.add(name);
  }
  return [...names];
}

/** Specifiers of the modules that the values which a kept statement changes are imported from. */
export function writtenImports(statement: ts.Statement): string[] {
  const specifiers = new Set<string>();
  const visit = (node: ts.Node): void => {
    const root = ts.isCallExpression(node) ? changedBy(node) : undefined;
    const found = root && lookup(root.text, root);
    const specifier = found && importSpecifier(found.declaration);
    if (specifier !== undefined) specifiers.add(specifier);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return [...specifiers];
}

/** The binding that a kept call changes: its receiver, or what `Object.assign` is given first. */
function changedBy(call: ts.CallExpression): ts.Identifier | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const receiver = unwrap(callee.expression);
  const changed = ts.isIdentifier(receiver) && receiver.text === 'Object' ? call.arguments[0] : receiver;
  return changed && rootIdentifier(changed);
}

/** The specifier of the import that declares a name; undefined when something else does. */
export function importSpecifier(declaration: ts.Node): string | undefined {
  if (!isImport(declaration)) return undefined;
  for (let node = declaration; node; node = node.parent) {
    if (ts.isImportDeclaration(node))
      return ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  }
  return undefined;
}

/** Whether a node lies in no function of the statement, or only in ones that run with it: `xs.forEach((x) => …)`. */
function isAtOnce(node: ts.Node, statement: ts.Node): boolean {
  for (let inner = node; inner !== statement && inner.parent; inner = inner.parent) {
    if (!ts.isFunctionLike(inner)) continue;
    const outer = inner.parent;
    const isCalled = ts.isParenthesizedExpression(outer) && ts.isCallExpression(outer.parent);
    const isCallback =
      ts.isCallExpression(outer) &&
      ts.isPropertyAccessExpression(outer.expression) &&
      /^(forEach|map|flatMap|filter|reduce)$/.test(outer.expression.name.text);
    if (!isCalled && !isCallback) return false;
  }
  return true;
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
  if (ts.isBinaryExpression(inner)) {
    const { kind } = inner.operatorToken;
    if (kind === ts.SyntaxKind.CommaToken) {
      return isKeptExpression(inner.left, source) && isKeptExpression(inner.right, source);
    }
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
      return !hasCall(inner.left) && isKeptExpression(inner.right, source);
    }
    return isAssignment(inner) && assignsModuleBinding(inner.left, source);
  }
  if (!ts.isCallExpression(inner)) return false;
  return isKeptCall(inner, source) || isNamespace(inner, source);
}

function hasCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) || ts.forEachChild(node, (child) => hasCall(child) || undefined) === true;
}

function isAssignment(expression: ts.BinaryExpression): boolean {
  const { kind } = expression.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function assignsModuleBinding(target: ts.Expression, source: ts.SourceFile): boolean {
  const root = rootIdentifier(target);
  if (!root) return false;
  const found = lookup(root.text, root);
  if (!found) return root.text === 'module' || root.text === 'exports';
  return found.scope === source && !isImport(found.declaration) && isOwnData(found.declaration);
}

function isImport(declaration: ts.Node): boolean {
  return ts.isImportSpecifier(declaration) || ts.isImportClause(declaration) || ts.isNamespaceImport(declaration);
}

/** `(function (X) { X["A"] = … })(X || (X = {}))`: an enum or namespace as compilers write it. */
function isNamespace(call: ts.CallExpression, source: ts.SourceFile): boolean {
  const callee = unwrap(call.expression);
  if (!ts.isFunctionExpression(callee) && !ts.isArrowFunction(callee)) return false;
  const argument = call.arguments[0] && unwrap(call.arguments[0]);
  if (!argument || !ts.isBinaryExpression(argument)) return false;
  if (ts.isIdentifier(argument.left) && isAssignment(argument)) return assignsModuleBinding(argument.left, source);
  if (argument.operatorToken.kind !== ts.SyntaxKind.BarBarToken) return false;
  const right = unwrap(argument.right);
  return ts.isBinaryExpression(right) && isAssignment(right) && assignsModuleBinding(argument.left, source);
}

function isKeptCall(call: ts.CallExpression, source: ts.SourceFile): boolean {
  const callee = unwrap(call.expression);
  if (ts.isIdentifier(callee)) return isExtension(call) || callee.text === '__export';
  if (!ts.isPropertyAccessExpression(callee)) return false;
  const method = callee.name.text;
  const receiver = unwrap(callee.expression);
  const receiverName = ts.isPropertyAccessExpression(receiver)
    ? receiver.name.text
    : ts.isIdentifier(receiver)
      ? receiver.text
      : '';
  if (receiverName === 'Object' && ['assign', 'defineProperty', 'defineProperties', 'freeze'].includes(method)) {
    return isOfModule(call.arguments[0], source);
  }
  if (['push', 'unshift', 'set', 'register'].includes(method)) return isOfModule(callee.expression, source);
  if (method === 'add') return /registry$/i.test(receiverName) && isOfModule(callee.expression, source);
  return (method === 'config' || method === 'setErrorMap') && /^z(od)?$/.test(receiverName);
}

/** `extendZodWithOpenApi(z)`: gives every schema another method. */
function isExtension(call: ts.CallExpression): boolean {
  const argument = call.arguments[0];
  return argument !== undefined && ts.isIdentifier(argument) && /^z(od)?$/.test(argument.text);
}

function isOfModule(expression: ts.Expression | undefined, source: ts.SourceFile): boolean {
  if (expression && isExportsObject(unwrap(expression))) return true;
  const root = expression && rootIdentifier(expression);
  const found = root && lookup(root.text, root);
  return found !== undefined && found.scope === source && isOwnData(found.declaration);
}

/**
 * Whether a binding may hold data of the workspace: not what a package's function or class makes (`express()`,
 * `new McpServer()`), which building would run programs for nothing. Zod's own functions make data.
 */
function isOwnData(declaration: ts.Node): boolean {
  if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return true;
  const value = unwrap(declaration.initializer);
  if (!ts.isCallExpression(value) && !ts.isNewExpression(value)) return true;
  const root = rootIdentifier(value.expression);
  const found = root && lookup(root.text, root);
  const specifier = found && importSpecifier(found.declaration);
  return specifier === undefined || /^[./#~]|^@\/|zod/.test(specifier);
}
