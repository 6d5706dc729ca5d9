import { boundNames, lookup } from '../discovery/scopes.ts';
import { start, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { type CommonJsExport, commonJsExports, commonJsStar, requiredSpecifier } from './commonJs.ts';
import { Output } from './edits.ts';
import { assignedBindings, firstAwait, importSpecifier, isKeptEffect, readAtOnce, writtenImports } from './effects.ts';
import { type Instrumented, instrument } from './instrument.ts';
import { Renderer } from './render.ts';
import { SITES } from './sandbox/messages.ts';
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

/** Writes code for thunks of tools into a module that is being compiled. */
export interface ThunkWriter {
  /** A stand-in for the JavaScript of an expression or declaration of the module, instrumented. */
  render(node: ts.Node): string;
}

export interface CompileOptions {
  /** Lower everything to this version: the runtime did not understand the code as it is. */
  readonly target?: ts.ScriptTarget;
}

type Thunks = (writer: ThunkWriter) => readonly (string | undefined)[];

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
/** Surrounds the number of a rendered part in a thunk's code. */
const STAND_IN = '\0';

class Compiler {
  private readonly output = new Output();
  private readonly specifiers: string[] = [];
  private readonly exports: [exported: string, local: string][] = [];
  private readonly merged = new Set<string>();
  private readonly writes = new Set<string>();
  private readonly reexports = new Set<string>();
  private readonly parts: Instrumented;
  private readonly renderer: Renderer;

  constructor(
    private readonly source: ts.SourceFile,
    private readonly moduleNumber: number,
    options: CompileOptions,
  ) {
    this.parts = instrument(source, moduleNumber);
    this.renderer = new Renderer(source, this.parts, options.target);
  }

  compile(thunks: Thunks): Compiled {
    for (const statement of this.source.statements) this.statement(statement);
    if (/\brequire\s*\(/.test(this.source.text)) this.findRequires(this.source);
    for (const specifier of this.parts.awaitedImports) this.specifier(specifier);
    if (this.exports.length > 0) this.output.put(`$m.exports(${quote(this.exports)});\n`);
    this.tools(thunks);
    for (const helper of this.renderer.helpers) this.output.put(`${helper}\n`);
    return {
      code: this.output.text,
      sites: this.parts.sites.sites,
      specifiers: this.specifiers,
      pieces: this.output.pieces,
      writes: [...this.writes],
      reexports: [...this.reexports],
    };
  }

  private tools(thunks: Thunks): void {
    const rendered: Output[] = [];
    const render = (node: ts.Node): string => {
      const part = new Output();
      this.renderer.render(node, part);
      return `${STAND_IN}${rendered.push(part) - 1}${STAND_IN}`;
    };
    thunks({ render }).forEach((code, index) => {
      if (code === undefined) return;
      this.output.put(`$m.tool(${index},()=>{`);
      code.split(STAND_IN).forEach((text, turn) => {
        const part = turn % 2 === 1 ? rendered[Number(text)] : undefined;
        if (part) this.output.append(part);
        else this.output.put(text);
      });
      this.output.put('});\n');
    });
  }

  private site(from: number, to: number): number {
    return this.moduleNumber * SITES + this.parts.sites.add(from, to, '');
  }

  private specifier(text: string): number {
    const known = this.specifiers.indexOf(text);
    return known >= 0 ? known : this.specifiers.push(text) - 1;
  }

  /** `()=>(expression)`, or what answers "awaits" when it does. */
  private thunk(name: string, expression: ts.Expression): void {
    const awaits = firstAwait(expression);
    if (awaits) {
      this.awaits(awaits);
      return;
    }
    const inner = unwrap(expression);
    // A function or class without a name is called like the variable that holds it.
    const named = isNameless(inner) ? quote(name) : undefined;
    this.output.put(named === undefined ? '()=>(' : `()=>({${named}:`);
    this.renderer.render(inner, this.output);
    this.output.put(named === undefined ? '\n)' : `\n})[${named}]`);
  }

  private awaits(node: ts.Node): void {
    this.output.put(`$m.awaits(${this.site(start(node), node.end)})`);
  }

  private lazy(local: string, position: number, initializer: ts.Expression | undefined, name = local): void {
    this.output.put(`$m.lazy(${quote(local)},${position},`);
    if (initializer) this.thunk(name, initializer);
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
      this.lazy('$default', start(statement), statement.expression, 'default');
      this.exports.push([statement.isExportEquals ? '*cjs' : 'default', '$default']);
    } else if (!this.commonJs(statement)) this.effect(statement);
  }

  private effect(statement: ts.Statement): void {
    if (isKeptEffect(statement, this.source)) {
      for (const specifier of writtenImports(statement)) this.writes.add(specifier);
      if (/\bexports\b/.test(statement.getText(this.source))) this.output.put('$m.commonJs();\n');
      this.output.put(`$m.effect(${quote(readAtOnce(statement, this.source))},()=>{`);
      this.renderer.render(statement, this.output);
      this.output.put('});\n');
      return;
    }
    // Who reads `x` after `x = await …` depends on what is awaited.
    const awaits = firstAwait(statement);
    if (!awaits) return;
    for (const name of assignedBindings(statement, this.source)) {
      this.output.put(`$m.lazy(${quote(name)},${start(statement)},`);
      this.awaits(awaits);
      this.output.put(');\n');
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
      if (ts.isIdentifier(declaration.name)) {
        this.lazy(declaration.name.text, start(declaration), declaration.initializer);
      } else {
        this.output.put(`$m.destructure(${quote(names)},${start(declaration)},`);
        const awaits = declaration.initializer && firstAwait(declaration.initializer);
        if (awaits) this.awaits(awaits);
        else {
          this.output.put('()=>{const ');
          this.renderer.render(declaration, this.output);
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
      this.renderer.render(statement, this.output);
      this.output.put(`;$m.value(${quote(name)},()=>${name},(v)=>{${name}=v});\n`);
    } else this.nameless(statement);
    this.exported(statement, [name]);
  }

  private class(statement: ts.ClassDeclaration): void {
    const name = statement.name?.text ?? '$default';
    if (statement.name) {
      this.output.put(`$m.lazy(${quote(name)},${start(statement)},()=>{`);
      this.renderer.render(statement, this.output);
      this.output.put(`;return ${name}});\n`);
    } else this.nameless(statement);
    this.exported(statement, [name]);
  }

  /** `export default function () {…}` */
  private nameless(statement: ts.FunctionDeclaration | ts.ClassDeclaration): void {
    this.output.put(`$m.lazy("$default",${start(statement)},()=>({"default":`);
    this.renderer.render(statement, this.output);
    this.output.put('\n})["default"]);\n');
  }

  /** Enums and namespaces. All declarations of a name are lowered together: they see each other's members. */
  private mergeable(statement: ts.EnumDeclaration | ts.ModuleDeclaration): void {
    if (!ts.isIdentifier(statement.name)) return;
    const name = statement.name.text;
    this.exported(statement, [name]);
    if (this.merged.has(name)) return;
    this.merged.add(name);
    const lowered = new Output();
    this.renderer.renderLowered(
      this.source.statements.filter((other) => isMergeable(other, name)),
      lowered,
    );
    if (lowered.text === '') return; // namespaces of types only
    const declared = lookup(name, this.source)?.declaration;
    if (declared && (ts.isFunctionDeclaration(declared) || ts.isClassDeclaration(declared))) {
      // What adds to a function or class is a statement about it; a variable would hide what it adds to.
      this.output.put('$m.effect([],()=>{');
      this.output.append(withoutVariable(lowered, name));
      this.output.put('});\n');
      return;
    }
    this.output.put(`$m.lazy(${quote(name)},${start(statement)},()=>{`);
    this.output.append(lowered);
    this.output.put(`;return ${name}});\n`);
  }

  private import(statement: ts.ImportDeclaration): void {
    if (!ts.isStringLiteral(statement.moduleSpecifier)) return;
    const clause = statement.importClause;
    const { text } = statement.moduleSpecifier;
    if (!clause) {
      this.output.put(`$m.bare(${this.specifier(text)});\n`);
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
    if (names.length > 0) this.output.put(`$m.import(${this.specifier(text)},${quote(names)});\n`);
  }

  private importEquals(statement: ts.ImportEqualsDeclaration): void {
    if (statement.isTypeOnly) return;
    const reference = statement.moduleReference;
    const name = statement.name.text;
    if (ts.isExternalModuleReference(reference)) {
      if (!ts.isStringLiteralLike(reference.expression)) return;
      this.output.put(`$m.import(${this.specifier(reference.expression.text)},${quote([[name, '*cjs']])});\n`);
    } else {
      this.output.put(`$m.lazy(${quote(name)},${start(statement)},()=>(`);
      this.output.copy(reference.getText(this.source), start(reference));
      this.output.put('));\n');
    }
    this.exported(statement, [name]);
  }

  private reexport(statement: ts.ExportDeclaration): void {
    if (statement.isTypeOnly) return;
    const clause = statement.exportClause;
    const elements = clause && ts.isNamedExports(clause) ? clause.elements.filter((one) => !one.isTypeOnly) : [];
    const pairs = elements.map((one): [string, string] => [one.name.text, (one.propertyName ?? one.name).text]);
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
    const index = this.specifier(statement.moduleSpecifier.text);
    if (!clause) this.output.put(`$m.star(${index});\n`);
    else if (ts.isNamespaceExport(clause)) {
      this.output.put(`$m.reexport(${index},${quote([[clause.name.text, '*']])});\n`);
    } else if (pairs.length > 0) this.output.put(`$m.reexport(${index},${quote(pairs)});\n`);
  }

  /** What a CommonJS module exports is lazy too. */
  private commonJs(statement: ts.Statement): boolean {
    if (!ts.isExpressionStatement(statement)) return false;
    const star = commonJsStar(statement.expression);
    if (star !== undefined) {
      this.reexports.add(star);
      this.output.put(`$m.star(${this.specifier(star)});\n`);
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
      this.lazy(local, position, value, name);
      return;
    }
    this.output.put(`$m.lazy(${quote(local)},${position},()=>(`);
    this.renderer.render(value, this.output);
    this.output.put(')());\n');
  }

  private findRequires(node: ts.Node): void {
    const specifier = requiredSpecifier(node);
    if (specifier !== undefined) this.specifier(specifier);
    ts.forEachChild(node, (child) => this.findRequires(child));
  }
}

function isMergeable(statement: ts.Statement, name: string): statement is ts.EnumDeclaration | ts.ModuleDeclaration {
  if (!ts.isEnumDeclaration(statement) && !ts.isModuleDeclaration(statement)) return false;
  return statement.name.text === name && !has(statement, ts.SyntaxKind.DeclareKeyword);
}

/** Whether an expression is a function or class that takes its name from the variable it is put into. */
function isNameless(expression: ts.Expression): boolean {
  if (ts.isArrowFunction(expression)) return true;
  return (ts.isFunctionExpression(expression) || ts.isClassExpression(expression)) && expression.name === undefined;
}

function withoutVariable(lowered: Output, name: string): Output {
  const variable = new RegExp(`^\\s*(?:var|let) ${name};`).exec(lowered.text)?.[0] ?? '';
  const rest = new Output();
  rest.text = variable.replace(/\S/g, ' ') + lowered.text.slice(variable.length);
  rest.pieces.push(...lowered.pieces);
  return rest;
}
