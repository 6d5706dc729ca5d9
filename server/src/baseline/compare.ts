import { isDeepStrictEqual } from 'node:util';
import type { Addition, InputChange, Removal, Step } from './inputChange.ts';
import type { ArrayKind, InputModel, Kind, ObjectKind, Policy, ScalarKind } from './inputModel.ts';
import { alikeInputs } from './renames.ts';

/** Pairs of nodes that are compared at most: schemas that are wider than this are compared in part. */
const MAX_PAIRS = 20_000;

interface Pair {
  readonly before: number;
  readonly now: number;
  readonly path: readonly Step[];
  /** Graph nodes of the objects that hold the input, then and now. */
  readonly beforeOwner: readonly number[];
  readonly owner: readonly number[];
}

/**
 * What an old caller could send and has to send otherwise now, and what is new, at every depth. Each pair of nodes is
 * looked at once, by its shortest path.
 */
export function compareInputs(before: InputModel, now: InputModel): InputChange[] {
  return new Comparison(before, now).run();
}

class Comparison {
  private readonly changes: InputChange[] = [];
  private readonly queue: Pair[] = [];
  private readonly met = new Set<string>();

  constructor(
    private readonly before: InputModel,
    private readonly now: InputModel,
  ) {}

  run(): InputChange[] {
    this.add({ before: this.before.root, now: this.now.root, path: [], beforeOwner: [], owner: [] });
    for (const pair of this.queue) this.compare(pair);
    return this.changes;
  }

  private add(pair: Pair): void {
    const key = `${pair.before} ${pair.now}`;
    if (this.met.has(key) || this.met.size >= MAX_PAIRS) return;
    this.met.add(key);
    this.queue.push(pair);
  }

  private compare(pair: Pair): void {
    const before = this.before.kinds(pair.before);
    const now = this.now.kinds(pair.now);
    // What takes anything takes what it took before; of what took anything nobody knows what was sent.
    if ([...before, ...now].some(({ type }) => type === 'any')) return;
    this.compareTypes(pair, before, now);
    const [oldLists, lists] = [ofType(before, 'array'), ofType(now, 'array')];
    for (const list of oldLists) for (const other of lists) this.compareLists(pair, list, other);
    const [oldObjects, objects] = [ofType(before, 'object'), ofType(now, 'object')];
    for (const [object, partners] of partnersOf(oldObjects, objects, this.before, this.now)) {
      this.compareObjects(pair, object, partners);
    }
  }

  private compareTypes(pair: Pair, before: readonly Kind[], now: readonly Kind[]): void {
    const accepts = (type: string) => now.some((kind) => kind.type === type || coercesScalars(kind, type));
    const lost = before.filter(({ type }) => !accepts(type));
    if (lost.length === 0) return;
    const where = sitesOf(pair);
    const isReshaped = lost.every(({ type }) => type === 'string') && now.some(({ type }) => type === 'array');
    if (isReshaped) this.changes.push({ kind: 'reshaped', ...where });
    else this.changes.push({ kind: 'type', ...where, lost: typesOf(lost), takes: typesOf(now) });
  }

  private compareLists(pair: Pair, before: ArrayKind, now: ArrayKind): void {
    const below = { ...pair, path: [...pair.path, 'items' as const] };
    if (before.items !== undefined && now.items !== undefined) {
      this.add({ ...below, before: before.items, now: now.items });
    }
    for (const [index, item] of before.prefix.entries()) {
      const other = now.prefix[index] ?? now.items;
      if (other !== undefined) this.add({ ...below, before: item, now: other });
    }
  }

  private compareObjects(pair: Pair, before: ObjectKind, partners: readonly ObjectKind[]): void {
    const [now] = partners;
    if (!now) return;
    const inside = { beforeOwner: before.nodes, owner: now.nodes };
    const removals: Removal[] = [];
    for (const [name, field] of before.fields) {
      const path = [...pair.path, { field: name }];
      const taker = partners.find(({ fields }) => fields.has(name));
      const other = taker?.fields.get(name);
      if (taker && other) {
        const next = { ...inside, owner: taker.nodes, path, before: field.node, now: other.node };
        this.add(next);
        if (other.required && !field.required) this.changes.push({ kind: 'required', ...sitesOf(next) });
      } else if (now.policy === 'record') {
        if (now.rest !== undefined) this.add({ ...inside, path, before: field.node, now: now.rest });
      } else {
        const sites = { path, before: { owner: before.nodes, node: field.node }, now: { owner: now.nodes } };
        removals.push({ kind: 'removed', ...sites, required: field.required, policy: now.policy });
      }
    }
    const additions = [...now.fields].flatMap(([name, { node, required }]): Addition[] => {
      if (before.fields.has(name)) return [];
      const sites = { before: { owner: before.nodes }, now: { owner: now.nodes, node } };
      return [{ kind: 'added', path: [...pair.path, { field: name }], ...sites, required }];
    });
    this.changes.push(...this.withRenames(removals, additions, before, now));
    if (before.rest !== undefined && now.rest !== undefined) {
      this.add({ ...inside, before: before.rest, now: now.rest, path: [...pair.path, 'values'] });
    }
    if (closes(before.policy, now.policy)) {
      const sites = { before: { owner: before.nodes }, now: { owner: now.nodes } };
      this.changes.push({ kind: 'policy', path: pair.path, ...sites, was: before.policy, is: now.policy });
    }
  }

