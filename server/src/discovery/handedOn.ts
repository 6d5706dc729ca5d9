import type { Draft } from './found.ts';
import { freeReferences } from './scopes.ts';
import { functionName } from './standing.ts';
import { calleeName, keyText, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** How far locals and loops are followed to where a value comes from. */
const STEPS = 6;
const ITERATION = /^(?:forEach|map|flatMap|filter)$/;

/**
 * Whether a draft only hands on a tool that is written down elsewhere: its schema, and its name unless that is written
 * here, come from `this` or from a parameter that nothing in the file supplies. Such a place makes tools of what it is
 * given, and is certainly none by itself.
 *
 * @param called names of all functions and methods that the file calls or hands to a loop
 */
export function handsOn(draft: Draft, called: ReadonlySet<string>): boolean {
  const { schema, name, nameSource } = draft;
  const from = nameSource?.from;
  const isWritten = nameSource?.text !== undefined && (from === 'argument' || from === 'property' || from === 'key');
  if (isWritten) return false;
  const isNameGiven = name === undefined || 'literal' in name || isGiven(name, called, STEPS);
  if (!schema) return isNameGiven && name !== undefined && !('literal' in name);
  return isNameGiven && isGiven(schema, called, STEPS);
}

function isGiven(expression: ts.Node, called: ReadonlySet<string>, steps: number): boolean {
  if (steps === 0) return false;
  return freeReferences(expression).some(({ name, found }) => {
    if (name === 'this') return true;
    if (!found || ts.isSourceFile(found.scope)) return false;
    const { declaration, scope } = found;
    if (ts.isForOfStatement(scope) || ts.isForInStatement(scope)) return isGiven(scope.expression, called, steps - 1);
    if (ts.isParameter(declaration)) return isParameterGiven(declaration, scope, called, steps);
    return (
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      !ts.isFunctionLike(unwrap(declaration.initializer)) &&
      isGiven(declaration.initializer, called, steps - 1)
    );
  });
}

function isParameterGiven(
  parameter: ts.ParameterDeclaration,
  maker: ts.Node,
  called: ReadonlySet<string>,
  steps: number,
): boolean {
  const call = maker.parent;
  if (call && ts.isCallExpression(call) && call.arguments.includes(maker as ts.Expression & ts.Node)) {
    const callee = unwrap(call.expression);
    if (ITERATION.test(calleeName(call)) && ts.isPropertyAccessExpression(callee)) {
      return isGiven(callee.expression, called, steps - 1);
    }
    return true;
  }
  if (parameter.initializer) return false;
  const name = keyText(functionName(maker));
  return name === undefined || !called.has(name);
}

/** Notes the names that a call reaches: what is called, and a function that is handed to a loop. */
export function noteCalled(call: ts.CallExpression, called: Set<string>): void {
  const name = calleeName(call);
  called.add(name);
  const [first] = call.arguments;
  if (first && ts.isIdentifier(first) && ITERATION.test(name)) called.add(first.text);
}
