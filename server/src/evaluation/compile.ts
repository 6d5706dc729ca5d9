import { boundNames } from '../discovery/scopes.ts';
import { start, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { Output } from './edits.ts';
import { firstAwait, isKeptEffect } from './effects.ts';
import { type Erased, erase, lower } from './erase.ts';
import { type Instrumented, instrument } from './instrument.ts';
import { SITES } from './sandbox/messages.ts';
import type { Site } from './sites.ts';

/** A module as lazy bindings: see evaluation/sandbox/module.ts for what the calls on `$m` do. */
export interface Compiled {
  readonly code: string;
  readonly sites: readonly Site[];
  readonly specifiers: readonly string[];
  /** Pairs of generated and source offset: see `sourceOffset`. */
  readonly pieces: readonly number[];
}

/** Writes code for thunks of tools into a module that is being compiled. */
export interface ThunkWriter {
  /** JavaScript of an expression or declaration of the module, instrumented. */
  render(node: ts.Node): string;
  /** A new site for a span of the module. */
  site(start: number, end: number): number;
}

/**
 * Turns a module's text into lazy bindings: every top-level initialiser becomes a function that runs when something
 * first reads it; top-level statements that only run the program are left out.
 *
 * @param thunks code of the module's tool thunks, appended; called once
 */
export function compile(
  source: ts.SourceFile,
  moduleNumber: number,
  thunks: (writer: ThunkWriter) => readonly (string | undefined)[],
): Compiled {
  return new Compiler(source, moduleNumber).compile(thunks);
}

/** A JSON file as a module. */
export function compileJson(text: string): Compiled {
  return { code: `$m.json(${JSON.stringify(text)});`, sites: [], specifiers: [], pieces: [] };
}

const has = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);
const quote = (value: unknown): string => JSON.stringify(value);

class Compiler {
  private readonly output = new Output();
  private readonly specifiers: string[] = [];
  private readonly exports: [exported: string, local: string][] = [];
  private readonly erased: Erased;
  private readonly parts: Instrumented;

  constructor(
    private readonly source: ts.SourceFile,
    private readonly moduleNumber: number,
  ) {
    this.parts = instrument(source, moduleNumber);
    this.erased = erase(source, /\.[cm]?jsx?$/.test(source.fileName));
  }

  compile(thunks: (writer: ThunkWriter) => readonly (string | undefined)[]): Compiled {
    for (const statement of this.source.statements) this.statement(statement);
    if (/\brequire\s*\(/.test(this.source.text)) this.findRequires(this.source);
    for (const specifier of this.parts.awaitedImports) this.specifier(specifier);
    if (this.exports.length > 0) this.output.put(`$m.exports(${quote(this.exports)});\n`);
    const writer: ThunkWriter = {
      render: (node) => this.text(node),
      site: (from, to) => this.site(from, to),
    };
    thunks(writer).forEach((code, index) => {
      if (code !== undefined) this.output.put(`$m.tool(${index},()=>{${code}});\n`);
    });
    return {
      code: this.output.text,
      sites: this.parts.sites.sites,
      specifiers: this.specifiers,
      pieces: this.output.pieces,
    };
  }

  private site(from: number, to: number): number {
    return this.moduleNumber * SITES + this.parts.sites.add(from, to, '');
  }

  private specifier(text: string): number {
    const known = this.specifiers.indexOf(text);
    return known >= 0 ? known : this.specifiers.push(text) - 1;
  }

  /** Renders a part of the module into the output; lowered where blanking types is not enough. */
  private render(node: ts.Node, from = start(node), to = node.end): void {
    if (!this.erased.needsLowering(node)) {
      this.parts.edits.render(this.erased.text, from, to, this.output);
      return;
    }
    const raw = new Output();
    this.parts.edits.render(this.source.text, from, to, raw);
    const isStatement = ts.isStatement(node);
    const lowered = lower(isStatement ? raw.text : `(${raw.text})`).trim();
    this.output.copy(isStatement ? lowered : lowered.replace(/;$/, ''), from);
  }

  private text(node: ts.Node): string {
    const kept = this.output.text;
    const pieces = this.output.pieces.length;
    this.output.text = '';
    this.render(node);
    const rendered = this.output.text;
    this.output.text = kept;
    this.output.pieces.length = pieces;
    return rendered;
  }

  /** `()=>(expression)`, or what answers "awaits" when it does. */
  private thunk(expression: ts.Expression): void {
    const awaits = firstAwait(expression);
    if (awaits) {
      this.output.put(`$m.awaits(${this.site(start(awaits), awaits.end)})`);
      return;
    }
    this.output.put('()=>(');
    this.render(unwrap(expression));
    this.output.put('\n)');
  }

  private lazy(name: string, position: number, initializer: ts.Expression | undefined): void {
    this.output.put(`$m.lazy(${quote(name)},${position},`);
    if (initializer) this.thunk(initializer);
    else this.output.put('()=>undefined');
    this.output.put(');\n');
  }

  private statement(statement: ts.Statement): void {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return;
    if (has(statement, ts.SyntaxKind.DeclareKeyword)) return;
    if (ts.isVariableStatement(statement)) this.variables(statement);
    else if (ts.isFunctionDeclaration(statement)) this.function(statement);
    else if (ts.isClassDeclaration(statement)) this.class(statement);
    else if (ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement)) this.mergeable(statement);
    else if (ts.isImportDeclaration(statement)) this.import(statement);
    else if (ts.isImportEqualsDeclaration(statement)) this.importEquals(statement);
    else if (ts.isExportDeclaration(statement)) this.reexport(statement);
    else if (ts.isExportAssignment(statement)) {
      this.lazy('$default', start(statement), statement.expression);
      this.exports.push([statement.isExportEquals ? '*cjs' : 'default', '$default']);
    } else if (
      ts.isExpressionStatement(statement) &&
      (this.commonJsExport(statement.expression) || this.commonJsStar(statement.expression))
    )
      return;
    else if (isKeptEffect(statement, this.source)) {
      this.output.put(`$m.effect(${start(statement)},()=>{`);
      this.render(statement);
      this.output.put('});\n');
    }
  }

