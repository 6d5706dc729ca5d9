import type { Candidate, Place, Span } from '../../../shared/src/model.ts';
import { discover, mayOffer } from '../discovery/discover.ts';
import type { Found } from '../discovery/found.ts';
import { parse } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import type { FileTree } from '../files/tree.ts';
import { type Compiled, compile, compileJson } from './compile.ts';
import { sourceOffset } from './edits.ts';
import { LEAD } from './recorders.ts';
import { type ModuleSource, type Resolved, SITES, type WireFailure } from './sandbox/messages.ts';
import { writeThunk } from './thunk.ts';

/** Resolves import specifiers of workspace files; see files/resolution.ts. */
export interface SpecifierResolver {
  resolve(specifier: string, fromFile: string): Resolved;
}

/** A workspace module at one text. */
export interface Module {
  readonly file: string;
  readonly number: number;
  readonly text: string;
  readonly compiled: Compiled;
  readonly resolved: readonly Resolved[];
  readonly candidates: readonly Candidate[];
  /** The file's text has moved on and does not parse: this is the last good one. */
  readonly stale: boolean;
  /** A file that has never parsed: the first syntax error. Its candidates are not evaluated. */
  readonly syntaxError?: { readonly message: string; readonly span: Span };
}

/** The modules of one tree, compiled when they are needed and kept while their text stays the same. */
export class Modules {
  private readonly modules = new Map<string, Module>();
  private readonly numbers = new Map<string, number>();
  private readonly files: string[] = [];
  /** Who imports a file, as far as the importers are compiled. */
  private readonly importers = new Map<string, Set<string>>();

  constructor(
    private readonly tree: FileTree,
    private readonly resolver: SpecifierResolver,
    private readonly schemaKeysOf: (file: string) => readonly string[],
  ) {}

  /**
   * The module of a file at its present text; when that does not parse, the last that did, marked stale. Undefined when
   * the file cannot be read.
   */
  get(file: string): Module | undefined {
    return this.modules.get(file) ?? this.compile(file);
  }

  /** The module as it is known, without looking at the file. */
  known(file: string): Module | undefined {
    return this.modules.get(file);
  }

  /** The module of a file that may offer tools, or undefined when its text shows that it does not. */
  offering(file: string): Module | undefined {
    const known = this.modules.get(file);
    if (known) return known.candidates.length > 0 ? known : undefined;
    const text = this.tree.read(file);
    if (text === undefined || isMinified(text) || !mayOffer(text, this.schemaKeysOf(file))) return undefined;
    const module = this.get(file);
    return module && module.candidates.length > 0 ? module : undefined;
  }

  /**
   * Takes over the present text of changed files.
   *
   * @returns the files whose module is another one now, and those that (transitively) import them
   */
  update(files: readonly string[]): { changed: string[]; affected: string[] } {
    const changed = files.filter((file) => this.updateOne(file));
    const affected = new Set<string>();
    const visit = (file: string) => {
      for (const importer of this.importers.get(file) ?? []) {
        if (affected.has(importer)) continue;
        affected.add(importer);
        visit(importer);
      }
    };
    for (const file of changed) visit(file);
    return { changed, affected: [...affected].filter((file) => !changed.includes(file)) };
  }

  /** Forgets everything that depends on how imports resolve. */
  clear(): void {
    this.modules.clear();
    this.importers.clear();
  }

  /** Modules as the sandbox wants them; one that cannot be read throws when it is run. */
  supply(files: readonly string[]): ModuleSource[] {
    return files.map((file) => {
      const module = this.get(file);
      const code = module?.compiled.code ?? `throw new Error(${JSON.stringify(`the file ${file} cannot be read`)});`;
      return {
        file,
        number: this.numberOf(file),
        code,
        specifiers: module?.compiled.specifiers ?? [],
        resolved: module?.resolved ?? [],
      };
    });
  }

  /** The place of a site, or undefined when its module is gone. */
  place(site: number): Place | undefined {
    const module = this.moduleOfSite(site);
    const found = module?.compiled.sites[site % SITES];
    return module && found ? { file: module.file, span: { start: found.start, end: found.end } } : undefined;
  }

  /** The name that is called at a site. */
  methodAt(site: number): string {
    return this.moduleOfSite(site)?.compiled.sites[site % SITES]?.method ?? '';
  }

  /**
   * The expression that failed: the smallest call, access or reference at a stack frame of generated code.
   *
   * @returns undefined when the frame lies in no source text
   */
  failingPlace(frame: NonNullable<WireFailure['frame']>): Place | undefined {
    const module = this.modules.get(frame.file);
    if (!module) return undefined;
    const offset = sourceOffset(
      module.compiled.pieces,
      generatedOffset(module.compiled.code, frame.line, frame.column),
    );
    const span = expressionAt(parse(module.file, module.text), offset);
    return span && { file: module.file, span };
  }

