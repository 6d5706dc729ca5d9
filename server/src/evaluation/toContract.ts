import type { Candidate, Contract, Place, SchemaGraph, Unevaluated } from '../../../shared/src/model.ts';
import type { Modules } from './modules.ts';
import type { WireContract, WireFailure } from './sandbox/messages.ts';
import type { EvaluatedJob } from './sandbox.ts';
import { placed, toGraph } from './toGraph.ts';

/**
 * Gives an evaluated tool its places: sites become files and spans.
 *
 * @param before the contract as it was, when it may be unchanged
 * @returns null when what was found there is no tool, although it looked like one
 */
export function toContract(
  candidate: Candidate,
  wire: WireContract,
  result: EvaluatedJob,
  modules: Modules,
  before?: Contract,
): Contract | null {
  const objects = placed(result.objects, modules);
  const held = wire.unchanged ? before : undefined;
  const graph = held ? held.graph : wire.graph && toGraph(wire.graph, objects);
  if (!candidate.certain && !isInput(graph, wire)) return null;
  const registration: Place = { file: candidate.file, span: candidate.span };
  const caller = wire.callSite && { file: candidate.file, span: { start: wire.callSite[0], end: wire.callSite[1] } };
  return {
    id: wire.id,
    candidate,
    name: wire.name ?? candidate.name?.text ?? null,
    form: wire.form,
    graph,
    output: held ? held.output : wire.output && toGraph(wire.output, objects),
    rebuiltFrom: (wire.form === 'raw-shape' && graph?.nodes[graph.root]?.rebuiltFrom) || [],
    definedAt: caller ?? registration,
    registeredAt: caller ? registration : null,
    files: result.files,
    environment: result.environment,
    ...(wire.unchosen && { unchosen: true as const }),
  };
}

/** Says of a candidate that failed why and where: at the first expression of the trail that failed. */
export function toUnevaluated(
  candidate: Candidate,
  failure: WireFailure,
  files: readonly string[],
  modules: Modules,
): Unevaluated {
  return {
    candidate,
    name: candidate.name?.text ?? null,
    reason: failure.reason,
    at: placeOf(candidate, failure, modules),
    trail: failure.trail.map((step) => step.name).filter((name) => !name.startsWith('$')),
    files,
  };
}

function placeOf(candidate: Candidate, failure: WireFailure, modules: Modules): Place {
  const span = candidate.schema?.span ?? candidate.span;
  return modules.failingPlace(failure) ?? { file: candidate.file, span };
}

/** The kinds that wrap another schema without changing what it is to a caller. */
const WRAPPERS = new Set([
  'optional',
  'nullable',
  'nonoptional',
  'default',
  'prefault',
  'catch',
  'readonly',
  'lazy',
  'refinement',
  'branded',
  'promise',
]);

/** Whether a schema can be a tool's input: an object, or a union or intersection of objects, a record, an effect on one. */
function isInput(graph: SchemaGraph | null, wire: WireContract): boolean {
  if (!graph) return false;
  if (wire.form === 'raw-shape') return Object.keys(graph.nodes[graph.root]?.fields ?? {}).length > 0;
  const seen = new Set<number>();
  const visit = (id: number | undefined): boolean => {
    const node = id === undefined ? undefined : graph.nodes[id];
    if (!node || seen.has(node.id)) return false;
    seen.add(node.id);
    if (node.kind === 'object' || node.kind === 'record') return true;
    if (node.kind === 'union') return (node.options ?? []).some(visit);
    if (node.kind === 'intersection') return visit(node.left) || visit(node.right);
    if (node.kind === 'pipe') return visit(node.in) || visit(node.out);
    return WRAPPERS.has(node.kind) && visit(node.inner);
  };
  return visit(graph.root);
}
