import type { Contract, Place, Related, Severity, SurfaceId } from '../../../shared/src/model.ts';
import { SDKS } from '../surfaces/sdks.ts';
import { offeredFixes, resolveFix } from './droppedCatchall/fixes.ts';
import { findLoss, findLossOfShape, isClaimed, type Loss } from './droppedCatchall/loss.ts';
import { messageOf } from './droppedCatchall/message.ts';
import { type Proof, prove } from './droppedCatchall/proof.ts';
import { policyWords, sourceNames } from './droppedCatchall/words.ts';
import { nodeOf, placeOf, type Visit, walk } from './graph.ts';
import { registrationRelated } from './related.ts';
import type { Probe, Rule, SourceText, Subject, ToolFinding } from './rule.ts';
import { lowered } from './severity.ts';
import { lanesOf } from './witness.ts';

/** An object that treats undeclared keys otherwise than the object whose shape it was built from. */
export const droppedCatchall: Rule = {
  code: 'dropped-catchall',
  judgesCalls: true,
  async check(subject, probe, source) {
    const found = lossesOf(subject);
    const findings = await Promise.all(found.map((loss) => report(subject, probe, source, loss)));
    return findings.filter((finding) => finding !== undefined);
  },
  resolve: resolveFix,
};

interface Found {
  readonly visit: Visit;
  readonly loss: Loss;
  readonly at: Place;
  /** The object is the one that an SDK wraps a registered shape in. */
  readonly registered: boolean;
}

function lossesOf({ contract, offers }: Subject): Found[] {
  const { graph } = contract;
  if (!graph) return [];
  const wrapped = isClaimed(contract) && offers.every(({ surface }) => wrapsShapes(surface.id));
  const found: Found[] = [];
  for (const visit of walk(graph)) {
    if (visit.node.kind !== 'object') continue;
    if (contract.form === 'raw-shape' && visit.node.id === graph.root) {
      const loss = wrapped ? findLossOfShape(graph, visit.node, contract.rebuiltFrom) : undefined;
      if (loss?.read) found.push({ visit, loss, at: loss.read, registered: true });
      continue;
    }
    const loss = findLoss(graph, visit.node);
    const at = loss && (loss.rebuilt.origin?.place ?? placeOf(graph, visit) ?? loss.read);
    if (loss && at) found.push({ visit, loss, at, registered: false });
  }
  return found;
}

/** Whether a shape is made an object there; where none is taken there is no object that could have lost anything. */
function wrapsShapes(surface: SurfaceId): boolean {
  return surface === 'contract' || SDKS[surface].takesShapes;
}

async function report(
  subject: Subject,
  probe: Probe,
  source: SourceText,
  { visit, loss, at, registered }: Found,
): Promise<ToolFinding | undefined> {
  const { contract } = subject;
  const { graph } = contract;
  if (!graph) return undefined;
  const lanes = lanesOf(subject, probe);
  const names = sourceNames(source, loss);
  const proof = await prove({ contract, graph, probe }, lanes, visit, loss, names.declared ?? 'the source object');
  if (proof.kind === 'refuted') return undefined;
  const draft = { graph, loss, names, registered, subject };
  return {
    severity: severityOf(proof),
    at,
    message: messageOf(draft, visit.name, proof),
    surfaces: proof.kind === 'shown' ? proof.surfaces : lanes.map(({ surface }) => surface),
    related: [...sourceRelated(graph, loss, names.declared), ...registrationRelated(contract, at)],
    witness: proof.kind === 'shown' ? proof.witness : null,
    ...offeredFixes(draft, at, source),
  };
}

function severityOf(proof: Proof): Severity {
  return proof.kind === 'shown' ? 'warning' : lowered('warning');
}

function sourceRelated(
  graph: NonNullable<Contract['graph']>,
  { source, policy }: Loss,
  name: string | undefined,
): Related[] {
  const place = source.origin?.place ?? nodeOf(graph, source.from)?.origin?.place;
  if (!place) return [];
  const subject = name ?? 'The source object';
  return [{ place, message: policy ? `${subject} ${policyWords(source)} here` : `${subject} has its check here` }];
}
