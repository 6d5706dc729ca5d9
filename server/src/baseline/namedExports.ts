import { parse } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import type { FileTree } from '../files/tree.ts';

/** Which files of a tree export something under one of some names, found by parsing the files that mention it. */
export class NamedExports {
  private readonly byFile = new Map<string, readonly string[]>();
  private isListed = false;

  /**
   * @param names names of exports
   * @param include globs of the files to look in, relative to the root
   */
  constructor(
    private readonly tree: FileTree,
    private readonly names: readonly string[],
    private readonly include: readonly string[],
    private readonly exclude: readonly string[],
  ) {}

  /**
   * Takes over changed files; the first time, all.
   *
   * @returns the exports, sorted by file
   */
  update(changed: readonly string[]): { readonly file: string; readonly name: string }[] {
    if (!this.isListed) {
      this.isListed = true;
      for (const file of this.list()) this.look(file);
    } else {
      let selected: ReadonlySet<string> | undefined;
      for (const file of changed) {
        const wasThere = this.byFile.delete(file);
        if (!this.look(file) || wasThere) continue;
        // Only a file that has one for the first time is worth a walk over the disk.
        selected ??= new Set(this.list());
        if (!selected.has(file)) this.byFile.delete(file);
      }
    }
    return [...this.byFile.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([file, names]) => names.map((name) => ({ file, name })));
  }

  private list(): string[] {
    return this.tree.list(this.include, this.exclude);
  }

  /** @returns whether the file has one */
  private look(file: string): boolean {
    const text = this.tree.read(file);
    const mentioned = this.names.filter((name) => text?.includes(name));
    if (text === undefined || mentioned.length === 0) return false;
    const source = parse(file, text);
    const exported = mentioned.filter((name) => isDeclared(source, name));
    if (exported.length > 0) this.byFile.set(file, exported);
    return exported.length > 0;
  }
}

/** Whether a module exports a value of its own under a name. One that is handed on is found where it comes from. */
function isDeclared(source: ts.SourceFile, name: string): boolean {
  return source.statements.some((statement) => {
    if (ts.isVariableStatement(statement)) {
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
      return isExported && statement.declarationList.declarations.some((one) => binds(one.name, name));
    }
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (statement.isTypeOnly || !clause || !ts.isNamedExports(clause)) return false;
      return clause.elements.some((one) => {
        if (one.isTypeOnly || one.name.text !== name) return false;
        const local = (one.propertyName ?? one.name).text;
        return local !== name || (!statement.moduleSpecifier && !isImported(source, local));
      });
    }
    return ts.isExpressionStatement(statement) && isCommonJs(statement.expression, name);
  });
}

function binds(binding: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(binding)) return binding.text === name;
  return binding.elements.some((element) => ts.isBindingElement(element) && binds(element.name, name));
}

function isImported(source: ts.SourceFile, local: string): boolean {
  return source.statements.some((statement) => {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    return bindings && ts.isNamedImports(bindings) && bindings.elements.some(({ name }) => name.text === local);
  });
}

/** `exports.NAME = …`, `module.exports.NAME = …` and `module.exports = { NAME: … }`. */
function isCommonJs(expression: ts.Expression, name: string): boolean {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  const target = expression.left.getText();
  if (target === `exports.${name}` || target === `module.exports.${name}`) return true;
  return (
    target === 'module.exports' &&
    ts.isObjectLiteralExpression(expression.right) &&
    expression.right.properties.some((property) => property.name?.getText() === name)
  );
}
