import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { LEAD, RECORDERS, TRAIL } from '../recorders.ts';
import { LazyCell } from './cell.ts';
import { FRAME_PREFIX } from './frames.ts';
import type { ModuleSource } from './messages.ts';
import { ignoringFailure, ModuleEffects } from './moduleEffects.ts';
import { type Imported, ModuleImports } from './moduleImports.ts';
import { type Attempt, Awaits, need } from './needs.ts';

type Thunk = () => unknown;
type Namespace = Record<string, unknown>;

/** What a module asks of the registry it lives in. */
export interface ModuleHost {
  readonly recorders: Readonly<Record<(typeof RECORDERS)[number], unknown>>;
  /** The attempt that is running. */
  readonly attempt: Attempt;
  module(file: string): LazyModule;
  external(specifier: string, from: string, how: 'import' | 'require'): Namespace;
}

const RESERVED = ['$m', '$$meta', '$$import', ...RECORDERS.map((name) => `$$${name}`)];

interface Exported {
  readonly get: Thunk;
  readonly from?: Imported;
}
/**
 * A module of the workspace whose top-level bindings are evaluated when they are first read. The generated code
 * (evaluation/compile.ts) calls the public methods on `$m`.
 */
export class LazyModule {
  /** The module's bindings, as the object of a `with`; the code in it is strict. */
  private readonly scope: Namespace = Object.create(null);
  private readonly exported = new Map<string, Exported>();
  private readonly importedNames = new Map<string, Imported>();
  private readonly stars: number[] = [];
  private readonly effects = new ModuleEffects();
  private readonly imports: ModuleImports;
  private isDynamic = false;
  private readonly tools = new Map<number, Thunk>();
  private namespace: Namespace | undefined;
  private jsonValue: { readonly value: unknown } | undefined;

  constructor(
    private readonly host: ModuleHost,
    private readonly source: ModuleSource,
  ) {
    this.imports = new ModuleImports(host, source);
  }

  /**
   * Runs the code, which only lays out the bindings.
   *
   * @throws Need when this Node does not know the code's syntax, and it can be lowered
   */
  lay(): void {
    this.defineNodeGlobals();
    const url = pathToFileURL(this.source.file).href;
    const meta = {
      url,
      filename: this.source.file,
      dirname: dirname(this.source.file),
      resolve: (specifier: string) => new URL(specifier, url).href,
    };
    const values = [
      this,
      meta,
      (specifier: string) => this.imports.namespace(specifier),
      ...RECORDERS.map((name) => this.host.recorders[name]),
    ];
    this.compiled().apply(undefined, values as never[]);
  }

  private compiled(): (...values: never[]) => void {
    const { code, file, isLowered } = this.source;
    try {
      const options = { filename: FRAME_PREFIX + file };
      return compileFunction(LEAD + code + TRAIL, [...RESERVED], options) as (...values: never[]) => void;
    } catch (error) {
      if (isLowered) {
        const { message } = error as Error;
        throw new SyntaxError(`${basename(file)} has syntax that Node ${process.version} does not know: ${message}`);
      }
      throw this.host.attempt.miss(need('lowered', file));
    }
  }

  // ---- what the generated code calls

  awaits(site: number): Thunk {
    return () => {
      throw new Awaits(site);
    };
  }

  /** Stands for what only runs when a tool is called or registered: see evaluation/callTime.ts. */
  leftOut(): never {
    const { attempt } = this.host;
    // What called it may have changed things already, and is done anew with the whole function.
    attempt.isTorn = true;
    throw attempt.miss(need('whole', this.source.file));
  }

  lazy(name: string, position: number, thunk: Thunk): void {
    const cell = new LazyCell(this.host, { file: this.source.file, position, name }, thunk);
    this.define(
      name,
      () => cell.get(),
      (value) => cell.set(value),
    );
  }

  destructure(names: readonly string[], position: number, thunk: () => Namespace): void {
    const whole = `$whole ${position}`;
    this.lazy(whole, position, thunk);
    for (const name of names) {
      let assigned: { readonly value: unknown } | undefined;
      this.define(
        name,
        () => (assigned ? assigned.value : (this.scope[whole] as Namespace)[name]),
        (value) => {
          assigned = { value };
        },
      );
    }
  }

  value(name: string, get: Thunk, set: (value: unknown) => void): void {
    this.define(name, get, set);
  }

  import(index: number, names: readonly (readonly [local: string, imported: string])[]): void {
    for (const [local, name] of names) {
      this.importedNames.set(local, { index, name });
      this.define(local, () => this.imports.value({ index, name }));
    }
  }

  bare(index: number): void {
    this.effects.addImport(index);
  }

  exports(names: readonly (readonly [exported: string, local: string])[]): void {
    for (const [exported, local] of names) {
      const from = this.importedNames.get(local);
      this.exported.set(exported, { get: () => this.scope[local], ...(from && { from }) });
    }
  }

  reexport(index: number, names: readonly (readonly [exported: string, imported: string])[]): void {
    for (const [exported, name] of names) {
      this.exported.set(exported, { get: () => this.imports.value({ index, name }), from: { index, name } });
    }
  }

  star(index: number): void {
    this.stars.push(index);
  }

  effect(names: readonly string[], run: () => void): void {
    this.effects.add(names, run);
  }

