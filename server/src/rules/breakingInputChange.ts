import type { Severity, Witness } from '../../../shared/src/model.ts';
import { isMentioned } from '../baseline/coverage.ts';
import type { InputChange } from '../baseline/inputChange.ts';
import type { Previous } from '../baseline/previous.ts';
import { type Breaking, messageOf } from './breakingInputChange/message.ts';
import { type Content, oldCall, witnessOf } from './inputChanges/oldCall.ts';
import { fateOf } from './inputChanges/outcome.ts';
import { objectPlace, propertyPlace } from './inputChanges/places.ts';
import { placeKey } from './merge.ts';
import { registrationRelated } from './related.ts';
import type { Probe, Rule, SourceText, Subject, ToolFinding } from './rule.ts';
import { lowered } from './severity.ts';
import { actualFrom, lanesOf } from './witness.ts';

const SEVERITY: Severity = 'warning';

/** A change with what an old call comes to. */
interface Tried {
  readonly change: Breaking;
  readonly witness: Witness | null;
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

/** Sends an old call. @returns undefined when it is answered as it was: nothing broke */
async function tryOut(
  subject: Subject,
  previous: Previous,
  change: Breaking,
  probe: Probe,
): Promise<Tried | undefined> {
  const [lane] = lanesOf(subject, probe);
  const call = lane && (await oldCall(previous, change, contentFor(change)));
  if (!lane || !call) return { change, witness: null };
  const outcome = await lane.run(call.args);
  const isStripped = change.kind === 'policy' && change.is === 'strip';
  if (outcome.accepts && !isStripped) return undefined;
  if (isStripped && fateOf(outcome, change.path) === 'rejected') return { change, witness: null };
  return { change, witness: witnessOf(call, actualFrom(lane.surface, outcome)) };
}

/** One finding for each place. */
function findings(subject: Subject, previous: Previous, tried: readonly Tried[], source: SourceText): ToolFinding[] {
  const { contract } = subject;
  const groups = new Map<string, { readonly at: ToolFinding['at']; readonly tried: Tried[] }>();
  for (const one of tried) {
    const { path, now, kind } = one.change;
    const name = path.findLast((step) => typeof step === 'object')?.field;
    const at =
      kind === 'policy' || name === undefined
        ? objectPlace(contract, now.owner, source)
        : propertyPlace(contract, now.owner, name, source);
    const group = groups.get(placeKey(at)) ?? { at, tried: [] };
    group.tried.push(one);
    groups.set(placeKey(at), group);
  }
  return [...groups.values()].map((group) => {
    const witness = group.tried.find((one) => one.witness)?.witness ?? null;
    return {
      severity: witness ? SEVERITY : lowered(SEVERITY),
      at: group.at,
      message: messageOf(
        group.tried.map(({ change }) => change),
        previous,
        witness !== null,
      ),
      surfaces: witness ? [witness.actual.by] : subject.offers.map(({ surface }) => surface.id),
      related: registrationRelated(contract, group.at),
      witness,
      fixes: [],
    };
  });
}
