import type { Severity } from '../../../shared/src/model.ts';
import { isDocumented } from '../baseline/coverage.ts';
import { pathText, type Removal } from '../baseline/inputChange.ts';
import type { Previous } from '../baseline/previous.ts';
import { type Shown, toldByPlace } from './inputChanges/byPlace.ts';
import { oldCall, witnessOf } from './inputChanges/oldCall.ts';
import { type Fate, fateOf } from './inputChanges/outcome.ts';
import { objectPlace, propertyPlace } from './inputChanges/places.ts';
import { registrationRelated } from './related.ts';
import type { Probe, Rule, SourceText, Subject, ToolFinding } from './rule.ts';
import { documentTools, FOR_ALL, FOR_TOOL, toolsOf } from './undocumentedInputRemoval/fixes.ts';
import { messageOf } from './undocumentedInputRemoval/message.ts';
import { actualFrom, askAll, lanesOf } from './witness.ts';

const SEVERITY: Severity = 'error';

/** What one removal comes to when an old call is made. */
interface Tried extends Shown {
  readonly removal: Removal;
  readonly fate: Fate;
}

/**
 * An input that the last release accepted and the contract no longer declares, where no entry tells its callers. Found
 * by comparing the two contracts, and shown by a call of then, sent now.
 */
export const undocumentedInputRemoval: Rule = {
  code: 'undocumented-input-removal',

  async check(subject, probe, source) {
    const { previous } = subject;
    if (!previous) return [];
    const removals = previous.changes.filter(
      (change): change is Removal =>
        change.kind === 'removed' && !isDocumented(previous.entries, change.path, 'present', previous.release),
    );
    const tried = await Promise.all(removals.map((removal) => tryOut(subject, previous, removal, probe)));
    return findings(
      subject,
      previous,
      tried.flatMap((one) => one ?? []),
      source,
    );
  },

  resolve(finding, fixId, read, context) {
    const wanted = fixId === FOR_TOOL.id ? toolsOf(finding) : fixId === FOR_ALL.id ? undefined : [];
    return documentTools(wanted, read, context);
  },
};

/**
 * Sends an old call.
 *
 * @returns undefined when the input still arrives on every surface although it should not: it is declared somewhere
 */
async function tryOut(
  subject: Subject,
  previous: Previous,
  removal: Removal,
  probe: Probe,
): Promise<Tried | undefined> {
  const lanes = lanesOf(subject, probe);
  const call = lanes.length > 0 ? await oldCall(previous, removal, 'input') : undefined;
  const keeps = removal.policy === 'loose' || removal.policy === 'catchall';
  if (!call) {
    const fate = keeps ? 'kept' : removal.policy === 'strict' ? 'rejected' : 'ignored';
    return { removal, fate, witness: null, surfaces: lanes.map(({ surface }) => surface) };
  }
  const answers = await askAll(lanes, call.args);
  const telling = answers.filter(({ outcome }) => keeps || fateOf(outcome, removal.path) !== 'kept');
  const [first] = telling;
  if (!first) return undefined;
  return {
    removal,
    fate: fateOf(first.outcome, removal.path),
    witness: witnessOf(call, actualFrom(first.lane.surface, first.outcome)),
    surfaces: telling.map(({ lane }) => lane.surface),
  };
}

/** One finding for each place. */
function findings(subject: Subject, previous: Previous, tried: readonly Tried[], source: SourceText): ToolFinding[] {
  const { contract } = subject;
  const placeOf = ({ removal: { now, renamedTo } }: Tried) =>
    renamedTo === undefined
      ? objectPlace(contract, now.owner, source)
      : propertyPlace(contract, now.owner, renamedTo, source);
  return toldByPlace(tried, placeOf, SEVERITY).map(({ changes, at, severity, witness, surfaces }) => ({
    severity,
    at,
    message: messageOf(changes, previous, witness !== null),
    surfaces,
    related: registrationRelated(contract, at),
    witness,
    fixes: [FOR_TOOL, FOR_ALL],
    data: {
      each: [
        {
          tool: previous.tool.name,
          folder: previous.folder,
          release: previous.release.release,
          gone: changes.map(({ removal: { path, renamedTo } }) => ({
            path: pathText(path),
            ...(renamedTo !== undefined && { renamedTo }),
          })),
        },
      ],
    },
  }));
}
