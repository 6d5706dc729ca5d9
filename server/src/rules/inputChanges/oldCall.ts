import type { Json, JsonObject, Witness } from '../../../../shared/src/model.ts';
import { type InputChange, pathText, type Step } from '../../baseline/inputChange.ts';
import type { Previous, PreviousSource } from '../../baseline/previous.ts';
import { walk } from '../graph.ts';
import { jsonSchemaCheck } from '../jsonSchemaCheck.ts';
import type { Probe } from '../rule.ts';
import { isObject, partAt, replaceAt, type Steps } from '../values.ts';
import { argumentsWith, type Case, sampleOf } from '../witness.ts';
import { sampleJsonSchema } from './jsonSample.ts';

/** A call that the last release took. */
export interface OldCall {
  readonly args: JsonObject;
  /** What the release made of it; a validator only says that it is accepted. */
  readonly accepts: { readonly accepts: true; readonly value?: Json };
  /** Who judged it, for people. */
  readonly judge: string;
}

/**
 * What an old call has to hold: the `input` that a change is about, only what the `object` around it had to have, or an
 * `undeclared` key in the object.
 */
export type Content = 'input' | 'object' | 'undeclared';

/** A key that no tool declares. */
const UNDECLARED = 'undeclaredKey';

/**
 * A call of the last release: as small as can be, and accepted by the release itself.
 *
 * @returns undefined when none could be made
 */
export async function oldCall(
  { tool, release }: Previous,
  change: InputChange,
  content: Content,
): Promise<OldCall | undefined> {
  const { source } = tool;
  if (source.by === 'schema') {
    const check = jsonSchemaCheck(source.schema);
    const args = recordedCalls(source.schema, change, content).find((made) => check?.(made) === null);
    return args && { args, accepts: { accepts: true }, judge: `${release.release}, by a JSON Schema validator` };
  }
  const lost = change.kind === 'type' ? change.lost : '';
  const key = `${content} ${pathText(change.path)} ${change.before.owner.join()} ${lost}`;
  const made = await source.ask(key, (probe) => liveCall(source, change, content, probe));
  return made && { ...made, judge: release.name };
}

/** What an old call shows when it is sent now. */
export function witnessOf({ args, accepts, judge }: OldCall, actual: Witness['actual']): Witness {
  return { arguments: args, expected: { by: 'baseline', name: judge, ...accepts }, actual };
}

/** Calls that a recorded schema may accept, likely ones first. */
function recordedCalls(schema: Json, change: InputChange, content: Content): JsonObject[] {
  const { path, kind } = change;
  const isAround = content !== 'input' && kind !== 'policy';
  const place = isAround ? path.slice(0, -1) : path;
  const made = sampleJsonSchema(schema, place);
  const steps = made && stepsIn(made, place);
  if (!made || !steps) return [];
  if (content === 'object') return [made];
  const part = partAt(made, steps);
  if (content === 'undeclared') return isObject(part) ? put(made, steps, { ...part, [UNDECLARED]: true }) : [];
  if (kind !== 'type') return [made];
  const lost = change.lost.split(' or ');
  return [
    ...(part !== undefined && lost.includes(typeOf(part)) ? [made] : []),
    ...lost.flatMap((type) => put(made, steps, TYPICAL[type] ?? null)),
  ];
}

function put(made: JsonObject, steps: Steps, part: Json): JsonObject[] {
  const changed = replaceAt(made, steps, part);
  return isObject(changed) ? [changed] : [];
}

/** The keys that a path takes in a value: the first item of a list, the first key of a record. */
function stepsIn(value: Json, path: readonly Step[]): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let part: Json | undefined = value;
  for (const step of path) {
    if (typeof part !== 'object' || part === null) return undefined;
    const key: string | undefined = typeof step === 'object' ? step.field : Object.keys(part)[0];
    if (key === undefined) return undefined;
    steps.push(Array.isArray(part) ? Number(key) : key);
    part = (part as JsonObject)[key];
  }
  return steps;
}

async function liveCall(
  { contract }: Extract<PreviousSource, { by: 'evaluation' }>,
  change: InputChange,
  content: Content,
  probe: Probe,
): Promise<Pick<OldCall, 'args' | 'accepts'> | undefined> {
  const { graph } = contract;
  if (!graph) return undefined;
  const about: Case = { contract, graph, probe };
  for (const value of await valuesFor(about, change, content)) {
    const made = await madeCall(about, change, content, value);
    if (!made) continue;
    const outcome = await probe.parse(contract.id, graph.root, made);
    if (outcome.accepts) return { args: made, accepts: outcome };
  }
  return undefined;
}

/** Values of the types that an input took and takes no longer, when nothing special is asked of them. */
const TYPICAL: { readonly [type: string]: Json } = {
  null: null,
  string: 'text',
  number: 1,
  boolean: true,
  array: [],
  object: {},
};

/** What an old call may hold in the place that a change is about, likely values first. */
async function valuesFor(about: Case, change: InputChange, content: Content): Promise<Json[]> {
  if (content !== 'input') return [true];
  const { node } = change.before;
  const samples = node === undefined ? [] : [await sampleOf(about, node, 'min'), await sampleOf(about, node, 'max')];
  const values = samples.flatMap((value) => (value === undefined ? [] : [value]));
  if (change.kind !== 'type') return values;
  const lost = change.lost.split(' or ');
  return [
    ...values.filter((value) => lost.includes(typeOf(value))),
    ...lost.flatMap((type) => (type in TYPICAL ? [TYPICAL[type] as Json] : [])),
  ];
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

async function madeCall(
  about: Case,
  { before: { owner, node }, path }: InputChange,
  content: Content,
  value: Json,
): Promise<JsonObject | undefined> {
  const last = path.at(-1);
  // An item of a list, a value of a record: it has no name in the object around it.
  if (content === 'input' && typeof last !== 'object' && node !== undefined) {
    const way = wayTo(about, [node]);
    return way && (await argumentsWith(about, way.path, value))?.args;
  }
  const way = wayTo(about, owner);
  const held = way && (await sampleOf(about, way.node, 'min'));
  if (!way || !isObject(held)) return undefined;
  if (content === 'object') return (await argumentsWith(about, way.path, held))?.args;
  const name = content === 'undeclared' || typeof last !== 'object' ? UNDECLARED : last.field;
  return (await argumentsWith(about, way.path, { ...held, [name]: value }))?.args;
}

/** The shortest way to one of some nodes. */
function wayTo({ graph }: Case, nodes: readonly number[]): { node: number; path: readonly number[] } | undefined {
  for (const { node, path } of walk(graph)) if (nodes.includes(node.id)) return { node: node.id, path };
  return undefined;
}
