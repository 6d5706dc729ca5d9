import type { Contract, KeyPolicy, Place, SchemaGraph, SchemaNode, ShapeFlow } from '../../../../shared/src/model.ts';
import { lineage } from '../../rules/graph.ts';
import { objectsOf } from '../keyPolicies.ts';
import type { Block, Inline, Line } from '../markup.ts';

/** What words about places need. */
export interface Words {
  /** Source text of a place, as the last check knows it. */
  text(place: Place): string | undefined;
  /** A link to where a place begins, or ends. */
  link(text: string, place: Place, at: 'start' | 'end'): Inline;
}

/** What becomes of an undeclared key, and the word between that and the object. */
const FATES: { readonly [policy in KeyPolicy]: readonly [fate: string, where: string] } = {
  strip: ['deleted', 'from'],
  strict: ['rejected', 'in'],
  loose: ['kept', 'in'],
  catchall: ['kept when their type fits', 'in'],
};
/** So many objects are shown; a hover is no report. */
const MOST = 8;

/** The objects in a tool's input: what each does with undeclared keys, and which expression says so. */
export function policyList(contract: Contract, words: Words): Block[] {
  const { graph } = contract;
  if (!graph) return [];
  const objects = objectsOf(graph);
  if (objects.length === 0) return [];
  const items = objects.slice(0, MOST).map(({ node, name }): Line => {
    const [fate, where] = FATES[node.policy ?? 'strip'];
    const object: Inline = name === '' ? 'the arguments' : { code: name };
    return [{ strong: fate }, ` ${where} `, object, ' — ', ...why(node, graph, contract, words)];
  });
  const rest = objects.length - MOST;
  if (rest > 0) items.push([`and so on in ${rest} more`]);
  return [
    { is: 'paragraph', line: ['Undeclared keys are'] },
    { is: 'list', items },
  ];
}

/** The expression that decides what an object does with undeclared keys. */
function why(node: SchemaNode, graph: SchemaGraph, contract: Contract, words: Words): Line {
  if (contract.form === 'raw-shape' && node.id === graph.root) return shapeWords(contract, graph, words);
  const line = lineage(graph, node);
  const setter = line.find(({ origin }) => origin !== undefined && SETTERS.has(origin.method));
  const made = setter ?? line.findLast(({ origin }) => origin !== undefined);
  if (!made?.origin) return ['the schema’s library'];
  const { method, place } = made.origin;
  const isMethod = made.from !== undefined;
  const call = NO_ARGUMENTS.has(method) ? `${method}()` : `${method}(…)`;
  const text = isMethod ? `.${call}` : call;
  const link = words.link(text, place, isMethod ? 'end' : 'start');
  return [link, ...builtFrom(node, graph, words)];
}

const SETTERS: ReadonlySet<string> = new Set([
  'strict',
  'strictObject',
  'loose',
  'looseObject',
  'passthrough',
  'strip',
  'catchall',
]);
const NO_ARGUMENTS: ReadonlySet<string> = new Set(['strict', 'loose', 'passthrough', 'strip']);

/** Whose shape an object is built from, when that object has another policy. */
function builtFrom({ rebuiltFrom = [], policy }: SchemaNode, graph: SchemaGraph, words: Words): Line {
  const flow = rebuiltFrom.find(({ owner }) => graph.nodes[owner]?.policy !== policy);
  return flow ? [', built from ', readLink(flow, words), ...ownPolicy(flow, graph)] : [];
}

function shapeWords({ rebuiltFrom, candidate }: Contract, graph: SchemaGraph, words: Words): Line {
  const [flow] = rebuiltFrom;
  const place = candidate.schema && { file: candidate.file, span: candidate.schema.span };
  const shape = flow ? readLink(flow, words) : place ? words.link('the shape', place, 'start') : 'the shape';
  const lost = flow && graph.nodes[flow.owner]?.policy !== 'strip' ? ownPolicy(flow, graph) : [];
  return [shape, ': a shape becomes a plain object', ...lost];
}

function readLink({ read }: ShapeFlow, words: Words): Inline {
  return words.link(clipped(words.text(read)?.trim() ?? 'a shape'), read, 'start');
}

const OWN: { readonly [policy in KeyPolicy]: string } = {
  strip: 'deletes them',
  strict: 'is strict',
  loose: 'keeps them',
  catchall: 'types them',
};

function ownPolicy({ owner }: ShapeFlow, graph: SchemaGraph): Line {
  const policy = graph.nodes[owner]?.policy;
  return policy ? [` (its own object ${OWN[policy]})`] : [];
}

const CLIP = 40;

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > CLIP ? `${line.slice(0, CLIP - 1)}…` : line;
}
