import { keyText, rootIdentifier, start, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { Edits } from './edits.ts';
import { recorder } from './recorders.ts';
import { SITES } from './sandbox/messages.ts';
import { SiteTable } from './sites.ts';

export interface Instrumented {
  readonly edits: Edits;
  readonly sites: SiteTable;
  /** Specifiers of dynamic imports that are awaited and were made synchronous. */
  readonly awaitedImports: readonly string[];
}

/** Functions of zod that make an object of a shape: the value they are given is followed. */
const OBJECT_FACTORIES = new Set([
  'object',
  'strictObject',
  'looseObject',
  'interface',
  'extend',
  'safeExtend',
  'augment',
]);
/** Receivers that are namespaces, not schemas: recording them would cost and tell nothing. */
const NAMESPACES = new Set(['z', 'zod', 'Object', 'JSON', 'Math', 'console', 'process']);
/** Namespaces whose functions take no shapes but in `OBJECT_FACTORIES`. */
const SHAPELESS = new Set(['z', 'zod', 'JSON', 'Math', 'console', 'process']);
const NONE: readonly number[] = [];

/**
 * Finds the expressions whose values are worth recording and writes down how the text must change for it. Types may be
 * blanked before or after: no offset moves.
 *
 * @param moduleNumber part of every site's number
 */
export function instrument(source: ts.SourceFile, moduleNumber: number): Instrumented {
  const edits = new Edits();
  const sites = new SiteTable();
  const awaitedImports: string[] = [];
  const base = moduleNumber * SITES;
  /** Sites of the calls around, within one function, the nearest first. */
  let enclosing = NONE;
  let serial = 0;

  const visitCall = (call: ts.CallExpression) => {
    const callee = call.expression;
    const method = calledName(callee);
    const site = base + sites.add(start(call), call.end, method);
    edits.wrap(start(call), call.end, `${recorder('at')}(${site},`, ')');
    if (ts.isPropertyAccessExpression(callee) && !inChain(callee) && worthRecording(callee.expression)) {
      edits.wrap(start(callee.expression), callee.expression.end, `${recorder('on')}(${site},`, ')');
    }
    call.arguments.forEach((argument, index) => {
      if (index === 0 && OBJECT_FACTORIES.has(method)) {
        if (!ts.isSpreadElement(argument)) {
          edits.wrap(start(argument), argument.end, `${recorder('argument')}(${site},`, ')');
        }
      } else if (mayHoldShape(argument) && !isShapeless(callee)) {
        edits.wrap(start(argument), argument.end, `${recorder('hand')}(${site},${list(enclosing)},`, ')');
      }
    });
    enclosing = [site, ...enclosing];
  };

  const visitShape = (access: ts.PropertyAccessExpression) => {
    const site = base + sites.add(start(access), access.end, 'shape');
    const single = takesOneField(access) ? 1 : 0;
    edits.wrap(start(access), access.end, `${recorder('shape')}(${site},${list(enclosing)},${single},`, '');
    edits.replace(access.expression.end, access.end, ')');
  };

  const visitLiteral = (literal: ts.ObjectLiteralExpression) => {
    const id = base + serial++;
    edits.wrap(start(literal), literal.end, `${recorder('literal')}(${id},`, ')');
    for (const part of literal.properties) {
      if (!ts.isSpreadAssignment(part)) continue;
      edits.wrap(start(part.expression), part.expression.end, `${recorder('spread')}(${id},`, ')');
    }
  };

  const visitData = (literal: ts.ObjectLiteralExpression) => {
    const site = base + sites.add(start(literal), literal.end, '');
    edits.wrap(start(literal), literal.end, `${recorder('data')}(${site},`, ')');
  };

  const visitRest = (declaration: ts.VariableDeclaration, initializer: ts.Expression, rest: ts.Identifier) => {
    const id = base + serial++;
    // Around the whole declaration, so that its initialiser can stand alone.
    edits.wrap(start(declaration), declaration.end, '', `,$$${id}=${recorder('rest')}(${id},${rest.text})`);
    edits.wrap(start(initializer), initializer.end, `${recorder('whole')}(${id},`, ')');
  };

  const visitOpened = (element: ts.BindingElement, initializer: ts.Expression) => {
    const site = base + sites.add(start(element), element.end, 'shape');
    const single = ts.isObjectBindingPattern(element.name) ? 1 : 0;
    edits.wrap(start(initializer), initializer.end, `${recorder('open')}(${site},${single},`, ')');
  };

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node)) return;
    const outer = enclosing;
    if (ts.isFunctionLike(node)) enclosing = NONE;
    if (ts.isCallExpression(node)) {
      if (isRecordedCall(node)) visitCall(node);
    } else if (ts.isPropertyAccessExpression(node)) {
      if (isShapeRead(node)) visitShape(node);
    } else if (ts.isObjectLiteralExpression(node)) {
      if (node.properties.some(ts.isSpreadAssignment) && !isAssignmentTarget(node)) visitLiteral(node);
      if (isContractChange(node) && !isAssignmentTarget(node)) visitData(node);
    } else if (ts.isVariableDeclaration(node)) {
      const rest = restOf(node);
      const opened = openedShape(node);
      if (rest && node.initializer) visitRest(node, node.initializer, rest);
      else if (opened && node.initializer) visitOpened(opened, node.initializer);
    } else if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      edits.replace(start(node), node.end, '$$meta');
    }
    const imported = awaitedImport(node);
    if (imported !== undefined) {
      awaitedImports.push(imported);
      edits.replace(start(node), node.end, `$$import(${JSON.stringify(imported)})`);
    } else ts.forEachChild(node, visit);
    enclosing = outer;
  };
  visit(source);
  return { edits, sites, awaitedImports };
}

