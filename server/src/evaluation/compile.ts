import { boundNames, lookup } from '../discovery/scopes.ts';
import { start } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import type { CallTime } from './callTime.ts';
import { type CommonJsExport, commonJsExports, commonJsStar, requiredSpecifier } from './commonJs.ts';
import { Output } from './edits.ts';
import { assignedBindings, firstAwait, importSpecifier, isKeptEffect, readAtOnce, writtenImports } from './effects.ts';
import { importsOf, specifiersOf } from './moduleSyntax.ts';
import { ModuleWriter, type Thunks } from './moduleWriter.ts';
import type { Site } from './sites.ts';

/** A module as lazy bindings: see evaluation/sandbox/module.ts for what the calls on `$m` do. */
export interface Compiled {
  readonly code: string;
  readonly sites: readonly Site[];
  readonly specifiers: readonly string[];
  /** Which source text the code was made of: see `sourceOffset`. */
  readonly pieces: readonly number[];
  /** Specifiers of the modules whose values the kept top-level statements change. */
  readonly writes: readonly string[];
  /** Specifiers of the modules that something is re-exported from. */
  readonly reexports: readonly string[];
}

export interface CompileOptions {
  /** Lower everything to this version: the runtime did not understand the code as it is. */
  readonly target?: ts.ScriptTarget;
  /** What only runs when a tool is called or registered; without it everything is written. */
  readonly callTime?: CallTime;
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
  thunks: Thunks,
  options: CompileOptions = {},
): Compiled {
  return new Compiler(source, moduleNumber, options).compile(thunks);
}

/** A JSON file as a module. */
export function compileJson(text: string): Compiled {
  return {
    code: `$m.json(${JSON.stringify(text)});`,
    sites: [],
    specifiers: [],
    pieces: [],
    writes: [],
    reexports: [],
  };
}

const has = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);
const quote = (value: unknown): string => JSON.stringify(value);

class Compiler {
  private readonly exports: [exported: string, local: string][] = [];
  private readonly declared = new Set<string>();
  private readonly merged = new Set<string>();
  private readonly writes = new Set<string>();
  private readonly reexports = new Set<string>();
  private readonly to: ModuleWriter;

  constructor(
    private readonly source: ts.SourceFile,
    moduleNumber: number,
    options: CompileOptions,
  ) {
    this.to = new ModuleWriter(source, moduleNumber, options);
  }

  compile(thunks: Thunks): Compiled {
    for (const statement of this.source.statements) this.statement(statement);
    if (/\brequire\s*\(/.test(this.source.text)) this.findRequires(this.source);
    if (this.exports.length > 0) this.to.put(`$m.exports(${quote(this.exports)});\n`);
    this.to.tools(thunks);
    this.to.helpers();
    const { output, sites, specifiers } = this.to;
    return {
      code: output.text,
      sites,
      specifiers,
      pieces: output.pieces,
      writes: [...this.writes],
      reexports: [...this.reexports],
    };
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
      this.to.lazy('$default', start(statement), statement.expression, 'default');
      this.exports.push([statement.isExportEquals ? '*cjs' : 'default', '$default']);
    } else if (!this.commonJs(statement)) this.effect(statement);
  }

  private effect(statement: ts.Statement): void {
    if (isKeptEffect(statement, this.source)) {
      for (const specifier of writtenImports(statement)) this.writes.add(specifier);
      if (/\bexports\b/.test(statement.getText(this.source))) this.to.put('$m.commonJs();\n');
      this.to.put(`$m.effect(${quote(readAtOnce(statement, this.source))},()=>{`);
      this.to.render(statement);
      this.to.put('});\n');
      return;
    }
    // Who reads `x` after `x = await …` depends on what is awaited.
    const awaits = firstAwait(statement);
    if (!awaits) return;
    for (const name of assignedBindings(statement, this.source)) {
      this.to.put(`$m.lazy(${quote(name)},${start(statement)},`);
      this.to.awaits(awaits);
      this.to.put(');\n');
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
      const isRepeated = names.some((name) => this.declared.has(name));
      for (const name of names) this.declared.add(name);
      if (ts.isIdentifier(declaration.name)) {
        // `var x = 1; var x;` leaves the value as it is.
        if (!declaration.initializer && isRepeated) continue;
        this.to.lazy(declaration.name.text, start(declaration), declaration.initializer);
      } else {
        this.to.put(`$m.destructure(${quote(names)},${start(declaration)},`);
        const awaits = declaration.initializer && firstAwait(declaration.initializer);
        if (awaits) this.to.awaits(awaits);
        else {
          this.to.put('()=>{const ');
          this.to.render(declaration);
          this.to.put(`;return {${names}}}`);
        }
        this.to.put(');\n');
      }
      this.exported(statement, names);
    }
  }

  private function(statement: ts.FunctionDeclaration): void {
    if (!statement.body) return; // an overload
    const name = statement.name?.text ?? '$default';
    this.declared.add(name);
    if (statement.name) {
      this.to.render(statement);
      this.to.put(`;$m.value(${quote(name)},()=>${name},(v)=>{${name}=v});\n`);
    } else this.nameless(statement);
    this.exported(statement, [name]);
  }

  private class(statement: ts.ClassDeclaration): void {
    const name = statement.name?.text ?? '$default';
    if (statement.name) {
      this.to.put(`$m.lazy(${quote(name)},${start(statement)},()=>{`);
      this.to.render(statement);
      this.to.put(`;return ${name}});\n`);
    } else this.nameless(statement);
    this.exported(statement, [name]);
  }

