import type { Candidate, Contract } from '../../../shared/src/model.ts';

/** Where the import of a file leads: a file of the workspace, or undefined for a package and for nothing. */
export type Follow = (specifier: string, fromFile: string) => string | undefined;

/**
 * Gives tools that are known only by their variable the name, and where they claim none the SDK, of the record that they
 * are offered in: `tools: { weather: weatherTool }`, in whatever file that stands.
 *
 * A variable of the file that the import leads to is it; behind a file that only hands on exports, the one variable of
 * that name. Of several records the first counts, by file and position.
 *
 * @param candidates all candidates; those that only name others are looked at
 */
export function nameByRecords(
  contracts: readonly Contract[],
  candidates: Iterable<Candidate>,
  follow: Follow,
): readonly Contract[] {
  const records = [...candidates].filter(({ names }) => names).sort(byPlace);
  if (records.length === 0) return contracts;
  const byVariable = new Map<string, Contract[]>();
  const byFile = new Map<string, Contract[]>();
  for (const contract of contracts) {
    if (!isNameless(contract)) continue;
    const { file, name } = contract.candidate;
    push(byVariable, name?.text ?? '', contract);
    push(byFile, file, contract);
  }
  const named = new Map<Contract, Candidate>();
  for (const record of records) {
    const contract = heldBy(record, byVariable, byFile, follow);
    if (contract && !named.has(contract)) named.set(contract, record);
  }
  return contracts.map((contract) => {
    const record = named.get(contract);
    return record ? withName(contract, record) : contract;
  });
}

/** Whether nothing but the variable or the file around a definition names it. */
function isNameless({ candidate, registeredAt }: Contract): boolean {
  const from = candidate.name?.from;
  return registeredAt === null && (from === 'variable' || from === 'file');
}

function heldBy(
  { file, names }: Candidate,
  byVariable: ReadonlyMap<string, readonly Contract[]>,
  byFile: ReadonlyMap<string, readonly Contract[]>,
  follow: Follow,
): Contract | undefined {
  if (!names) return undefined;
  const home = names.module === undefined ? file : follow(names.module, file);
  if (home === undefined) return undefined;
  const all = byVariable.get(names.variable) ?? [];
  const here = all.filter(({ candidate }) => candidate.file === home);
  if (here.length > 0 || names.module === undefined) return only(here);
  const inHome = byFile.get(home) ?? [];
  if (names.variable === 'default') return only(inHome);
  return inHome.length === 0 ? only(all) : undefined;
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function withName(contract: Contract, record: Candidate): Contract {
  const { candidate } = contract;
  const claim = candidate.claim ?? record.claim;
  return {
    ...contract,
    name: record.name?.text ?? contract.name,
    candidate: claim ? { ...candidate, claim } : candidate,
    registeredAt: { file: record.file, span: record.span },
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function byPlace(a: Candidate, b: Candidate): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.span.start - b.span.start;
}
