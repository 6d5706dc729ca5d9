import type { SurfaceId } from '../../../shared/src/model.ts';
import { lookup } from './scopes.ts';
import { enclosingClass, fieldAssignment, keyText, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** A library that offers tools to models, as a file's imports and annotations name it. */
export interface Sdk {
  /** Package name. */
  readonly library: string;
  readonly claim?: SurfaceId;
}

const SURFACE_OF: { readonly [library: string]: SurfaceId } = {
  '@modelcontextprotocol/sdk': 'mcp-v1',
  '@modelcontextprotocol/server': 'mcp-v2',
  ai: 'ai-sdk',
  // Where `ai` has its `tool` from.
  '@ai-sdk/provider-utils': 'ai-sdk',
  // Both wrap the McpServer of @modelcontextprotocol/sdk and hand it to a callback.
  'mcp-handler': 'mcp-v1',
  '@vercel/mcp-adapter': 'mcp-v1',
};
const OTHER_SDKS =
  /^(?:fastmcp|mcp-framework|xmcp|tmcp|mcp-use|easy-mcp|litemcp|skybridge|stitchkit|genkit|langchain|llamaindex|openai|@genkit-ai\/.*|@langchain\/.*|@mastra\/.*|@openai\/agents.*|@anthropic-ai\/.*|@modelcontextprotocol\/ext-apps|@rekog\/mcp-nest|@google\/adk|@voltagent\/core|@inngest\/agent-kit|@strands-agents\/sdk|@github\/copilot-sdk|@mcp-use\/.*)$/;

/** The library behind an import specifier, also where it is written for Deno (`npm:name@1/part`). */
export function sdkOfModule(specifier: string): Sdk | undefined {
  const bare = specifier.replace(/^npm:\/?/, '');
  const library = /^(@[^/@]+\/[^/@]+|[^/@.][^/@]*)/.exec(bare)?.[1];
  if (!library) return undefined;
  const claim = Object.hasOwn(SURFACE_OF, library) ? SURFACE_OF[library] : undefined;
  if (claim) return { library, claim };
  return OTHER_SDKS.test(library) ? { library } : undefined;
}

/** Annotations and initialisers may lead in circles; real chains are short. */
const DEPTH = 8;

/**
 * The SDK that a value comes from: an import, a `new` or call of something imported, a variable, parameter, field or
 * property that is annotated with or made from it.
 */
export function sdkOf(expression: ts.Expression, depth = DEPTH): Sdk | undefined {
  if (depth === 0) return undefined;
  const value = unwrap(expression);
  if (ts.isIdentifier(value)) return sdkOfName(value, depth - 1);
  if (value.kind === ts.SyntaxKind.ThisKeyword) {
    const owner = enclosingClass(value);
    return owner && sdkOfHeritage(owner, depth - 1);
  }
  if (ts.isPropertyAccessExpression(value)) {
    return sdkOfMember(value.expression, value.name.text, depth - 1) ?? sdkOf(value.expression, depth - 1);
  }
  if (ts.isAwaitExpression(value)) return sdkOf(value.expression, depth);
  if (ts.isNewExpression(value)) return sdkOf(value.expression, depth - 1);
  if (ts.isCallExpression(value)) {
    const required = requiredModule(value);
    return required === undefined ? sdkOf(value.expression, depth - 1) : sdkOfModule(required);
  }
  if (ts.isBinaryExpression(value)) return sdkOf(value.left, depth - 1) ?? sdkOf(value.right, depth - 1);
  return undefined;
}

function requiredModule(call: ts.CallExpression): string | undefined {
  const [specifier] = call.arguments;
  const isRequire = ts.isIdentifier(call.expression) && call.expression.text === 'require';
  const isImport = call.expression.kind === ts.SyntaxKind.ImportKeyword;
  return (isRequire || isImport) && specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
}

function sdkOfName(id: ts.Identifier, depth: number): Sdk | undefined {
  const declaration = lookup(id.text, id)?.declaration;
  if (!declaration) return undefined;
  if (ts.isParameter(declaration)) return sdkOfParameter(declaration, id.text, depth);
  if (ts.isVariableDeclaration(declaration)) {
    if (declaration.type) return sdkOfBound(declaration.name, id.text, declaration.type, depth);
    return declaration.initializer && sdkOf(declaration.initializer, depth);
  }
  if (ts.isClassLike(declaration)) return sdkOfHeritage(declaration, depth);
  if (ts.isFunctionDeclaration(declaration)) return sdkOfResult(declaration, depth);
  return sdkOfImport(declaration);
}

/** The SDK of what a function of this file returns: by its annotation, else by its last `return`. */
function sdkOfResult(made: ts.FunctionDeclaration, depth: number): Sdk | undefined {
  if (made.type) return sdkOfType(made.type, depth);
  const last = made.body?.statements.findLast(ts.isReturnStatement);
  return last?.expression && sdkOf(last.expression, depth);
}

function sdkOfImport(declaration: ts.Node): Sdk | undefined {
  for (let node = declaration; node; node = node.parent) {
    if (ts.isImportDeclaration(node)) {
      return ts.isStringLiteral(node.moduleSpecifier) ? sdkOfModule(node.moduleSpecifier.text) : undefined;
    }
    if (ts.isImportEqualsDeclaration(node)) {
      const reference = node.moduleReference;
      return ts.isExternalModuleReference(reference) && ts.isStringLiteral(reference.expression)
        ? sdkOfModule(reference.expression.text)
        : undefined;
    }
    if (ts.isSourceFile(node)) return undefined;
  }
  return undefined;
}

function sdkOfParameter(parameter: ts.ParameterDeclaration, name: string, depth: number): Sdk | undefined {
  const type = parameter.type ?? ts.getJSDocType(parameter);
  if (type) return sdkOfBound(parameter.name, name, type, depth);
  // `createMcpHandler((server) => …)`: the library calls back with a value of its own.
  const call = parameter.parent.parent;
  if (call && ts.isCallExpression(call) && call.arguments.includes(parameter.parent as ts.Expression & ts.Node)) {
    return sdkOf(call.expression, depth);
  }
  return undefined;
}

/** The SDK of one name of a binding that has a type: of the whole, or of the member that it takes out. */
function sdkOfBound(binding: ts.BindingName, name: string, type: ts.TypeNode, depth: number): Sdk | undefined {
  if (!ts.isObjectBindingPattern(binding)) return sdkOfType(type, depth);
  for (const element of binding.elements) {
    if (!ts.isIdentifier(element.name) || element.name.text !== name) continue;
    const member = memberType(type, keyText(element.propertyName) ?? name, depth);
    return member && sdkOfType(member, depth);
  }
  return undefined;
}

function sdkOfType(type: ts.TypeNode, depth: number): Sdk | undefined {
  if (depth <= 0) return undefined;
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) {
    for (const part of type.types) {
      const sdk = sdkOfType(part, depth - 1);
      if (sdk) return sdk;
    }
    return undefined;
  }
  if (ts.isImportTypeNode(type)) {
    const { argument } = type;
    return ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal)
      ? sdkOfModule(argument.literal.text)
      : undefined;
  }
  if (ts.isTypeQueryNode(type)) return sdkOfEntity(type.exprName, depth - 1);
  if (ts.isTypeReferenceNode(type)) {
    const own = sdkOfEntity(type.typeName, depth - 1);
    // Promise<X>, Pick<X, …>, InstanceType<typeof X>
    return own ?? (type.typeArguments?.[0] && sdkOfType(type.typeArguments[0], depth - 1));
  }
  return ts.isParenthesizedTypeNode(type) ? sdkOfType(type.type, depth - 1) : undefined;
}

