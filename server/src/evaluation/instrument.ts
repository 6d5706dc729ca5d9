import { keyText, rootIdentifier, start, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { type CallTime, EVERYTHING } from './callTime.ts';
import { Edits } from './edits.ts';
import { type Opening, openingsOf, restOf, slotsOf } from './openings.ts';
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
 * @param callTime functions that are left out. Sites have the same numbers with and without them
 */
export function instrument(source: ts.SourceFile, moduleNumber: number, callTime: CallTime = EVERYTHING): Instrumented {
  const edits = new Edits();
  const sites = new SiteTable();
  const awaitedImports: string[] = [];
  const base = moduleNumber * SITES;
  /** Sites of the calls around, within one function, the nearest first. */
  let enclosing = NONE;
  /** Sites of the loops around, and of the calls that are given the function around, the nearest first. */
  let rounds = NONE;
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
      } else if (!isShapeless(callee)) {
        const handed = ts.isSpreadElement(argument) ? argument.expression : argument;
        if (handed === argument && !mayHoldShape(argument)) return;
        edits.wrap(start(handed), handed.end, `${recorder('hand')}(${site},${list(enclosing)},`, ')');
      }
    });
    enclosing = [site, ...enclosing];
    rounds = [site, ...rounds];
  };

  const visitLoop = (loop: ts.ForInOrOfStatement) => {
    const site = base + sites.add(start(loop), loop.end, '');
    edits.wrap(start(loop.expression), loop.expression.end, `${recorder('each')}(${site},`, ')');
    visit(loop.initializer);
    const [calls, outer] = [enclosing, rounds];
    enclosing = [site, ...calls];
    visit(loop.expression);
    enclosing = calls;
    rounds = [site, ...outer];
    visit(loop.statement);
    rounds = outer;
  };

  const visitAssignment = ({ left, right }: ts.BinaryExpression) => {
    if (rounds.length === 0 || !ts.isElementAccessExpression(left)) return;
    const target = unwrap(left.expression);
    // The record is named once more, which must do nothing else.
    if (!ts.isIdentifier(target) || ts.isLiteralExpression(left.argumentExpression)) return;
    edits.wrap(start(right), right.end, `${recorder('put')}(${list(rounds)},${target.text},`, ')');
  };

  const visitShape = (access: Access) => {
    const site = base + sites.add(start(access), access.end, 'shape');
    const taken = fieldsTaken(access);
    const name = recorder(inChain(access) ? 'shapeOf' : 'shape');
    const fields = taken ? JSON.stringify(taken) : '0';
    edits.wrap(start(access), access.end, `${name}(${site},${list(enclosing)},${fields},`, '');
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

  /** Code that looks at what is destructured, up to the value itself, and code that looks at the rests afterwards. */
  const opened = (openings: readonly Opening[]) => {
    const rests: string[] = [];
    const places = openings.map(({ path, element, rest }) => {
      const site = base + sites.add(start(element), element.end, 'shape');
      const id = rest ? base + serial++ : -1;
      if (rest) rests.push(`$$${id}=${recorder('rest')}(${id},${rest.text})`);
      return `[${site},${id},${JSON.stringify(path)}]`;
    });
    return { open: `${recorder('open')}([${places}],`, rests };
  };

  const visitDeclaration = ({ name, initializer, end }: ts.VariableDeclaration) => {
    if (!initializer) return;
    const openings = openingsOf(name);
    if (openings.length === 0) return;
    const { open, rests } = opened(openings);
    if (rests.length > 0) edits.wrap(start(name), end, '', rests.map((one) => `,${one}`).join(''));
    edits.wrap(start(initializer), initializer.end, open, ')');
  };

  const visitParameters = (signature: ts.SignatureDeclaration) => {
    const openings = signature.parameters.map(({ name }) => openingsOf(name));
    const slots = openings.some(({ length }) => length > 0) ? slotsOf(signature) : undefined;
    if (!slots) return;
    let behind = '';
    for (const [index, { parameter, before }] of slots.list.entries()) {
      const lead = `${behind}${index === 0 ? '(...{' : ','}${index}:`;
      behind = '';
      const inside = openings[index] ?? [];
      if (inside.length === 0) {
        edits.replace(...before, lead);
        continue;
      }
      const { open, rests } = opened(inside);
      const { initializer } = parameter;
      const [id, key] = [`$$${base + serial++}`, `$$${index}`];
      edits.replace(...before, `${lead}${id},${key}:`);
      if (initializer) {
        edits.wrap(start(initializer), initializer.end, `${open}typeof ${id}==="undefined"?(`, `):${id})`);
      } else behind = `=${open}${id})`;
      behind += rests.map((one, at) => `,${key}_${at}:${one}`).join('');
    }
    edits.replace(...slots.after, `${behind}})`);
  };

  /** @returns whether what is inside the node is looked at too */
  const visitItself = (node: ts.Node): boolean => {
    switch (node.kind) {
      case ts.SyntaxKind.InterfaceDeclaration:
      case ts.SyntaxKind.TypeAliasDeclaration:
      case ts.SyntaxKind.ImportDeclaration:
        return false;
      case ts.SyntaxKind.CallExpression:
        if (isRecordedCall(node as ts.CallExpression)) visitCall(node as ts.CallExpression);
        return true;
      case ts.SyntaxKind.PropertyAccessExpression:
      case ts.SyntaxKind.ElementAccessExpression:
        if (isShapeRead(node as Access)) visitShape(node as Access);
        return true;
      case ts.SyntaxKind.ObjectLiteralExpression: {
        const literal = node as ts.ObjectLiteralExpression;
        if (literal.properties.some(ts.isSpreadAssignment) && !isAssignmentTarget(literal)) visitLiteral(literal);
        if (isContractChange(literal) && !isAssignmentTarget(literal)) visitData(literal);
        return true;
      }
      case ts.SyntaxKind.VariableDeclaration: {
        const declaration = node as ts.VariableDeclaration;
        const rest = restOf(declaration.name);
        if (rest && declaration.initializer) visitRest(declaration, declaration.initializer, rest);
        else visitDeclaration(declaration);
        return true;
      }
      case ts.SyntaxKind.BinaryExpression: {
        const assignment = node as ts.BinaryExpression;
        if (assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken) visitAssignment(assignment);
        return true;
      }
      case ts.SyntaxKind.ForOfStatement:
      case ts.SyntaxKind.ForInStatement:
        visitLoop(node as ts.ForInOrOfStatement);
        return false;
      case ts.SyntaxKind.MetaProperty:
        if ((node as ts.MetaProperty).keywordToken === ts.SyntaxKind.ImportKeyword) {
          edits.replace(start(node), node.end, '$$meta');
        }
        return false;
      case ts.SyntaxKind.AwaitExpression: {
        const imported = awaitedImport(node);
        if (imported === undefined) return true;
        awaitedImports.push(imported);
        edits.replace(start(node), node.end, `$$import(${JSON.stringify(imported)})`);
        return false;
      }
      default:
        return true;
    }
  };

  const handlers: { readonly body: ts.Node; readonly enclosing: typeof NONE; readonly rounds: typeof NONE }[] = [];
  const visit = (node: ts.Node): void => {
    // Names, literals and types hold nothing: this is most of what there is.
    if (node.kind < ts.SyntaxKind.FirstNode) return;
    if (callTime.handlers.has(node)) {
      handlers.push({ body: node, enclosing, rounds });
      return;
    }
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    const [calls, outer] = [enclosing, rounds];
    if (ts.isFunctionLike(node)) {
      enclosing = NONE;
      if (!isArgument(node)) rounds = NONE;
      visitParameters(node);
    }
    if (visitItself(node)) ts.forEachChild(node, visit);
    enclosing = calls;
    rounds = outer;
  };
  visit(source);
  if (callTime.isWhole) {
    // The last ones, so that the sites before them have the numbers that they have without them.
    for (const handler of handlers) {
      ({ enclosing, rounds } = handler);
      ts.forEachChild(handler.body, visit);
    }
  } else {
    for (const body of [...callTime.handlers, ...callTime.registering]) {
      edits.replace(start(body), body.end, '{$m.leftOut()}');
    }
  }
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

/** Whether an argument is a variable, a member or an answer that may hold a shape which was read before. */
function mayHoldShape(argument: ts.Expression): boolean {
  const inner = unwrap(argument);
  if (inChain(inner)) return false;
  if (ts.isCallExpression(inner)) return !isShapeless(inner.expression);
  return ts.isIdentifier(inner) || (ts.isPropertyAccessExpression(inner) && inner.name.text !== 'shape');
}

function isArgument({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent);
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

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

/** The name of the member that is read, when the text says it. */
function memberName(access: Access): string | undefined {
  if (ts.isPropertyAccessExpression(access)) return access.name.text;
  const { argumentExpression } = access;
  return ts.isStringLiteralLike(argumentExpression) ? argumentExpression.text : undefined;
}

function isShapeRead(access: Access): boolean {
  if (memberName(access) !== 'shape' || access.expression.kind === ts.SyntaxKind.SuperKeyword) return false;
  const { parent } = access;
  // Within an optional chain only its end may be wrapped.
  if (inChain(access) && inChain(parent)) return false;
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

/**
 * Names of the fields that are borrowed of a shape, which does not flow on as a whole then: `S.shape.id`,
 * `S.shape["id"]` and `const { id } = S.shape`. Empty when the text does not say which (`S.shape[key]`).
 *
 * @returns undefined when the whole shape is read
 */
function fieldsTaken(access: Access): readonly string[] | undefined {
  let outer: ts.Expression = access;
  while (ts.isExpression(outer.parent) && unwrap(outer.parent) === access) outer = outer.parent;
  const { parent } = outer;
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) {
    const name = memberName(parent);
    return parent.expression !== outer ? undefined : name === undefined ? [] : [name];
  }
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name) || restOf(parent.name))
    return undefined;
  return parent.name.elements.flatMap((element) => keyText(element.propertyName ?? element.name) ?? []);
}
