import type { CodeLens } from 'vscode-languageserver';
import type { Offer } from '../../../shared/src/model.ts';
import { COMMAND_COMPARE_BASELINE, COMMAND_PREVIEW, type PreviewTarget } from '../../../shared/src/protocol.ts';
import { comparisonOf } from '../baseline/comparison.ts';
import type { Named } from '../discovery/toolNames.ts';
import { pathToUri } from '../files/paths.ts';
import { SDKS } from '../surfaces/sdks.ts';
import { inputWords, plural } from './keyPolicies.ts';
import type { Positions } from './positions.ts';
import { definitionOf, nameOf, type Tool } from './tool.ts';

/** A CodeLens without a command of its own is shown as text. */
const NO_COMMAND = '';

/**
 * A line above each tool: on which SDK, what its input is, what breaks its callers; and the preview. Tools that one
 * expression makes share a line.
 *
 * @param tools those of the file, in order
 * @param commands those that the editor has: without one, what needs it is left out
 */
export function codeLenses(tools: readonly Tool[], positions: Positions, commands: ReadonlySet<string>): CodeLens[] {
  return places(tools).flatMap((own): CodeLens[] => {
    const [first] = own;
    if (!first) return [];
    const { file, span } = definitionOf(first);
    const { start } = positions.range(span);
    const range = { start, end: start };
    const target: PreviewTarget = {
      file: pathToUri(file),
      ...(own.length === 1 && { tool: nameOf(first) ?? '(no name)' }),
    };
    const since = own.length === 1 ? breakingSince(first) : undefined;
    const title = own.length === 1 ? titleOf(first, since) : titleOfSeveral(own);
    const compares = since !== undefined && commands.has(COMMAND_COMPARE_BASELINE);
    const line: CodeLens = {
      range,
      command: compares
        ? { title, command: COMMAND_COMPARE_BASELINE, arguments: [target] }
        : { title, command: NO_COMMAND },
    };
    if (!commands.has(COMMAND_PREVIEW) || !own.some(({ contract }) => contract)) return [line];
    return [line, { range, command: { title: 'Preview', command: COMMAND_PREVIEW, arguments: [target] } }];
  });
}

/** A line above each tool that is known by its name alone, because nothing of the workspace may run. */
export function restrictedLenses(tools: readonly Named[], positions: Positions): CodeLens[] {
  return tools.map(({ name, span }) => {
    const { start } = positions.range(span);
    return {
      range: { start, end: start },
      command: { title: `${name} · not evaluated: workspace not trusted`, command: NO_COMMAND },
    };
  });
}

/** The tools by the place that they are written at. */
function places(tools: readonly Tool[]): Tool[][] {
  const byPlace = new Map<string, Tool[]>();
  for (const tool of tools) {
    const { start, end } = definitionOf(tool).span;
    const key = `${start}-${end}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), tool]);
  }
  return [...byPlace.values()];
}

function titleOf({ contract, unevaluated, offers }: Tool, since: string | undefined): string {
  if (!contract) return `not evaluated: ${short(unevaluated?.reason ?? 'its schema is not known')}`;
  const failed = offers
    .map(({ mountError, listError }) => mountError ?? listError)
    .find((error) => error !== undefined);
  const words = failed === undefined ? inputWords(contract) : `cannot be listed: ${short(failed)}`;
  return [surfaces(offers), words, since].filter((part) => part).join(' · ');
}

function titleOfSeveral(tools: readonly Tool[]): string {
  const offers = tools.flatMap((tool) => tool.offers);
  const words = new Set(tools.map(({ contract }) => (contract ? inputWords(contract) : 'not evaluated')));
  const [only] = words;
  return [plural(tools.length, 'tool'), surfaces(offers), words.size === 1 && only].filter((part) => part).join(' · ');
}

function surfaces(offers: readonly Offer[]): string {
  const names = offers.map(({ surface: { id, version } }) => {
    if (id === 'contract') return 'no SDK';
    const [major, minor] = version?.split('.') ?? [];
    return [SDKS[id].name, major === undefined ? undefined : [major, minor].join('.')].filter(Boolean).join(' ');
  });
  return [...new Set(names)].join(' and ');
}

/** `2 breaking since v1.6.5`; undefined when nothing breaks a caller of the last release. */
function breakingSince({ previous }: Tool): string | undefined {
  const comparison = previous && comparisonOf(previous);
  if (comparison?.status !== 'changed') return undefined;
  const breaking = comparison.inputs.filter(({ isDocumented }) => isDocumented !== null).length;
  const { kind, name, release } = previous?.release ?? {};
  return breaking === 0 ? undefined : `${breaking} breaking since ${kind === 'tag' ? name : release}`;
}

const SHORT = 70;

/** The first sentence of an error, cut where even that is long. */
function short(text: string): string {
  const [first = ''] = text.split(/(?<=[.:]) |\n/, 1);
  const sentence = (first.length < 12 ? text.replace(/\s+/g, ' ') : first).replace(/[.:\s]+$/, '');
  return sentence.length > SHORT ? `${sentence.slice(0, SHORT - 1)}…` : sentence;
}
