import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { LEAD, RECORDERS } from '../recorders.ts';
import type { ModuleSource, Resolved } from './messages.ts';
import { type Attempt, Awaits, Need, type TrailStep } from './needs.ts';

type Thunk = () => unknown;
type Namespace = Record<string, unknown>;

/** What a module asks of the registry it lives in. */
export interface ModuleHost {
  readonly recorders: Readonly<Record<(typeof RECORDERS)[number], unknown>>;
  /** The attempt that is running. */
  readonly attempt: Attempt;
  module(file: string): LazyModule;
  external(specifier: string, from: string): Namespace;
}

/** Generated code names itself with this prefix in stack frames. */
export const FRAME_PREFIX = 'tool-contracts:';

const UNSET = 0;
const RUNNING = 1;
const DONE = 2;
const FAILED = 3;
const RESERVED = ['$m', '$$meta', '$$import', ...RECORDERS.map((name) => `$$${name}`)];

/**
 * A module of the workspace whose top-level bindings are evaluated when they are first read. The generated code
 * (evaluation/compile.ts) calls the public methods on `$m`.
 */
export class LazyModule {
  /** The module's bindings, as the object of a `with`; the code in it is strict. */
  private readonly scope: Namespace = Object.create(null);
  private readonly exported = new Map<string, () => unknown>();
  private readonly stars: number[] = [];
  private readonly bareImports: number[] = [];
  private effects: Thunk[] = [];
  private effectsRunning = false;
  private readonly tools = new Map<number, Thunk>();
  private namespace: Namespace | undefined;
  private jsonValue: { readonly value: unknown } | undefined;

  constructor(
    private readonly host: ModuleHost,
    private readonly source: ModuleSource,
  ) {}

  /** Runs the code, which only lays out the bindings. @throws SyntaxError when the code does not parse on this Node */
  lay(): void {
    const code = `${LEAD}${this.source.code}\n}).call(undefined)}`;
    const names = [...RESERVED];
    const run = compileFunction(code, names, { filename: FRAME_PREFIX + this.source.file });
    this.defineNodeGlobals();
    const meta = {
      url: pathToFileURL(this.source.file).href,
      filename: this.source.file,
      dirname: dirname(this.source.file),
      resolve: (specifier: string) => new URL(specifier, pathToFileURL(this.source.file)).href,
    };
    const values = [
      this,
      meta,
      (specifier: string) => this.namespaceOf(specifier),
      ...RECORDERS.map((name) => this.host.recorders[name]),
    ];
    run.apply(undefined, values as never[]);
  }

  // ---- what the generated code calls

  awaits(site: number): Thunk {
    return () => {
      throw new Awaits(site);
    };
  }

