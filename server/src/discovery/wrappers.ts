import { registration } from './registration.ts';
import { lookup } from './scopes.ts';
import { calleeName, keyText, receiverOf, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

const registering = new WeakMap<ts.Node, boolean>();

/**
 * Whether a call is of a function of the same file whose body registers what it is handed. The registering call in
 * there is the candidate then, and evaluating it follows its callers: counting this call too would count a tool twice.
 */
export function callsWrapper(call: ts.CallExpression): boolean {
  const target = functionOf(call);
  return target !== undefined && registers(target);
}

/** The function of this file that a call reaches by name, or by `this.name` in its class. */
function functionOf(call: ts.CallExpression): ts.Node | undefined {
  const callee = unwrap(call.expression);
  if (ts.isIdentifier(callee)) {
    const declaration = lookup(callee.text, callee)?.declaration;
    if (!declaration) return undefined;
    if (ts.isFunctionDeclaration(declaration)) return declaration;
    if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
    const value = unwrap(declaration.initializer);
    return ts.isFunctionLike(value) ? value : undefined;
  }
  const receiver = receiverOf(call);
  if (receiver && unwrap(receiver).kind === ts.SyntaxKind.ThisKeyword) {
    const name = calleeName(call);
    for (let node: ts.Node | undefined = call.parent; node; node = node.parent) {
      if (ts.isClassLike(node)) {
        return node.members.find((member) => keyText(member.name) === name && !isSignature(member));
      }
    }
  }
  return undefined;
}

function isSignature(member: ts.ClassElement): boolean {
  return ts.isMethodDeclaration(member) && !member.body;
}

function registers(target: ts.Node): boolean {
  const known = registering.get(target);
  if (known !== undefined) return known;
  // Also ends the search where functions call each other.
  registering.set(target, false);
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isCallExpression(node)) {
      const made = registration(node);
      found = made ? made.draft.nameSource?.text === undefined : callsWrapper(node);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(target, visit);
  registering.set(target, found);
  return found;
}
