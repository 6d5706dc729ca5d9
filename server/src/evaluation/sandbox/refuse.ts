/** What is thrown where user code reaches for something that the sandbox does not have. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** A function, or a class, that throws a sentence naming what was reached for. */
export function refusal(what: string): (...args: unknown[]) => never {
  return function refused(): never {
    throw new Refused(`${what} is not available while a tool contract is evaluated`);
  };
}

/** Replaces a property for good: it cannot be assigned, redefined or deleted again. */
export function fix(owner: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, enumerable: true, configurable: false });
}

/**
 * As `fix`, but assigning is ignored instead of an error: packages patch members of `process` (signal-exit `emit` and
 * `reallyExit`) and would not load otherwise.
 */
export function fixSilently(owner: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(owner, name, { get: () => value, set: () => {}, enumerable: true, configurable: false });
}

/** Refuses functions of a module by name, or all of them. What is no function stays readable. */
export function refuseMembers(owner: object, title: string, names: readonly string[] = Object.keys(owner)): void {
  for (const name of names) {
    if (typeof (owner as Record<string, unknown>)[name] === 'function') fix(owner, name, refusal(`${title}.${name}`));
  }
}
