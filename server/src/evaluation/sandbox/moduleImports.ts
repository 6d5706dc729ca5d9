import { basename } from 'node:path';
import type { ModuleSource, Resolved } from './messages.ts';
import type { LazyModule, ModuleHost } from './module.ts';
import { packageMember, packageValue } from './packageValue.ts';

/** A name of another module. */
export interface Imported {
  /** Index of the module's specifier. */
  readonly index: number;
  readonly name: string;
}

/** What a module reads of others, when it reads it. */
export class ModuleImports {
  constructor(
    private readonly host: ModuleHost,
    private readonly source: ModuleSource,
  ) {}

  /** Where a specifier leads. */
  target(index: number): Resolved {
    return this.source.resolved[index] ?? { missing: this.source.specifiers[index] ?? '' };
  }

  /** The workspace module that a specifier leads to; undefined for anything else. @throws Need */
  module(index: number): LazyModule | undefined {
    const target = this.target(index);
    return 'file' in target ? this.host.module(target.file) : undefined;
  }

  /** The namespace of the package that a specifier leads to; undefined for anything else. @throws Need */
  package(index: number): Record<string, unknown> | undefined {
    const target = this.target(index);
    return 'bare' in target ? this.host.external(target.bare, this.source.file, 'import') : undefined;
  }

  /** The value of a name; `*` and `*cjs` are the whole. @throws when there is no such module or export; Need */
  value({ index, name }: Imported): unknown {
    const specifier = this.source.specifiers[index] ?? '';
    const target = this.target(index);
    if ('missing' in target) throw new Error(`cannot find "${specifier}", which ${this.fileName} imports`);
    if ('bare' in target) {
      return packageMember(this.host.external(target.bare, this.source.file, 'import'), specifier, name);
    }
    const module = this.host.module(target.file);
    if (!module.has(name)) throw new SyntaxError(`"${specifier}" does not export "${name}"`);
    return module.get(name);
  }

  /** What `require` answers. @throws as `value` */
  required(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    const target = index < 0 ? { missing: specifier } : this.target(index);
    if ('bare' in target) return packageValue(this.host.external(target.bare, this.source.file, 'require'));
    if ('missing' in target) throw new Error(`cannot find "${specifier}", which ${this.fileName} requires`);
    return this.host.module(target.file).get('*cjs');
  }

  /** What `await import()` answers. @throws as `value` */
  namespace(specifier: string): unknown {
    const index = this.source.specifiers.indexOf(specifier);
    const target = this.target(index);
    const value = this.value({ index, name: '*' });
    return 'file' in target && target.file.endsWith('.json') ? { default: value } : value;
  }

  /** Whether a name is a value there: a type has no value, and nothing in the syntax may say so. @throws Need */
  isValue({ index, name }: Imported, seen: Set<LazyModule>): boolean {
    const target = this.target(index);
    return 'bare' in target || (this.module(index)?.has(name, seen) ?? false);
  }

  /** Whether `export * from` hands on a name. @throws Need */
  starHas(index: number, name: string, seen: Set<LazyModule>): boolean {
    const module = this.module(index);
    if (module) return module.has(name, seen);
    const namespace = this.package(index);
    return namespace !== undefined && name in namespace;
  }

  private get fileName(): string {
    return basename(this.source.file);
  }
}
