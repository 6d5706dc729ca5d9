import { classTool } from './classes.ts';
import { definition } from './definition.ts';
import { type Draft, type Found, toFound } from './found.ts';
import { handsOn, noteCalled } from './handedOn.ts';
import { mayOffer, schemaKeys } from './keys.ts';
import { moduleTool } from './modules.ts';
import { positional } from './positional.ts';
import { type Registration, registration } from './registration.ts';
import { isShapeArgument, startsAtZod } from './schemas.ts';
import { isErased } from './scopes.ts';
import { joinClasses } from './sinks.ts';
import { unwrap } from './syntax.ts';
import { ts } from './typescript.ts';
import { callsWrapper } from './wrappers.ts';

export { type Found, mayOffer };

/** What a workspace's configuration says about discovery. */
export interface DiscoverOptions {
  /** Property names, beside the built-in ones, whose value may be a tool's schema. */
  readonly schemaKeys: readonly string[];
}

/**
 * Finds every place in a file where a tool may be offered, in source order, in one walk. Never throws for what a user
 * wrote; whether a candidate is a tool is decided by evaluating it.
 */
export function discover(source: ts.SourceFile, options: DiscoverOptions): Found[] {
  const keys = schemaKeys(options.schemaKeys);
  const registrations: Registration[] = [];
  const definitions: Draft[] = [];
  const others: Draft[] = [];
  const owned = new Set<ts.Node>();
  const called = new Set<string>();
  const add = (drafts: Draft[], draft: Draft | undefined): void => {
    if (draft) drafts.push(draft);
  };

  /** @returns whether the call registers a tool, so that what is in its arguments belongs to it */
  const visitCall = (call: ts.CallExpression): boolean => {
    const made = registration(call);
    if (made) {
      if (callsWrapper(call)) return false;
      registrations.push(made);
      for (const literal of made.owned) owned.add(literal);
      return true;
    }
    if (isShapeArgument(call)) for (const argument of call.arguments) owned.add(unwrap(argument));
    else {
      const helped = positional(call, keys);
      if (helped && !callsWrapper(call)) others.push(helped);
    }
    return false;
  };

  /** @param quiet inside a registering call, but for the functions in it */
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
      noteCalled(node, called);
      if (visitCall(node)) {
        visit(node.expression, quiet);
        for (const argument of node.arguments) visit(argument, true);
        return;
      }
    } else if (ts.isNewExpression(node)) {
      if (!quiet) add(others, positional(node, keys));
    } else if (ts.isObjectLiteralExpression(node)) {
      if (!quiet && !owned.has(node)) {
        const found = definition(node, keys);
        add(definitions, found?.draft);
        for (const literal of found?.owned ?? []) owned.add(literal);
      }
    } else if (ts.isClassLike(node)) {
      inner = false;
      add(others, classTool(node, keys));
    } else if (ts.isModuleBlock(node)) add(others, moduleTool(node, keys));
    else if (ts.isFunctionLike(node)) inner = false;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, false);
  add(others, moduleTool(source, keys));

  // A config const may stand before the call that it belongs to.
  const standing = definitions.filter((draft) => !owned.has(draft.anchor));
  const calls = registrations.map((one) => one.draft);
  const drafts = [...joinClasses(calls, others), ...standing].map((draft) =>
    draft.certain && handsOn(draft, called) ? { ...draft, certain: false } : draft,
  );
  return toFound(source.fileName, drafts);
}
