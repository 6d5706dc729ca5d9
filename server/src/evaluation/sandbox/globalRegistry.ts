interface Registry {
  _idmap?: Map<string, object>;
  add(schema: object, ...metadata: unknown[]): unknown;
  remove(schema: object): unknown;
}

/** The registries' own methods. */
const own = new WeakMap<Registry, Registry['add']>();

/** What is asked and told when a schema is registered. */
export interface RegistryWatcher {
  /** Whether a registered schema was made by code that makes it anew now. */
  isSuperseded(registered: object, now: object): boolean;
  /** A schema is given another description. */
  described(schema: object): void;
}

/**
 * Watches zod 4's global registry, which keeps what is said of schemas. Also lets expressions be evaluated anew that give
 * a schema an id: zod 4 before 4.2 refuses an id that the registry knows, and that outlives everything here.
 *
 * @param namespace a package that was imported; nothing happens when it has no such registry
 */
export function watchRegistry(namespace: Readonly<Record<string, unknown>>, watcher: RegistryWatcher): void {
  const registry = namespace.globalRegistry as Registry | undefined;
  if (typeof registry?.add !== 'function') return;
  const add = own.get(registry) ?? registry.add.bind(registry);
  own.set(registry, add);
  registry.add = (schema, ...metadata) => {
    const [{ id } = {}] = metadata as { id?: string }[];
    const known = id === undefined ? undefined : registry._idmap?.get(id);
    if (known && watcher.isSuperseded(known, schema)) registry.remove(known);
    watcher.described(schema);
    return add(schema, ...metadata);
  };
}
