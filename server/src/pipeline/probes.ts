import type { Contract, Json, JsonObject, Offer, Outcome, SurfaceId } from '../../../shared/src/model.ts';
import { batched } from '../evaluation/batch.ts';
import type {
  Dialect,
  Requests,
  Sample,
  SampleRequest,
  SurfaceAnswer,
  WhatIf,
} from '../evaluation/sandbox/messages.ts';
import type { Sandbox } from '../evaluation/sandbox.ts';
import { offerRequest } from './offers.ts';

/** Questions about contracts and offers, asked of the sandbox; those of one turn share a message. */
export interface Probes {
  sample(request: SampleRequest): Promise<Sample>;
  parse(contract: string, node: number, value: Json, whatIf?: WhatIf): Promise<Outcome>;
  call(offer: Offer, args: JsonObject): Promise<Outcome>;
  jsonSchema(
    contract: string,
    node: number,
    dialect?: Dialect,
  ): Promise<{ readonly schema: Json } | { readonly error: string }>;
  /** What a surface makes of a contract alone that was not offered on it before. */
  offer(contract: Contract, surface: SurfaceId): Promise<SurfaceAnswer>;
}

/** @throws SandboxEnded (from every method) when the process ends over a question of the batch */
export function probesOf(sandbox: Sandbox): Probes {
  const sample = batched(
    async (samples: readonly SampleRequest[]) => (await sandbox.request('sample', { samples })).samples,
  );
  const parse = batched(
    async (parses: Requests['parse']['params']['parses']) => (await sandbox.request('parse', { parses })).outcomes,
  );
  const call = batched(
    async (calls: Requests['call']['params']['calls']) => (await sandbox.request('call', { calls })).outcomes,
  );
  const jsonSchema = batched(
    async (nodes: Requests['jsonSchema']['params']['nodes']) =>
      (await sandbox.request('jsonSchema', { nodes })).schemas,
  );
  return {
    sample,
    parse: (contract, node, value, whatIf) => parse({ contract, node, value, ...(whatIf && { whatIf }) }),
    call: (offer, args) => call({ surface: offer.surface.id, contract: offer.contract, arguments: args }),
    jsonSchema: (contract, node, dialect) => jsonSchema({ contract, node, ...(dialect && { dialect }) }),
    offer: (contract, surface) =>
      sandbox.request('offer', { surface, from: contract.candidate.file, tools: [offerRequest(contract)] }),
  };
}