  private withRenames(
    removals: readonly Removal[],
    additions: readonly Addition[],
    before: ObjectKind,
    now: ObjectKind,
  ): InputChange[] {
    const pairs = alikeInputs(
      removals.map(({ path }) => describe(lastName(path), before, this.before)),
      additions.map(({ path }) => describe(lastName(path), now, this.now)),
    );
    const back = new Map([...pairs].map(([from, to]) => [to, from]));
    return [
      ...removals.map((removal) => {
        const renamedTo = pairs.get(lastName(removal.path));
        return renamedTo === undefined ? removal : { ...removal, renamedTo };
      }),
      ...additions.map((addition) => {
        const renamedFrom = back.get(lastName(addition.path));
        return renamedFrom === undefined ? addition : { ...addition, renamedFrom };
      }),
    ];
  }
}

function sitesOf({ path, before, beforeOwner, now, owner }: Pair): Pick<InputChange, 'path' | 'before' | 'now'> {
  return { path, before: { owner: beforeOwner, node: before }, now: { owner, node: now } };
}

/** An input as likeness is judged by. */
export interface DescribedInput {
  readonly name: string;
  readonly types: string;
  readonly description: string | undefined;
}

function describe(name: string, { fields }: ObjectKind, model: InputModel): DescribedInput {
  const node = fields.get(name)?.node ?? -1;
  return { name, types: typesOf(model.kinds(node)), description: model.description(node) };
}

/** The name of the input that a path leads to; empty for items and values. */
export function lastName(path: readonly Step[]): string {
  const last = path.at(-1);
  return typeof last === 'object' ? last.field : '';
}

/**
 * For each object of before the objects of now that take its calls, the likeliest first. Variants of a union belong
 * together when their literal fields do (a discriminator); else one object goes with all of now, and of several each
 * with the one that has most of its names.
 *
 * @returns only objects that have a partner
 */
function partnersOf(
  before: readonly ObjectKind[],
  now: readonly ObjectKind[],
  beforeModel: InputModel,
  nowModel: InputModel,
): [ObjectKind, readonly ObjectKind[]][] {
  if (now.length === 0) return [];
  if (before.length === 1 && now.length === 1) return before.map((object) => [object, now]);
  return before.flatMap((object, index): [ObjectKind, readonly ObjectKind[]][] => {
    const told = now.map((other) => literalsMatch(object, other, beforeModel, nowModel));
    const same = now.filter((_, at) => told[at] === 'same');
    const possible = same.length > 0 ? same : now.filter((_, at) => told[at] !== 'other');
    const sorted = possible
      .map((other) => ({ other, rank: likeness(object, other) + (now[index] === other ? 0.01 : 0) }))
      .sort((a, b) => b.rank - a.rank)
      .map(({ other }) => other);
    const [likeliest] = sorted;
    if (!likeliest) return [];
    return [[object, same.length > 0 || before.length === 1 ? sorted : [likeliest]]];
  });
}

/** Whether the fields that take one of a few values say that two variants are the same, are others, or nothing. */
function literalsMatch(
  a: ObjectKind,
  b: ObjectKind,
  aModel: InputModel,
  bModel: InputModel,
): 'same' | 'other' | undefined {
  let isSame = false;
  for (const [name, field] of a.fields) {
    const other = b.fields.get(name);
    const [mine, theirs] = [valuesOf(aModel.kinds(field.node)), other && valuesOf(bModel.kinds(other.node))];
    if (!mine || !theirs) continue;
    if (!mine.some((value) => theirs.some((candidate) => isDeepStrictEqual(value, candidate)))) return 'other';
    isSame = true;
  }
  return isSame ? 'same' : undefined;
}

function valuesOf(kinds: readonly Kind[]): readonly unknown[] | undefined {
  if (kinds.length === 0 || !kinds.every((kind): kind is ScalarKind => 'values' in kind)) return undefined;
  return kinds.flatMap(({ values = [] }) => values);
}

/** How many of two objects' names are in both: 0 to 1. */
function likeness(a: ObjectKind, b: ObjectKind): number {
  const shared = [...a.fields.keys()].filter((name) => b.fields.has(name)).length;
  const all = a.fields.size + b.fields.size - shared;
  return all === 0 ? 1 : shared / all;
}

function ofType<T extends Kind['type']>(kinds: readonly Kind[], type: T): Extract<Kind, { type: T }>[] {
  return kinds.filter((kind): kind is Extract<Kind, { type: T }> => kind.type === type);
}

function coercesScalars(kind: Kind, type: string): boolean {
  return 'coerces' in kind && ['string', 'number', 'boolean', 'null'].includes(type);
}

function typesOf(kinds: readonly Kind[]): string {
  return [...new Set(kinds.map(({ type }) => type))].join(' or ');
}

/** Whether a call with an undeclared key is answered otherwise than before, to the caller's harm. */
function closes(before: Policy, now: Policy): boolean {
  if (now === 'strict') return before !== 'strict';
  return (before === 'loose' || before === 'catchall') && now === 'strip';
}
