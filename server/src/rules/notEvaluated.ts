import type { Contract, Offer, Related, Unevaluated } from '../../../shared/src/model.ts';
import type { Unread } from '../baseline/changeFiles.ts';
import { contains } from './related.ts';
import type { ToolFinding, UnevaluatedRule } from './rule.ts';

/** A tool whose schema could not be evaluated. Only what certainly is a tool: anything else may be no tool at all. */
export const notEvaluated: UnevaluatedRule = {
  code: 'not-evaluated',
  check(unevaluated) {
    const { candidate, at } = unevaluated;
    if (!candidate.certain) return [];
    const definition = { file: candidate.file, span: candidate.span };
    const related: Related[] = contains(definition, at)
      ? []
      : [{ place: definition, message: `${unevaluated.name ?? 'the tool'} is defined here` }];
    const finding: ToolFinding = {
      severity: 'information',
      at,
      message: messageOf(unevaluated),
      surfaces: [],
      related,
      witness: null,
      fixes: [],
    };
    return [finding];
  },
};

/** Contract changes that could not be read: whoever relies on them has to know. */
export function unreadFinding({ message, at }: Unread): ToolFinding {
  return { severity: 'information', at, message, surfaces: [], related: [], witness: null, fixes: [] };
}

/** A tool whose schema has more parts than are looked at: what is said of the others holds. */
export function cutFinding({ candidate, name, graph, definedAt }: Contract): ToolFinding | undefined {
  if (!graph?.truncated) return undefined;
  const at = { file: candidate.file, span: candidate.schema?.span ?? candidate.span };
  const related: Related[] = contains(definedAt, at)
    ? []
    : [{ place: definedAt, message: `${name ?? 'the tool'} is defined here` }];
  const subject = name === null ? 'A tool' : `"${name}"`;
  const count = graph.nodes.length.toLocaleString('en-US');
  const message = `${subject} is checked only in part: its schema has too many parts, of which only the first ${count} are looked at.`;
  return { severity: 'information', at, message, surfaces: [], related, witness: null, fixes: [] };
}

/** A tool that an SDK refuses: the server would not start, so nothing is to be said of its calls. */
export function refusedFinding({ candidate, name }: Contract, { surface, mountError = '' }: Offer): ToolFinding {
  const at = { file: candidate.file, span: candidate.schema?.property ?? candidate.schema?.span ?? candidate.span };
  const subject = name === null ? 'A tool' : `"${name}"`;
  const sdk = [surface.sdk ?? surface.id, surface.version].filter((part) => part !== undefined).join(' ');
  const why = mountError.trim().replace(/[.\s]+$/, '');
  const message = `${subject} is not checked, because ${sdk} throws when it is registered, and its server with it: ${why}.`;
  return { severity: 'information', at, message, surfaces: [surface.id], related: [], witness: null, fixes: [] };
}

function messageOf({ name, reason, trail, whenCalled }: Unevaluated): string {
  const subject = name === null ? 'A tool' : `"${name}"`;
  const why = reason.trim().replace(/[.\s]+$/, '');
  if (whenCalled) {
    return `${subject} is checked only in part: a call was tried, which runs the refinements and transforms of its schema, and ${why}.`;
  }
  const needed =
    trail.length > 0 ? ` It is needed by ${trail.map((binding) => `\`${binding}\``).join(', then ')}.` : '';
  return `${subject} is not checked, because its inputs could not be evaluated: ${why}.${needed}`;
}
