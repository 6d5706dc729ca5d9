import { dirname } from 'node:path';
import type { Contract, Offer, SurfaceId } from '../../../shared/src/model.ts';
import type { SurfaceAnswer } from '../evaluation/sandbox/messages.ts';
import type { Packages } from '../files/packages.ts';
import { SDK } from '../surfaces/mcpV1.ts';
import { surfacesFor } from '../surfaces/surfaces.ts';

/** Tools that one SDK as one package sees it lists together. */
export interface OfferGroup {
  readonly surface: SurfaceId;
  /** The package's folder. */
  readonly folder: string;
  /** A file of the package: packages are resolved as it sees them. */
  readonly from: string;
  readonly contracts: Contract[];
}

/** Sorts contracts by the surfaces that judge them and the package that they are in. */
export function offerGroups(
  contracts: readonly Contract[],
  packages: Packages,
  allowed: (file: string) => 'auto' | readonly SurfaceId[],
): OfferGroup[] {
  const groups = new Map<string, OfferGroup>();
  for (const contract of contracts) {
    if (contract.form === 'other') continue;
    const { file } = contract.candidate;
    const folder = packages.nearest(file)?.folder ?? dirname(file);
    const wanted = allowed(file);
    for (const surface of surfacesFor(contract, installedFor(contract, packages))) {
      if (wanted !== 'auto' && !wanted.includes(surface)) continue;
      const key = `${surface} ${folder}`;
      const group = groups.get(key) ?? { surface, folder, from: file, contracts: [] };
      group.contracts.push(contract);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** Turns a surface's answer into offers. A surface that is not installed makes none, and its reason is a note. */
export function toOffers(group: OfferGroup, answer: SurfaceAnswer): { offers: Offer[]; note?: string } {
  if (!answer.installed) return { offers: [], note: answer.reason };
  const surface = {
    id: group.surface,
    ...(answer.sdk !== undefined && { sdk: answer.sdk }),
    ...(answer.version !== undefined && { version: answer.version }),
  };
  return { offers: answer.offers.map((offer) => ({ ...offer, surface })) };
}

/** What the nearest package depends on; an SDK that the file itself imports counts wherever it was hoisted to. */
function installedFor(contract: Contract, packages: Packages): ReadonlySet<string> {
  const { file, claim } = contract.candidate;
  const own = packages.nearest(file)?.dependencies ?? new Set<string>();
  if (claim === 'mcp-v1' && !own.has(SDK) && packages.installed(SDK, dirname(file))) return new Set([...own, SDK]);
  return own;
}