  private moduleOfSite(site: number): Module | undefined {
    const file = this.files[Math.floor(site / SITES)];
    return file === undefined ? undefined : this.modules.get(file);
  }

  private numberOf(file: string): number {
    let number = this.numbers.get(file);
    if (number === undefined) {
      number = this.files.push(file) - 1;
      this.numbers.set(file, number);
    }
    return number;
  }

  private updateOne(file: string): boolean {
    const before = this.modules.get(file);
    if (!before) return false;
    const text = this.tree.read(file);
    if (text === before.text && !before.stale) return false;
    if (text === undefined) {
      this.modules.delete(file);
      return true;
    }
    const after = this.compileText(file, text);
    if (after.syntaxError && !before.syntaxError) {
      this.modules.set(file, { ...before, stale: true });
      return false;
    }
    this.keep(after);
    return true;
  }

  private compile(file: string): Module | undefined {
    const text = this.tree.read(file);
    return text === undefined ? undefined : this.keep(this.compileText(file, text));
  }

  private keep(module: Module): Module {
    this.modules.set(module.file, module);
    for (const target of module.resolved) {
      if (!('file' in target)) continue;
      const importers = this.importers.get(target.file);
      if (importers) importers.add(module.file);
      else this.importers.set(target.file, new Set([module.file]));
    }
    return module;
  }

  private compileText(file: string, text: string): Module {
    const number = this.numberOf(file);
    if (file.endsWith('.json')) {
      return { file, number, text, compiled: compileJson(text), resolved: [], candidates: [], stale: false };
    }
    const source = parse(file, text);
    const found = mayOffer(text, this.schemaKeysOf(file))
      ? discover(source, { schemaKeys: this.schemaKeysOf(file) })
      : [];
    const syntaxError = firstSyntaxError(source);
    if (syntaxError) {
      const compiled = {
        code: `throw new SyntaxError(${JSON.stringify(syntaxError.message)});`,
        sites: [],
        specifiers: [],
        pieces: [],
      };
      return {
        file,
        number,
        text,
        compiled,
        resolved: [],
        candidates: found.map((each) => each.candidate),
        stale: false,
        syntaxError,
      };
    }
    const candidates: Candidate[] = [];
    const compiled = compile(source, number, (writer) => found.map((each) => thunkCode(each, writer, candidates)));
    const resolved = compiled.specifiers.map((specifier) => this.resolver.resolve(specifier, file));
    return { file, number, text, compiled, resolved, candidates, stale: false };
  }
}

function thunkCode(
  found: Found,
  writer: Parameters<typeof writeThunk>[1],
  candidates: Candidate[],
): string | undefined {
  const thunk = writeThunk(found, writer);
  if ('code' in thunk) {
    candidates.push(found.candidate);
    return thunk.code;
  }
  candidates.push({ ...found.candidate, unevaluable: { reason: thunk.reason, at: thunk.at } });
  return undefined;
}

/** Minified bundles are no source: one line of them is longer than any that a person writes. */
function isMinified(text: string): boolean {
  return text.length > 20_000 && text.length / (text.split('\n', 2_000).length || 1) > 1_000;
}

function firstSyntaxError(source: ts.SourceFile): Module['syntaxError'] {
  // Not in the public types, but what every TypeScript tool reads: the parser's own diagnostics.
  const { parseDiagnostics } = source as unknown as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  const first = parseDiagnostics?.[0];
  if (!first) return undefined;
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  return {
    message: `the file does not parse: ${message}`,
    span: { start: first.start, end: first.start + Math.max(first.length, 1) },
  };
}

function generatedOffset(code: string, line: number, column: number): number {
  // The code starts within line 1, after what the sandbox puts before it: see LazyModule.lay.
  let offset = 0;
  for (let current = 1; current < line; current++) {
    const next = code.indexOf('\n', offset);
    if (next < 0) break;
    offset = next + 1;
  }
  return offset + column - 1 - (line === 1 ? LEAD.length : 0);
}

function expressionAt(source: ts.SourceFile, offset: number): Span | undefined {
  let best: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > offset || node.end < offset) return;
    if (ts.isIdentifier(node) && best === undefined) best = node;
    ts.forEachChild(node, visit);
    if (node.getStart(source) <= offset && offset < node.end && ts.isIdentifier(node)) best = node;
  };
  visit(source);
  if (!best) return undefined;
  let expression: ts.Node = best;
  // `X.merge(Y)` fails at `merge`: the expression is the call.
  if (ts.isPropertyAccessExpression(expression.parent) && expression.parent.name === expression)
    expression = expression.parent;
  if (ts.isCallExpression(expression.parent) && expression.parent.expression === expression)
    expression = expression.parent;
  if (ts.isNewExpression(expression.parent) && expression.parent.expression === expression)
    expression = expression.parent;
  return { start: expression.getStart(source), end: expression.end };
}
