import type { Contract } from '../../../../shared/src/model.ts';
import { isAboutRegisteredShape } from '../droppedCatchall.ts';
import { placeKey, type Raw } from '../merge.ts';

/**
 * Moves findings about a registered shape to the tools' definitions where one read of a shape serves several tools and
 * only some of them lose anything: the read is right for the others. Fixes that would change the read go.
 */
export function atDefinitions(findings: readonly Raw[], contracts: readonly Contract[]): Raw[] {
  const readers = new Map<string, Set<string>>();
  for (const { form, id, rebuiltFrom } of contracts) {
    if (form !== 'raw-shape') continue;
    for (const { read } of rebuiltFrom) {
      const key = placeKey(read);
      const ids = readers.get(key);
      if (ids) ids.add(id);
      else readers.set(key, new Set([id]));
    }
  }
  const about = findings.filter(({ rule, data }) => rule === 'dropped-catchall' && isAboutRegisteredShape(data));
  const losers = new Map<string, Set<string>>();
  for (const { at, subject } of about) losers.set(placeKey(at), (losers.get(placeKey(at)) ?? new Set()).add(subject));
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  return findings.map((finding) => {
    const key = placeKey(finding.at);
    const contract = byId.get(finding.subject);
    if (!contract || !about.includes(finding) || readers.get(key)?.size === losers.get(key)?.size) return finding;
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
