import { basename, dirname } from 'node:path';
import type { Candidate, Contract, Unevaluated } from '../../../shared/src/model.ts';
import type { Packages } from '../files/packages.ts';
import { isRegistration } from './join.ts';

/** Contracts that stand, and what is not known because of calls that nobody follows. */
export interface Untangled {
  readonly contracts: readonly Contract[];
  readonly unevaluated: readonly Unevaluated[];
}

/**
 * Takes out definitions that a call in their package may register with another schema: what `tool.inputSchema.strict()`
 * registers is not what the definition says, and what hands the call its `tool` was not followed. To judge the
 * definition as it stands would be a guess.
 *
 * @param unevaluated what could not be evaluated, the calls among it; those that are said at definitions go
 */
export function withoutAltered(
  contracts: readonly Contract[],
  unevaluated: readonly Unevaluated[],
  packages: Packages,
): Untangled {
  const sinks = unevaluated.filter(({ candidate }) => candidate.unevaluable?.alters !== undefined);
  if (sinks.length === 0) return { contracts, unevaluated };
  const folderOf = (file: string) => packages.nearest(file)?.folder;
  const said = new Set<Unevaluated>();
  const altered: Unevaluated[] = [];
  const left = contracts.filter((contract) => {
    if (isRegistration(contract) || contract.registeredAt !== null || contract.candidate.claim) return true;
    const key = contract.candidate.schema?.key;
    const sink = sinks.find(
      ({ candidate: { file, unevaluable } }) =>
        key !== undefined &&
        unevaluable?.alters?.names.includes(key) &&
        !(unevaluable.alters.isShape && isPlain(contract)) &&
        folderOf(file) === folderOf(contract.candidate.file),
    );
    if (!sink) return true;
    said.add(sink);
    altered.push(unknown(contract, sink.candidate));
    return false;
  });
  return { contracts: left, unevaluated: [...unevaluated.filter((one) => !said.has(one)), ...altered] };
}

/** Whether wrapping the shape of a schema gives the same schema again: a plain object without checks of its own. */
function isPlain({ graph, form }: Contract): boolean {
  const root = graph?.nodes[graph.root];
  return form === 'schema' && root?.kind === 'object' && root.policy === 'strip' && !root.checks?.length;
}

function unknown({ candidate, name, files }: Contract, sink: Candidate): Unevaluated {
  const isNear = dirname(sink.file) === dirname(candidate.file);
  const where =
    sink.file === candidate.file ? 'a call in this file' : `a call in ${isNear ? basename(sink.file) : sink.file}`;
  return {
    candidate,
    name,
    reason: `${where} registers it with a schema that it makes of this one, and what that call is given is not followed`,
    at: { file: candidate.file, span: candidate.schema?.span ?? candidate.span },
    trail: [],
    files: [...new Set([...files, sink.file])],
  };
}
