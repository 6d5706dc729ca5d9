import type { Json, JsonObject } from '../../../../shared/src/model.ts';
import { pathText, type Removal, type Step } from '../../baseline/inputChange.ts';
import type { Previous, PreviousSource } from '../../baseline/previous.ts';
import { walk } from '../graph.ts';
import { jsonSchemaCheck } from '../jsonSchemaCheck.ts';
import type { Probe } from '../rule.ts';
import { isObject } from '../values.ts';
import { argumentsWith, sampleOf } from '../witness.ts';
import { sampleJsonSchema } from './jsonSample.ts';

/** A call that the last release took. */
export interface OldCall {
  readonly args: JsonObject;
  /** What the release made of it; a validator only says that it is accepted. */
  readonly accepts: { readonly accepts: true; readonly value?: Json };
  /** Who judged it, for people. */
  readonly judge: string;
}

/**
 * A call of the last release that sends an input which is gone: as small as can be, and accepted by the release itself.
 *
 * @returns undefined when none could be made
 */
export async function oldCall({ tool, release }: Previous, removal: Removal): Promise<OldCall | undefined> {
  const { source } = tool;
  if (source.by === 'schema') {
    const args = sampleJsonSchema(source.schema, removal.path);
    const check = jsonSchemaCheck(source.schema);
    if (args === undefined || !check) return undefined;
    const error = check(args);
    if (error !== null) return undefined;
    return { args, accepts: { accepts: true }, judge: `${release.release}, by a JSON Schema validator` };
  }
  const made = await source.ask(pathText(removal.path), (probe) => liveCall(source, removal, probe));
  return made && { ...made, judge: release.name };
}

async function liveCall(
  { contract }: Extract<PreviousSource, { by: 'evaluation' }>,
  { before, path }: Removal,
  probe: Probe,
): Promise<Pick<OldCall, 'args' | 'accepts'> | undefined> {
  const { graph } = contract;
  if (!graph) return undefined;
  const about = { contract, graph, probe };
  const name = nameOf(path);
  for (const { node, path: way } of walk(graph)) {
    if (!before.nodes.includes(node.id) || name === undefined) continue;
    const held = await sampleOf(about, node.id, 'min');
    const value = await fieldValue(about, before.node);
    if (!isObject(held) || value === undefined) return undefined;
    const made = await argumentsWith(about, way, { ...held, [name]: value });
    if (!made) return undefined;
    const outcome = await probe.parse(contract.id, graph.root, made.args);
    return outcome.accepts ? { args: made.args, accepts: outcome } : undefined;
  }
  return undefined;
}

/** A value that says something: `""` or an empty list would show little. */
async function fieldValue(about: Parameters<typeof sampleOf>[0], node: number): Promise<Json | undefined> {
  return (await sampleOf(about, node, 'min')) ?? (await sampleOf(about, node, 'max'));
}

function nameOf(path: readonly Step[]): string | undefined {
  const last = path.at(-1);
  return typeof last === 'object' ? last.field : undefined;
}
