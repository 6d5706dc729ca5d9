import type { Externals } from './externals.ts';
import type { ModuleSource } from './messages.ts';
import { LazyModule, type ModuleHost } from './module.ts';
import { Attempt, Need } from './needs.ts';
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
    for (const file of changed) this.sources.delete(file);
    for (const file of [...changed, ...affected]) this.modules.delete(file);
  }

  module(file: string): LazyModule {
    this.attempt.files.add(file);
    let module = this.modules.get(file);
    if (!module) {
      const source = this.sources.get(file);
      if (!source) throw this.attempt.miss(new Need('module', file));
      module = new LazyModule(this, source);
      this.modules.set(file, module);
      try {
        module.lay();
      } catch (error) {
        module = { error };
        this.modules.set(file, module);
      }
    }
    if (module instanceof LazyModule) return module;
    throw module.error;
  }

  external(specifier: string, from: string): Record<string, unknown> {
    const url = this.externals.url(specifier, from);
    const namespace = this.externals.get(url);
    if (!namespace) throw this.attempt.miss(new Need('external', url));
    return namespace;
  }
}
