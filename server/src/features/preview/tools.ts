import type { SurfaceId } from '../../../../shared/src/model.ts';
import type { Absent, PreviewItem, SurfaceItem, ToolItem, ToolsResult } from '../../../../shared/src/protocol.ts';
import type { Release } from '../../baseline/previous.ts';
import { pathToUri } from '../../files/paths.ts';
import { surfaceName } from '../surface.ts';
import { definitionOf, nameOf, type Tool } from '../tool.ts';
import { type PreviewAddress, previewUri, type SchemaOf, type ToolAddress } from './address.ts';
import { releaseTitle } from './past.ts';

/** What the list of tools may ask about the last check. */
export interface ToolsSource {
  readonly tools: readonly Tool[];
  show(place: { readonly file: string; readonly span: { readonly start: number; readonly end: number } }): string;
  /** The release that a tool is compared with, or why there is none. */
  release(tool: Tool): Release | Absent;
}

/** The document that an editor has at hand. */
export interface AtHand {
  readonly file: string;
  /** The cursor, in the text that the last check is about. */
  readonly offset?: number;
  /** The document is this preview. */
  readonly preview?: PreviewAddress;
}

const NEARNESS = ['here', 'uses', 'elsewhere'] as const satisfies readonly ToolItem['nearness'][];

/** All tools to choose from, those that belong most to the document at hand first, else by file and position. */
export function toolsToChoose(source: ToolsSource, atHand: AtHand | undefined): ToolsResult {
  const addressed = addresses(source.tools);
  const rows = addressed.map(({ tool, address }) => ({ tool, address, nearness: nearnessOf(tool, atHand) }));
  rows.sort((a, b) => NEARNESS.indexOf(a.nearness) - NEARNESS.indexOf(b.nearness));
  const at = atHand && currentOf(addressed, atHand);
  const current = at && rows.findIndex(({ address }) => address === at);
  return {
    tools: rows.map(({ tool, address, nearness }) => item(tool, address, nearness, source)),
    ...(current !== undefined && { current }),
  };
}

/** One list for all folders of a workspace; a reason only where no folder has tools. */
export function combinedTools(answers: readonly ToolsResult[]): ToolsResult {
  const rows = answers.flatMap(({ tools, current }) =>
    tools.map((tool, index) => ({ tool, isCurrent: index === current })),
  );
  rows.sort((a, b) => NEARNESS.indexOf(a.tool.nearness) - NEARNESS.indexOf(b.tool.nearness));
  const current = rows.findIndex(({ isCurrent }) => isCurrent);
  const reason =
    answers.find((answer) => answer.reason !== undefined)?.reason ?? 'No tools were found in this workspace.';
  return {
    tools: rows.map(({ tool }) => tool),
    ...(current >= 0 && { current }),
    ...(rows.length === 0 && { reason: answers.length === 0 ? 'No folder is open.' : reason }),
  };
}

/** The addresses of tools, in the order of files and positions. */
export function addresses(tools: readonly Tool[]): { readonly tool: Tool; readonly address: ToolAddress }[] {
  const sorted = tools.map((tool) => ({ tool, at: definitionOf(tool) }));
  sorted.sort((a, b) => (a.at.file < b.at.file ? -1 : a.at.file > b.at.file ? 1 : a.at.span.start - b.at.span.start));
  const counts = new Map<string, number>();
  return sorted.map(({ tool, at: { file } }) => {
    const name = nameOf(tool);
    const key = `${file}\0${name ?? ''}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return { tool, address: { file, name, number } };
  });
}

function nearnessOf(tool: Tool, atHand: AtHand | undefined): ToolItem['nearness'] {
  if (!atHand) return 'elsewhere';
  if (definitionOf(tool).file === atHand.file || tool.contract?.registeredAt?.file === atHand.file) return 'here';
  return tool.contract?.files.includes(atHand.file) ? 'uses' : 'elsewhere';
}

/** The tool of the preview at hand, or the innermost whose definition or registration holds the cursor. */
function currentOf(
  addressed: readonly { readonly tool: Tool; readonly address: ToolAddress }[],
  { file, offset, preview }: AtHand,
): ToolAddress | undefined {
  if (preview) {
    return addressed.find(
      ({ address }) =>
        address.file === preview.file && address.name === preview.name && address.number === preview.number,
    )?.address;
  }
  if (offset === undefined) return undefined;
  const holding = addressed.flatMap(({ tool, address }) =>
    [definitionOf(tool), tool.contract?.registeredAt].flatMap((place) =>
      place && place.file === file && place.span.start <= offset && offset <= place.span.end
        ? [{ address, length: place.span.end - place.span.start }]
        : [],
    ),
  );
  const [innermost, next] = holding.sort((a, b) => a.length - b.length);
  // A loop that registers many tools is none of them.
  return innermost && next?.length !== innermost.length ? innermost.address : undefined;
}

function item(tool: Tool, address: ToolAddress, nearness: ToolItem['nearness'], source: ToolsSource): ToolItem {
  const at = definitionOf(tool);
  const release = source.release(tool);
  const document = (of: SchemaOf, title: string): PreviewItem => ({ uri: previewUri({ ...address, of }), title });
  const onSurface = (surface: SurfaceId, title: string): SurfaceItem => ({
    ...document({ surface, isPast: false }, title),
    surface,
    baseline: 'reason' in release ? release : document({ surface, isPast: true }, releaseTitle(release)),
  });
  const surfaces = tool.offers.map((offer) => onSurface(offer.surface.id, surfaceName(offer.surface)));
  return {
    name: address.name ?? '(no name)',
    file: pathToUri(at.file),
    place: source.show(at),
    nearness,
    // One that could not be evaluated, or that no SDK takes, has a document that says so.
    surfaces: surfaces.length > 0 ? surfaces : [onSurface('contract', 'not evaluated')],
    contract: contractItem(tool, document),
  };
}

function contractItem(
  { contract, offers }: Tool,
  document: (of: SchemaOf, title: string) => PreviewItem,
): PreviewItem | Absent {
  if (!contract) return { reason: 'The tool could not be evaluated, so there is no contract to compare with.' };
  if (contract.form === 'none') return { reason: 'The tool takes no input, so there is no schema to compare with.' };
  if (contract.form === 'other')
    return { reason: 'The schema is not made with Zod, so there is nothing to compare with.' };
  if (offers.some(({ surface }) => surface.id === 'contract')) {
    return {
      reason: 'No SDK is installed that could make something else of the contract: what is shown is the contract.',
    };
  }
  return document({ surface: 'contract', isPast: false }, 'contract');
}
