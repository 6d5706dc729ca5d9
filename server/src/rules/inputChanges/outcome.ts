import type { Json, Outcome } from '../../../../shared/src/model.ts';
import type { Step } from '../../baseline/inputChange.ts';

/** What becomes of an input that is no longer declared. */
export type Fate = 'ignored' | 'rejected' | 'kept';

/** What a surface's answer to a call that sends an input says of it. */
export function fateOf(outcome: Outcome, path: readonly Step[]): Fate {
  if (!outcome.accepts) return 'rejected';
  return isPresent(outcome.value, path) ? 'kept' : 'ignored';
}

/** Whether a value holds something at a path, in any item of a list and any value of a record. */
function isPresent(value: Json | undefined, path: readonly Step[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  if (typeof step === 'object') {
    if (Array.isArray(value) || !Object.hasOwn(value, step.field)) return false;
    return isPresent(value[step.field], rest);
  }
  return Object.values(value).some((part) => isPresent(part, rest));
}
