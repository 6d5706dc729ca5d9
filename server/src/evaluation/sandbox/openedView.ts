/**
 * What a destructuring may take apart in place of a value: the same, but that another object is found at one place.
 *
 * @param path keys from the value to that place
 * @param replace given what holds the last key and what it holds there; undefined leaves the value as it is
 */
export function destructured(
  value: unknown,
  path: readonly string[],
  replace: (holder: object, held: unknown) => object | undefined,
): unknown {
  const [key, ...deeper] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  const held = (value as Record<string, unknown>)[key];
  const put = deeper.length === 0 ? (replace(value, held) ?? held) : destructured(held, deeper, replace);
  if (put === held) return value;
  // Nothing is promised of an empty target, so that a frozen value may be seen otherwise. Getters see the value itself.
  return new Proxy(Object.create(null) as object, {
    get: (_, name) => (name === key ? put : Reflect.get(value, name)),
  });
}
