import type { Externals } from './externals.ts';
import type { ModuleSource } from './messages.ts';
import { LazyModule, type ModuleHost } from './module.ts';
import { Attempt, Need, need } from './needs.ts';
import type { Provenance } from './provenance.ts';

/** The workspace's modules in the sandbox, as far as evaluation has asked for them. */
export class Registry implements ModuleHost {
  private readonly sources = new Map<string, ModuleSource>();
  private readonly modules = new Map<string, LazyModule | { readonly error: unknown }>();
  attempt = new Attempt();

  constructor(
    private readonly externals: Externals,
    private readonly provenance: Provenance,
  ) {}

  get recorders(): Provenance['recorders'] {
    return this.provenance.recorders;
  }

  supply(source: ModuleSource): void {
    this.sources.set(source.file, source);
    this.modules.delete(source.file);
  }

  /** Forgets the text of some modules and what was evaluated from others. */
  invalidate(changed: readonly string[], affected: readonly string[]): void {
    for (const file of [...changed, ...affected]) {
      const source = this.sources.get(file);
      if (source) this.provenance.retire(source.number);
      this.modules.delete(file);
    }
    for (const file of changed) this.sources.delete(file);
  }

  /** Forgets everything that was evaluated. */
  forget(): void {
    this.modules.clear();
    this.provenance.retire();
  }

  /** @throws Need when the module is not here yet; what laying it out throws */
  module(file: string): LazyModule {
    this.attempt.touch(file);
    const known = this.modules.get(file) ?? this.laidOut(file);
    if (known instanceof LazyModule) return known;
    throw known.error;
  }

  external(specifier: string, from: string, how: 'import' | 'require'): Record<string, unknown> {
    const url = this.externals.url(specifier, from, how);
    const namespace = this.externals.get(url);
    if (!namespace) throw this.attempt.miss(need('external', url));
    return namespace;
  }

  private laidOut(file: string): LazyModule | { readonly error: unknown } {
    const source = this.sources.get(file);
    if (!source) throw this.attempt.miss(need('module', file));
    let module: LazyModule | { readonly error: unknown } = new LazyModule(this, source);
    try {
      module.lay();
    } catch (error) {
      if (error instanceof Need) throw error;
      module = { error };
    }
    this.modules.set(file, module);
    return module;
  }
}
