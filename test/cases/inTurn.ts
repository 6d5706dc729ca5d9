/** As many checks at a time as small machines have cores: more would only run into time limits. */
const AT_A_TIME = 2;

/** Does work for all items, a few at a time, and answers in their order. */
export async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return results;
}
