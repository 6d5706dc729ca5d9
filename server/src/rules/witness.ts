import type {
  Contract,
  Json,
  JsonObject,
  Offer,
  Outcome,
  SchemaGraph,
  SchemaNode,
  SurfaceId,
  Witness,
} from '../../../shared/src/model.ts';
import { SDKS } from '../surfaces/sdks.ts';
import { nodeOf, wrapped } from './graph.ts';
import type { Probe, Subject } from './rule.ts';
import { isObject, locate, replaceAt, type Steps } from './values.ts';

/** A tool's contract with its graph, and whom to ask about it. */
export interface Case {
  readonly contract: Contract;
  readonly graph: SchemaGraph;
  readonly probe: Probe;
}

/** One way a call of the tool is really answered. */
export interface Lane {
  readonly surface: SurfaceId;
  /** Absent where no SDK judges the tool: the contract's own parse answers. */
  readonly offer?: Offer;
  run(args: JsonObject): Promise<Outcome>;
}

/** The surfaces that answer calls of a tool. A tool that no surface answers for is answered by its own contract. */
export function lanesOf(subject: Subject, probe: Probe): Lane[] {
  const { contract, offers } = subject;
  const answering = offers.filter(answersCalls);
  if (answering.length > 0) {
    return answering.map((offer) => ({
      surface: offer.surface.id,
      offer,
      run: (args) => probe.call(offer, args),
    }));
  }
  const root = contract.graph?.root;
  return root === undefined ? [] : [{ surface: 'contract', run: (args) => probe.parse(contract.id, root, args) }];
}

/** What one lane answers to a call. */
export interface Answer {
  readonly lane: Lane;
  readonly outcome: Outcome;
}

/** Sends a call to every lane. */
export function askAll(lanes: readonly Lane[], args: JsonObject): Promise<Answer[]> {
  return Promise.all(lanes.map(async (lane) => ({ lane, outcome: await lane.run(args) })));
}

/**
 * The offer of an SDK that throws when the tool is registered, where none takes it. A definition that claims no SDK may
 * yet be registered on another one.
 */
export function refusalOf({ contract, offers }: Subject): Offer | undefined {
  const [first] = offers;
  const isRefused = offers.every(({ surface, mountError }) => surface.id !== 'contract' && mountError !== undefined);
  return contract.candidate.claim !== undefined && isRefused ? first : undefined;
}

function answersCalls({ surface, mountError, listError }: Offer): boolean {
  if (mountError !== undefined) return false;
  return listError === undefined || surface.id === 'contract' || SDKS[surface.id].callsUnlisted;
}

/**
 * Whether what holds on some surfaces is to be said of a tool: a definition that claims no SDK may end up on any of
 * them, so it has to hold on all.
 *
 * @param lanes the surfaces that answer for the tool
 */
export function isToldOf(
  { contract }: Subject,
  lanes: readonly Pick<Lane, 'surface'>[],
  surfaces: readonly SurfaceId[],
): boolean {
  return contract.candidate.claim !== undefined || lanes.every(({ surface }) => surfaces.includes(surface));
}

/** A value for a node that was run, or undefined when the sampler finds none. */
export async function sampleOf(
  { contract, probe }: Case,
  node: number,
  mode: 'min' | 'max',
  without?: readonly string[],
): Promise<Json | undefined> {
  const sample = await probe.sample({ contract: contract.id, node, mode, ...(without && { without }) });
  return sample.found ? sample.value : undefined;
}

/** Arguments for a tool, and the steps in them to the value that they were made for. */
export interface Arguments {
  readonly args: JsonObject;
  readonly steps: Steps;
}

/**
 * Arguments for the whole tool in which one node's value is the given one.
 *
 * @param path node ids from the root (first) to the node (last)
 * @returns undefined when no arguments could be made or they are no object
 */
export async function argumentsWith(about: Case, path: readonly number[], value: Json): Promise<Arguments | undefined> {
  const made = await valueWith(about, path, value);
  return made && isObject(made.value) ? { args: made.value, steps: made.steps } : undefined;
}

