import type { Place } from '../../../shared/src/model.ts';
import type { Modules } from '../evaluation/modules.ts';
import { SandboxEnded } from '../evaluation/process.ts';
import type { ExportRequest, ExportResult, WireData } from '../evaluation/sandbox/messages.ts';
import type { Sandbox } from '../evaluation/sandbox.ts';

/** A value as data, with the places of the literals that its objects were written as. */
export type Data =
  | Extract<WireData, { is: 'value' | 'other' }>
  | { readonly is: 'object'; readonly entries: readonly (readonly [key: string, value: Data])[]; readonly at?: Place }
  | { readonly is: 'list'; readonly items: readonly Data[] }
  | { readonly is: 'map'; readonly pairs: readonly (readonly [key: Data, value: Data])[] };

/** What an export of a workspace module is. */
export type ExportValue = ExportRequest & {
  /** Workspace files that were read for it. */
  readonly files: readonly string[];
} & (
    | { readonly data: Data }
    /** A sentence without its end, and the expression that failed. */
    | { readonly reason: string; readonly at?: Place }
    | { readonly missing: true }
  );

/**
 * Evaluates exports to data. One that ends the process gets the reason; the others are evaluated in a new one.
 *
 * @returns in the order of the requests
 */
export async function exportValues(
  requests: readonly ExportRequest[],
  sandbox: Sandbox,
  modules: Modules,
): Promise<ExportValue[]> {
  const values: ExportValue[] = [];
  for (const request of requests) values.push(await one(request, sandbox, modules));
  return values;
}

async function one(request: ExportRequest, sandbox: Sandbox, modules: Modules): Promise<ExportValue> {
  try {
    const { results } = await sandbox.request('exports', { exports: [request] });
    const [result] = results;
    if (!result) return { ...request, files: [request.file], missing: true };
    return { ...request, files: result.files, ...outcome(result, modules) };
  } catch (error) {
    if (!(error instanceof SandboxEnded)) throw error;
    return { ...request, files: [request.file], reason: error.message };
  }
}

function outcome(
  result: ExportResult,
  modules: Modules,
): { data: Data } | { reason: string; at?: Place } | { missing: true } {
  if ('missing' in result) return { missing: true };
  if ('data' in result) return { data: toData(result.data, modules) };
  const at = modules.failingPlace(result.failure);
  return { reason: result.failure.reason, ...(at && { at }) };
}

function toData(wire: WireData, modules: Modules): Data {
  switch (wire.is) {
    case 'object': {
      const at = wire.site === undefined ? undefined : modules.place(wire.site);
      const entries = wire.entries.map(([key, part]) => [key, toData(part, modules)] as const);
      return { is: 'object', entries, ...(at && { at }) };
    }
    case 'list':
      return { is: 'list', items: wire.items.map((part) => toData(part, modules)) };
    case 'map':
      return { is: 'map', pairs: wire.pairs.map(([key, part]) => [toData(key, modules), toData(part, modules)]) };
    default:
      return wire;
  }
}
