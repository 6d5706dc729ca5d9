import { pathText, type Removal } from '../../baseline/inputChange.ts';
import type { Previous } from '../../baseline/previous.ts';
import type { Fate } from '../inputChanges/outcome.ts';

/** A removed input and what becomes of it. */
interface Gone {
  readonly removal: Removal;
  readonly fate: Fate;
}

/**
 * What happens to a caller of the last release, and why.
 *
 * @param isShown whether a call was found that shows it
 */
export function messageOf(gone: readonly Gone[], { release }: Previous, isShown: boolean): string {
  const names = listed(gone.map(({ removal }) => `"${pathText(removal.path)}"`));
  const several = gone.length > 1;
  const renames = gone.flatMap(({ removal: { path, renamedTo } }) =>
    renamedTo === undefined ? [] : [several ? `"${pathText(path)}" is "${renamedTo}" now` : `it is "${renamedTo}" now`],
  );
  return [
    `${names} of ${release.release} ${several ? 'are no inputs' : 'is no input'} any more: ${fateOf(gone)}.`,
    ...(renames.length > 0 ? [`Probably ${listed(renames)}.`] : []),
    'No contract change tells the callers.',
    ...(isShown ? [] : ['No call of then could be built to show it.']),
  ].join(' ');
}

function fateOf(gone: readonly Gone[]): string {
  const [it, they] = gone.length > 1 ? ['them', 'they reach'] : ['it', 'it reaches'];
  const policies = new Set(gone.map(({ removal }) => removal.policy));
  const [policy] = policies;
  if (policies.size > 1) return `a caller who still sends ${it} is not told`;
  if (policy === 'strict') return `a call that still sends ${it} is rejected`;
  if (policy === 'loose' || policy === 'catchall') {
    return `a call that still sends ${it} succeeds, and ${they} the handler unvalidated`;
  }
  const ignored = `what a caller still sends in ${it} is silently ignored`;
  return gone.some(({ fate }) => fate === 'rejected') ? `${ignored}, and the call is rejected` : ignored;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
