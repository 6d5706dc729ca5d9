import type { Contract, Unevaluated } from '../../../shared/src/model.ts';
import type { EvaluatedJob } from '../evaluation/sandbox.ts';
import type { Evaluated } from './evaluated.ts';

/**
 * The contracts of a candidate that was evaluated anew which are what they were: SDKs make the same of them, and rules
 * find the same.
 *
 * @param result what the sandbox said
 * @returns ids
 */
export function sameContracts(now: Evaluated, before: Evaluated | undefined, result: EvaluatedJob): Set<string> {
  const same = new Set<string>();
  if (!before || 'failure' in result) return same;
  const old = new Map(before.contracts.map((contract) => [contract.id, contract]));
  const unchanged = new Set(result.contracts.flatMap((wire) => (wire.unchanged ? wire.id : [])));
  for (const contract of now.contracts) {
    const known = old.get(contract.id);
    if (!known || !unchanged.has(contract.id) || known.unchosen !== contract.unchosen) continue;
    if (isRegisteredAlike(known, contract)) same.add(contract.id);
  }
  return same;
}

/** Whether what is said about a tool stays true, as far as it depends on how the tool is joined with others. */
export function isRegisteredAlike(a: Contract, b: Contract): boolean {
  const [before, after] = [a.registeredAt, b.registeredAt];
  const isThere = before === null || after === null ? before === after : samePlace(before, after);
  return isThere && samePlace(a.definedAt, b.definedAt) && isOfferedAlike(a, b);
}

/** Whether a surface makes the same of a tool: its words hold the tool's name. */
export function isOfferedAlike(a: Contract, b: Contract): boolean {
  return a.name === b.name && a.candidate.claim === b.candidate.claim;
}

/** A loop that registers definitions fails with them: where they are known by name, the loop adds nothing. */
export function withoutRegistrations(unevaluated: readonly Unevaluated[]): Unevaluated[] {
  const named = unevaluated.filter(({ name }) => name !== null);
  return unevaluated.filter((one) => one.name !== null || !named.some((other) => samePlace(other.at, one.at)));
}

function samePlace(a: Contract['definedAt'], b: Contract['definedAt']): boolean {
  return a.file === b.file && a.span.start === b.span.start && a.span.end === b.span.end;
}
