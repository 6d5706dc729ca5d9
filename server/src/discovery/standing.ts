import { baseNames, type Call, calleeName, enclosingClass, isText, isWrapping, keyText } from './syntax.ts';
import { ts } from './typescript.ts';
import { isToolWord } from './words.ts';

/** Where an object literal stands: what is done with it at once, and what would name it. */
export interface Standing {
  /** Calls that the object is an argument of, innermost first: `tool({…})`, `Object.freeze({…})`, `super({…})`. */
  readonly calls: readonly Call[];
  readonly array?: ts.ArrayLiteralExpression;
  /** The key of the record that holds the object, or the class's field. */
  readonly key?: ts.PropertyName;
  /** The variable, or the function that returns the object, with its identifier. */
  readonly variable?: ts.Identifier;
  /** `module.exports.x = {…}`: what is assigned to. */
  readonly assigned?: ts.PropertyAccessExpression;
  /** `['name', {…}]`, an entry of a Map. */
  readonly entry?: ts.Expression;
  /** The class or method that a decorator's call decorates. */
  readonly decorated?: ts.Node;
  /** The class whose field, or whose constructor's `super()`, has the object. */
  readonly owner?: ts.ClassLikeDeclaration | undefined;
  /** The call that the object is handed to inside a record or list: `generateText({ tools: { x: {…} } })`. */
  readonly holder?: Call | undefined;
  readonly isDefaultExport: boolean;
  /** Names of the object's type, as annotated or satisfied, or of what the class around it extends. */
  readonly types: readonly string[];
  /** Names of what holds the record or list that the object is in, innermost first: `prompts` in `prompts: [{…}]`. */
  readonly containers: readonly string[];
}

type Mutable = { -readonly [K in keyof Standing]: Standing[K] };

/** Looks outwards from an object literal, at most to the statement or function around it. */
export function standingOf(object: ts.Node): Standing {
  const calls: Call[] = [];
  const types: string[] = [];
  const found: Mutable = { calls, types, containers: [], isDefaultExport: false };
  let node = object;
  for (let parent = node.parent; parent; node = parent, parent = node.parent) {
    if (isWrapping(parent)) {
      if ((ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) && calls.length === 0) {
        types.push(typeName(parent.type));
      }
    } else if (isArgument(node, parent)) calls.push(parent);
    else if (!isHandedOn(node, parent)) {
      settle(found, node, parent, types, calls);
      break;
    }
  }
  return found;
}

function isArgument(node: ts.Node, parent: ts.Node): parent is Call {
  return (
    (ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
    parent.arguments?.includes(node as ts.Expression) === true
  );
}

/** Whether a parent's value is, or may be, the node's own. */
function isHandedOn(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  if (ts.isAwaitExpression(parent)) return true;
  if (!ts.isBinaryExpression(parent)) return false;
  const operator = parent.operatorToken.kind;
  return operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.QuestionQuestionToken;
}

/** Notes what holds the object at the end of the way outwards. */
function settle(found: Mutable, node: ts.Node, parent: ts.Node, types: string[], calls: Call[]): void {
  if (ts.isPropertyAssignment(parent)) {
    found.key = parent.name;
    hold(found, parent.parent);
  } else if (ts.isArrayLiteralExpression(parent)) {
    const [first, second, more] = parent.elements;
    if (first && second === node && !more && (isText(first) || ts.isPropertyAccessExpression(first))) {
      found.entry = first;
    } else found.array = parent;
    hold(found, parent);
  } else if (ts.isVariableDeclaration(parent)) {
    if (ts.isIdentifier(parent.name)) found.variable = parent.name;
    if (parent.type) types.push(typeName(parent.type));
  } else if (ts.isPropertyDeclaration(parent)) {
    found.key = parent.name;
    if (ts.isClassLike(parent.parent)) {
      found.owner = parent.parent;
      types.push(...baseNames(parent.parent));
    }
    if (parent.type) types.push(typeName(parent.type));
  } else if (ts.isDecorator(parent)) found.decorated = parent.parent;
  else if (ts.isExportAssignment(parent)) found.isDefaultExport = true;
  else if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    if (ts.isPropertyAccessExpression(parent.left)) {
      found.isDefaultExport = parent.left.name.text === 'exports' && isNamed(parent.left.expression, 'module');
      found.assigned = parent.left;
    } else if (ts.isIdentifier(parent.left)) found.variable = parent.left;
  } else if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) {
    const maker = ts.isArrowFunction(parent) ? parent : enclosingFunction(parent);
    if (!maker) return;
    if (maker.type) types.push(typeName(maker.type));
    const name = functionName(maker);
    if (name && ts.isIdentifier(name)) found.variable = name;
    // `defineTool((options) => ({ name, … }))`: the library calls the maker.
    if (isArgument(maker, maker.parent) && isToolWord(calleeName(maker.parent))) {
      calls.push(maker.parent);
      if (!name) settle(found, maker.parent, maker.parent.parent, types, calls);
    }
  } else if (ts.isExpressionStatement(parent) && calls.at(-1)?.expression.kind === ts.SyntaxKind.SuperKeyword) {
    found.owner = enclosingClass(parent);
    if (found.owner) types.push(...baseNames(found.owner));
  }
}

