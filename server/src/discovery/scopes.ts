import { ts } from './typescript.ts';

/** What a name stands for, by the rules of lexical scopes alone. */
export interface Binding {
  /**
   * The declaring statement or declaration: VariableDeclaration or ParameterDeclaration (the whole one, also for a
   * destructured name), function, class, enum, enum member, namespace, `import =`, or the ImportClause, NamespaceImport
   * or ImportSpecifier.
   */
  readonly declaration: ts.Node;
  /** The block, function, loop, module or file that the name is visible in. */
  readonly scope: ts.Node;
}

/** Asked for at every node of every walk; reading it off the namespace each time costs as much as the walk. */
const Kind = ts.SyntaxKind;

type Names = Map<string, ts.Node>;
const NONE: Names = new Map();
const scopes = new WeakMap<ts.Node, Names>();

/** The names that a binding pattern introduces, in source order. */
export function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

/**
 * Finds what a name means at a place.
 *
 * @returns undefined for globals and names that nothing declares
 */
export function lookup(name: string, from: ts.Node): Binding | undefined {
  for (let scope: ts.Node | undefined = from; scope; scope = scope.parent) {
    const declaration = namesIn(scope).get(name);
    if (declaration) return { declaration, scope };
  }
  return undefined;
}

/** The initialiser of a `const` at the top of the file, for an identifier that means it. */
export function moduleConst(id: ts.Identifier): ts.Expression | undefined {
  const found = lookup(id.text, id);
  if (!found || !ts.isSourceFile(found.scope) || !ts.isVariableDeclaration(found.declaration)) return undefined;
  const { declaration } = found;
  if (!ts.isIdentifier(declaration.name) || !(declaration.parent.flags & ts.NodeFlags.Const)) return undefined;
  return declaration.initializer;
}

function namesIn(scope: ts.Node): Names {
  if (!isScope(scope)) return NONE;
  let names = scopes.get(scope);
  if (!names) {
    names = new Map();
    collect(scope, names);
    scopes.set(scope, names);
  }
  return names;
}

function isScope(node: ts.Node): boolean {
  switch (node.kind) {
    case Kind.SourceFile:
    case Kind.Block:
    case Kind.ModuleBlock:
    case Kind.CaseBlock:
    case Kind.ForStatement:
    case Kind.ForOfStatement:
    case Kind.ForInStatement:
    case Kind.CatchClause:
    case Kind.ClassExpression:
    case Kind.EnumDeclaration:
      return true;
    default:
      return ts.isFunctionLike(node);
  }
}

function collect(scope: ts.Node, names: Names): void {
  if (ts.isSourceFile(scope) || ts.isModuleBlock(scope)) {
    hoistVars(scope.statements, names);
    declare(scope.statements, names);
  } else if (ts.isBlock(scope)) {
    if (ts.isFunctionLike(scope.parent) || ts.isClassStaticBlockDeclaration(scope.parent)) {
      hoistVars(scope.statements, names);
    }
    declare(scope.statements, names);
  } else if (ts.isCaseBlock(scope)) {
    for (const clause of scope.clauses) declare(clause.statements, names);
  } else if (ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) {
    if (scope.initializer && ts.isVariableDeclarationList(scope.initializer)) declareAll(scope.initializer, names);
  } else if (ts.isCatchClause(scope)) {
    if (scope.variableDeclaration) bind(scope.variableDeclaration.name, scope.variableDeclaration, names);
  } else if (ts.isClassExpression(scope)) {
    if (scope.name) names.set(scope.name.text, scope);
  } else if (ts.isEnumDeclaration(scope)) {
    for (const member of scope.members) {
      if (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)) names.set(member.name.text, member);
    }
  } else if (ts.isFunctionLike(scope)) {
    if (ts.isFunctionExpression(scope) && scope.name) names.set(scope.name.text, scope);
    for (const parameter of scope.parameters) bind(parameter.name, parameter, names);
  }
}

function bind(name: ts.BindingName, declaration: ts.Node, names: Names): void {
  for (const bound of boundNames(name)) names.set(bound, declaration);
}

function declareAll(list: ts.VariableDeclarationList, names: Names): void {
  for (const declaration of list.declarations) bind(declaration.name, declaration, names);
}

function declare(statements: readonly ts.Statement[], names: Names): void {
  for (const statement of statements) {
    if (ts.isVariableStatement(statement)) declareAll(statement.declarationList, names);
    else if (ts.isFunctionDeclaration(statement)) {
      // An overload's signature and its implementation share the name; the one with a body is what runs.
      if (statement.name && (statement.body || !names.has(statement.name.text))) {
        names.set(statement.name.text, statement);
      }
    } else if (ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
      if (statement.name) names.set(statement.name.text, statement);
    } else if (ts.isModuleDeclaration(statement)) {
      // A namespace that merges with a function or class of its name adds members to it.
      if (ts.isIdentifier(statement.name) && !names.has(statement.name.text)) names.set(statement.name.text, statement);
    } else if (ts.isImportEqualsDeclaration(statement)) names.set(statement.name.text, statement);
    else if (ts.isImportDeclaration(statement) && statement.importClause) declareImports(statement.importClause, names);
  }
}

function declareImports(clause: ts.ImportClause, names: Names): void {
  if (clause.name) names.set(clause.name.text, clause);
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) names.set(bindings.name.text, bindings);
  else for (const element of bindings.elements) names.set(element.name.text, element);
}

