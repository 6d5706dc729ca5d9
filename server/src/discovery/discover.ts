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
import { namesInRecord } from './toolRecords.ts';
import { ts } from './typescript.ts';
import { callsWrapper } from './wrappers.ts';

export { type Found, mayOffer };

/** The walk asks for it at every node; reading it off the namespace each time costs as much as the walk. */
const Kind = ts.SyntaxKind;

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
  const visitCall = (call: ts.CallExpression, quiet: boolean): boolean => {
    noteCalled(call, called);
    const made = registration(call);
    if (made) {
      if (callsWrapper(call)) return false;
      registrations.push(made);
      for (const literal of made.owned) owned.add(literal);
      return true;
    }
    if (isShapeArgument(call)) for (const argument of call.arguments) owned.add(unwrap(argument));
    else if (!quiet) {
      const helped = positional(call, keys);
      if (helped && !callsWrapper(call)) others.push(helped);
    }
    return false;
  };

  /** @param quiet inside a registering call, but for the functions in it */
  const visit = (from: ts.Node, quiet: boolean): void => {
    let node = from;
    // A concatenation of thousands of strings nests as deep; its left side is walked without recursion.
    while (node.kind === Kind.BinaryExpression) {
      visit((node as ts.BinaryExpression).right, quiet);
      node = (node as ts.BinaryExpression).left;
    }
    let inner = quiet;
    switch (node.kind) {
      case Kind.Identifier:
      case Kind.StringLiteral:
      case Kind.ImportDeclaration:
        return;
      case Kind.CallExpression: {
        const call = node as ts.CallExpression;
        if (startsAtZod(call)) return;
        if (visitCall(call, quiet)) {
          visit(call.expression, quiet);
          call.arguments.forEach(hushed);
          return;
        }
        break;
      }
      case Kind.NewExpression:
        if (!quiet) add(others, positional(node as ts.NewExpression, keys));
        break;
      case Kind.ObjectLiteralExpression:
        if (!quiet && !owned.has(node)) {
          const found = definition(node as ts.ObjectLiteralExpression, keys);
          add(definitions, found?.draft);
          for (const literal of found?.owned ?? []) owned.add(literal);
          if (!found) others.push(...namesInRecord(node as ts.ObjectLiteralExpression));
        }
        break;
      case Kind.ClassDeclaration:
      case Kind.ClassExpression:
        inner = false;
        add(others, classTool(node as ts.ClassLikeDeclaration, keys));
        break;
      case Kind.ModuleBlock:
        add(others, moduleTool(node as ts.ModuleBlock, keys));
        break;
      case Kind.ArrowFunction:
      case Kind.FunctionExpression:
      case Kind.FunctionDeclaration:
      case Kind.MethodDeclaration:
      case Kind.GetAccessor:
      case Kind.SetAccessor:
        inner = false;
        break;
      default:
        if (isErased(node)) return;
    }
    ts.forEachChild(node, inner ? hushed : loud);
  };
  const loud = (node: ts.Node): void => visit(node, false);
  const hushed = (node: ts.Node): void => visit(node, true);
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
