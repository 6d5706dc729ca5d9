interface Registry {
  _idmap?: Map<string, object>;
  add(schema: object, ...metadata: unknown[]): unknown;
  remove(schema: object): unknown;
}

/** The registries' own methods. */
const own = new WeakMap<Registry, Registry['add']>();

/**
 * Lets expressions be evaluated anew that give a schema an id: zod 4 before 4.2 refuses an id that its global registry
 * knows, and that outlives everything here.
 *
 * @param namespace a package that was imported; nothing happens when it has no such registry
 * @param isSuperseded whether a registered schema was made by code that makes it anew now
 */
export function letIdsBeGivenAnew(
  namespace: Readonly<Record<string, unknown>>,
  isSuperseded: (registered: object, now: object) => boolean,
): void {
  const registry = namespace.globalRegistry as Registry | undefined;
  if (typeof registry?.add !== 'function' || !(registry._idmap instanceof Map)) return;
  const add = own.get(registry) ?? registry.add.bind(registry);
  own.set(registry, add);
  registry.add = (schema, ...metadata) => {
    const [{ id } = {}] = metadata as { id?: string }[];
    const known = id === undefined ? undefined : registry._idmap?.get(id);
    if (known && isSuperseded(known, schema)) registry.remove(known);
    return add(schema, ...metadata);
  };
}
