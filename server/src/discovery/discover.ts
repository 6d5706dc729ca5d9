import { definition } from './definition.ts';
import { type Draft, type Found, toFound } from './found.ts';
import { mayOffer, schemaKeys } from './keys.ts';
import { type Registration, registerTool } from './registerTool.ts';
import { isShapeArgument, startsAtZod } from './schemas.ts';
import { isErased } from './scopes.ts';
import { serverTool } from './serverTool.ts';
import { unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

export { type Found, mayOffer };

/** What a workspace's configuration says about discovery. */
export interface DiscoverOptions {
  /** Property names, beside the built-in ones, whose value may be a tool's schema. */
  readonly schemaKeys: readonly string[];
}

/**
 * Finds every place in a file where a tool may be offered, in source order. Never throws for what a user wrote; whether
 * a candidate is a tool is decided by evaluating it.
 */
export function discover(source: ts.SourceFile, options: DiscoverOptions): Found[] {
  const keys = schemaKeys(options.schemaKeys);
  const registrations: Registration[] = [];
  const definitions: Draft[] = [];
  const owned = new Set<ts.Node>();

  /** @param quiet inside a registering call, where objects belong to it */
  const visit = (from: ts.Node, quiet: boolean): void => {
    let node = from;
    // A concatenation of thousands of strings nests as deep; its left side is walked without recursion.
    while (ts.isBinaryExpression(node)) {
      visit(node.right, quiet);
      node = node.left;
    }
    if (isErased(node) || ts.isImportDeclaration(node)) return;
    let inner = quiet;
    if (ts.isCallExpression(node)) {
      if (startsAtZod(node)) return;
      const registration = registerTool(node) ?? serverTool(node);
      if (registration) {
        registrations.push(registration);
        for (const literal of registration.owned) owned.add(literal);
        visit(node.expression, quiet);
        for (const argument of node.arguments) visit(argument, true);
        return;
      }
      if (isShapeArgument(node)) for (const argument of node.arguments) owned.add(unwrap(argument));
    } else if (ts.isObjectLiteralExpression(node)) {
      if (!quiet && !owned.has(node)) {
        const found = definition(node, keys);
        if (found) definitions.push(found.draft);
        for (const literal of found?.owned ?? []) owned.add(literal);
      }
    } else if (ts.isFunctionLike(node)) inner = false;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, false);

  const drafts = registrations.map((registration) => registration.draft);
  // A config const may stand before the call that it belongs to.
  drafts.push(...definitions.filter((draft) => !owned.has(draft.anchor)));
  return toFound(source.fileName, drafts);
}
