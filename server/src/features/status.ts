import type { Finding, Offer } from '../../../shared/src/model.ts';
import type { StatusParams } from '../../../shared/src/protocol.ts';
import { surfaceName } from './surface.ts';

/** What a status is made of: one check's tools and findings. */
export interface StatusInput {
  readonly tools: readonly {
    readonly offers: readonly Offer[];
    /** Version of the zod that the tool's file sees. */
    readonly zod?: string;
  }[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly durationMs: number;
}

/** What the status item shows after a check. */
export function statusOf(check: StatusInput): StatusParams {
  const surfaces = surfacesOf(check.tools);
  const message = messageOf(check);
  return {
    state: 'ready',
    tools: check.tools.length,
    problems: check.findings.filter(({ severity }) => severity === 'error' || severity === 'warning').length,
    durationMs: check.durationMs,
    surfaces,
    ...(message !== undefined && { message }),
  };
}

/** Each surface with the zod that its tools see, once, sorted. Every edit asks, and a thousand tools share a few objects. */
function surfacesOf(tools: StatusInput['tools']): string[] {
  const seen = new Map<Offer['surface'], Set<string | undefined>>();
  for (const { offers, zod } of tools) {
    for (const { surface } of offers) {
      const zods = seen.get(surface);
      if (zods) zods.add(zod);
      else seen.set(surface, new Set([zod]));
    }
  }
  const names = [...seen].flatMap(([surface, zods]) =>
    [...zods].map((zod) => [surfaceName(surface), ...(zod === undefined ? [] : [`zod ${zod}`])].join(' · ')),
  );
  return [...new Set(names)].sort();
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

/** From the one that asks for most attention to the one that asks for least. */
const STATES: readonly StatusParams['state'][] = ['failed', 'restricted', 'scanning', 'checking', 'ready'];

/** One status for all folders of a workspace: sums, the state that asks for most attention, every sentence. */
export function combined(statuses: readonly StatusParams[]): StatusParams {
  const [first, ...others] = statuses;
  if (!first) return { state: 'ready', tools: 0, problems: 0 };
  if (others.length === 0) return first;
  const sum = (values: readonly (number | undefined)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const union = (lists: readonly (readonly string[] | undefined)[]) =>
    [...new Set(lists.flatMap((list) => list ?? []))].sort();
  const running = statuses.flatMap(({ progress }) => progress ?? []);
  const durations = statuses.flatMap(({ durationMs }) => durationMs ?? []);
  const names = union(statuses.map((status) => status.names));
  const surfaces = union(statuses.map((status) => status.surfaces));
  // That one folder has no tools is worth a sentence only when none has.
  const tools = sum(statuses.map((status) => status.tools));
  const told = statuses.filter(({ state, tools: own }) => state !== 'ready' || own > 0 || tools === 0);
  const messages = union(told.map(({ message }) => (message === undefined ? [] : [message])));
  return {
    state: STATES.find((state) => statuses.some((status) => status.state === state)) ?? 'ready',
    tools,
    problems: sum(statuses.map((status) => status.problems)),
    ...(running.length > 0 && {
      progress: { done: sum(running.map(({ done }) => done)), total: sum(running.map(({ total }) => total)) },
    }),
    ...(durations.length > 0 && { durationMs: Math.max(...durations) }),
    ...(names.length > 0 && { names }),
    ...(surfaces.length > 0 && { surfaces }),
    ...(messages.length > 0 && { message: messages.join(' ') }),
  };
}

function messageOf(check: StatusInput): string | undefined {
  if (check.notes.length > 0) return check.notes.join(' ');
  if (check.tools.length > 0) return undefined;
  return 'No tools found. Looked for registerTool, server.tool, addTool and objects with a name and an inputSchema in the files that toolContracts.include and toolContracts.exclude select.';
}
