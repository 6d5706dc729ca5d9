import type { Contract } from '../../../../shared/src/model.ts';
import { placeKey, type Raw } from '../merge.ts';
import { isAboutRegisteredShape } from './extending.ts';
import { isClaimed } from './loss.ts';

/**
 * Moves findings about a registered shape to the tools' definitions where one read of a shape serves several tools and
 * only some of them lose anything: the read is right for the others. Fixes that would change the read go.
 */
export function atDefinitions(findings: readonly Raw[], contracts: readonly Contract[]): Raw[] {
  const readers = new Map<string, Set<string>>();
  for (const contract of contracts) {
    if (contract.form !== 'raw-shape' || !isClaimed(contract)) continue;
    for (const { read } of contract.rebuiltFrom) put(readers, placeKey(read), contract.id);
  }
  const about = new Set(
    findings.filter(({ rule, data }) => rule === 'dropped-catchall' && isAboutRegisteredShape(data)),
  );
  const losers = new Map<string, Set<string>>();
  for (const { at, subject } of about) put(losers, placeKey(at), subject);
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  return findings.map((finding) => {
    const key = placeKey(finding.at);
    const contract = byId.get(finding.subject);
    if (!contract || !about.has(finding) || readers.get(key)?.size === losers.get(key)?.size) return finding;
    const { definedAt } = contract;
    const related = finding.related.filter(({ place }) => placeKey(place) !== placeKey(definedAt));
    return {
      ...finding,
      at: definedAt,
      related: [{ place: finding.at, message: 'its shape is read here' }, ...related],
      fixes: [],
    };
  });
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}
