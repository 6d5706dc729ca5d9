import type { SchemaGraph } from '../../../../shared/src/model.ts';
import { unwrap } from '../graph.ts';
import { shown } from '../values.ts';
import type { Answered } from './evidence.ts';
import type { Fault } from './judge.ts';
import type { Sides } from './sides.ts';

/** What a reader knows the two sides by, as they stand within a sentence. */
export interface SideNames {
  readonly left: string;
  readonly right: string;
}

/** Names for sides that the text has no short name for. */
export const UNNAMED: SideNames = { left: 'the first side', right: 'the second side' };

/**
 * The caller's fate first, then why. The worst fault is told whole, the others in a sentence.
 *
 * @param where path of the intersection for people, empty at the root
 */
export function messageOf(
  graph: SchemaGraph,
  sides: Sides,
  names: SideNames,
  where: string,
  faults: readonly Fault[],
): string {
  const sentences = faults.map((fault) => sentenceOf(graph, sides, names, where, fault));
  return sentences.join(' ');
}

function sentenceOf(graph: SchemaGraph, sides: Sides, names: SideNames, where: string, fault: Fault): string {
  const both =
    names.left === UNNAMED.left && names.right === UNNAMED.right ? 'its two sides' : `${names.left} and ${names.right}`;
  const at = where === '' ? '' : ` at \`${where}\``;
  switch (fault.kind) {
    case 'rejected': {
      const { value, error, always } = fault.evidence;
      const fate = always
        ? `No call can pass${at}: ${both} each take what they declare, and together they reject it`
        : `Legal calls such as ${shown(value)}${at} are rejected: ${both} take them alone, together they do not`;
      const judge = judgeOf(graph, sides, names, Object.keys(value));
      return `${fate} ("${error}").${judge ? ` ${judge}` : ''}`;
    }
    case 'policy': {
      const { key, sides: answered } = fault.evidence;
      const [left, right] = answered;
      return (
        `An undeclared key such as "${key}"${at} ${PASSIVE[fault.got]}: ${nameOf(names, sides, left)} alone ` +
        `${left.answer} it, ${nameOf(names, sides, right)} alone ${right.answer} it, and the intersection ` +
        `${fault.got} it.`
      );
    }
    case 'misstated': {
      const { value, refusal, always } = fault.evidence;
      if (refusal === null) return `The advertised schema allows ${shown(value)}${at}, and the call is rejected.`;
      return always
        ? `The advertised schema accepts no value${at}: it holds ${both} side by side, and each forbids the other's keys, although the call itself passes.`
        : `The advertised schema forbids ${shown(value)}${at}, although the call passes: it holds ${both} side by side.`;
    }
  }
}

const PASSIVE = { rejects: 'is rejected', deletes: 'is deleted', keeps: 'is kept' } as const;

function nameOf(names: SideNames, sides: Sides, { side }: Answered): string {
  return side.id === sides.left.id ? names.left : names.right;
}

/** Names the side that judges keys which only the other declares, when a typed catchall or a record is to blame. */
function judgeOf(graph: SchemaGraph, sides: Sides, names: SideNames, keys: readonly string[]): string | undefined {
  for (const [mine, theirs, judge, declarer] of [
    [sides.left, sides.right, names.left, names.right],
    [sides.right, sides.left, names.right, names.left],
  ] as const) {
    const side = unwrap(graph, mine);
    const other = unwrap(graph, theirs);
    const judged = keys.find((key) => other.fields?.[key] !== undefined && side.fields?.[key] === undefined);
    if (judged === undefined) continue;
    if (side.policy === 'catchall')
      return `The catchall of ${judge} also judges "${judged}", which only ${declarer} declares.`;
    if (side.kind === 'record')
      return `${capital(judge)} is a record, and it also judges "${judged}", which only ${declarer} declares.`;
  }
  return undefined;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