/** `var` belongs to the function around it, from whatever depth of blocks. */
function hoistVars(statements: readonly ts.Statement[], names: Names): void {
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclarationList(node)) {
      if (!(node.flags & ts.NodeFlags.BlockScoped)) declareAll(node, names);
    } else if (ts.isVariableStatement(node)) visit(node.declarationList);
    else if (holdsStatements(node)) ts.forEachChild(node, visit);
  };
  for (const statement of statements) visit(statement);
}

function holdsStatements(node: ts.Node): boolean {
  switch (node.kind) {
    case Kind.Block:
    case Kind.IfStatement:
    case Kind.DoStatement:
    case Kind.WhileStatement:
    case Kind.ForStatement:
    case Kind.ForOfStatement:
    case Kind.ForInStatement:
    case Kind.SwitchStatement:
    case Kind.CaseBlock:
    case Kind.CaseClause:
    case Kind.DefaultClause:
    case Kind.TryStatement:
    case Kind.CatchClause:
    case Kind.LabeledStatement:
    case Kind.WithStatement:
      return true;
    default:
      return false;
  }
}

/** A use of a name whose declaration lies outside the node that was asked about. */
export interface FreeReference {
  /** The identifier's text, or `this`. */
  readonly name: string;
  readonly node: ts.Node;
  readonly found: ReturnType<typeof lookup>;
}

/** Whether an identifier reads (or writes) a variable, and is not a property's, label's or declaration's name. */
export function isReference(id: ts.Identifier): boolean {
  const parent = id.parent;
  if (!parent) return false;
  switch (parent.kind) {
    case Kind.PropertyAccessExpression:
      return (parent as ts.PropertyAccessExpression).expression === id;
    case Kind.QualifiedName:
      return (parent as ts.QualifiedName).left === id;
    case Kind.PropertyAssignment:
    case Kind.PropertyDeclaration:
    case Kind.EnumMember:
    case Kind.VariableDeclaration:
    case Kind.Parameter:
    case Kind.ModuleDeclaration:
    case Kind.MethodDeclaration:
    case Kind.GetAccessor:
    case Kind.SetAccessor:
    case Kind.FunctionDeclaration:
    case Kind.FunctionExpression:
    case Kind.ClassDeclaration:
    case Kind.ClassExpression:
    case Kind.EnumDeclaration:
    case Kind.ImportEqualsDeclaration:
      return (parent as ts.Declaration & { name?: ts.Node }).name !== id;
    case Kind.BindingElement:
      return (parent as ts.BindingElement).initializer === id;
    case Kind.ExportSpecifier: {
      const specifier = parent as ts.ExportSpecifier;
      return !specifier.parent.parent.moduleSpecifier && (specifier.propertyName ?? specifier.name) === id;
    }
    case Kind.JsxOpeningElement:
    case Kind.JsxSelfClosingElement:
    case Kind.JsxClosingElement:
      return !/^[a-z]/.test(id.text);
    case Kind.ImportClause:
    case Kind.ImportSpecifier:
    case Kind.NamespaceImport:
    case Kind.NamespaceExport:
    case Kind.ImportAttribute:
    case Kind.NamespaceExportDeclaration:
    case Kind.LabeledStatement:
    case Kind.BreakStatement:
    case Kind.ContinueStatement:
    case Kind.JsxAttribute:
    case Kind.JsxNamespacedName:
    case Kind.MetaProperty:
    case Kind.TypeParameter:
      return false;
    default:
      return true;
  }
}

/** Whether a node is erased with the types: nothing in it is read at run time. */
export function isErased(node: ts.Node): boolean {
  const { kind } = node;
  if (kind >= Kind.FirstTypeNode && kind <= Kind.LastTypeNode) return true;
  switch (kind) {
    case Kind.InterfaceDeclaration:
    case Kind.TypeAliasDeclaration:
    case Kind.TypeParameter:
      return true;
    case Kind.HeritageClause:
      return (node as ts.HeritageClause).token === Kind.ImplementsKeyword;
    default:
      return false;
  }
}

/**
 * Lists the variables, and `this`, that a node uses without binding them inside itself; one entry a use, in source
 * order but for operands of long binary expressions.
 */
export function freeReferences(node: ts.Node): FreeReference[] {
  const out: FreeReference[] = [];
  const visit = (part: ts.Node, ownThis: boolean): void => {
    let current = part;
    // A concatenation of thousands of strings nests as deep; its left side is walked without recursion.
    while (ts.isBinaryExpression(current)) {
      visit(current.right, ownThis);
      current = current.left;
    }
    if (isErased(current)) return;
    if (current.kind === Kind.ThisKeyword) {
      if (!ownThis) out.push({ name: 'this', node: current, found: undefined });
    } else if (ts.isIdentifier(current)) {
      if (!isReference(current)) return;
      const found = lookup(current.text, current);
      if (!found || !isInside(found.scope, node)) out.push({ name: current.text, node: current, found });
    } else {
      const inner = ownThis || bindsThis(current);
      ts.forEachChild(current, (child) => visit(child, inner));
    }
  };
  visit(node, false);
  return out;
}

function bindsThis(node: ts.Node): boolean {
  if (ts.isArrowFunction(node)) return false;
  return ts.isFunctionLike(node) || ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node);
}

function isInside(scope: ts.Node, node: ts.Node): boolean {
  if (ts.isSourceFile(scope)) return scope === node;
  return scope.pos >= node.pos && scope.end <= node.end;
}
