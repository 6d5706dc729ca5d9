import type { Candidate } from '../../../shared/src/model.ts';
import type { Draft } from './found.ts';
import { DESCRIPTION_KEYS } from './keys.ts';
import { nameOfKey } from './names.ts';
import { lookup } from './scopes.ts';
import { sdkOf } from './sdk.ts';
import { functionName } from './standing.ts';
import { findProperty, isValueProperty, keyText, propertyValue, unwrap, wrapped } from './syntax.ts';
import { ts } from './typescript.ts';

const RECORD = /tool(?:s|set|box|kit)?$/i;

/**
 * The names that a record of tools gives to tools that are written down elsewhere: `tools: { weather: weatherTool }`, as
 * the AI SDK takes them. Each is a candidate of its own that only names another one.
 */
export function namesInRecord(object: ts.ObjectLiteralExpression): Draft[] {
  const record = recordAround(object);
  if (!record) return [];
  return object.properties.flatMap((property): Draft[] => {
    if (!isValueProperty(property)) return [];
    const value = unwrap(propertyValue(property));
    const names = referenceIn(value);
    const named = nameOfKey(property.name);
    if (!names || named?.nameSource.text === undefined) return [];
    const { claim } = record;
    const draft: Draft = { anchor: value, way: 'tool', certain: false, ...named, schema: null, output: null, names };
    return [claim ? { ...draft, claim } : draft];
  });
}

/** Whether a literal is a record of tools, by what it is called or handed to, and the SDK that it is handed to. */
function recordAround(object: ts.ObjectLiteralExpression): Pick<Draft, 'claim'> | undefined {
  let node: ts.Node = object;
  for (; node.parent && node !== wrapped(object); node = node.parent) {
    const { parent } = node;
    if ((ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) && isToolSet(parent.type))
      return ofSdk(parent.type);
  }
  const { parent } = node;
  if (!parent) return undefined;
  if (ts.isPropertyAssignment(parent)) {
    return RECORD.test(keyText(parent.name) ?? '') ? { ...claimOfCall(parent.parent) } : undefined;
  }
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) {
    if (parent.type && isToolSet(parent.type)) return ofSdk(parent.type);
    return RECORD.test(keyText(parent.name) ?? '') ? {} : undefined;
  }
  if (!ts.isArrowFunction(parent) && !ts.isReturnStatement(parent)) return undefined;
  const maker = ts.isArrowFunction(parent) ? parent : functionAround(parent);
  if (maker?.type && isToolSet(maker.type)) return ofSdk(maker.type);
  return maker && RECORD.test(keyText(functionName(maker)) ?? '') ? {} : undefined;
}

/** The SDK's claim where an options object with `tools` is an argument: `generateText({ tools: {…} })`. */
function claimOfCall(options: ts.Node): Pick<Draft, 'claim'> {
  const argument = wrapped(options);
  const call = argument.parent;
  if (!call || !(ts.isCallExpression(call) || ts.isNewExpression(call))) return {};
  const claim = call.arguments?.includes(argument as ts.Expression) ? sdkOf(call.expression)?.claim : undefined;
  return claim ? { claim } : {};
}

/** The AI SDK's type of a record of tools. */
function isToolSet(type: ts.TypeNode): type is ts.TypeReferenceNode {
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'ToolSet';
}

function ofSdk({ typeName }: ts.TypeReferenceNode): Pick<Draft, 'claim'> {
  const claim = ts.isIdentifier(typeName) ? sdkOf(typeName)?.claim : undefined;
  return claim ? { claim } : {};
}

function functionAround(from: ts.Node): ts.SignatureDeclaration | undefined {
  for (let node = from.parent; node; node = node.parent) if (ts.isFunctionLike(node)) return node;
  return undefined;
}

/** The variable that a value is read from, or the function that makes it: `weather`, `all.weather`, `weather(session)`. */
function referenceIn(value: ts.Expression): Candidate['names'] {
  if (ts.isCallExpression(value)) return definesTool(value) ? undefined : referenceIn(unwrap(value.expression));
  if (ts.isIdentifier(value)) return ofBinding(value);
  if (!ts.isPropertyAccessExpression(value) || !ts.isIdentifier(value.expression)) return undefined;
  const declaration = lookup(value.expression.text, value)?.declaration;
  if (!declaration || !ts.isNamespaceImport(declaration)) return undefined;
  const module = moduleOf(declaration);
  return module === undefined ? undefined : { variable: value.name.text, module };
}

/** Whether a call is handed a definition, so that the tool is written down right there: `tool({ inputSchema, … })`. */
function definesTool(call: ts.CallExpression): boolean {
  return (
    sdkOf(call.expression) !== undefined ||
    call.arguments.some((argument) => {
      const value = unwrap(argument);
      return ts.isObjectLiteralExpression(value) && [...DESCRIPTION_KEYS].some((key) => findProperty(value, key));
    })
  );
}

function ofBinding(id: ts.Identifier): Candidate['names'] {
  const declaration = lookup(id.text, id)?.declaration;
  if (!declaration) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isFunctionDeclaration(declaration)) return { variable: id.text };
  const module = moduleOf(declaration);
  if (module === undefined) return undefined;
  if (ts.isImportSpecifier(declaration))
    return { variable: (declaration.propertyName ?? declaration.name).text, module };
  return ts.isImportClause(declaration) ? { variable: 'default', module } : undefined;
}

/** The specifier of the import that a name comes from. */
function moduleOf(declaration: ts.Node): string | undefined {
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) return node.moduleSpecifier.text;
  }
  return undefined;
}