function sdkOfEntity(name: ts.EntityName, depth: number): Sdk | undefined {
  let root = name;
  while (ts.isQualifiedName(root)) root = root.left;
  const declared = typesOf(root.getSourceFile()).get(root.text);
  if (declared && ts.isTypeAliasDeclaration(declared)) return sdkOfType(declared.type, depth);
  if (declared) return declared.heritageClauses && sdkOfHeritage(declared, depth);
  return sdkOfName(root, depth);
}

/** The SDK whose class, or interface, is extended. */
export function sdkOfHeritage(
  owner: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
  depth = DEPTH,
): Sdk | undefined {
  for (const clause of owner.heritageClauses ?? []) {
    if (clause.token !== ts.SyntaxKind.ExtendsKeyword) continue;
    for (const base of clause.types) {
      const sdk = sdkOf(base.expression, depth);
      if (sdk) return sdk;
    }
  }
  return undefined;
}

/** The SDK of `owner.name`, from the annotation or initialiser of that member. */
function sdkOfMember(owner: ts.Expression, name: string, depth: number): Sdk | undefined {
  const value = unwrap(owner);
  if (value.kind === ts.SyntaxKind.ThisKeyword) {
    const self = enclosingClass(value);
    return self && sdkOfField(self, name, depth);
  }
  if (!ts.isIdentifier(value)) return undefined;
  const declaration = lookup(value.text, value)?.declaration;
  if (!declaration || !(ts.isVariableDeclaration(declaration) || ts.isParameter(declaration))) return undefined;
  if (!ts.isIdentifier(declaration.name)) return undefined;
  if (declaration.type) {
    const member = memberType(declaration.type, name, depth);
    return member && sdkOfType(member, depth);
  }
  const made = declaration.initializer && unwrap(declaration.initializer);
  if (!made || !ts.isObjectLiteralExpression(made)) return undefined;
  for (const property of made.properties) {
    if (keyText(property.name) !== name) continue;
    if (ts.isPropertyAssignment(property)) return sdkOf(property.initializer, depth);
    if (ts.isShorthandPropertyAssignment(property)) return sdkOf(property.name, depth);
  }
  return undefined;
}

