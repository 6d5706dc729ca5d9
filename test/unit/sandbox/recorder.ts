import type { Recorder } from '../../../server/src/evaluation/sandbox/describe.ts';

interface Known {
  origin?: number;
  from?: object;
  flows?: { owner: object; read: number }[];
}

/** A recorder that knows what a test tells it. */
export function recorder(
  known: ReadonlyMap<object, Known> = new Map(),
  siteOf?: (schema: object) => number | undefined,
): Recorder {
  const uids = new Map<object, number>();
  return {
    uid(schema) {
      const uid = uids.get(schema) ?? uids.size + 100;
      uids.set(schema, uid);
      return uid;
    },
    origin: (schema) => known.get(schema)?.origin ?? siteOf?.(schema),
    from: (schema) => known.get(schema)?.from,
    flows: (schema) => known.get(schema)?.flows,
  };
}
