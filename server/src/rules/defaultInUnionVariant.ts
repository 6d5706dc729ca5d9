import type { Severity } from '../../../shared/src/model.ts';
import { offeredFixes, resolveFix } from './defaultInUnionVariant/fixes.ts';
import { messageOf } from './defaultInUnionVariant/message.ts';
import { type Evidence, UnionProofs } from './defaultInUnionVariant/proof.ts';
import { type Site, sitesOf } from './defaultInUnionVariant/sites.ts';
import { registrationRelated } from './related.ts';
import type { Rule, ToolFinding } from './rule.ts';
import { lowered } from './severity.ts';
import { lanesOf } from './witness.ts';

/** A default, prefault or catch on a field of an object variant of a union. */
export const defaultInUnionVariant: Rule = {
  code: 'default-in-union-variant',
  judgesCalls: true,
  async check(subject, probe, source) {
    const { contract } = subject;
    const { graph } = contract;
    const sites = graph ? sitesOf(graph) : [];
    if (!graph || sites.length === 0) return [];
    const lanes = lanesOf(subject, probe);
    const proofs = new UnionProofs({ contract, graph, probe }, lanes);
    return Promise.all(
      sites.map(async (site): Promise<ToolFinding> => {
        const evidence = await proofs.evidence(site);
        const shown = evidence.mended ?? (site.tag ? evidence.filled : (evidence.unmended ?? evidence.filled));
        const union = site.union.node.origin?.place;
        return {
          severity: severityOf(site, evidence),
          at: site.at,
          message: messageOf(site, evidence),
          surfaces: shown?.surfaces ?? lanes.map(({ surface }) => surface),
          related: [
            ...(union ? [{ place: union, message: 'the union it is a variant of' }] : []),
            ...registrationRelated(contract, site.at),
          ],
          witness: shown?.witness ?? null,
          ...offeredFixes(site, optionalIn(evidence), source),
        };
      }),
    );
  },
  resolve: resolveFix,
};

function optionalIn({ mended, unmended }: Evidence): Parameters<typeof offeredFixes>[1] {
  return mended ? 'mends' : unmended ? 'changes nothing' : 'untried';
}

function severityOf({ tag }: Site, { mended, filled }: Evidence): Severity {
  if (mended) return 'error';
  if (!tag) return 'information';
  return filled ? 'warning' : lowered('warning');
}
