import type { Severity } from '../../../shared/src/model.ts';
import { isMentioned } from '../baseline/coverage.ts';
import type { InputChange } from '../baseline/inputChange.ts';
import type { Previous } from '../baseline/previous.ts';
import { type Breaking, messageOf } from './breakingInputChange/message.ts';
import { type Shown, toldByPlace } from './inputChanges/byPlace.ts';
import { type Content, oldCall, witnessOf } from './inputChanges/oldCall.ts';
import { objectPlace, propertyPlace } from './inputChanges/places.ts';
import { registrationRelated } from './related.ts';
import type { Probe, Rule, SourceText, Subject, ToolFinding } from './rule.ts';
import { actualFrom, askAll, lanesOf } from './witness.ts';

const SEVERITY: Severity = 'warning';

/** A change with what an old call comes to. */
interface Tried extends Shown {
  readonly change: Breaking;
}

/** A narrowing of an input other than its removal: calls of the last release are rejected, or mean something else. */
export const breakingInputChange: Rule = {
  code: 'breaking-input-change',

  async check(subject, probe, source) {
    const { previous } = subject;
    if (!previous) return [];
    const changes = previous.changes.filter(
      (change): change is Breaking =>
        isBreaking(change) && !isMentioned(previous.entries, change.path, previous.release),
    );
    const tried = await Promise.all(changes.map((change) => tryOut(subject, previous, change, probe)));
    return findings(
      subject,
      previous,
      tried.flatMap((one) => one ?? []),
      source,
    );
  },

  resolve() {
    return undefined;
  },
};

function isBreaking(change: InputChange): change is Breaking {
  if (change.kind === 'added') return change.required;
  return change.kind === 'required' || change.kind === 'type' || change.kind === 'policy';
}

/** The old call that would show a change. */
function contentFor({ kind }: Breaking): Content {
  if (kind === 'type') return 'input';
  return kind === 'policy' ? 'undeclared' : 'object';
}

/** Sends an old call. @returns undefined when it is answered as it was on every surface: nothing broke */
async function tryOut(
  subject: Subject,
  previous: Previous,
  change: Breaking,
  probe: Probe,
): Promise<Tried | undefined> {
  const lanes = lanesOf(subject, probe);
  const all = lanes.map(({ surface }) => surface);
  const call = lanes.length > 0 ? await oldCall(previous, change, contentFor(change)) : undefined;
  if (!call) return { change, witness: null, surfaces: all };
  const answers = await askAll(lanes, call.args);
  // A call with an undeclared key goes on succeeding where the key is only deleted.
  const isStripped = change.kind === 'policy' && change.is === 'strip';
  const telling = answers.filter(({ outcome }) => outcome.accepts === isStripped);
  const [first] = telling;
  if (!first) return isStripped ? { change, witness: null, surfaces: all } : undefined;
  return {
    change,
    witness: witnessOf(call, actualFrom(first.lane.surface, first.outcome)),
    surfaces: telling.map(({ lane }) => lane.surface),
  };
}

/** One finding for each place. */
function findings(subject: Subject, previous: Previous, tried: readonly Tried[], source: SourceText): ToolFinding[] {
  const { contract } = subject;
  const placeOf = ({ change: { path, now, kind } }: Tried) => {
    const name = path.findLast((step) => typeof step === 'object')?.field;
    return kind === 'policy' || name === undefined
      ? objectPlace(contract, now.owner, source)
      : propertyPlace(contract, now.owner, name, source);
  };
  return toldByPlace(tried, placeOf, SEVERITY).map(({ changes, at, severity, witness, surfaces }) => ({
    severity,
    at,
    message: messageOf(
      changes.map(({ change }) => change),
      previous,
      witness !== null,
    ),
    surfaces,
    related: registrationRelated(contract, at),
    witness,
    fixes: [],
  }));
}
