import type { Found } from '../discovery/found.ts';
import { HANDLER_KEYS, HANDLER_METHOD } from '../discovery/keys.ts';
import { isFunctionLiteral, keyText, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';

/**
 * Bodies of functions that run when a tool is called, or when a program registers its tools, and so not when a schema is
 * evaluated. They are most of what a tool's file holds, so they are not sent to the sandbox; a call of one all the same
 * asks for the whole module.
 */
export interface CallTimeBodies {
  /** What runs a tool. */
  readonly handlers: ReadonlySet<ts.Node>;
  /** What registers tools and answers nothing. What stands in it may be written by itself. */
  readonly registering: ReadonlySet<ts.Node>;
}

/** How a module's code is to be written. */
export interface CallTime extends CallTimeBodies {
  /** With all of these bodies. */
  readonly isWhole: boolean;
}

export const EVERYTHING: CallTime = { handlers: new Set(), registering: new Set(), isWhole: true };

/** Finds these bodies in a module by the tools that were found in it. */
export function callTimeBodies(found: readonly Found[]): CallTimeBodies {
  const handlers = new Set<ts.Node>();
  const registering = new Set<ts.Node>();
  for (const one of found) {
    for (const body of handlersOf(one)) handlers.add(body);
    for (const body of registeringAround(one.anchor)) registering.add(body);
  }
  for (const { anchor } of found) {
    for (let node = anchor.parent; node; node = node.parent) {
      if (handlers.delete(node)) registering.add(node);
    }
  }
  return { handlers, registering };
}

/** The functions that a call or a definition hands over to be run, as far as they are written there. */
function handlersOf({ anchor, schema, output }: Found): ts.Block[] {
  const kept = [schema, output].filter((part) => part !== null);
  const bodies: ts.Block[] = [];
  const take = (node: ts.FunctionLikeDeclaration): void => {
    const { body } = node;
    if (body && ts.isBlock(body) && !kept.some((part) => isWithin(part, body))) bodies.push(body);
  };
  const takeFunction = (expression: ts.Expression): void => {
    const value = unwrap(expression);
    if (isFunctionLiteral(value)) take(value);
  };
  const takeMembers = (literal: ts.ObjectLiteralExpression): void => {
    for (const property of literal.properties) {
      if (!property.name || !HANDLER_KEYS.has(keyText(property.name) ?? '')) continue;
      if (ts.isMethodDeclaration(property)) take(property);
      else if (ts.isPropertyAssignment(property)) takeFunction(property.initializer);
    }
  };
  if (ts.isObjectLiteralExpression(anchor)) takeMembers(anchor);
  if (ts.isClassLike(anchor)) {
    for (const member of anchor.members) {
      if (ts.isMethodDeclaration(member) && HANDLER_METHOD.test(keyText(member.name) ?? '')) take(member);
    }
  }
  if (ts.isCallExpression(anchor)) {
    for (const argument of anchor.arguments) {
      const value = unwrap(argument);
      if (ts.isObjectLiteralExpression(value)) takeMembers(value);
      else takeFunction(value);
    }
  }
  return bodies;
}

/** Bodies of the functions around a call that answer nothing which a schema could be read from. */
function registeringAround(anchor: ts.Node): ts.Block[] {
  const bodies: ts.Block[] = [];
  if (!ts.isCallExpression(anchor)) return bodies;
  for (let node: ts.Node | undefined = anchor.parent; node; node = node.parent) {
    if (!ts.isBlock(node) || !isWrittenFunction(node.parent)) continue;
    if (isAsync(node.parent) || !answersValue(node)) bodies.push(node);
  }
  return bodies;
}

function isWrittenFunction(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

function isAsync(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

function answersValue(body: ts.Block): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    if (ts.isReturnStatement(node)) return node.expression !== undefined;
    return ts.forEachChild(node, visit) ?? false;
  };
  return visit(body);
}

function isWithin(node: ts.Node, around: ts.Node): boolean {
  return node.pos >= around.pos && node.end <= around.end && node.getSourceFile() === around.getSourceFile();
}
