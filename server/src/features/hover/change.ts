import type { Contract, Place, Span } from '../../../../shared/src/model.ts';
import type { ChangeFile } from '../../baseline/changeFiles.ts';
import type { Entry, Trigger } from '../../baseline/contractChanges.ts';
import { type InputChange, pathKey, pathText, type Removal } from '../../baseline/inputChange.ts';
import type { Kind, Policy } from '../../baseline/inputModel.ts';
import type { Previous, Release } from '../../baseline/previous.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import { walk } from '../../rules/graph.ts';
import type { Block, Line } from '../markup.ts';
import { releaseTitle } from '../preview/past.ts';
import { nameOf, type Tool } from '../tool.ts';

/** A path inside an entry of the contract changes. */
export interface PointedTrigger {
  readonly entry: Entry;
  readonly trigger: Trigger;
  readonly span: Span;
}

/** The trigger whose path is written as a string at an offset. */
export function triggerAt(
  file: string,
  offset: number,
  text: string,
  files: readonly ChangeFile[],
): PointedTrigger | undefined {
  const entries = files.find((each) => each.file === file)?.entries.filter(({ at }) => at && isIn(at, file, offset));
  if (!entries || entries.length === 0) return undefined;
  const literal = stringAt(parse(file, text), offset);
  if (!literal) return undefined;
  for (const entry of entries) {
    const trigger = entry.triggers.find(({ path }) => path === literal.value);
    if (trigger) return { entry, trigger, span: literal.span };
  }
  return undefined;
}

function isIn({ file: own, span }: Place, file: string, offset: number): boolean {
  return own === file && span.start <= offset && offset <= span.end;
}

function stringAt(source: ts.SourceFile, offset: number): { value: string; span: Span } | undefined {
  let found: { value: string; span: Span } | undefined;
  const visit = (node: ts.Node): void => {
    if (offset < node.pos || offset > node.end || found) return;
    const start = node.getStart(source);
    if (ts.isStringLiteralLike(node) && start <= offset) found = { value: node.text, span: { start, end: node.end } };
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What became of the input that a trigger is about: when it went, and what it was. */
export function changeHover(
  { entry, trigger }: PointedTrigger,
  tools: readonly Tool[],
  releaseFor: (file: string) => Release | { readonly reason: string },
): Block[] {
  const { tool: name } = entry;
  const title: Block = { is: 'title', line: [{ code: trigger.path }, ' of ', { code: name }] };
  const named = tools.filter((tool) => nameOf(tool) === name);
  const tool = named.find(({ previous }) => previous?.entries.includes(entry)) ?? named[0];
  const tell = (...line: Line): Block[] => [title, { is: 'paragraph', line }];
  if (!tool) return tell('There is no tool ', { code: name }, ' now.');
  const { previous, contract } = tool;
  const key = pathKey(trigger.path);
  const change = previous?.changes.find(({ path }) => pathKey(pathText(path)) === key);
  if (previous && change?.kind === 'removed') return tell(...removal(change, previous));
  if (previous && change?.kind === 'reshaped') {
    return tell(`A string in ${releaseTitle(previous.release)}, and a list now.`);
  }
  if (contract && isInput(contract, key))
    return tell(stillThere(trigger, change), ' It is an input of ', { code: name }, '.');
  const release = contract ? releaseFor(contract.candidate.file) : undefined;
  if (!release || 'reason' in release) {
    return tell(`No input now. What it was is not known: ${release?.reason ?? 'the tool could not be evaluated.'}`);
  }
  return tell(
    `No input now, and none in ${releaseTitle(release)}: it went after ${entry.lastRelease}, as this entry says.`,
  );
}

function removal({ before, required, policy, renamedTo }: Removal, { release, tool }: Previous): Line {
  const was =
    before.node === undefined
      ? 'an input'
      : `${required ? 'a required' : 'an optional'} ${typesOf(tool.inputs.kinds(before.node))}`;
  const rename: Line = renamedTo === undefined ? [] : [' Probably it is ', { code: renamedTo }, ' now.'];
  return [`Removed since ${releaseTitle(release)}, where it was ${was}. ${FATES[policy]}`, ...rename];
}

const FATES: { readonly [policy in Policy]: string } = {
  strip: 'An argument of that name is deleted now.',
  strict: 'A call with it is rejected now.',
  loose: 'It reaches the handler unvalidated now.',
  catchall: 'It reaches the handler when its type fits.',
  open: 'Whether it reaches the handler is not known.',
  record: 'It is one of any keys now.',
};

const MOST_VALUES = 5;

function typesOf(kinds: readonly Kind[]): string {
  const words = kinds.map((kind) => {
    if (!('values' in kind) || !kind.values || kind.values.length === 0) return kind.type;
    const values = kind.values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    return `${kind.type} (${values.join(', ')}${kind.values.length > MOST_VALUES ? ', …' : ''})`;
  });
  return [...new Set(words)].join(' or ') || 'input';
}

function isInput({ graph }: Contract, key: string): boolean {
  return (
    graph !== null && [...walk(graph)].some(({ name }) => name !== '' && pathKey(name.replaceAll('{}', '.*')) === key)
  );
}

function stillThere({ when }: Trigger, change: InputChange | undefined): string {
  if (when === 'present' && !change) return 'Nothing has changed since the last release.';
  return 'It was not removed.';
}
