import { lookup } from '../discovery/scopes.ts';
import { ts } from '../discovery/typescript.ts';

const ITERATION = /^(forEach|map|flatMap|filter)$/;

/** The name a function is known by in its file, or undefined. */
export function nameOfFunction(fn: ts.SignatureDeclaration): string | undefined {
  if (fn.name && (ts.isIdentifier(fn.name) || ts.isPrivateIdentifier(fn.name))) return fn.name.text;
  const { parent } = fn;
  return parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
}

/** `xs` of `xs.forEach(fn)` when a function is such a callback, else undefined. */
export function isIterationCallback(fn: ts.SignatureDeclaration): ts.Expression | undefined {
  const call = fn.parent;
  if (!call || !ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
  if (!call.arguments.some((argument) => argument === (fn as ts.Node))) return undefined;
  return ITERATION.test(call.expression.name.text) ? call.expression.expression : undefined;
}

/**
 * Calls of a function in its own file: by name, by `this.name` for a method, and `xs.forEach(name)`. Calls inside the
 * function itself do not count.
 */
export function callersOf(fn: ts.SignatureDeclaration): readonly ts.CallExpression[] {
  const name = nameOfFunction(fn);
  if (name === undefined) return [];
  return (
    callsByName(fn.getSourceFile())
      .get(name)
      ?.filter((call) => (call.pos < fn.pos || call.end > fn.end) && calls(call, fn, name)) ?? []
  );
}

function calls(call: ts.CallExpression, fn: ts.SignatureDeclaration, name: string): boolean {
  const callee = call.expression;
  const isMethod = ts.isMethodDeclaration(fn) || ts.isPropertyDeclaration(fn.parent);
  if (isMethod)
    return (
      ts.isPropertyAccessExpression(callee) &&
      callee.name.text === name &&
      callee.expression.kind === ts.SyntaxKind.ThisKeyword
    );
  const target: ts.Node = ts.isFunctionDeclaration(fn) ? fn : fn.parent;
  if (ts.isIdentifier(callee)) return callee.text === name && lookup(name, callee)?.declaration === target;
  const argument = call.arguments[0];
  return (
    ts.isPropertyAccessExpression(callee) &&
    ITERATION.test(callee.name.text) &&
    argument !== undefined &&
    ts.isIdentifier(argument) &&
    lookup(name, argument)?.declaration === target
  );
}

const indexes = new WeakMap<ts.SourceFile, Map<string, ts.CallExpression[]>>();

/** All calls of a file by the name they call or hand on; one walk per file. */
function callsByName(source: ts.SourceFile): Map<string, ts.CallExpression[]> {
  const known = indexes.get(source);
  if (known) return known;
  const index = new Map<string, ts.CallExpression[]>();
  const add = (name: string, call: ts.CallExpression) => {
    const calls = index.get(name);
    if (calls) calls.push(call);
    else index.set(name, [call]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression;
      if (ts.isIdentifier(callee)) add(callee.text, node);
      else if (ts.isPropertyAccessExpression(callee)) {
        add(callee.name.text, node);
        const argument = node.arguments[0];
        if (argument && ts.isIdentifier(argument) && ITERATION.test(callee.name.text)) add(argument.text, node);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  indexes.set(source, index);
  return index;
}
