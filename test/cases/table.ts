import { runCase, type Verdict } from './caseRuns.ts';
import { inTurn } from './inTurn.ts';
import { readCases } from './manifest.ts';

/**
 * Runs cases and prints a table of them.
 *
 * @param ids the cases to run; all when empty
 * @returns the exit status: 1 when something that should be right is wrong
 */
export async function printCases(ids: readonly string[]): Promise<number> {
  const all = readCases();
  const unknown = ids.filter((id) => !all.some((one) => one.id === id));
  if (unknown.length > 0) {
    console.error(`There is no case ${unknown.join(', ')}; the cases are ${all.map(({ id }) => id).join(', ')}.`);
    return 1;
  }
  const chosen = ids.length > 0 ? all.filter(({ id }) => ids.includes(id)) : all;
  const verdicts = await inTurn(chosen, async (one) => {
    const verdict = await runCase(one).catch((error: Error) => failed(one, error));
    console.log(row(verdict));
    return verdict;
  });
  const count = (kind: Verdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === kind).length;
  console.log(`\n${count('right')} of ${chosen.length} right, ${count('partial')} partial, ${count('wrong')} wrong`);
  return count('wrong') > 0 ? 1 : 0;
}

function failed({ id, title }: { id: string; title: string }, error: Error): Verdict {
  return { id, title, verdict: 'wrong', runs: [], tools: [], notes: [error.message] };
}

function row({ id, title, verdict, runs, tools, notes }: Verdict): string {
  const facts = `${tools.length} tools${runs.length > 1 ? `, ${runs.length} workspaces` : ''}`;
  return [`${id}  ${verdict.padEnd(8)}${title} (${facts})`, ...notes.map((note) => `       ${note}`)].join('\n');
}
