import type { JsonObject, Outcome, Severity, SurfaceId, Witness } from '../../../../shared/src/model.ts';
import { jsonSchemaCheck } from '../jsonSchemaCheck.ts';
import { hasKey } from '../values.ts';
import { actualFrom, argumentsWith, askAll, type Case, expectedFrom, type Lane } from '../witness.ts';
import type { Answer, Answered, Evidence, Misstated, Rejected, Undeclared } from './evidence.ts';

interface Reproduced {
  readonly severity: Severity;
  readonly witness: Witness;
  readonly surfaces: readonly SurfaceId[];
}

/** A fault of an intersection that surfaces really show. */
export type Fault = Reproduced &
  (
    | { readonly kind: 'rejected'; readonly evidence: Rejected }
    | { readonly kind: 'policy'; readonly evidence: Undeclared; readonly got: Answer }
    | { readonly kind: 'misstated'; readonly evidence: Misstated }
  );

type SideName = (answered: Answered) => string;

/** Runs the calls of the evidence on the tool's surfaces and keeps what they show, worst first. */
export async function judge(
  about: Case,
  lanes: readonly Lane[],
  path: readonly number[],
  evidence: Evidence,
  nameOf: SideName,
): Promise<Fault[]> {
  const run = new Runs(about, lanes, path);
  const faults: (Fault | undefined)[] = [];
  if (evidence.rejected) faults.push(await judgeRejected(run, evidence.rejected));
  if (evidence.misstated) faults.push(await judgeMisstated(run, evidence.misstated));
  for (const undeclared of evidence.undeclared) {
    const fault = await judgePolicy(run, undeclared, nameOf);
    if (fault) {
      faults.push(fault);
      break;
    }
  }
  const shown = faults.filter((fault) => fault !== undefined);
  return shown.sort((a, b) => Number(a.severity !== 'error') - Number(b.severity !== 'error'));
}

interface Ran {
  readonly lane: Lane;
  readonly args: JsonObject;
  readonly outcome: Outcome;
}

class Runs {
  constructor(
    private readonly about: Case,
    private readonly lanes: readonly Lane[],
    private readonly path: readonly number[],
  ) {}

  /** Calls the tool on every surface with a value where the intersection is. */
  async all(value: JsonObject): Promise<Ran[]> {
    const made = await argumentsWith(this.about, this.path, value);
    if (!made) return [];
    const { args } = made;
    return (await askAll(this.lanes, args)).map((answer) => ({ ...answer, args }));
  }
}

async function judgeRejected(run: Runs, evidence: Rejected): Promise<Fault | undefined> {
  const ran = (await run.all(evidence.value)).filter(({ outcome }) => !outcome.accepts);
  const expected = { by: 'source', name: 'each side alone', accepts: true } as const;
  const reproduced = reproducedBy(ran, expected, evidence.always ? 'error' : 'warning');
  return reproduced && { kind: 'rejected', evidence, ...reproduced };
}

async function judgePolicy(run: Runs, evidence: Undeclared, nameOf: SideName): Promise<Fault | undefined> {
  const [ran, controls] = await Promise.all([run.all(evidence.value), run.all(evidence.control)]);
  const differing = ran.flatMap((one) => {
    const got = laneAnswer(one.outcome, evidence.key);
    const fair = got !== 'rejects' || controls.some(({ lane, outcome }) => lane === one.lane && outcome.accepts);
    const side = fair ? overruled(got, evidence.sides) : undefined;
    return side ? [{ one, got, side }] : [];
  });
  const [first] = differing;
  if (!first) return undefined;
  const same = differing.filter(({ got }) => got === first.got).map(({ one }) => one);
  const expected = expectedFrom('source', nameOf(first.side), first.side.outcome);
  const reproduced = reproducedBy(same, expected, 'warning');
  return reproduced && { kind: 'policy', evidence, got: first.got, ...reproduced };
}

async function judgeMisstated(run: Runs, evidence: Misstated): Promise<Fault | undefined> {
  const ran = (await run.all(evidence.value)).flatMap((one): Ran[] => {
    const refusal = one.lane.offer ? advertisedRefusal(one) : evidence.refusal;
    const isSame = refusal !== undefined && (refusal === null) === (evidence.refusal === null);
    if (!isSame || one.outcome.accepts !== evidence.parse.accepts) return [];
    const stated: Outcome =
      refusal === null
        ? { accepts: true, value: one.args }
        : { accepts: false, error: `the advertised schema refuses it: ${refusal}` };
    return [{ ...one, outcome: stated }];
  });
  const expected = expectedFrom('contract', 'parse', evidence.parse);
  const reproduced = reproducedBy(ran, expected, evidence.always ? 'error' : 'warning');
  return reproduced && { kind: 'misstated', evidence, ...reproduced };
}

/** What the advertised schema of a surface says to arguments; undefined when it has none that can be judged. */
function advertisedRefusal({ lane, args }: Ran): string | null | undefined {
  const advertised = lane.offer?.advertised;
  return advertised === null || advertised === undefined ? undefined : jsonSchemaCheck(advertised)?.(args);
}

function laneAnswer(outcome: Outcome, key: string): Answer {
  if (!outcome.accepts) return 'rejects';
  return hasKey(outcome.value, key) ? 'keeps' : 'deletes';
}

/**
 * The side whose own answer differs from the one given, the stricter one first. That a plain side no longer deletes what
 * the other side keeps loses nothing.
 */
function overruled(got: Answer, sides: Undeclared['sides']): Answered | undefined {
  const answers = sides.map(({ answer }) => answer);
  if (got === 'keeps' && !answers.includes('rejects')) return undefined;
  const order: readonly Answer[] = ['rejects', 'keeps', 'deletes'];
  const differing = sides.filter(({ answer }) => answer !== got);
  return [...differing].sort((a, b) => order.indexOf(a.answer) - order.indexOf(b.answer))[0];
}

function reproducedBy(ran: readonly Ran[], expected: Witness['expected'], severity: Severity): Reproduced | undefined {
  const [first] = ran;
  if (!first) return undefined;
  return {
    severity,
    witness: { arguments: first.args, expected, actual: actualFrom(first.lane.surface, first.outcome) },
    surfaces: ran.map(({ lane }) => lane.surface),
  };
}
