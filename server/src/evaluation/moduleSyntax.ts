import { ts } from '../discovery/typescript.ts';

/** What an import takes, by its local name and the name in the other module; `*` is the whole of it. */
export interface Imports {
  readonly specifier: string;
  /** Absent: the module is imported for what it does. */
  readonly names?: readonly (readonly [local: string, imported: string])[];
}

/** The values that an import takes; undefined when it only takes types. */
export function importsOf(statement: ts.ImportDeclaration): Imports | undefined {
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const { text: specifier } = statement.moduleSpecifier;
  const clause = statement.importClause;
  if (!clause) return { specifier };
  if (clause.isTypeOnly) return undefined;
  const names: [local: string, imported: string][] = [];
  if (clause.name) names.push([clause.name.text, 'default']);
  const bindings = clause.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) names.push([bindings.name.text, '*']);
  for (const element of bindings && ts.isNamedImports(bindings) ? bindings.elements : []) {
    if (!element.isTypeOnly) names.push([element.name.text, (element.propertyName ?? element.name).text]);
  }
  return names.length > 0 ? { specifier, names } : undefined;
}

/** The values of an export's list, by the name that others see and the name here or in the other module. */
export function specifiersOf(clause: ts.ExportDeclaration['exportClause']): [exported: string, name: string][] {
  if (!clause || !ts.isNamedExports(clause)) return [];
  return clause.elements
    .filter((one) => !one.isTypeOnly)
    .map((one) => [one.name.text, (one.propertyName ?? one.name).text]);
}

/** Whether an expression is a function or class that takes its name from the variable it is put into. */
export function isNameless(expression: ts.Expression): boolean {
  if (ts.isArrowFunction(expression)) return true;
  return (ts.isFunctionExpression(expression) || ts.isClassExpression(expression)) && expression.name === undefined;
}
