import {
  describe as describeObjects,
  ObjectTable,
  type Recorder,
} from '../../../server/src/evaluation/sandbox/describe.ts';
import type { WireFlow } from '../../../server/src/evaluation/sandbox/messages.ts';
import { type PlacedObject, toGraph } from '../../../server/src/evaluation/toGraph.ts';
import type { SchemaGraph, SchemaNode } from '../../../shared/src/model.ts';

/** A node whose places are sites still. */
export type SiteNode = Omit<SchemaNode, 'origin' | 'rebuiltFrom'> & {
  readonly origin?: number;
  readonly rebuiltFrom?: readonly WireFlow[];
};
export type SiteGraph = Omit<SchemaGraph, 'nodes'> & { readonly nodes: readonly SiteNode[] };

/** Describes a schema, sends it, and puts its graph together as the server does, but for the places. */
export function describe(
  schema: object,
  recorder: Recorder,
  limit?: number,
): { readonly graph: SiteGraph; readonly objects: readonly object[] } {
  const described = describeObjects(schema, recorder, undefined, limit);
  const table = new ObjectTable();
  const sent = JSON.parse(JSON.stringify({ graph: table.graph(described), objects: table.objects })) as {
    graph: ReturnType<ObjectTable['graph']>;
    objects: PlacedObject[];
  };
  return { graph: toGraph(sent.graph, sent.objects) as unknown as SiteGraph, objects: described.objects };
}
