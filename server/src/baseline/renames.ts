import type { DescribedInput } from './compare.ts';

/**
 * Which of the inputs that went from an object has probably another name now. Where exactly one went and one came, being
 * alike in name, type or description is enough; of several only names or descriptions that are clearly alike are paired.
 *
 * @returns new names by old ones; no new name twice
 */
export function alikeInputs(gone: readonly DescribedInput[], come: readonly DescribedInput[]): Map<string, string> {
  const pairs = new Map<string, string>();
  const [first, second] = [gone[0], come[0]];
  if (first && second && gone.length === 1 && come.length === 1) {
    if (isClearlyAlike(first, second) || isSameType(first, second)) pairs.set(first.name, second.name);
    return pairs;
  }
  for (const one of gone) {
    const alike = come.filter((other) => isClearlyAlike(one, other));
    const [only] = alike;
    if (alike.length !== 1 || !only) continue;
    const rivals = gone.filter((other) => isClearlyAlike(other, only));
    if (rivals.length === 1) pairs.set(one.name, only.name);
  }
  return pairs;
}

function isClearlyAlike(a: DescribedInput, b: DescribedInput): boolean {
  if (a.description !== undefined && a.description === b.description) return true;
  return isAlikeName(a.name, b.name);
}

function isSameType(a: DescribedInput, b: DescribedInput): boolean {
  return a.types !== '' && a.types === b.types;
}

/** `userId`, `user_id` and `user-ids`; `limit` and `maxLimit`: the same words, or all words of one in the other. */
function isAlikeName(a: string, b: string): boolean {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  const shared = mine.filter((word) => theirs.includes(word)).length;
  return shared > 0 && shared === Math.min(mine.length, theirs.length);
}

function wordsOf(name: string): string[] {
  const words = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}
