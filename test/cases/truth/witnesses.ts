import type { JsonFinding } from '../../../server/src/reporters/json.ts';
import type { Claim } from '../variants.ts';
import type { AnyOf } from './truth.ts';

/** What a surface says of a call when its list, and not its parser, is meant. */
const BY_LIST = /^the advertised schema refuses it/;

/**
 * What the witness of a finding says that the MCP SDK does, for any one of the finding's tools: it is the worst one's.
 *
 * @returns undefined when the finding has no witness of that surface
 */
export function claimOfWitness({ witness, tools }: JsonFinding): AnyOf | undefined {
  if (witness?.actual.by !== 'mcp-v1') return undefined;
  const { accepts, received, error = '' } = witness.actual;
  const outcome = accepts ? { received } : BY_LIST.test(error) ? 'forbidden' : 'rejected';
  return tools.map(
    (tool): Claim => ({
      tool,
      arguments: witness.arguments as Claim['arguments'],
      outcome,
      holdsWith: () => true,
    }),
  );
}
