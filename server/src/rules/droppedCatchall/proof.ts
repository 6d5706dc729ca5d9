import type { Json, JsonObject, Outcome, SchemaNode, SurfaceId, Witness } from '../../../../shared/src/model.ts';
import { declaredNames, nodeOf, type Visit } from '../graph.ts';
import { hasKey, isObject, only, partAt, replaceAt } from '../values.ts';
import {
  type Arguments,
  actualFrom,
  argumentsWith,
  type Case,
  expectedFrom,
  type Lane,
  mayBeAbsent,
  sampleOf,
} from '../witness.ts';
import type { Loss } from './loss.ts';

/** What running a call said about a loss. */
export type Proof =
  | {
      readonly kind: 'shown';
      readonly by: 'policy' | 'refinement';
      /** The undeclared key of the call; empty for a refinement. */
      readonly key: string;
      readonly witness: Witness;
      readonly surfaces: readonly SurfaceId[];
    }
  /** A call was run and nothing was lost. */
  | { readonly kind: 'refuted' }
  /** No call could be built. */
  | { readonly kind: 'unknown' };

/**
 * Runs a call that shows what was lost: one with an undeclared key, or one that the source's refinement rejects.
 *
 * @param visit the object that lost it, with its path from the tool's root
 * @param name what a reader knows the source by
 */
export async function prove(
  about: Case,
  lanes: readonly Lane[],
  visit: Visit,
  loss: Loss,
  name: string,
): Promise<Proof> {
  const byPolicy = loss.policy ? await provePolicy(about, lanes, visit, loss, name) : undefined;
  if (byPolicy?.kind === 'shown' || !loss.refinement) return byPolicy ?? { kind: 'unknown' };
  const byRefinement = await proveRefinement(about, lanes, visit, loss, name);
  return byRefinement.kind === 'unknown' && byPolicy ? byPolicy : byRefinement;
}

async function provePolicy(
  about: Case,
  lanes: readonly Lane[],
  visit: Visit,
  { source }: Loss,
  name: string,
): Promise<Proof> {
  const [own, extra] = await Promise.all([
    sampleOf(about, visit.node.id, 'min'),
    source.catchall === undefined ? 'x' : sampleOf(about, source.catchall, 'min'),
  ]);
  if (!isObject(own) || extra === undefined) return { kind: 'unknown' };
  const key = undeclaredKey(about, visit.node, source);
  const base = await acceptedBySource(about, source, own);
  const made = await argumentsWith(about, visit.path, { ...own, [key]: extra });
  if (!base || !made) return { kind: 'unknown' };
  const expected = await about.probe.parse(about.contract.id, source.id, { ...base, [key]: extra });
  if (expected.accepts && (source.policy === 'strict' || !hasOwn(expected.value, key))) return { kind: 'refuted' };
  if (!expected.accepts && source.policy !== 'strict') return { kind: 'refuted' };
  return judge(lanes, made.args, expectedFrom('source', name, expected), {
    by: 'policy',
    key,
    control: withoutKey(made, key),
    isLost: (outcome) => outcome.accepts && !hasKey(outcome.value, key),
  });
}

/** The part of the object's own value that the source declares, when the source takes it, else a value of its own. */
async function acceptedBySource(about: Case, source: SchemaNode, own: JsonObject): Promise<JsonObject | undefined> {
  const shared = only(own, Object.keys(source.fields ?? {}));
  const outcome = await about.probe.parse(about.contract.id, source.id, shared);
  if (outcome.accepts) return shared;
  const sample = await sampleOf(about, source.id, 'min');
  return isObject(sample) ? sample : undefined;
}

async function proveRefinement(
  about: Case,
  lanes: readonly Lane[],
  visit: Visit,
  { source, rebuilt }: Loss,
  name: string,
): Promise<Proof> {
  const { graph, contract, probe } = about;
  // Only fields that are the source's very own leave no other reason for it to reject.
  const names = Object.keys(source.fields ?? {});
  const own = (node: SchemaNode, field: string): number | undefined => nodeOf(graph, node.fields?.[field])?.uid;
  if (
    !names.every((field) => own(source, field) === own(rebuilt, field) && own(source, field) === own(visit.node, field))
  ) {
    return { kind: 'unknown' };
  }
  for (const value of await candidates(about, visit.node)) {
    const taken = await probe.parse(contract.id, visit.node.id, value);
    if (!taken.accepts) continue;
    const expected = await probe.parse(contract.id, source.id, only(value, names));
    if (expected.accepts) continue;
    const made = await argumentsWith(about, visit.path, value);
    if (!made) return { kind: 'unknown' };
    return judge(lanes, made.args, expectedFrom('source', name, expected), {
      by: 'refinement',
      key: '',
      control: undefined,
      isLost: (outcome) => outcome.accepts,
    });
  }
  return { kind: 'unknown' };
}

