import type { Candidate, Place } from '../../../shared/src/model.ts';
import { discover, mayOffer } from '../discovery/discover.ts';
import { parse } from '../discovery/syntax.ts';
import { relativePath } from '../files/paths.ts';
import { Problems } from '../files/problems.ts';
import type { FileTree } from '../files/tree.ts';
import { type Compiled, compileJson } from './compile.ts';
import { compileFound, compileLowered } from './compileFound.ts';
import { failingExpression, initializerAt } from './failingPlace.ts';
import { ImportGraph, type Links, linksOf } from './importGraph.ts';
import { type ModuleForm, type ModuleSource, type Resolved, SITES, type WireFailure } from './sandbox/messages.ts';
import { messageOf } from './sandbox/schema.ts';
import { firstSyntaxError, type SyntaxFault } from './syntaxFault.ts';

/** Resolves import specifiers of workspace files; see files/resolution.ts. */
export interface SpecifierResolver {
  resolve(specifier: string, fromFile: string): Resolved;
  /** Forgets its answers: files came or went. */
  clear(): void;
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
  /** A file that has never parsed: the first syntax error, as a sentence. Its candidates are not evaluated. */
  readonly syntaxError?: SyntaxFault;
}

/** What an update of files comes to. */
export interface ModuleUpdate {
  /** Files whose module is another one now. */
  readonly changed: string[];
  /** Files that have to be evaluated anew because of them. */
  readonly affected: string[];
  /** What changed is kept by zod itself for the whole process: only a new process forgets it. */
  readonly restart: boolean;
}

