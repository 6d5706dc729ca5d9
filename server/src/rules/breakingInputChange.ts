import type { Severity, SurfaceId, Witness } from '../../../shared/src/model.ts';
import { isMentioned } from '../baseline/coverage.ts';
import type { InputChange } from '../baseline/inputChange.ts';
import type { Previous } from '../baseline/previous.ts';
import { type Breaking, messageOf } from './breakingInputChange/message.ts';
import { type Content, oldCall, witnessOf } from './inputChanges/oldCall.ts';
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
  /** Where it is so. */
  readonly surfaces: readonly SurfaceId[];
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
  const answers = await Promise.all(
    lanes.map(async (lane) => ({ surface: lane.surface, outcome: await lane.run(call.args) })),
  );
  // A call with an undeclared key goes on succeeding where the key is only deleted.
  const isStripped = change.kind === 'policy' && change.is === 'strip';
  const telling = answers.filter(({ outcome }) => outcome.accepts === isStripped);
  const [first] = telling;
  if (!first) return isStripped ? { change, witness: null, surfaces: all } : undefined;
  return {
    change,
    witness: witnessOf(call, actualFrom(first.surface, first.outcome)),
    surfaces: telling.map(({ surface }) => surface),
  };
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
      surfaces: [...new Set(group.tried.flatMap(({ surfaces }) => surfaces))],
      related: registrationRelated(contract, group.at),
      witness,
      fixes: [],
    };
  });
}
