import type { Draft, Named } from './found.ts';
import { DESCRIPTION_KEYS, HANDLER_KEYS, OUTPUT_KEYS, type SchemaKeys } from './keys.ts';
import { nameOf, nameOfFile } from './names.ts';
import { schemaAt, schemaForm } from './schemas.ts';
import { findProperty, propertyValue, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';
import { isToolWord } from './words.ts';

/** What a module or namespace exports by name. */
interface Exports {
  readonly variables: ReadonlyMap<string, ts.VariableDeclaration>;
  readonly names: ReadonlySet<string>;
}

/** Objects that describe the tool of a module: xmcp's `metadata`, and its like. */
const METADATA: readonly string[] = ['metadata', 'meta', 'config', 'definition', 'tool'];

/**
 * A module that is a tool by its exports: `schema` or `inputSchema`, and the function that runs it, with a name, a
 * description or a place among tools. Namespaces alike.
 *
 * @returns undefined when the module is no tool by itself
 */
export function moduleTool(container: ts.SourceFile | ts.ModuleBlock, keys: SchemaKeys): Draft | undefined {
  const exports = exportsOf(container);
  if (![...exports.names].some((name) => HANDLER_KEYS.has(name) || name === 'default')) return undefined;
  for (const [key, strength] of keys.ordered) {
    const declaration = exports.variables.get(key);
    if (!declaration?.initializer || !schemaForm(declaration.initializer)) continue;
    const described = isDescribed(exports);
    const named = nameFrom(exports);
    const placed = isToolWord(container.getSourceFile().fileName.split(/[\\/]/).slice(-4).join('/'));
    if (!described && !named && !placed) continue;
    if (strength === 'weak' && !described && !placed) continue;
    const output = OUTPUT_KEYS.map((one) => exports.variables.get(one)?.initializer).find((one) => one !== undefined);
    return {
      anchor: declaration,
      way: 'module',
      certain: false,
      ...(named ?? (ts.isSourceFile(container) ? nameOfFile(container, declaration.name) : namespaceName(container))),
      ...schemaAt(declaration.initializer, key, span(declaration)),
      output: output ? unwrap(output) : null,
    };
  }
  return undefined;
}

function exportsOf(container: ts.SourceFile | ts.ModuleBlock): Exports {
  const local = new Map<string, ts.VariableDeclaration>();
  const variables = new Map<string, ts.VariableDeclaration>();
  const names = new Set<string>();
  const lists: ts.NamedExports[] = [];
  for (const statement of container.statements) {
    if (ts.isExportAssignment(statement)) names.add('default');
    if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause) {
      if (ts.isNamedExports(statement.exportClause)) lists.push(statement.exportClause);
    }
    const exported = ts.canHaveModifiers(statement) && hasExport(statement);
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (!ts.isIdentifier(declaration.name)) continue;
        local.set(declaration.name.text, declaration);
        if (!exported) continue;
        variables.set(declaration.name.text, declaration);
        names.add(declaration.name.text);
      }
    } else if (exported && ts.isFunctionDeclaration(statement)) {
      if (ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword)) names.add('default');
      else if (statement.name) names.add(statement.name.text);
    }
  }
  for (const specifier of lists.flatMap((list) => [...list.elements])) {
    if (specifier.isTypeOnly) continue;
    names.add(specifier.name.text);
    const declaration = local.get((specifier.propertyName ?? specifier.name).text);
    if (declaration) variables.set(specifier.name.text, declaration);
  }
  return { variables, names };
}

function hasExport(statement: ts.HasModifiers): boolean {
  return ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword) === true;
}

function metadataOf(exports: Exports): ts.ObjectLiteralExpression | undefined {
  for (const key of METADATA) {
    const initializer = exports.variables.get(key)?.initializer;
    const value = initializer && unwrap(initializer);
    if (value && ts.isObjectLiteralExpression(value)) return value;
  }
  return undefined;
}

function isDescribed(exports: Exports): boolean {
  if ([...exports.names].some((name) => DESCRIPTION_KEYS.has(name))) return true;
  const metadata = metadataOf(exports);
  return metadata !== undefined && [...DESCRIPTION_KEYS].some((key) => findProperty(metadata, key));
}

function nameFrom(exports: Exports): Named | undefined {
  for (const key of ['name', 'toolName', 'TOOL_NAME']) {
    const initializer = exports.variables.get(key)?.initializer;
    if (initializer) return nameOf(initializer, 'variable');
  }
  const metadata = metadataOf(exports);
  const property = metadata && findProperty(metadata, 'name');
  return property && nameOf(propertyValue(property), 'property');
}

function namespaceName(block: ts.ModuleBlock): Partial<Named> {
  const { name } = block.parent;
  return ts.isIdentifier(name)
    ? { name: { literal: name.text }, nameSource: { from: 'variable', span: span(name), text: name.text } }
    : {};
}