function sdkOfField(owner: ts.ClassLikeDeclaration, name: string, depth: number): Sdk | undefined {
  for (const member of owner.members) {
    if (ts.isConstructorDeclaration(member)) {
      const parameter = member.parameters.find((one) => ts.isIdentifier(one.name) && one.name.text === name);
      const sdk = parameter?.modifiers && sdkOfParameter(parameter, name, depth);
      if (sdk) return sdk;
      for (const statement of member.body?.statements ?? []) {
        const assigned = fieldAssignment(statement);
        const made = assigned?.name === name ? sdkOf(assigned.value, depth) : undefined;
        if (made) return made;
      }
    } else if (keyText(member.name) === name) {
      if (ts.isPropertyDeclaration(member) || ts.isGetAccessor(member)) {
        const sdk = member.type && sdkOfType(member.type, depth);
        if (sdk) return sdk;
        if (ts.isPropertyDeclaration(member) && member.initializer) return sdkOf(member.initializer, depth);
      }
    }
  }
  return undefined;
}

/** The annotation of a member of a type that is written in this file. */
function memberType(type: ts.TypeNode, name: string, depth: number): ts.TypeNode | undefined {
  if (depth <= 0) return undefined;
  if (ts.isIntersectionTypeNode(type)) {
    for (const part of type.types) {
      const found = memberType(part, name, depth - 1);
      if (found) return found;
    }
    return undefined;
  }
  let members: readonly (ts.TypeElement | ts.ClassElement)[] = [];
  if (ts.isTypeLiteralNode(type)) members = type.members;
  else if (ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)) {
    const declared = typesOf(type.getSourceFile()).get(type.typeName.text);
    if (declared && ts.isTypeAliasDeclaration(declared)) return memberType(declared.type, name, depth - 1);
    if (declared) members = declared.members;
    else {
      const owner = lookup(type.typeName.text, type)?.declaration;
      if (owner && ts.isClassLike(owner)) members = owner.members;
    }
  }
  for (const member of members) {
    if (keyText(member.name) !== name) continue;
    if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) return member.type;
  }
  return undefined;
}

const types = new WeakMap<ts.SourceFile, Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>>();

function typesOf(source: ts.SourceFile): Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration> {
  let map = types.get(source);
  if (!map) {
    map = new Map();
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        map.set(statement.name.text, statement);
      }
    }
    types.set(source, map);
  }
  return map;
}
