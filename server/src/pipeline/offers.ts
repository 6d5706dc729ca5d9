import { dirname } from 'node:path';
import type { Contract, Offer, SurfaceId } from '../../../shared/src/model.ts';
import type { OfferRequest, SurfaceAnswer } from '../evaluation/sandbox/messages.ts';
import type { Packages } from '../files/packages.ts';
import { SDKS, untested } from '../surfaces/sdks.ts';
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

/** How a surface is asked to mount a tool. */
export function offerRequest({ id, name, candidate }: Contract): OfferRequest {
  const isPositional = candidate.way === 'server.tool' && candidate.claim === 'mcp-v1';
  return { contract: id, name: name ?? 'tool', ...(isPositional && { isPositional }) };
}

/**
 * Turns a surface's answer into offers. A surface that cannot be driven makes none, and its reason is a note; so is what
 * is uncertain about a version.
 */
export function toOffers({ surface: id }: OfferGroup, answer: SurfaceAnswer): { offers: Offer[]; note?: string } {
  if (!answer.installed) return { offers: [], note: answer.reason };
  const { sdk, version } = answer;
  const note = id === 'contract' || version === undefined ? undefined : untested(id, version);
  const surface = {
    id,
    ...(sdk !== undefined && { sdk }),
    ...(version !== undefined && { version }),
    ...(note !== undefined && { note }),
  };
  return { offers: answer.offers.map((offer) => ({ ...offer, surface })), ...(note !== undefined && { note }) };
}

/** What the nearest package depends on; an SDK that the file itself imports counts wherever it was hoisted to. */
function installedFor(contract: Contract, packages: Packages): ReadonlySet<string> {
  const { file, claim } = contract.candidate;
  const own = packages.nearest(file)?.dependencies ?? new Set<string>();
  if (claim === undefined || claim === 'contract') return own;
  const sdk = SDKS[claim].package;
  return !own.has(sdk) && packages.installed(sdk, dirname(file)) ? new Set([...own, sdk]) : own;
}
