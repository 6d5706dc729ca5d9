import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { LEAD, RECORDERS, TRAIL } from '../recorders.ts';
import { LazyCell } from './cell.ts';
import type { ModuleSource, Resolved } from './messages.ts';
import { type Attempt, Awaits, Need, need } from './needs.ts';
import { packageMember, packageValue } from './packageValue.ts';

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

/** Generated code names itself with this prefix in stack frames. */
export const FRAME_PREFIX = 'tool-contracts:';
const RESERVED = ['$m', '$$meta', '$$import', ...RECORDERS.map((name) => `$$${name}`)];

/** A name that comes from another module. */
interface Imported {
  readonly index: number;
  readonly name: string;
}
interface Exported {
  readonly get: Thunk;
  readonly from?: Imported;
}
interface Effect {
  /** Bindings that the statement reads at once. */
  readonly names: readonly string[];
  readonly run: () => void;
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
  private bareImports: number[] = [];
  private readonly effects: Effect[] = [];
  private isRunningEffects = false;
  private isDynamic = false;
  private readonly tools = new Map<number, Thunk>();
  private namespace: Namespace | undefined;
  private jsonValue: { readonly value: unknown } | undefined;

  constructor(
    private readonly host: ModuleHost,
    private readonly source: ModuleSource,
  ) {}

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
      (specifier: string) => this.namespaceOf(specifier),
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
      this.define(local, () => this.imported(index, name));
    }
  }

  bare(index: number): void {
    this.bareImports.push(index);
  }

  exports(names: readonly (readonly [exported: string, local: string])[]): void {
    for (const [exported, local] of names) {
      const from = this.importedNames.get(local);
      this.exported.set(exported, { get: () => this.scope[local], ...(from && { from }) });
    }
  }

  reexport(index: number, names: readonly (readonly [exported: string, imported: string])[]): void {
    for (const [exported, name] of names) {
      this.exported.set(exported, { get: () => this.imported(index, name), from: { index, name } });
    }
  }

  star(index: number): void {
    this.stars.push(index);
  }

  effect(names: readonly string[], run: () => void): void {
    this.effects.push({ names, run });
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
      if (this.starHas(index, name)) return this.imported(index, name);
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
    if (own) return !own.from || this.comesFrom(own.from, seen);
    if (this.exported.has('*cjs') || this.isCommonJs()) return true;
    return name !== 'default' && this.stars.some((index) => this.starHas(index, name, seen));
  }

  /** Whether a name that is imported is a value there: a type has no value, and nothing in the syntax may say so. */
  private comesFrom({ index, name }: Imported, seen: Set<LazyModule>): boolean {
    const target = this.target(index);
    if ('missing' in target) return false;
    return 'bare' in target || this.host.module(target.file).has(name, seen);
  }

  private starHas(index: number, name: string, seen = new Set<LazyModule>([this])): boolean {
    const target = this.target(index);
    if ('file' in target) return this.host.module(target.file).has(name, seen);
    return 'bare' in target && name in this.host.external(target.bare, this.source.file, 'import');
  }

  private names(seen = new Set<LazyModule>()): Set<string> {
    const names = new Set<string>();
    if (seen.has(this)) return names;
    seen.add(this);
    for (const [name, { from }] of this.exported) {
      if (name !== '*cjs' && (!from || this.comesFrom(from, new Set([this])))) names.add(name);
    }
    for (const index of this.stars) {
      const target = this.target(index);
      const found =
        'file' in target
          ? this.host.module(target.file).names(seen)
          : 'bare' in target
            ? Object.keys(this.host.external(target.bare, this.source.file, 'import'))
            : [];
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
    for (const target of this.source.resolved) {
      if ('file' in target) ignoringFailure(() => this.host.module(target.file).runAllEffects(seen));
    }
    this.runEffects();
  }

  /** Runs the kept top-level statements, once. What throws in them is no reason for anything else to fail. */
  private runEffects(): void {
    if (this.isRunningEffects || (this.effects.length === 0 && this.bareImports.length === 0)) return;
    this.isRunningEffects = true;
    try {
      for (const index of this.bareImports) this.runBareImport(index);
      this.bareImports = [];
      for (let effect = this.effects[0]; effect; effect = this.effects[0]) {
        for (const name of effect.names) ignoringFailure(() => this.scope[name]);
        try {
          ignoringFailure(effect.run);
        } catch (missing) {
          this.host.attempt.isTorn = true;
          throw missing;
        }
        this.effects.shift();
      }
    } finally {
      this.isRunningEffects = false;
    }
  }

  /** `import "./tools/register.js"` for what it does: to a registry, or to zod itself. */
  private runBareImport(index: number): void {
    const target = this.target(index);
    if ('file' in target) ignoringFailure(() => this.host.module(target.file).runAllEffects(new Set([this])));
    else if ('bare' in target && /zod/.test(target.bare)) {
      ignoringFailure(() => this.host.external(target.bare, this.source.file, 'import'));
    }
  }

  private define(name: string, get: Thunk, set?: (value: unknown) => void): void {
    Object.defineProperty(this.scope, name, { get, ...(set && { set }), enumerable: true, configurable: true });
  }

  private defineNodeGlobals(): void {
    const { file } = this.source;
    this.define('__filename', () => file);
    this.define('__dirname', () => dirname(file));
    const require = Object.assign((specifier: string) => this.required(specifier), {
      resolve: (specifier: string) => specifier,
    });
    this.define('require', () => require);
    this.define('exports', () => this.get('*cjs'));
    this.define('module', () => ({ exports: this.get('*cjs') }));
  }

  private target(index: number): Resolved {
    return this.source.resolved[index] ?? { missing: this.source.specifiers[index] ?? '' };
  }

  private imported(index: number, name: string): unknown {
    const specifier = this.source.specifiers[index] ?? '';
    const target = this.target(index);
    if ('missing' in target) throw new Error(`cannot find "${specifier}", which ${basename(this.source.file)} imports`);
    if ('bare' in target) {
      return packageMember(this.host.external(target.bare, this.source.file, 'import'), specifier, name);
    }
    const module = this.host.module(target.file);
    if (!module.has(name)) throw new SyntaxError(`"${specifier}" does not export "${name}"`);
    return module.get(name);
  }

  private required(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    const target = index < 0 ? { missing: specifier } : this.target(index);
    if ('bare' in target) return packageValue(this.host.external(target.bare, this.source.file, 'require'));
    if ('missing' in target)
      throw new Error(`cannot find "${specifier}", which ${basename(this.source.file)} requires`);
    return this.host.module(target.file).get('*cjs');
  }

  private namespaceOf(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    const target = this.target(index);
    if ('file' in target && target.file.endsWith('.json')) return { default: this.imported(index, '*') };
    return this.imported(index, '*');
  }
}

function memberOf(value: unknown, name: string): unknown {
  return value === undefined || value === null ? undefined : (value as Namespace)[name];
}

/** Runs something whose failure is nobody's reason. @throws Need */
function ignoringFailure(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof Need) throw error;
  }
}
