import type { Json } from '../../../../shared/src/model.ts';
import type { Sample, SampleRequest } from './messages.ts';
import { Sampler } from './sampler.ts';

/**
 * Makes a value that a schema accepts. It is found by trying: candidates are built from the schema's parts, and what is
 * returned was accepted by `safeParse`, as JSON.
 *
 * @param objects the contract's schema objects by node id
 * @returns the same value each time, or the reason why none was found. Never throws.
 */
export function sample(objects: readonly object[], request: SampleRequest): Sample {
  const root = objects[request.node];
  const [first = request.node, ...path] = request.through ?? [];
  const unknown = [request.node, ...path].find((id) => objects[id] === undefined);
  if (!root || unknown !== undefined) return { found: false, reason: `there is no node ${unknown}` };
  if (first !== request.node) return { found: false, reason: `the path does not start at node ${request.node}` };
  const sampler = new Sampler(
    path.map((id) => objects[id] as object),
    new Set(request.without),
  );
  const candidates = sampler.values(root, { mode: request.mode, path: 0, depth: 0, name: '' });
  for (;;) {
    const next = candidates.next();
    if (next.done) return { found: false, reason: next.value || 'every value that is accepted is left out of a call' };
    const { value, end } = next.value;
    if (value === undefined || end === undefined) continue;
    const copy = JSON.parse(JSON.stringify(value)) as Json;
    return { found: true, value: copy, ...(request.through && { end }) };
  }
}
