import type { Draft } from './found.ts';
import { enclosingClass, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/**
 * Joins a class that is a tool by its fields with a registering call in its own methods, which reads those fields. A
 * plain read of the schema's field is the same tool as the class; anything else done to it on the way is what is really
 * registered, so that the call stands and the class would be judged wrongly.
 *
 * @returns the drafts that stand
 */
export function joinClasses(registrations: readonly Draft[], others: readonly Draft[]): Draft[] {
  const classes = new Map<ts.Node, Draft>();
  for (const draft of others)
    if (draft.way === 'class' && ts.isClassLike(draft.anchor)) classes.set(draft.anchor, draft);
  const dropped = new Set<Draft>();
  for (const call of registrations) {
    const owner = enclosingClass(call.anchor);
    const field = owner && classes.get(owner);
    if (!field || !call.schema || !readsThis(call.schema)) continue;
    dropped.add(isFieldRead(call.schema) ? call : field);
  }
  return [...registrations, ...others].filter((draft) => !dropped.has(draft));
}

function readsThis(expression: ts.Expression): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.ThisKeyword) found = true;
    else if (!found) ts.forEachChild(node, visit);
  };
  visit(expression);
  return found;
}

/** `this.schema`, and nothing around it. */
function isFieldRead(expression: ts.Expression): boolean {
  const value = unwrap(expression);
  return ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword;
}
