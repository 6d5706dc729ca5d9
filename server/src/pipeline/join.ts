import type { Contract, Place, SchemaGraph, SchemaNode } from '../../../shared/src/model.ts';
import { SDKS } from '../surfaces/sdks.ts';

/**
 * Joins definitions with their registrations: a definition object that a loop or a sink registers elsewhere is one tool,
 * judged as it is really registered, shown where it is written down.
 *
 * A registration belongs to a definition when its schema, or what it was made from on the way, was produced by the same
 * expression; of several with one expression the name decides.
 */
export function joinRegistrations(contracts: readonly Contract[]): Contract[] {
  const definitions = new Map<string, Contract[]>();
  for (const contract of contracts) {
    if (isRegistration(contract)) continue;
    for (const key of kept(ownKeysByGraph, contract, ownKeys)) {
      const known = definitions.get(key);
      if (known) known.push(contract);
      else definitions.set(key, [contract]);
    }
  }
  const claimed = new Map<Contract, Contract>();
  const joined = contracts.map((contract) => {
    if (!isRegistration(contract)) return contract;
    const definition = definitionOf(contract, definitions);
    if (!definition) return contract;
    claimed.set(definition, contract);
    return joinedOf(contract, definition);
  });
  return joined.filter((contract) => !claimed.has(contract));
}

/** By registration: the same two are joined to the same contract, since every edit joins all of them. */
const known = new WeakMap<Contract, { readonly definition: Contract; readonly joined: Contract }>();

function joinedOf(registration: Contract, definition: Contract): Contract {
  const before = known.get(registration);
  if (before?.definition === definition) return before.joined;
  const { candidate, registeredAt } = registration;
  const joined = {
    ...registration,
    definedAt: definition.definedAt,
    registeredAt: registeredAt ?? { file: candidate.file, span: candidate.span },
  };
  known.set(registration, { definition, joined });
  return joined;
}

/** Whether a contract is of a call that registers, rather than of a definition. */
export function isRegistration(contract: Contract): boolean {
  const { way } = contract.candidate;
  return way === 'registerTool' || way === 'registerAppTool' || way === 'server.tool';
}

function definitionOf(
  registration: Contract,
  definitions: ReadonlyMap<string, readonly Contract[]>,
): Contract | undefined {
  for (const key of kept(historyKeysByGraph, registration, historyKeys)) {
    const found = definitions.get(key)?.filter((definition) => mayBeRegistered(definition, registration));
    if (!found) continue;
    const named = found.filter((definition) => definition.name !== null && definition.name === registration.name);
    if (named.length === 1) return named[0];
    const inside = found.filter((definition) => holds(definition, key));
    if (inside.length === 1) return inside[0];
  }
  return undefined;
}

/** Whether a definition may be what is registered: one that an SDK takes as it is stays a tool of that SDK. */
function mayBeRegistered({ candidate: { claim } }: Contract, { candidate: registration }: Contract): boolean {
  if (claim === undefined || claim === 'contract') return true;
  const isTakenSo = SDKS[claim].calls.includes(registration.way);
  return isTakenSo && (registration.claim === undefined || registration.claim === claim);
}

/** Whether the expression of a key stands inside a definition. */
function holds(definition: Contract, key: string): boolean {
  const { file, span } = definition.definedAt;
  return [...originsOf(definition.graph, [definition.graph?.root])].some(
    (place) =>
      keyOf(place) === key && place.file === file && place.span.start >= span.start && place.span.end <= span.end,
  );
}

type Keys = ReadonlySet<string>;
const NO_KEYS: Keys = new Set();
/** Graphs do not change, and every edit joins all contracts anew. */
const ownKeysByGraph = new WeakMap<SchemaGraph, Keys>();
const historyKeysByGraph = new WeakMap<SchemaGraph, Keys>();

function kept(of: WeakMap<SchemaGraph, Keys>, contract: Contract, make: (contract: Contract) => Keys): Keys {
  const { graph } = contract;
  if (!graph) return NO_KEYS;
  const known = of.get(graph) ?? make(contract);
  of.set(graph, known);
  return known;
}

/** Keys of the expressions that made a definition's schema: its root, or the fields of a raw shape. */
function ownKeys(contract: Contract): Keys {
  const { graph } = contract;
  const root = graph?.nodes[graph.root];
  if (!graph || !root) return NO_KEYS;
  const nodes = contract.form === 'raw-shape' ? Object.values(root.fields ?? {}) : [root.id];
  return new Set([...originsOf(graph, nodes)].map(keyOf));
}

/** Keys of all that a registered schema was made from: receivers, shapes that flowed in, fields. */
function historyKeys(contract: Contract): Keys {
  const { graph } = contract;
  const root = graph?.nodes[graph.root];
  if (!graph || !root) return NO_KEYS;
  const nodes: number[] = [];
  const visit = (node: SchemaNode | undefined) => {
    if (!node || nodes.includes(node.id)) return;
    nodes.push(node.id);
    if (node.from !== undefined) visit(graph.nodes[node.from]);
    if (node.inner !== undefined) visit(graph.nodes[node.inner]);
    for (const flow of node.rebuiltFrom ?? []) visit(graph.nodes[flow.owner]);
  };
  visit(root);
  const keys = new Set([...originsOf(graph, nodes)].map(keyOf));
  for (const place of originsOf(graph, Object.values(root.fields ?? {}))) keys.add(keyOf(place));
  return keys;
}

function* originsOf(graph: SchemaGraph | null, nodes: readonly (number | undefined)[]): Generator<Place> {
  for (const id of nodes) {
    const place = id === undefined ? undefined : graph?.nodes[id]?.origin?.place;
    if (place) yield place;
  }
}

function keyOf(place: Place): string {
  return `${place.file}:${place.span.start}-${place.span.end}`;
}
