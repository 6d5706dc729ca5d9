import type { Json, JsonObject } from '../../../../shared/src/model.ts';
import { boundsOf } from './bounds.ts';
import { kindOf } from './read.ts';
import { ALTERNATIVES, type At, offPath, Part, type Untried } from './samplePart.ts';
import type { Sampler } from './sampler.ts';
import type { Parts } from './schema.ts';

/** Keys of a record over an enum. */
const MAX_KEYS = 64;

/** Arrays of as many elements as the mode asks for, alike first, then different ones. */
export function* arrays(sampler: Sampler, schema: object, parts: Parts, at: At): Untried {
  const element = parts.children.element;
  if (!element) return undefined;
  const part = sampler.part(element, at, 0);
  const onPath = element === sampler.next(at);
  if (!onPath && !sampler.ends(at)) return offPath(at);
  const { minLength = 0 } = boundsOf(schema);
  const counts = new Set([at.mode === 'max' || onPath ? Math.max(1, minLength) : minLength, 1, 2, 3, 4, 0]);
  for (const count of counts) {
    if (count === 0) {
      if (!onPath) yield sampler.candidate([], at);
      continue;
    }
    if (!part.get(0)) continue;
    for (const spread of [false, true]) {
      const elements = Array.from({ length: count }, (_, index) => part.get(spread ? index : 0) ?? part.get(0));
      const end = elements[0]?.end;
      const value = elements.map((one) => one?.value ?? null);
      yield onPath && end ? { value, end: [0, ...end] } : sampler.candidate(value, at);
    }
  }
  return part.reason;
}

/** Tuples; trailing items that may be left out are, in `min`. */
export function* tuples(sampler: Sampler, parts: Parts, at: At): Untried {
  const next = sampler.next(at);
  const schemas = [...(parts.items ?? [])];
  const { rest } = parts.children;
  if (rest && (rest === next || (at.mode === 'max' && sampler.ends(at)))) schemas.push(rest);
  const reached = next ? schemas.indexOf(next) : -1;
  if (next && reached < 0) return offPath(at);
  const items = schemas.map((schema, index) => sampler.part(schema, at, index));
  const lengths = Array.from({ length: items.length + 1 }, (_, length) => length);
  if (at.mode === 'max') lengths.reverse();
  for (const length of lengths) {
    if (length <= reached) continue;
    for (let turn = 0; turn < ALTERNATIVES; turn++) {
      const chosen = items.slice(0, length).map((item) => item.get(turn) ?? item.get(0));
      if (chosen.some((one) => one?.value === undefined)) break;
      const value = chosen.map((one) => one?.value ?? null);
      const end = reached < 0 ? undefined : chosen[reached]?.end;
      yield end ? { value, end: [reached, ...end] } : sampler.candidate(value, at);
    }
  }
  return items.find((item) => item.reason !== undefined)?.reason;
}

/** Records with one key, and with all keys where the key schema lists them. */
export function* records(sampler: Sampler, parts: Parts, at: At): Untried {
  const { key, value: schema } = parts.children;
  if (!key || !schema) return undefined;
  const onPath = schema === sampler.next(at);
  if (!onPath && !sampler.ends(at)) return offPath(at);
  if (at.mode === 'min' && !onPath) yield sampler.candidate({}, at);
  const keys = sampler.part(key, { ...at, path: -1 }, '(key)');
  const names = [...keys.all(kindOf(key) === 'string' ? 2 : MAX_KEYS)]
    .map(({ value }) => String(value))
    .filter((name) => onPath || at.path < 0 || !sampler.without.has(name));
  const [first] = names;
  const part = sampler.part(schema, at, first ?? '(key)');
  // Since zod 4 a record over an enum needs all of its keys.
  for (const count of new Set(first === undefined ? [] : [1, names.length])) {
    for (const one of part.all(ALTERNATIVES)) {
      const value = Object.fromEntries(names.slice(0, count).map((name) => [name, one.value ?? null]));
      yield onPath && one.end ? { value, end: [first ?? '', ...one.end] } : sampler.candidate(value, at);
    }
  }
  if (!onPath) yield sampler.candidate({}, at);
  return keys.reason ?? part.reason;
}

/** Values of both sides together. */
export function* intersections(sampler: Sampler, parts: Parts, at: At): Untried {
  const { left, right } = parts.children;
  if (!left || !right) return undefined;
  const next = sampler.next(at);
  if (next && next !== left && next !== right) return offPath(at);
  const [lefts, rights] = [new Part(sampler.inner(left, at)), new Part(sampler.inner(right, at))];
  for (const one of lefts.all(ALTERNATIVES)) {
    for (const other of rights.all(ALTERNATIVES)) {
      const end = next === right ? other.end : one.end;
      for (const value of merged(one.value, other.value)) {
        if (!end) yield { value };
        else if (!hasUnwanted(value, end, sampler.without)) yield { value, end };
      }
    }
  }
  return lefts.reason ?? rights.reason;
}

/** Whether the other side of an intersection brought a field that must be absent. */
function hasUnwanted(
  value: Json | undefined,
  end: readonly (string | number)[],
  without: ReadonlySet<string>,
): boolean {
  let object: unknown = value;
  for (const step of end) object = (object as Record<string | number, unknown>)[step];
  return [...without].some((name) => typeof object === 'object' && object !== null && Object.hasOwn(object, name));
}

/** What both sides of an intersection may accept: objects with the keys of both, else either value. */
function* merged(left: Json | undefined, right: Json | undefined): Generator<Json | undefined> {
  yield together(left, right);
  yield together(right, left);
}

function together(under: Json | undefined, over: Json | undefined): Json | undefined {
  if (!isObject(under) || !isObject(over)) return over;
  const names = [...new Set([...Object.keys(under), ...Object.keys(over)])];
  const pick = (name: string): Json | undefined =>
    !Object.hasOwn(over, name)
      ? under[name]
      : Object.hasOwn(under, name)
        ? together(under[name], over[name])
        : over[name];
  return Object.fromEntries(names.map((name) => [name, pick(name) ?? null]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
