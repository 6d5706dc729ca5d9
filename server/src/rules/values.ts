import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../../shared/src/model.ts';

/** Steps from a JSON value to a part of it: keys and indices. */
export type Steps = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const sameJson: (a: Json | undefined, b: Json | undefined) => boolean = isDeepStrictEqual;

/** Where a part with the same content stands within a value, outermost first; undefined when nowhere. */
export function locate(value: Json, part: Json): Steps | undefined {
  if (sameJson(value, part)) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const steps = locate(child, part);
    if (steps) return [Array.isArray(value) ? Number(key) : key, ...steps];
  }
  return undefined;
}

/** The part of a value that steps lead to, or undefined when there is none. */
export function partAt(value: Json | undefined, steps: Steps): Json | undefined {
  let part = value;
  for (const step of steps) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    part = (part as { [key: string]: Json })[step];
  }
  return part;
}

/** A copy in which the part that steps lead to is another. */
export function replaceAt(value: Json, steps: Steps, part: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return part;
  const child = partAt(value, [step]) ?? null;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaceAt(child, rest, part) : item));
  return isObject(value) ? { ...value, [step]: replaceAt(child, rest, part) } : value;
}

/** Whether a key occurs anywhere in a value. */
export function hasKey(value: Json | undefined, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, key)) return true;
  return Object.values(value).some((child) => hasKey(child, key));
}

/** The part of an object whose keys are among the names. */
export function only(value: JsonObject, names: Iterable<string>): JsonObject {
  return Object.fromEntries(
    [...names].flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name] ?? null]] : [])),
  );
}

/** Both objects in one, and so on below; where both have a value that is no object, the second one's. */
export function mergeDeep(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const mine = merged[key];
    merged[key] = isObject(mine) && isObject(value) ? mergeDeep(mine, value) : value;
  }
  return merged;
}

/**
 * Dotted paths of what a caller sent and a wanted result kept, but another result dropped or changed.
 *
 * @param sent the caller's value: parts that are not in it, such as a filled-in default, do not count
 */
export function damage(sent: Json, wanted: Json | undefined, got: Json | undefined, path = ''): string[] {
  if (typeof sent !== 'object' || sent === null) return sameJson(wanted, got) ? [] : [path];
  if (typeof wanted !== 'object' || wanted === null) return sameJson(wanted, got) ? [] : [path];
  return Object.keys(sent).flatMap((key) => {
    if (!Object.hasOwn(wanted, key)) return [];
    const below = path === '' ? key : `${path}.${key}`;
    if (typeof got !== 'object' || got === null || !Object.hasOwn(got, key)) return [below];
    return damage(partAt(sent, [key]) ?? null, partAt(wanted, [key]), partAt(got, [key]), below);
  });
}

/** A value as it is written in a message: JSON with spaces, cut when it is long. */
export function shown(value: Json | undefined, limit = 80): string {
  const text = JSON.stringify(value ?? null, null, 1).replace(/\n\s*/g, ' ');
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