  /** A kept statement sets exports by names that it computes. */
  commonJs(): void {
    this.isDynamic = true;
  }

  tool(index: number, thunk: Thunk): void {
    this.tools.set(index, thunk);
  }

  json(text: string): void {
    try {
      this.jsonValue = { value: JSON.parse(text) };
    } catch (error) {
      throw new SyntaxError(`${basename(this.source.file)} is no JSON: ${(error as Error).message}`);
    }
  }

  // ---- what the registry and other modules ask

  /** Runs the thunk of a tool. */
  runTool(index: number): unknown {
    this.runEffects();
    const thunk = this.tools.get(index);
    if (!thunk) throw new Error(`no tool ${index} in ${this.source.file}`);
    return thunk();
  }

  /** The value of an export. @throws what its initialiser throws, or when there is no such export */
  get(name: string): unknown {
    const isWhole = name.startsWith('*');
    if (this.jsonValue)
      return isWhole || name === 'default' ? this.jsonValue.value : memberOf(this.jsonValue.value, name);
    this.runEffects();
    const own = this.exported.get(name);
    if (own) return own.get();
    const commonJs = this.exported.get('*cjs');
    if (commonJs) return isWhole || name === 'default' ? commonJs.get() : memberOf(commonJs.get(), name);
    if (isWhole) return this.asNamespace();
    for (const index of this.stars) {
      if (this.imports.starHas(index, name, new Set([this]))) return this.imports.value({ index, name });
    }
    if (this.isCommonJs()) {
      const whole = this.asNamespace();
      return name === 'default' ? (whole.default ?? whole) : whole[name];
    }
    throw new SyntaxError(`${basename(this.source.file)} does not export "${name}"`);
  }

  has(name: string, seen = new Set<LazyModule>()): boolean {
    if (seen.has(this)) return false;
    seen.add(this);
    if (this.jsonValue || name.startsWith('*')) return true;
    const own = this.exported.get(name);
    if (own) return !own.from || this.imports.isValue(own.from, seen);
    if (this.exported.has('*cjs') || this.isCommonJs()) return true;
    return name !== 'default' && this.stars.some((index) => this.imports.starHas(index, name, seen));
  }

  private names(seen = new Set<LazyModule>()): Set<string> {
    const names = new Set<string>();
    if (seen.has(this)) return names;
    seen.add(this);
    for (const [name, { from }] of this.exported) {
      if (name !== '*cjs' && (!from || this.imports.isValue(from, new Set([this])))) names.add(name);
    }
    for (const index of this.stars) {
      const found = this.imports.module(index)?.names(seen) ?? Object.keys(this.imports.package(index) ?? {});
      for (const name of found) if (name !== 'default') names.add(name);
    }
    return names;
  }

  private isCommonJs(): boolean {
    return this.isDynamic || [...this.exported.keys()].some((name) => `exports ${name}` in this.scope);
  }

  /** All exports, as `import * as` or `require` answers them: sorted, and without a prototype, in the former. */
  private asNamespace(): Namespace {
    if (this.namespace) return this.namespace;
    const isCommonJs = this.isCommonJs();
    const names = [...this.names()];
    const namespace = (isCommonJs ? {} : Object.create(null)) as Namespace;
    for (const name of isCommonJs ? names : names.sort()) {
      Object.defineProperty(namespace, name, {
        get: () => this.get(name),
        set: (value) => {
          this.exported.set(name, { get: () => value });
          Object.defineProperty(namespace, name, { value, enumerable: true, writable: true });
        },
        enumerable: true,
        configurable: true,
      });
    }
    this.namespace = namespace;
    return namespace;
  }

  /** Runs the kept statements of the module and of all workspace modules that it imports, these first. */
  private runAllEffects(seen: Set<LazyModule>): void {
    if (seen.has(this)) return;
    seen.add(this);
    this.source.resolved.forEach((_, index) => {
      ignoringFailure(() => this.imports.module(index)?.runAllEffects(seen));
    });
    this.runEffects();
  }

  private runEffects(): void {
    this.effects.run(
      (name) => this.scope[name],
      (index) => this.runBareImport(index),
      () => {
        this.host.attempt.isTorn = true;
      },
    );
  }

  /** `import "./tools/register.js"` for what it does: to a registry, or to zod itself. */
  private runBareImport(index: number): void {
    const target = this.imports.target(index);
    if ('file' in target) this.host.module(target.file).runAllEffects(new Set([this]));
    else if ('bare' in target && /zod/.test(target.bare)) this.imports.package(index);
  }

  private define(name: string, get: Thunk, set?: (value: unknown) => void): void {
    Object.defineProperty(this.scope, name, { get, ...(set && { set }), enumerable: true, configurable: true });
  }

  private defineNodeGlobals(): void {
    const { file } = this.source;
    this.define('__filename', () => file);
    this.define('__dirname', () => dirname(file));
    const require = Object.assign((specifier: string) => this.imports.required(specifier), {
      resolve: (specifier: string) => specifier,
    });
    this.define('require', () => require);
    this.define('exports', () => this.get('*cjs'));
    this.define('module', () => ({ exports: this.get('*cjs') }));
  }
}

function memberOf(value: unknown, name: string): unknown {
  return value === undefined || value === null ? undefined : (value as Namespace)[name];
}
