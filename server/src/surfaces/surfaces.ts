import type { Contract, SurfaceId, Way } from '../../../shared/src/model.ts';
import { SDK_SURFACES, SDKS, type SdkSurface } from './sdks.ts';

/** Ways of offering a tool that only some SDKs have. */
const REGISTERING: ReadonlySet<Way> = new Set(SDK_SURFACES.flatMap((surface) => SDKS[surface].calls));

/**
 * The surfaces that judge a contract: the one that its registration claims, else every SDK of the nearest package that
 * may take it, since an unclaimed definition may end up on any. An SDK that is not there is stood in for by `contract`:
 * the schema's own zod.
 *
 * @param installed names of the packages that the nearest `package.json` depends on or that `node_modules` has
 * @returns at least one surface, without repetition
 */
export function surfacesFor(
  { candidate: { claim, way }, form }: Pick<Contract, 'candidate' | 'form'>,
  installed: ReadonlySet<string>,
): SurfaceId[] {
  const isThere = (surface: SurfaceId) => surface !== 'contract' && installed.has(SDKS[surface].package);
  if (claim !== undefined) return [isThere(claim) ? claim : 'contract'];
  const mayTake = (surface: SdkSurface): boolean => {
    const { takesShapes, calls } = SDKS[surface];
    return (form !== 'raw-shape' || takesShapes) && (!REGISTERING.has(way) || calls.includes(way));
  };
  const possible = SDK_SURFACES.filter((surface) => isThere(surface) && mayTake(surface));
  return possible.length > 0 ? possible : ['contract'];
}
