import type { Finding, Offer } from '../../../shared/src/model.ts';
import type { StatusParams } from '../../../shared/src/protocol.ts';

/** What a status is made of: one check's tools and findings. */
export interface StatusInput {
  readonly tools: readonly { readonly offers: readonly Offer[] }[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly durationMs: number;
}

const SDK_NAMES: { readonly [sdk: string]: string } = { '@modelcontextprotocol/sdk': 'MCP SDK' };

/** What the status item shows after a check. */
export function statusOf(check: StatusInput): StatusParams {
  const surfaces = new Set(check.tools.flatMap(({ offers }) => offers.map(({ surface }) => surfaceName(surface))));
  const message = messageOf(check);
  return {
    state: 'ready',
    tools: check.tools.length,
    problems: check.findings.filter(({ severity }) => severity === 'error' || severity === 'warning').length,
    durationMs: check.durationMs,
    surfaces: [...surfaces].sort(),
    ...(message !== undefined && { message }),
  };
}

/** What Restricted Mode shows: names found by parsing, and why there is no more. */
export function restrictedStatus(names: readonly string[]): StatusParams {
  return {
    state: 'restricted',
    tools: names.length,
    problems: 0,
    names,
    message:
      'Tool contracts are evaluated by running workspace code. Trust this workspace to check them; nothing has run.',
  };
}

/** A surface as a person reads it: `MCP SDK 1.32.2`. */
export function surfaceName({ sdk, version }: Offer['surface']): string {
  if (sdk === undefined) return 'no SDK: judged by the schema alone';
  return [SDK_NAMES[sdk] ?? sdk, version].filter(Boolean).join(' ');
}

function messageOf(check: StatusInput): string | undefined {
  if (check.notes.length > 0) return check.notes.join(' ');
  if (check.tools.length > 0) return undefined;
  return 'No tools found. Looked for registerTool, server.tool, addTool and objects with a name and an inputSchema in the files that toolContracts.include and toolContracts.exclude select.';
}