/** Values of an object and small changes of them, one of which a refinement may reject. */
async function candidates(about: Case, object: SchemaNode): Promise<JsonObject[]> {
  const samples = await Promise.all([sampleOf(about, object.id, 'min'), sampleOf(about, object.id, 'max')]);
  const values = samples.filter((sample) => isObject(sample));
  const changed = values.flatMap((value) =>
    Object.entries(value).flatMap(([key, part]) => [
      ...variations(part).map((other) => ({ ...value, [key]: other })),
      ...(mayBeAbsent(about.graph, object.fields?.[key] ?? -1) ? [only(value, without(value, key))] : []),
    ]),
  );
  return [...values, ...changed].slice(0, 80);
}

function variations(part: Json): Json[] {
  if (typeof part === 'number') return [0, 1, -1, 2, 1_000_000].filter((other) => other !== part);
  if (typeof part === 'boolean') return [!part];
  if (typeof part === 'string') return ['', 'b', '2030-01-01'].filter((other) => other !== part);
  return Array.isArray(part) && part.length > 0 ? [[]] : [];
}

interface Expectation {
  readonly by: 'policy' | 'refinement';
  readonly key: string;
  /** Arguments that every lane must accept for its answer to count. */
  readonly control: JsonObject | undefined;
  isLost(outcome: Outcome): boolean;
}

async function judge(
  lanes: readonly Lane[],
  args: JsonObject,
  expected: Witness['expected'],
  { by, key, control, isLost }: Expectation,
): Promise<Proof> {
  const answers = await Promise.all(
    lanes.map(async (lane) => {
      const outcome = await lane.run(args);
      if (isLost(outcome)) return { lane, outcome, lost: true };
      const fair = outcome.accepts || control === undefined || (await lane.run(control)).accepts;
      return { lane, outcome, lost: fair ? false : undefined };
    }),
  );
  const lost = answers.filter((answer) => answer.lost);
  const [first] = lost;
  if (!first) return { kind: answers.some((answer) => answer.lost === false) ? 'refuted' : 'unknown' };
  return {
    kind: 'shown',
    by,
    key,
    witness: { arguments: args, expected, actual: actualFrom(first.lane.surface, first.outcome) },
    surfaces: lost.map(({ lane }) => lane.surface),
  };
}

/**
 * A key that nothing declares. For a strict source one that a caller may well send by mistake, a slip of a declared
 * optional key: a slip of a required one would not go unnoticed.
 */
function undeclaredKey({ graph }: Case, object: SchemaNode, source: SchemaNode): string {
  const declared = declaredNames(graph);
  const fields = Object.entries({ ...source.fields, ...object.fields });
  const optional = fields.filter(([, id]) => mayBeAbsent(graph, id)).map(([name]) => name);
  // A slip of a very short name does not read like one.
  const slips = [...optional, ...fields.map(([name]) => name)]
    .filter((name) => name.length > 2)
    .map((name) => (/[^s]s$/.test(name) ? name.slice(0, -1) : `${name}s`));
  const likely = source.policy === 'strict' ? [...slips, 'extra'] : ['extra'];
  const free = [...likely, 'undeclared'].find((name) => !declared.has(name) && /^[a-z]/i.test(name));
  if (free !== undefined) return free;
  let number = 1;
  while (declared.has(`extra${number}`)) number++;
  return `extra${number}`;
}

function withoutKey({ args, steps }: Arguments, key: string): JsonObject {
  const owner = partAt(args, steps);
  const replaced = isObject(owner) ? replaceAt(args, steps, only(owner, without(owner, key))) : args;
  return isObject(replaced) ? replaced : args;
}

function without(value: JsonObject, key: string): string[] {
  return Object.keys(value).filter((name) => name !== key);
}

function hasOwn(value: Json, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}
