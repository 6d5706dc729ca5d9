import type { Json, KeyPolicy } from '../../../shared/src/model.ts';

/**
 * What a tool's input accepts, in one form for a schema graph and for JSON Schema, so that a recorded contract and an
 * evaluated one, or two zod majors, can be compared. A node is a set of alternatives; references, lazy schemas and
 * wrappers are looked through, so the nodes may form circles.
 */
export interface InputModel {
  readonly root: number;
  /** The alternatives of a node. Empty: nothing is accepted. */
  kinds(node: number): readonly Kind[];
  /** What people are told about a node. */
  description(node: number): string | undefined;
}

export type Kind = ObjectKind | ArrayKind | ScalarKind | AnyKind;

export interface ObjectKind {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  readonly policy: Policy;
  /** What the values of undeclared keys have to be: a record's values, a typed catchall. */
  readonly rest?: number;
  /** Ids in the schema graph of the objects that this is made of; of JSON Schema none. */
  readonly nodes: readonly number[];
}

/**
 * What happens to a key that is not declared. `open`: kept or deleted, JSON Schema does not say which. `record`: there
 * are no declared keys, any key is one.
 */
export type Policy = KeyPolicy | 'open' | 'record';

export interface Field {
  readonly node: number;
  /** A caller has to send it. */
  readonly required: boolean;
}

export interface ArrayKind {
  readonly type: 'array';
  /** What each item has to be, after the ones at fixed places. */
  readonly items?: number;
  /** Items at fixed places. */
  readonly prefix: readonly number[];
}

export type ScalarType = 'string' | 'number' | 'boolean' | 'null';

export interface ScalarKind {
  readonly type: ScalarType;
  /** Only these values. */
  readonly values?: readonly Json[];
  /** Takes other scalars too, and makes one of this type of them. */
  readonly coerces?: true;
}

/** Anything, or what cannot be told from the schema. */
export interface AnyKind {
  readonly type: 'any';
}

export const ANY: AnyKind = { type: 'any' };

/** The input of a tool that takes none. */
export const NO_INPUT: InputModel = {
  root: 0,
  kinds: () => [{ type: 'object', fields: new Map(), policy: 'strip', nodes: [] }],
  description: () => undefined,
};

/** A node that is made of others: both sides of an intersection. Kept by its parts, so that circles end. */
export class Intersections {
  private readonly ids = new Map<string, number>();
  private readonly pairs = new Map<number, readonly [number, number]>();

  /** @param next the first id that is free */
  constructor(private next: number) {}

  idOf(a: number, b: number): number {
    if (a === b) return a;
    const key = `${a} ${b}`;
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.next++;
      this.ids.set(key, id);
      this.pairs.set(id, [a, b]);
    }
    return id;
  }

  partsOf(id: number): readonly [number, number] | undefined {
    return this.pairs.get(id);
  }
}

/** Alternatives of one side by those of the other are not multiplied out beyond this. */
const MAX_ALTERNATIVES = 64;

/** The alternatives that satisfy both sides of an intersection. */
export function intersect(left: readonly Kind[], right: readonly Kind[], both: Intersections): readonly Kind[] {
  if (left.length * right.length > MAX_ALTERNATIVES) return [ANY];
  return left.flatMap((a) => right.flatMap((b) => intersectTwo(a, b, both) ?? []));
}

function intersectTwo(a: Kind, b: Kind, both: Intersections): Kind | undefined {
  if (a.type === 'any') return b;
  if (b.type === 'any') return a;
  if (a.type === 'object' && b.type === 'object') return intersectObjects(a, b, both);
  if (a.type === 'array' && b.type === 'array') return a.items === undefined ? b : a;
  if (a.type !== b.type) return undefined;
  return 'values' in a ? a : b;
}

/** How much a policy lets through, the tightest first. */
const TIGHTNESS: readonly Policy[] = ['strict', 'strip', 'open', 'record', 'catchall', 'loose'];

function intersectObjects(a: ObjectKind, b: ObjectKind, both: Intersections): ObjectKind {
  const fields = new Map(a.fields);
  for (const [name, field] of b.fields) {
    const mine = a.fields.get(name);
    fields.set(
      name,
      mine ? { node: both.idOf(mine.node, field.node), required: mine.required || field.required } : field,
    );
  }
  // A side that is a record says nothing about the declared keys of the other one.
  const policy = a.policy === 'record' ? b.policy : b.policy === 'record' ? a.policy : looser(a.policy, b.policy);
  const rest = a.rest ?? b.rest;
  return {
    type: 'object',
    fields,
    policy,
    ...(rest !== undefined && { rest }),
    nodes: [...new Set([...a.nodes, ...b.nodes])],
  };
}

/** Both results are merged, so what one side keeps is kept; what one side rejects is rejected where the other is strict too. */
function looser(a: Policy, b: Policy): Policy {
  return TIGHTNESS.indexOf(a) >= TIGHTNESS.indexOf(b) ? a : b;
}
