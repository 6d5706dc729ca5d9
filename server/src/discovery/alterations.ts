import type { Alteration } from '../../../shared/src/model.ts';
import { unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/**
 * What a registering call makes its schema of: `inputSchema` of `tool.inputSchema.strict()`. Which of the names is a
 * definition's key is for the asker to know.
 *
 * @returns undefined for a plain read, which registers what the definition says
 */
export function alterationOf(schema: ts.Expression): Alteration | undefined {
  const value = unwrap(schema);
  if (isPlainRead(value)) return undefined;
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(schema);
  const isShape = ts.isPropertyAccessExpression(value) && isPlainRead(unwrap(value.expression));
  return { names: [...names], isShape };
}

function isPlainRead(value: ts.Expression): boolean {
  if (ts.isIdentifier(value)) return true;
  if (!ts.isPropertyAccessExpression(value) || value.name.text === 'shape') return false;
  const owner = unwrap(value.expression);
  return owner.kind === ts.SyntaxKind.ThisKeyword || isPlainRead(owner);
}