function hold(found: Mutable, from: ts.Node): void {
  const names: string[] = [];
  found.containers = names;
  found.holder = collectContainers(from, names);
}

function isNamed(expression: ts.Expression, name: string): boolean {
  return ts.isIdentifier(expression) && expression.text === name;
}

/** How far names around a record or list are looked for. */
const LEVELS = 8;

/** Notes the names outwards from a record or list; returns the first call that it is handed to. */
function collectContainers(from: ts.Node, names: string[]): Call | undefined {
  let node = from;
  let call: Call | undefined;
  for (let level = 0; level < LEVELS && node.parent; level++, node = node.parent) {
    const { parent } = node;
    if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) add(names, keyText(parent.name));
    else if (ts.isVariableDeclaration(parent)) {
      if (ts.isIdentifier(parent.name)) add(names, parent.name.text);
      if (parent.type) add(names, typeName(parent.type));
      return call;
    } else if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) add(names, typeName(parent.type));
    else if (isArgument(node, parent)) {
      call ??= parent;
      add(names, calleeName(parent));
    } else if (ts.isBinaryExpression(parent)) {
      if (ts.isPropertyAccessExpression(parent.left)) add(names, parent.left.name.text);
      else if (ts.isIdentifier(parent.left)) add(names, parent.left.text);
    } else if (ts.isArrowFunction(parent) || ts.isReturnStatement(parent)) {
      const maker = ts.isArrowFunction(parent) ? parent : enclosingFunction(parent);
      const name = maker && functionName(maker);
      if (name) add(names, keyText(name));
      if (maker?.type) add(names, typeName(maker.type));
      return call;
    } else if (ts.isStatement(parent)) return call;
  }
  return call;
}

function add(names: string[], name: string | undefined): void {
  if (name) names.push(name);
}

/** The rightmost name of a type, and of its arguments: `Record<string, Tool>` gives `Record Tool`. */
function typeName(type: ts.TypeNode): string {
  if (ts.isArrayTypeNode(type)) return typeName(type.elementType);
  if (ts.isTypeOperatorNode(type)) return typeName(type.type);
  if (!ts.isTypeReferenceNode(type)) return '';
  const name = ts.isIdentifier(type.typeName) ? type.typeName.text : type.typeName.right.text;
  return [name, ...(type.typeArguments ?? []).map(typeName)].filter(Boolean).join(' ');
}

function enclosingFunction(from: ts.Node): ts.SignatureDeclaration | undefined {
  for (let node = from.parent; node; node = node.parent) if (ts.isFunctionLike(node)) return node;
  return undefined;
}

/** The name of a function: its own, or that of the variable, property or field which holds it. */
export function functionName(maker: ts.Node): ts.PropertyName | undefined {
  if ((ts.isFunctionDeclaration(maker) || ts.isFunctionExpression(maker)) && maker.name) return maker.name;
  if (ts.isMethodDeclaration(maker) || ts.isGetAccessor(maker)) return maker.name;
  const { parent } = maker;
  if (parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name;
  return parent && (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) ? parent.name : undefined;
}