  lazy(name: string, position: number, thunk: Thunk): void {
    let state = UNSET;
    /** The value, or what was thrown. */
    let value: unknown;
    let trail: readonly TrailStep[] = [];
    const reset = () => {
      state = UNSET;
      value = undefined;
    };
    const get = (): unknown => {
      if (state === DONE) return value;
      if (state === FAILED) {
        this.host.attempt.trails.set(value, trail);
        throw value;
      }
      if (state === RUNNING) throw new ReferenceError(`Cannot access '${name}' before initialization: it needs itself`);
      state = RUNNING;
      try {
        value = thunk();
        state = DONE;
        this.host.attempt.finished(reset);
        return value;
      } catch (error) {
        if (error instanceof Need) {
          state = UNSET;
          throw error;
        }
        const { attempt } = this.host;
        trail = [...(attempt.trails.get(error) ?? []), { file: this.source.file, position, name }];
        attempt.trails.set(error, trail);
        state = FAILED;
        value = error;
        attempt.finished(reset);
        throw error;
      }
    };
    this.define(name, get, (assigned) => {
      value = assigned;
      state = DONE;
    });
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

  /** An enum or namespace declaration, given what earlier declarations of its name made. */
  merge(name: string, position: number, thunk: (previous: unknown) => unknown): void {
    const previous = Object.getOwnPropertyDescriptor(this.scope, name)?.get;
    this.lazy(name, position, () => thunk(previous?.()));
  }

  import(index: number, names: readonly (readonly [local: string, imported: string])[]): void {
    for (const [local, imported] of names) this.define(local, () => this.imported(index, imported));
  }

  bare(index: number): void {
    this.bareImports.push(index);
  }

  exports(names: readonly (readonly [exported: string, local: string])[]): void {
    for (const [exported, local] of names) this.exported.set(exported, () => this.scope[local]);
  }

  reexport(index: number, names: readonly (readonly [exported: string, imported: string])[]): void {
    for (const [exported, imported] of names) this.exported.set(exported, () => this.imported(index, imported));
  }

  star(index: number): void {
    this.stars.push(index);
  }

  effect(_position: number, thunk: Thunk): void {
    this.effects.push(thunk);
  }

  tool(index: number, thunk: Thunk): void {
    this.tools.set(index, thunk);
  }

  json(text: string): void {
    this.jsonValue = { value: JSON.parse(text) };
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
    if (this.jsonValue)
      return name === 'default' || name.startsWith('*')
        ? this.jsonValue.value
        : (this.jsonValue.value as Namespace)?.[name];
    this.runEffects();
    const own = this.exported.get(name);
    if (own) return own();
    const commonJs = this.exported.get('*cjs');
    if (commonJs) {
      const value = commonJs();
      return name === 'default' || name.startsWith('*') ? value : (value as Namespace)?.[name];
    }
    if (name === '*' || name === '*cjs') return this.asNamespace();
    for (const index of this.stars) {
      const target = this.target(index);
      if ('file' in target) {
        const module = this.host.module(target.file);
        if (module.has(name)) return module.get(name);
      } else if ('bare' in target) {
        const namespace = this.host.external(target.bare, this.source.file);
        if (name in namespace) return namespace[name];
      }
    }
    if (name === 'default' && this.exported.size > 0 && this.isCommonJs()) return this.asNamespace();
    throw new SyntaxError(`The module ${this.source.file} does not export '${name}'`);
  }

  has(name: string, seen = new Set<LazyModule>()): boolean {
    if (seen.has(this)) return false;
    seen.add(this);
    if (this.jsonValue) return true;
    if (this.exported.has(name) || this.exported.has('*cjs')) return true;
    return this.stars.some((index) => {
      const target = this.target(index);
      if ('file' in target) return this.host.module(target.file).has(name, seen);
      return 'bare' in target && name in this.host.external(target.bare, this.source.file);
    });
  }

  private names(seen = new Set<LazyModule>()): Set<string> {
    const names = new Set<string>();
    if (seen.has(this)) return names;
    seen.add(this);
    for (const name of this.exported.keys()) if (name !== '*cjs') names.add(name);
    for (const index of this.stars) {
      const target = this.target(index);
      if (!('file' in target)) continue;
      for (const name of this.host.module(target.file).names(seen)) if (name !== 'default') names.add(name);
    }
    return names;
  }

  private isCommonJs(): boolean {
    return [...this.exported.keys()].some((name) => `exports ${name}` in this.scope);
  }

  private asNamespace(): Namespace {
    if (this.namespace) return this.namespace;
    const namespace: Namespace = {};
    for (const name of this.names()) {
      Object.defineProperty(namespace, name, { get: () => this.get(name), enumerable: true });
    }
    this.namespace = namespace;
    return namespace;
  }

  /** Runs the kept top-level statements, once. What throws in them is no reason for anything else to fail. */
  private runEffects(): void {
    if (this.effectsRunning || (this.effects.length === 0 && this.bareImports.length === 0)) return;
    this.effectsRunning = true;
    try {
      for (const index of this.bareImports) {
        const target = this.target(index);
        if ('file' in target) this.host.module(target.file).runEffects();
      }
      while (this.effects.length > 0) {
        try {
          this.effects[0]?.();
        } catch (error) {
          if (error instanceof Need) throw error;
        }
        this.effects.shift();
      }
      this.bareImports.length = 0;
    } finally {
      this.effectsRunning = false;
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
    const target = this.target(index);
    if ('missing' in target) throw new Error(`cannot resolve "${this.source.specifiers[index]}"`);
    if ('file' in target) return this.host.module(target.file).get(name);
    const namespace = this.host.external(target.bare, this.source.file);
    if (name === '*') return namespace;
    if (name === '*cjs') return namespace['module.exports'] ?? namespace.default ?? namespace;
    if (name in namespace) return namespace[name];
    // CommonJS packages: named exports that Node did not detect are members of the default export.
    const fallback = namespace.default;
    return typeof fallback === 'object' && fallback !== null ? (fallback as Namespace)[name] : undefined;
  }

  private required(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    if (index < 0) throw new Error(`cannot resolve "${specifier}"`);
    return this.imported(index, '*cjs');
  }

  private namespaceOf(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    const target = this.target(index);
    if ('file' in target && target.file.endsWith('.json')) return { default: this.imported(index, '*') };
    return this.imported(index, '*');
  }
}
