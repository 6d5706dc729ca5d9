import type { Place, Severity, SurfaceId, Witness } from '../../../../shared/src/model.ts';
import { placeKey } from '../merge.ts';
import { lowered } from '../severity.ts';

/** What an old call showed of one change. */
export interface Shown {
  readonly witness: Witness | null;
  /** Where it is so. */
  readonly surfaces: readonly SurfaceId[];
}

/** The changes that are told at one place, and what of a finding follows from them. */
export interface Told<One extends Shown> {
  readonly at: Place;
  readonly changes: readonly One[];
  /** Lower where no call was found that shows any of them. */
  readonly severity: Severity;
  readonly witness: Witness | null;
  readonly surfaces: readonly SurfaceId[];
}

/**
 * Puts changes together that are told at one place: an object that several inputs went from is one expression.
 *
 * @param severity where a call shows one of them
 */
export function toldByPlace<One extends Shown>(
  changes: readonly One[],
  placeOf: (change: One) => Place,
  severity: Severity,
): Told<One>[] {
  const groups = new Map<string, { readonly at: Place; readonly changes: One[] }>();
  for (const change of changes) {
    const at = placeOf(change);
    const group = groups.get(placeKey(at)) ?? { at, changes: [] };
    group.changes.push(change);
    groups.set(placeKey(at), group);
  }
  return [...groups.values()].map((group) => {
    const witness = group.changes.find((one) => one.witness)?.witness ?? null;
    return {
      ...group,
      severity: witness ? severity : lowered(severity),
      witness,
      surfaces: [...new Set(group.changes.flatMap(({ surfaces }) => surfaces))],
    };
  });
}
