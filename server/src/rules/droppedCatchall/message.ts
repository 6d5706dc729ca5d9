import type { SchemaGraph } from '../../../../shared/src/model.ts';
import type { Subject } from '../rule.ts';
import type { Loss } from './loss.ts';
import type { Proof } from './proof.ts';
import { losesWhat, policyWords, refinementMethod, type SourceNames } from './words.ts';

/** What the words and fixes of a finding are made from. */
export interface Draft {
  readonly graph: SchemaGraph;
  readonly loss: Loss;
  readonly names: SourceNames;
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
  const source = quoted(draft.names.declared);
  const example = proof.kind === 'shown' ? ` such as "${proof.key}"` : '';
  const strict = loss.source.policy === 'strict';
  const undeclared = where === '' ? `argument${example}` : `key${example} in \`${where}\``;
  const kept = where === '' ? 'Arguments' : `Keys of \`${where}\``;
  const sentences = strict
    ? [
        `An undeclared ${undeclared} would be deleted: ${cause(draft)}.`,
        `A call that ${source} rejects succeeds without it.`,
      ]
    : [
        `${kept} that ${source} lets through,${example && `${example},`} would be deleted: ${cause(draft)}.`,
        'The call succeeds and the handler never sees them.',
      ];
  if (loss.refinement)
    sentences.push(`Its \`.${refinementMethod(draft.graph, loss.source)}()\` no longer runs either.`);
  const note = draft.registered ? shapesOnlyNote(draft) : undefined;
  if (note) sentences.push(note);
  return sentences;
}

function refinementSentences(draft: Draft, where: string, proof: Proof): string[] {
  const source = quoted(draft.names.declared);
  const error = proof.kind === 'shown' ? proof.witness.expected.error : undefined;
  const what = where === '' ? 'A call' : `A value of \`${where}\``;
  const note = draft.registered ? shapesOnlyNote(draft) : undefined;
  return [
    `${what} that ${source} rejects${error ? ` ("${error}")` : ''} would go through: ${cause(draft)}.`,
    ...(note ? [note] : []),
  ];
}

function cause({ graph, loss, names, registered }: Draft): string {
  const check = `its \`.${refinementMethod(graph, loss.source)}()\``;
  const lost = loss.policy ? losesWhat(graph, loss.source) : `loses ${check}`;
  const shape = names.local ? `\`${names.local}.shape\`` : 'the shape of another object';
  if (registered) {
    const itself = names.local ? `\`${names.local}\`` : 'the object itself';
    return `${shape} is registered instead of ${itself}, and the plain object that it becomes ${lost}`;
  }
  if (loss.via === 'shape') return `this object is rebuilt from ${shape} and ${lost}`;
  return loss.policy
    ? `\`.merge()\` takes the key policy of its argument, and ${quoted(names.local)} ${policyWords(loss.source)}`
    : `\`.merge()\` drops ${check}`;
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