  private exported(statement: ts.Node, names: readonly string[]): void {
    if (!has(statement, ts.SyntaxKind.ExportKeyword)) return;
    const isDefault = has(statement, ts.SyntaxKind.DefaultKeyword);
    for (const name of names) this.exports.push([isDefault ? 'default' : name, name]);
  }

  private variables(statement: ts.VariableStatement): void {
    for (const declaration of statement.declarationList.declarations) {
      const names = boundNames(declaration.name);
      if (ts.isIdentifier(declaration.name))
        this.lazy(declaration.name.text, start(declaration), declaration.initializer);
      else {
        this.output.put(`$m.destructure(${quote(names)},${start(declaration)},`);
        const awaits = declaration.initializer && firstAwait(declaration.initializer);
        if (awaits) this.output.put(`$m.awaits(${this.site(start(awaits), awaits.end)})`);
        else {
          this.output.put('()=>{const ');
          this.render(declaration);
          this.output.put(`;return {${names}}}`);
        }
        this.output.put(');\n');
      }
      this.exported(statement, names);
    }
  }

  private function(statement: ts.FunctionDeclaration): void {
    if (!statement.body) return; // an overload
    const name = statement.name?.text ?? '$default';
    if (statement.name) {
      this.declaration(statement);
      this.output.put(`;$m.value(${quote(name)},()=>${name},(v)=>{${name}=v});\n`);
    } else {
      this.output.put(`$m.lazy(${quote(name)},${start(statement)},()=>(`);
      this.declaration(statement);
      this.output.put('));\n');
    }
    this.exported(statement, [name]);
  }

  private class(statement: ts.ClassDeclaration): void {
    const name = statement.name?.text ?? '$default';
    this.output.put(`$m.lazy(${quote(name)},${start(statement)},()=>${statement.name ? '{' : '('}`);
    this.declaration(statement);
    this.output.put(statement.name ? `;return ${name}});\n` : '));\n');
    this.exported(statement, [name]);
  }