/** The specifier of `await import("…")`, which lazy bindings can make synchronous. */
export function awaitedImport(node: ts.Node): string | undefined {
  if (!ts.isAwaitExpression(node) || !ts.isCallExpression(node.expression)) return undefined;
  if (node.expression.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  const specifier = node.expression.arguments[0];
  return specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
}

/** Name of the called method or function, empty when it has none. */
export function calledName(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : '';
}

/** Whether a literal may be an entry of the contract changes, or one of an entry's triggers: their places are wanted. */
function isContractChange(literal: ts.ObjectLiteralExpression): boolean {
  const keys = literal.properties.map((property) => (property.name ? keyText(property.name) : undefined));
  if (keys.includes('lastRelease') || keys.includes('triggers')) return true;
  return keys.includes('path') && ['when', 'kind', 'type'].some((key) => keys.includes(key));
}

/** An array literal of numbers in generated code. */
function list(sites: readonly number[]): string {
  return sites.length === 0 ? '0' : `[${sites}]`;
}

/** Whether an argument is a variable or member that may hold a shape which was read before. */
function mayHoldShape(argument: ts.Expression): boolean {
  const inner = unwrap(argument);
  if (inChain(inner)) return false;
  return ts.isIdentifier(inner) || (ts.isPropertyAccessExpression(inner) && inner.name.text !== 'shape');
}

/** Whether what is called is known to take no shape: `z.array(…)`, `console.log(…)`, `z.string().default(…)`. */
function isShapeless(callee: ts.Expression): boolean {
  const root = rootIdentifier(callee);
  return root !== undefined && SHAPELESS.has(root.text);
}

function inChain(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.OptionalChain) !== 0;
}

/** Within an optional chain only the outermost call may be wrapped: wrapping an inner one would end the chain there. */
function isRecordedCall(call: ts.CallExpression): boolean {
  const callee = call.expression;
  if (callee.kind === ts.SyntaxKind.SuperKeyword || callee.kind === ts.SyntaxKind.ImportKeyword) return false;
  return !(inChain(call) && inChain(call.parent));
}

function worthRecording(receiver: ts.Expression): boolean {
  if (receiver.kind === ts.SyntaxKind.SuperKeyword) return false;
  return !(ts.isIdentifier(receiver) && NAMESPACES.has(receiver.text));
}

function isShapeRead(access: ts.PropertyAccessExpression): boolean {
  if (access.name.text !== 'shape' || inChain(access)) return false;
  if (access.expression.kind === ts.SyntaxKind.SuperKeyword) return false;
  const { parent } = access;
  if (ts.isCallExpression(parent) && parent.expression === access) return false;
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent))
    return false;
  return !isAssignmentTarget(access);
}

/** Whether a node is written to: `x.shape = …`, `({ ...a } = b)`. */
function isAssignmentTarget(node: ts.Expression): boolean {
  let child: ts.Node = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isBinaryExpression(parent)) {
      const { kind } = parent.operatorToken;
      return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment && parent.left === child;
    }
    if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === child;
    const continues =
      ts.isParenthesizedExpression(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isSpreadAssignment(parent) ||
      ts.isSpreadElement(parent) ||
      (ts.isPropertyAssignment(parent) && parent.initializer === child);
    if (!continues) return false;
  }
  return false;
}

/** `S.shape.id`, `S.shape["id"]` and `const { id } = S.shape` borrow fields: the shape does not flow on as a whole. */
function takesOneField(access: ts.PropertyAccessExpression): boolean {
  let outer: ts.Expression = access;
  while (ts.isExpression(outer.parent) && unwrap(outer.parent) === access) outer = outer.parent;
  const { parent } = outer;
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return parent.expression === outer;
  return ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name) && !restOf(parent);
}

/** The element of `const { shape } = S` that takes the shape. */
function openedShape(declaration: ts.VariableDeclaration): ts.BindingElement | undefined {
  if (!ts.isObjectBindingPattern(declaration.name)) return undefined;
  return declaration.name.elements.find((element) => keyText(element.propertyName ?? element.name) === 'shape');
}

function restOf(declaration: ts.VariableDeclaration): ts.Identifier | undefined {
  if (!ts.isObjectBindingPattern(declaration.name)) return undefined;
  const last = declaration.name.elements.at(-1);
  return last?.dotDotDotToken && ts.isIdentifier(last.name) ? last.name : undefined;
}
