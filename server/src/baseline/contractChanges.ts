import type { Place } from '../../../shared/src/model.ts';
import type { Data } from '../pipeline/exports.ts';

/** An argument that shows that a call is on a previous contract: it is there, or it is a string. */
export interface Trigger {
  readonly path: string;
  readonly when: 'present' | 'string';
}

/** What callers of a previous release of a tool are told. */
export interface Entry {
  readonly tool: string;
  /** The last release that had the previous contract. */
  readonly lastRelease: string;
  readonly triggers: readonly Trigger[];
  readonly message: string;
  /** The literal that it was written as, when it was written as one. */
  readonly at?: Place;
}

/** What a value of contract changes says. What has no known shape is named, and says nothing. */
export interface ReadEntries {
  readonly entries: readonly Entry[];
  /** Sentences without their end, each with the literal it is about where there is one. */
  readonly problems: readonly { readonly message: string; readonly at?: Place }[];
}

const SHAPE =
  'an entry is { lastRelease: "1.2.3", triggers: [{ path: "input", when: "present" }], message: "…" } under the name of its tool';
const TRIGGER = 'a trigger is { path: "input", when: "present" } or { path: "input", when: "string" }';

/**
 * Reads contract changes in every form that the specification knows: a record or a Map by tool, a list of entries with a
 * `tool`; triggers as a list with `when`, `kind` or `type`, or grouped as `{ present: […], string: […] }`.
 */
export function readEntries(data: Data): ReadEntries {
  const entries: Entry[] = [];
  const problems: { message: string; at?: Place }[] = [];
  const add = (tool: string, value: Data): void => {
    if (value.is === 'list') {
      for (const item of value.items) add(tool, item);
      return;
    }
    const read = readEntry(tool, value);
    if ('entry' in read) entries.push(read.entry);
    else problems.push({ message: read.problem, ...placeOf(value) });
  };
  if (data.is === 'object') for (const [tool, value] of data.entries) add(tool, value);
  else if (data.is === 'map') {
    for (const [key, value] of data.pairs) {
      const tool = stringOf(key);
      if (tool === undefined) problems.push({ message: `a key is no tool's name; ${SHAPE}`, ...placeOf(value) });
      else add(tool, value);
    }
  } else if (data.is === 'list') {
    for (const item of data.items) {
      const tool = stringOf(member(item, 'tool'));
      if (tool === undefined)
        problems.push({ message: `an entry of a list needs its "tool"; ${SHAPE}`, ...placeOf(item) });
      else add(tool, item);
    }
  } else problems.push({ message: `it is ${whatIs(data)}, and a record, a list or a Map is wanted; ${SHAPE}` });
  return { entries, problems };
}

function readEntry(tool: string, value: Data): { entry: Entry } | { problem: string } {
  if (value.is !== 'object') return { problem: `what stands under "${tool}" is ${whatIs(value)}; ${SHAPE}` };
  const lastRelease = stringOf(member(value, 'lastRelease'));
  if (lastRelease === undefined) return { problem: `the entry of "${tool}" has no "lastRelease"; ${SHAPE}` };
  const message = stringOf(member(value, 'message'));
  if (message === undefined) return { problem: `the entry of "${tool}" has no "message"; ${SHAPE}` };
  const triggers = readTriggers(member(value, 'triggers'));
  if (!triggers) return { problem: `the triggers of "${tool}" have no known form; ${TRIGGER}` };
  return { entry: { tool, lastRelease, triggers, message, ...placeOf(value) } };
}

function readTriggers(data: Data | undefined): Trigger[] | undefined {
  if (data?.is === 'list') {
    const triggers = data.items.map(readTrigger);
    return triggers.every((trigger) => trigger !== undefined) ? triggers : undefined;
  }
  if (data?.is !== 'object') return undefined;
  const triggers: Trigger[] = [];
  for (const [when, paths] of data.entries) {
    if (!isWhen(when) || paths.is !== 'list') return undefined;
    for (const item of paths.items) {
      const path = stringOf(item);
      if (path === undefined) return undefined;
      triggers.push({ path, when });
    }
  }
  return triggers;
}

function readTrigger(data: Data): Trigger | undefined {
  const path = stringOf(member(data, 'path'));
  const when = ['when', 'kind', 'type'].map((key) => stringOf(member(data, key))).find((value) => value !== undefined);
  return path !== undefined && when !== undefined && isWhen(when) ? { path, when } : undefined;
}

function isWhen(text: string): text is Trigger['when'] {
  return text === 'present' || text === 'string';
}

/** Names of retired tools: the keys of a record or Map, a list of names, or of objects with a `tool` or `name`. */
export function readNames(data: Data): string[] {
  if (data.is === 'object') return data.entries.map(([name]) => name);
  if (data.is === 'map') return data.pairs.flatMap(([key]) => stringOf(key) ?? []);
  if (data.is !== 'list') return [];
  return data.items.flatMap(
    (item) => stringOf(item) ?? stringOf(member(item, 'tool')) ?? stringOf(member(item, 'name')) ?? [],
  );
}

function member(data: Data, key: string): Data | undefined {
  return data.is === 'object' ? data.entries.find(([name]) => name === key)?.[1] : undefined;
}

function stringOf(data: Data | undefined): string | undefined {
  return data?.is === 'value' && typeof data.value === 'string' ? data.value : undefined;
}

function placeOf(data: Data): { at?: Place } {
  return data.is === 'object' && data.at ? { at: data.at } : {};
}

function whatIs(data: Data): string {
  if (data.is === 'value') return data.value === null ? 'null' : `a ${typeof data.value}`;
  if (data.is === 'other') return data.what;
  return { object: 'an object', list: 'a list', map: 'a Map' }[data.is];
}