const NOTHING: Compiled = { code: '', sites: [], specifiers: [], pieces: [], writes: [], reexports: [] };
/** Modules that may be compiled beside those that were asked for. */
const MORE = 16;
/** Settings of zod that hold for the whole process. */
const ZOD_CONFIG = /\bz(?:od)?\s*\.\s*(?:config|setErrorMap)\s*\(|\bextendZod\w*\s*\(/;

/** The modules of one tree, compiled when they are needed and kept while their text stays the same. */
export class Modules {
  private readonly modules = new Map<string, Module>();
  private readonly numbers = new Map<string, number>();
  private readonly files: string[] = [];
  private readonly graph = new ImportGraph();
  /** Files that were there when they were last looked at. */
  private readonly present = new Set<string>();
  /** Files whose syntax is too new for the sandbox's Node. */
  private readonly lowered = new Set<string>();
  /** Files of which evaluation called what runs when a tool is called or registered. */
  private readonly whole = new Set<string>();
  private readonly unread = new Problems();

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
    const known = this.modules.get(file);
    if (known) return known;
    const text = this.read(file);
    return text === undefined ? undefined : this.keep(this.compileText(file, text));
  }

  /** The module as it is known, without looking at the file. */
  known(file: string): Module | undefined {
    return this.modules.get(file);
  }

  /** What of a module that was evaluated the sandbox runs; undefined when it is not known. */
  codeOf(file: string): { readonly code: string; readonly specifiers: readonly string[] } | undefined {
    return this.modules.get(file)?.compiled;
  }

  /** The module of a file that may offer tools, or undefined when its text shows that it does not. */
  offering(file: string): Module | undefined {
    let module = this.modules.get(file);
    if (!module) {
      const text = this.read(file);
      this.unread.delete(file);
      if (text === undefined || !mayOffer(text, this.schemaKeysOf(file))) return undefined;
      if (isMinified(text)) {
        this.unread.add(file, `${relativePath(this.tree.root, file)} ${MINIFIED}`);
        return undefined;
      }
      module = this.keep(this.compileText(file, text));
    }
    return module.candidates.length > 0 ? module : undefined;
  }

  /** Sentences about files that may offer tools and are not looked at. */
  problems(): string[] {
    return this.unread.list();
  }

  /** Takes over the present text of files that changed, came or went. */
  update(files: readonly string[]): ModuleUpdate {
    const changed = new Set<string>();
    const before: Links[] = [];
    let restart = false;
    const note = (old: Module | undefined, now: Module | undefined) => {
      if (old) before.push(linksOf(old));
      restart ||= [old, now].some((module) => module !== undefined && ZOD_CONFIG.test(module.text));
    };
    const moved = files.filter((file) => this.tree.exists(file) !== this.present.has(file));
    for (const file of files) {
      const old = this.modules.get(file);
      if (!this.updateOne(file)) continue;
      note(old, this.modules.get(file));
      changed.add(file);
    }
    if (moved.some(isImportable)) {
      for (const old of this.resolveAnew()) {
        note(old, undefined);
        changed.add(old.file);
      }
    }
    const affected = this.graph.affectedBy([...changed], before);
    return { changed: [...changed], affected, restart };
  }

  /** Forgets everything that depends on how imports resolve. */
  clear(): void {
    this.modules.clear();
    this.graph.clear();
    this.present.clear();
    this.lowered.clear();
    this.whole.clear();
    this.unread.clear();
  }

  /**
   * Modules as the sandbox wants them; one that cannot be read throws when it is run.
   *
   * @param form other than `plain`: the modules are in this form from now on
   */
  supply(files: readonly string[], form: ModuleForm = 'plain'): ModuleSource[] {
    return files.map((file) => {
      if (form !== 'plain') this.reshape(file, form === 'lowered' ? this.lowered : this.whole);
      const module = this.get(file);
      const code = module?.compiled.code ?? `throw new Error(${JSON.stringify(`the file ${file} cannot be read`)});`;
      return {
        file,
        number: this.numberOf(file),
        code,
        specifiers: module?.compiled.specifiers ?? [],
        resolved: module?.resolved ?? [],
        ...(this.lowered.has(file) && { isLowered: true }),
      };
    });
  }

  /**
   * Modules of some files and of what they import, as far as they are compiled already: asking for them one by one costs
   * a message each.
   *
   * @param given files that are left out
   */
  supplyAhead(files: readonly string[], given: ReadonlySet<string>): ModuleSource[] {
    const wanted = this.reached(files, (file) => this.modules.get(file));
    return this.supply([...wanted].filter((file) => !given.has(file)));
  }

  /**
   * Modules that were asked for, and some of what they import: what schemas are built on imports more of the same, and
   * the sandbox waits for each answer.
   */
  supplyWithImports(files: readonly string[], given: ReadonlySet<string>): ModuleSource[] {
    let compiled = 0;
    const wanted = this.reached(files, (file) => {
      const known = this.modules.get(file);
      return known ?? (compiled++ < MORE ? this.get(file) : undefined);
    });
    return this.supply([...files, ...[...wanted].filter((file) => !files.includes(file) && !given.has(file))]);
  }

  /** Files, and what they import directly and through each other, as far as they are looked up. */
  private reached(files: readonly string[], lookup: (file: string) => Module | undefined): Set<string> {
    const reached = new Set<string>();
    const open = [...files];
    for (const file of open) {
      if (reached.has(file)) continue;
      const module = lookup(file);
      if (!module) continue;
      reached.add(file);
      for (const target of module.resolved) if ('file' in target) open.push(target.file);
    }
    return reached;
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
   * The expression that failed: the await that the code knew, the innermost stack frame, else the initialiser of the
   * innermost binding.
   *
   * @returns undefined when none of them lies in a source text
   */
  failingPlace({ site, frame, trail }: WireFailure): Place | undefined {
    const known = site === undefined ? undefined : this.place(site);
    if (known) return known;
    const [step] = trail;
    return (frame && this.placeOfFrame(frame)) ?? (step && this.placeOfStep(step));
  }

  private placeOfFrame({ file, line, column }: NonNullable<WireFailure['frame']>): Place | undefined {
    const module = this.modules.get(file);
    if (!module) return undefined;
    if (module.syntaxError) return { file, span: module.syntaxError.span };
    if (file.endsWith('.json')) return { file, span: { start: 0, end: module.text.split('\n', 1)[0]?.length ?? 0 } };
    const { code, pieces } = module.compiled;
    const span = failingExpression(parse(file, module.text), code, pieces, line, column);
    return span && { file, span };
  }

  private placeOfStep({ file, position }: WireFailure['trail'][number]): Place | undefined {
    const module = this.modules.get(file);
    const span = module && initializerAt(parse(file, module.text), position);
    return span && { file, span };
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

  private read(file: string): string | undefined {
    const text = this.tree.read(file);
    if (text === undefined) this.present.delete(file);
    else this.present.add(file);
    return text;
  }

  /** @returns whether the file's module is another one now */
  private updateOne(file: string): boolean {
    const text = this.read(file);
    const before = this.modules.get(file);
    if (!before) return false;
    if (text === undefined) {
      this.modules.delete(file);
      this.graph.delete(file);
      return true;
    }
    if (text === before.text) {
      if (before.stale) this.modules.set(file, { ...before, stale: false });
      return false;
    }
    const after = this.compileText(file, text);
    if (after.syntaxError && !before.syntaxError) {
      this.modules.set(file, { ...before, stale: true });
      return false;
    }
    this.keep(after);
    return true;
  }

  /** Looks up again where imports lead. @returns the modules that had another answer before */
  private resolveAnew(): Module[] {
    this.resolver.clear();
    const before: Module[] = [];
    for (const module of [...this.modules.values()]) {
      const resolved = this.resolve(module.file, module.compiled.specifiers);
      if (JSON.stringify(resolved) === JSON.stringify(module.resolved)) continue;
      before.push(module);
      this.keep({ ...module, resolved });
    }
    return before;
  }

  /** Compiles a module anew as one of those that have a form. */
  private reshape(file: string, those: Set<string>): void {
    if (those.has(file)) return;
    those.add(file);
    const known = this.modules.get(file);
    if (known) this.keep({ ...this.compileText(file, known.text), stale: known.stale });
  }

  private keep(module: Module): Module {
    this.modules.set(module.file, module);
    this.graph.set(module.file, linksOf(module));
    return module;
  }

  private resolve(file: string, specifiers: readonly string[]): Resolved[] {
    return specifiers.map((specifier) => this.resolver.resolve(specifier, file));
  }

  private compileText(file: string, text: string): Module {
    const common = { file, number: this.numberOf(file), text, resolved: [], candidates: [], stale: false };
    if (file.endsWith('.json')) return { ...common, compiled: compileJson(text) };
    try {
      return this.compileSource(file, text, common);
    } catch (error) {
      // A file that is nested thousands of levels deep overflows the stack of every parser.
      const message = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error);
      return {
        ...common,
        ...unreadable({ message: `the file cannot be read: ${message}`, span: { start: 0, end: 1 } }),
      };
    }
  }

  private compileSource(file: string, text: string, common: Omit<Module, 'compiled'>): Module {
    const source = parse(file, text);
    const schemaKeys = this.schemaKeysOf(file);
    const found = mayOffer(text, schemaKeys) ? discover(source, { schemaKeys }) : [];
    const syntaxError = firstSyntaxError(source);
    if (syntaxError) return { ...common, ...unreadable(syntaxError), candidates: found.map((each) => each.candidate) };
    const isWhole = this.whole.has(file);
    const { compiled, candidates } = this.lowered.has(file)
      ? compileLowered(source, common.number, found, isWhole)
      : compileFound(source, common.number, found, { isWhole });
    return { ...common, compiled, candidates, resolved: this.resolve(file, compiled.specifiers) };
  }
}

/** What a module is whose text cannot be understood. */
function unreadable(syntaxError: SyntaxFault) {
  return {
    compiled: { ...NOTHING, code: `throw new SyntaxError(${JSON.stringify(syntaxError.message)});` },
    syntaxError,
  };
}

function isImportable(file: string): boolean {
  return /\.(?:[cm]?[jt]sx?|json)$/.test(file);
}

/** Minified bundles are no source: one line of them is longer than any that a person writes. */
function isMinified(text: string): boolean {
  if (text.length <= 20_000) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > 1_000;
}

const MINIFIED =
  'is written in very long lines, as a minified bundle is, so its tools are not checked; check what it is made from, or format it.';
