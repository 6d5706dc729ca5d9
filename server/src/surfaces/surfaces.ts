import type { Contract, SurfaceId } from '../../../shared/src/model.ts';
import { SDK } from './mcpV1.ts';

/** Packages of SDKs that offer tools but cannot be driven yet. */
const NOT_DRIVEN = ['@modelcontextprotocol/server', 'ai'];

/**
 * The surfaces that judge a contract: the one that its registration claims, else every SDK of the nearest package, since
 * an unclaimed definition may end up on any. An SDK that is not there, or that cannot be driven yet, is stood in for by
 * `contract`: the schema's own zod.
 *
 * @param installed names of the packages that the nearest `package.json` depends on or that `node_modules` has
 * @returns at least one surface, without repetition
 */
export function surfacesFor(contract: Contract, installed: ReadonlySet<string>): SurfaceId[] {
  const mcp: SurfaceId[] = installed.has(SDK) ? ['mcp-v1'] : [];
  const { claim } = contract.candidate;
  if (claim === 'mcp-v1') return mcp.length > 0 ? mcp : ['contract'];
  if (claim !== undefined) return ['contract'];
  if (mcp.length === 0 || NOT_DRIVEN.some((name) => installed.has(name))) return [...mcp, 'contract'];
  return mcp;
}
