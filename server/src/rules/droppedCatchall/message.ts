import type { SchemaGraph } from '../../../../shared/src/model.ts';
import type { Subject } from '../rule.ts';
import type { Loss } from './loss.ts';
import type { Proof } from './proof.ts';
import { losesWhat, policyWords, refinementMethod } from './words.ts';

/** What the words and fixes of a finding are made from. */
export interface Draft {
  readonly graph: SchemaGraph;
  readonly loss: Loss;
  /** What a reader knows the source by; undefined when it has no short name. */
  readonly name: string | undefined;
  readonly registered: boolean;
  readonly subject: Subject;
}

/**
 * The caller's fate first, then why.
 *
 * @param where path of the object for people, empty at the root
 */
export function messageOf(draft: Draft, where: string, proof: Proof): string {
  if (proof.kind === 'refuted') return '';
  const sentences =
    draft.loss.policy && !(proof.kind === 'shown' && proof.by === 'refinement')
      ? policySentences(draft, where, proof)
      : refinementSentences(draft, where, proof);
  if (proof.kind === 'unknown') sentences.push('No call could be built that shows it.');
  return sentences.join(' ');
}

function policySentences(draft: Draft, where: string, proof: Proof): string[] {
  const { loss } = draft;
  const source = quoted(draft.name);
  const example = proof.kind === 'shown' ? ` such as "${'key' in proof ? proof.key : ''}"` : '';
  const what = where === '' ? 'argument' : `key of \`${where}\``;
  const strict = loss.source.policy === 'strict';
  const fate = strict
    ? `An undeclared ${what}${example} would be deleted`
    : `The ${where === '' ? 'arguments' : `keys of \`${where}\``} that ${source} lets through would be deleted${example && `,${example}`}`;
  const sentences = [
    `${fate}: ${cause(draft)}.`,
    strict
      ? `A call that ${source} rejects succeeds without it.`
      : 'The call succeeds and the handler never sees them.',
  ];
  if (loss.refinement)
    sentences.push(`Its \`.${refinementMethod(draft.graph, loss.source)}()\` no longer runs either.`);
  const note = draft.registered ? shapesOnlyNote(draft) : undefined;
  if (note) sentences.push(note);
  return sentences;
}

function refinementSentences(draft: Draft, where: string, proof: Proof): string[] {
  const source = quoted(draft.name);
  const error = proof.kind === 'shown' ? proof.witness.expected.error : undefined;
  const what = where === '' ? 'A call' : `A value of \`${where}\``;
  const note = draft.registered ? shapesOnlyNote(draft) : undefined;
  return [
    `${what} that ${source} rejects${error ? ` ("${error}")` : ''} would go through: ${cause(draft)}.`,
    ...(note ? [note] : []),
  ];
}

function cause(draft: Draft): string {
  const { graph, loss, registered } = draft;
  const source = quoted(draft.name);
  const check = `its \`.${refinementMethod(graph, loss.source)}()\``;
  if (registered) {
    const shape = draft.name ? `\`${draft.name}.shape\`` : 'a shape';
    const lost = loss.policy ? losesWhat(graph, loss.source) : `loses ${check}`;
    return `${shape} is registered instead of ${source}, and the plain object that it becomes ${lost}`;
  }
  if (loss.via === 'merge') {
    return loss.policy
      ? `\`.merge()\` takes the key policy of its argument, and ${source} ${policyWords(loss.source)}`
      : `\`.merge()\` drops ${check}`;
  }
  const shape = draft.name ? `\`${draft.name}.shape\`` : 'the shape of another object';
  return `this object is rebuilt from ${shape} and ${loss.policy ? losesWhat(graph, loss.source) : `loses ${check}`}`;
}

function quoted(name: string | undefined): string {
  return name ? `\`${name}\`` : 'the source object';
}

/** Why the schema itself cannot stand there, when it cannot. */
function shapesOnlyNote({ subject }: Draft): string | undefined {
  const old = oldSdk(subject);
  if (old !== undefined)
    return `MCP SDK ${old} takes shapes only; since 1.23 \`registerTool\` takes the schema itself.`;
  if (subject.contract.candidate.way !== 'server.tool') return undefined;
  return '`server.tool` takes shapes only; `registerTool` takes the schema itself.';
}

/** The version of an MCP SDK that takes shapes only (below 1.23), when that is what a tool is mounted on. */
export function oldSdk({ offers }: Subject): string | undefined {
  for (const { surface } of offers) {
    if (surface.id !== 'mcp-v1' || surface.version === undefined) continue;
    const [major = 0, minor = 0] = surface.version.split('.').map(Number);
    if (major < 1 || (major === 1 && minor < 23)) return surface.version;
  }
  return undefined;
}