async function valueWith(
  about: Case,
  path: readonly number[],
  value: Json,
): Promise<{ value: Json; steps: Steps } | undefined> {
  const [first] = path;
  if (first === undefined) return undefined;
  if (path.length === 1) return { value, steps: [] };
  const both = path.slice(0, -1).findLastIndex((id) => nodeOf(about.graph, id)?.kind === 'intersection');
  if (both >= 0) return valueWithBoth(about, path, both, value);
  const { contract, probe } = about;
  const sample = await probe.sample({ contract: contract.id, node: first, mode: 'min', through: path });
  // The sampler starts from a value that is accepted, and there may be none: that is just what some faults are.
  const made =
    sample.found && sample.end ? replaceAt(sample.value, sample.end, value) : await compose(about, path, value);
  const steps = made === undefined ? undefined : locate(made, value);
  return made === undefined || steps === undefined ? undefined : { value: made, steps };
}

/** Where a path goes into one side of an intersection, the value has to hold what the other side needs, too. */
async function valueWithBoth(
  about: Case,
  path: readonly number[],
  both: number,
  value: Json,
): Promise<{ value: Json; steps: Steps } | undefined> {
  const parent = nodeOf(about.graph, path[both]);
  const side = path[both + 1];
  const inner = await valueWith(about, path.slice(both + 1), value);
  const merged = parent && side !== undefined && inner ? await around(about, parent, side, inner.value) : undefined;
  const outer = merged === undefined ? undefined : await valueWith(about, path.slice(0, both + 1), merged);
  return inner && outer && { value: outer.value, steps: [...outer.steps, ...inner.steps] };
}

async function compose(about: Case, path: readonly number[], value: Json): Promise<Json | undefined> {
  let inner: Json | undefined = value;
  for (let at = path.length - 2; at >= 0 && inner !== undefined; at--) {
    const parent = nodeOf(about.graph, path[at]);
    const child = path[at + 1];
    if (!parent || child === undefined) return undefined;
    inner = await around(about, parent, child, inner);
  }
  return inner;
}

/** The smallest value of a node in which the value of one of its children is the given one. */
async function around(about: Case, parent: SchemaNode, child: number, value: Json): Promise<Json | undefined> {
  const { graph } = about;
  if (wrapped(graph, parent)) return value;
  switch (parent.kind) {
    case 'object': {
      const made: JsonObject = {};
      let placed = false;
      for (const [name, id] of Object.entries(parent.fields ?? {})) {
        const mine: boolean = id === child && !placed;
        if (!mine && mayBeAbsent(graph, id)) continue;
        const part = mine ? value : await sampleOf(about, id, 'min');
        if (part === undefined) return undefined;
        placed ||= mine;
        made[name] = part;
      }
      if (!placed) made.extra = value;
      return made;
    }
    case 'array':
    case 'set':
      return [value];
    case 'tuple': {
      const items = await Promise.all(
        (parent.items ?? []).map((id) => (id === child ? value : sampleOf(about, id, 'min'))),
      );
      return items.every((item) => item !== undefined) ? (items as Json[]) : undefined;
    }
    case 'record': {
      const key = parent.key === undefined ? 'key' : await sampleOf(about, parent.key, 'min');
      return typeof key === 'string' ? { [key]: value } : undefined;
    }
    case 'union':
      return value;
    case 'intersection': {
      const other = parent.left === child ? parent.right : parent.left;
      const rest = other === undefined ? undefined : await sampleOf(about, other, 'min');
      return isObject(rest) && isObject(value) ? { ...rest, ...value } : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a field of this node may be left out, by its kind. */
export function mayBeAbsent(graph: SchemaGraph, id: number): boolean {
  for (let node = nodeOf(graph, id), depth = 0; node && depth < 20; node = wrapped(graph, node), depth++) {
    if (node.kind === 'optional' || node.kind === 'default' || node.kind === 'prefault' || node.kind === 'catch') {
      return true;
    }
    if (node.kind === 'nonoptional') return false;
  }
  return false;
}

/** One side of a witness from what was run. */
export function expectedFrom(by: Witness['expected']['by'], name: string, outcome: Outcome): Witness['expected'] {
  return outcome.accepts
    ? { by, name, accepts: true, value: outcome.value }
    : { by, name, accepts: false, error: outcome.error };
}

/** The other side of a witness from what was run. */
export function actualFrom(by: SurfaceId, outcome: Outcome): Witness['actual'] {
  return outcome.accepts
    ? { by, accepts: true, received: outcome.value }
    : { by, accepts: false, error: outcome.error };
}