  /** A declaration without its `export default`, so that it can stand inside a function. */
  private declaration(statement: ts.FunctionDeclaration | ts.ClassDeclaration): void {
    const modifiers = statement.modifiers ?? [];
    const dropped = modifiers.filter(
      (part) =>
        part.kind === ts.SyntaxKind.ExportKeyword ||
        part.kind === ts.SyntaxKind.DefaultKeyword ||
        part.kind === ts.SyntaxKind.AbstractKeyword,
    );
    if (!this.erased.needsLowering(statement)) {
      const after = dropped.at(-1)?.end ?? start(statement);
      this.parts.edits.render(this.erased.text, after, statement.end, this.output);
      return;
    }
    const raw = new Output();
    this.parts.edits.render(this.source.text, start(statement), statement.end, raw);
    // Decorated classes come out as `let X = class X …; X = __decorate(…)` with the export taken off or at the end.
    const lowered = lower(raw.text)
      .replace(/^export\s+default\s+/gm, '')
      .replace(/^export\s+(?=(?:abstract\s+)?(?:class|let|const|var|function|async)\b)/gm, '')
      .replace(/^export\s*\{[^}]*\};?$/gm, '')
      .replace(/^(?:export\s+)?default\s+\w+;?$/gm, '');
    this.output.copy(lowered.trim(), start(statement));
  }

  /** Enums and namespaces: each declaration adds to what an earlier one of the same name made. */
  private mergeable(statement: ts.EnumDeclaration | ts.ModuleDeclaration): void {
    if (!ts.isIdentifier(statement.name)) return;
    const name = statement.name.text;
    const raw = new Output();
    const exportKeyword = statement.modifiers?.find((part) => part.kind === ts.SyntaxKind.ExportKeyword);
    this.parts.edits.render(this.source.text, exportKeyword?.end ?? start(statement), statement.end, raw);
    const js = lower(raw.text).trim();
    if (js === '') return; // a namespace of types only
    const body = js.replace(new RegExp(`^(?:var|let) ${name};`), '');
    this.output.put(`$m.merge(${quote(name)},${start(statement)},($p)=>{var ${name}=$p;`);
    this.output.copy(body, start(statement));
    this.output.put(`;return ${name}});\n`);
    this.exported(statement, [name]);
  }

  private import(statement: ts.ImportDeclaration): void {
    if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
    const clause = statement.importClause;
    const index = () => this.specifier((statement.moduleSpecifier as ts.StringLiteral).text);
    if (!clause) {
      this.output.put(`$m.bare(${index()});\n`);
      return;
    }
    if (clause.isTypeOnly) return;
    const names: [local: string, imported: string][] = [];
    if (clause.name) names.push([clause.name.text, 'default']);
    const bindings = clause.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) names.push([bindings.name.text, '*']);
    else if (bindings) {
      for (const element of bindings.elements) {
        if (!element.isTypeOnly) names.push([element.name.text, (element.propertyName ?? element.name).text]);
      }
    }
    if (names.length > 0) this.output.put(`$m.import(${index()},${quote(names)});\n`);
  }

  private importEquals(statement: ts.ImportEqualsDeclaration): void {
    if (statement.isTypeOnly) return;
    const reference = statement.moduleReference;
    if (ts.isExternalModuleReference(reference)) {
      if (!ts.isStringLiteralLike(reference.expression)) return;
      this.output.put(
        `$m.import(${this.specifier(reference.expression.text)},${quote([[statement.name.text, '*cjs']])});\n`,
      );
    } else {
      this.output.put(`$m.lazy(${quote(statement.name.text)},${start(statement)},()=>(`);
      this.output.copy(reference.getText(this.source), start(reference));
      this.output.put('));\n');
    }
    this.exported(statement, [statement.name.text]);
  }

  private reexport(statement: ts.ExportDeclaration): void {
    if (statement.isTypeOnly) return;
    const clause = statement.exportClause;
    const pairs = (elements: readonly ts.ExportSpecifier[]): [string, string][] =>
      elements
        .filter((element) => !element.isTypeOnly)
        .map((element) => [element.name.text, (element.propertyName ?? element.name).text]);
    if (!statement.moduleSpecifier) {
      if (clause && ts.isNamedExports(clause)) this.exports.push(...pairs([...clause.elements]));
      return;
    }
    if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
    const index = this.specifier(statement.moduleSpecifier.text);
    if (!clause) this.output.put(`$m.star(${index});\n`);
    else if (ts.isNamespaceExport(clause))
      this.output.put(`$m.reexport(${index},${quote([[clause.name.text, '*']])});\n`);
    else this.output.put(`$m.reexport(${index},${quote(pairs([...clause.elements]))});\n`);
  }

  /** `module.exports = X` and `exports.x = X` are lazy bindings too. */
  private commonJsExport(expression: ts.Expression): boolean {
    if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
    const target = expression.left.getText(this.source);
    if (!/^(module\.exports|exports)(\.\w+)?$/.test(target)) return false;
    const whole = target === 'module.exports' || target === 'exports';
    const name = whole ? '*cjs' : target.slice(target.lastIndexOf('.') + 1);
    const local = `exports ${name}`;
    // `exports.a = exports.b = X`: what counts is the value at the end.
    let value = unwrap(expression.right);
    while (
      ts.isBinaryExpression(value) &&
      value.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      /^(module\.)?exports\b/.test(value.left.getText(this.source))
    ) {
      this.commonJsExport(value);
      value = unwrap(value.right);
    }
    this.lazy(local, start(expression), value);
    this.exports.push([name, local]);
    return true;
  }

  /** `__exportStar(require("./x"), exports)`, as TypeScript writes `export * from`. */
  private commonJsStar(expression: ts.Expression): boolean {
    if (!ts.isCallExpression(expression) || !/\b__exportStar$/.test(expression.expression.getText(this.source)))
      return false;
    const required = expression.arguments[0];
    const specifier = required && ts.isCallExpression(required) ? required.arguments[0] : undefined;
    if (!specifier || !ts.isStringLiteralLike(specifier)) return false;
    this.output.put(`$m.star(${this.specifier(specifier.text)});\n`);
    return true;
  }

  private findRequires(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require') {
      const argument = node.arguments[0];
      if (argument && ts.isStringLiteralLike(argument)) this.specifier(argument.text);
    }
    ts.forEachChild(node, (child) => this.findRequires(child));
  }
}
