import type { Contract } from '../../../shared/src/model.ts';
import type { Probe } from './rule.ts';

/**
 * A probe that asks each question about a schema object once: many tools hold the same objects, and what an object does
 * with a value does not depend on the tool. Holds for one check: objects are told apart by their `uid`.
 *
 * @param contracts those that questions may be about, by id
 */
export function memoized(probe: Probe, contracts: ReadonlyMap<string, Contract>): Probe {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(key: string | undefined, ask: () => Promise<T>): Promise<T> => {
    if (key === undefined) return ask();
    const known = answers.get(key) as Promise<T> | undefined;
    if (known) return known;
    const answer = ask();
    answers.set(key, answer);
    return answer;
  };
  const uid = (contract: string, node: number) => contracts.get(contract)?.graph?.nodes[node]?.uid;
  const keyOf = (method: string, contract: string, nodes: readonly number[], rest: unknown) => {
    const uids = nodes.map((node) => uid(contract, node));
    return uids.includes(undefined) ? undefined : `${method} ${uids.join()} ${JSON.stringify(rest)}`;
  };
  return {
    sample: (request) => {
      const { contract, node, through = [], ...rest } = request;
      return once(keyOf('sample', contract, [node, ...through], rest), () => probe.sample(request));
    },
    parse: (contract, node, value, whatIf) => {
      const key = keyOf('parse', contract, whatIf ? [node, whatIf.union] : [node], [
        value,
        whatIf && { ...whatIf, union: 0 },
      ]);
      return once(key, () => probe.parse(contract, node, value, whatIf));
    },
    call: (offer, args) => probe.call(offer, args),
    jsonSchema: (contract, node) =>
      once(keyOf('jsonSchema', contract, [node], null), () => probe.jsonSchema(contract, node)),
  };
}