  /** `export default function () {…}` */
  private nameless(statement: ts.FunctionDeclaration | ts.ClassDeclaration): void {
    this.to.put(`$m.lazy("$default",${start(statement)},()=>({"default":`);
    this.to.render(statement);
    this.to.put('\n})["default"]);\n');
  }

  /** Enums and namespaces. All declarations of a name are lowered together: they see each other's members. */
  private mergeable(statement: ts.EnumDeclaration | ts.ModuleDeclaration): void {
    if (!ts.isIdentifier(statement.name)) return;
    const name = statement.name.text;
    this.exported(statement, [name]);
    if (this.merged.has(name)) return;
    this.merged.add(name);
    const lowered = this.to.lowered(this.source.statements.filter((other) => isMergeable(other, name)));
    if (lowered.text === '') return; // namespaces of types only
    const declared = lookup(name, this.source)?.declaration;
    if (declared && (ts.isFunctionDeclaration(declared) || ts.isClassDeclaration(declared))) {
      // What adds to a function or class is a statement about it; a variable would hide what it adds to.
      this.to.put('$m.effect([],()=>{');
      this.to.output.append(withoutVariable(lowered, name));
      this.to.put('});\n');
      return;
    }
    this.to.put(`$m.lazy(${quote(name)},${start(statement)},()=>{`);
    this.to.output.append(lowered);
    this.to.put(`;return ${name}});\n`);
  }

  private import(statement: ts.ImportDeclaration): void {
    const imported = importsOf(statement);
    if (!imported) return;
    const index = this.to.specifier(imported.specifier);
    if (imported.names === undefined) this.to.put(`$m.bare(${index});\n`);
    else this.to.put(`$m.import(${index},${quote(imported.names)});\n`);
  }

  private importEquals(statement: ts.ImportEqualsDeclaration): void {
    if (statement.isTypeOnly) return;
    const reference = statement.moduleReference;
    const name = statement.name.text;
    if (ts.isExternalModuleReference(reference)) {
      if (!ts.isStringLiteralLike(reference.expression)) return;
      this.to.put(`$m.import(${this.to.specifier(reference.expression.text)},${quote([[name, '*cjs']])});\n`);
    } else {
      this.to.put(`$m.lazy(${quote(name)},${start(statement)},()=>(`);
      this.to.output.copy(reference.getText(this.source), start(reference));
      this.to.put('));\n');
    }
    this.exported(statement, [name]);
  }

  private reexport(statement: ts.ExportDeclaration): void {
    if (statement.isTypeOnly) return;
    const clause = statement.exportClause;
    const pairs = specifiersOf(clause);
    if (!statement.moduleSpecifier) {
      // What is not declared as a value is a type, also where the specifier does not say so.
      for (const pair of pairs) {
        const found = lookup(pair[1], this.source);
        if (!found) continue;
        this.exports.push(pair);
        const specifier = importSpecifier(found.declaration);
        if (specifier !== undefined) this.reexports.add(specifier);
      }
      return;
    }
    if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
    this.reexports.add(statement.moduleSpecifier.text);
    const index = this.to.specifier(statement.moduleSpecifier.text);
    if (!clause) this.to.put(`$m.star(${index});\n`);
    else if (ts.isNamespaceExport(clause)) {
      this.to.put(`$m.reexport(${index},${quote([[clause.name.text, '*']])});\n`);
    } else if (pairs.length > 0) this.to.put(`$m.reexport(${index},${quote(pairs)});\n`);
  }

  /** What a CommonJS module exports is lazy too. */
  private commonJs(statement: ts.Statement): boolean {
    if (!ts.isExpressionStatement(statement)) return false;
    const star = commonJsStar(statement.expression);
    if (star !== undefined) {
      this.reexports.add(star);
      this.to.put(`$m.star(${this.to.specifier(star)});\n`);
      return true;
    }
    const exported = commonJsExports(statement.expression);
    for (const one of exported ?? []) this.commonJsExport(one, start(statement));
    return exported !== undefined;
  }

  private commonJsExport({ name, value, isGetter }: CommonJsExport, position: number): void {
    const local = `exports ${name}`;
    this.exports.push([name, local]);
    if (!isGetter) {
      this.to.lazy(local, position, value, name);
      return;
    }
    this.to.put(`$m.lazy(${quote(local)},${position},()=>(`);
    this.to.render(value);
    this.to.put(')());\n');
  }

  private findRequires(node: ts.Node): void {
    const specifier = requiredSpecifier(node);
    if (specifier !== undefined) this.to.specifier(specifier);
    ts.forEachChild(node, (child) => this.findRequires(child));
  }
}

function isMergeable(statement: ts.Statement, name: string): statement is ts.EnumDeclaration | ts.ModuleDeclaration {
  if (!ts.isEnumDeclaration(statement) && !ts.isModuleDeclaration(statement)) return false;
  return statement.name.text === name && !has(statement, ts.SyntaxKind.DeclareKeyword);
}

function withoutVariable(lowered: Output, name: string): Output {
  const variable = new RegExp(`^\\s*(?:var|let) ${name};`).exec(lowered.text)?.[0] ?? '';
  const rest = new Output();
  rest.text = variable.replace(/\S/g, ' ') + lowered.text.slice(variable.length);
  rest.pieces.push(...lowered.pieces);
  return rest;
}
