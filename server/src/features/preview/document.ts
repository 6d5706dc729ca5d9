import type { Contract, Json, Offer } from '../../../../shared/src/model.ts';
import { surfaceName } from '../surface.ts';
import { definitionOf, nameOf, type Tool, toolsIn } from '../tool.ts';
import type { PreviewAddress, ToolAddress } from './address.ts';
import { type Past, pastText } from './past.ts';

/** What a preview may ask about the last check. */
export interface PreviewSource {
  readonly tools: readonly Tool[];
  /** The folder of the package that a file belongs to. */
  packageOf(file: string): string;
  /** For people: `src/boats.ts:12`. */
  show(place: Contract['definedAt']): string;
  /** The first of a tool's files whose present text does not parse, with the line of the fault, from 1. */
  unparsable(files: readonly string[]): { readonly file: string; readonly line: number } | undefined;
  /** The author's own schema, by its own zod. */
  contractSchema(contract: Contract): Promise<SchemaAnswer>;
  /** What the tool was in the last release, and what a surface makes of that. */
  past(contract: Contract, surface: Offer['surface']['id']): Promise<Past>;
}

export type SchemaAnswer = { readonly schema: Json } | { readonly error: string };

/** A preview document. */
export interface PreviewDocument {
  readonly text: string;
  /** Where the tool is, for people. */
  readonly place?: string;
}

/**
 * The text of a preview document: JSON as it is, after comments when something is to be said about it.
 *
 * @param lastPlace where the tool was when it was last there
 */
export async function previewDocument(
  address: PreviewAddress,
  source: PreviewSource,
  lastPlace?: string,
): Promise<PreviewDocument> {
  const tool = findTool(address, source.tools);
  if (!tool) return { text: page(gone(address, source, lastPlace)) };
  const place = source.show(definitionOf(tool));
  const { contract, unevaluated } = tool;
  if (!contract) {
    const at = unevaluated ? ` (${source.show(unevaluated.at)})` : '';
    const reason = sentence(`${unevaluated?.reason ?? 'its schema is not known'}${at}`);
    return {
      text: page([`${titleOf(address)} could not be evaluated, so there is nothing to show: ${reason}`]),
      place,
    };
  }
  const { surface, isPast } = address.of;
  if (isPast) return { text: pastText(await source.past(contract, surface), titleOf(address), page), place };
  const stale = staleNotes(contract, source);
  if (surface === 'contract' && !tool.offers.some((offer) => offer.surface.id === surface)) {
    const answer = await source.contractSchema(contract);
    if ('schema' in answer) return { text: page(stale, answer.schema), place };
    const why = `Zod makes no JSON Schema of it: ${sentence(answer.error)}`;
    return { text: page([...stale, why]), place };
  }
  const offer = tool.offers.find((each) => each.surface.id === surface);
  if (!offer) return { text: page([...stale, notOffered(address, tool)]), place };
  const notes = [...stale, ...offerNotes(offer, tool, source)];
  return { text: page(notes, offer.advertised ?? undefined), place };
}

/** The tool of an address, or undefined when there is none any more. */
export function findTool({ file, name, number }: ToolAddress, tools: readonly Tool[]): Tool | undefined {
  return toolsIn(file, tools).filter((tool) => nameOf(tool) === name)[number - 1];
}

/** Lines no longer than this are read without scrolling beside the source. */
const WIDTH = 76;

/** JSON with sentences before it. */
export function page(notes: readonly string[], json?: Json): string {
  const comments = notes.flatMap((note) => wrap(note).map((line) => `// ${line}`));
  const body = json === undefined ? [] : [JSON.stringify(json, null, 2)];
  return `${[...comments, ...body].join('\n')}\n`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function staleNotes(contract: Contract, source: PreviewSource): string[] {
  const fault = source.unparsable(contract.files);
  if (!fault) return [];
  const at = { file: fault.file, span: { start: 0, end: 0 } };
  const file = source.show(at).replace(/:\d+$/, '');
  return [`Stale: ${file} does not parse (line ${fault.line}). This is the schema of the last good text.`];
}

function offerNotes(offer: Offer, tool: Tool, source: PreviewSource): string[] {
  const on = surfaceName(offer.surface);
  if (offer.mountError !== undefined) {
    return [`${on} throws when the tool is registered, and its server with it: ${sentence(offer.mountError)}`];
  }
  if (offer.surface.id === 'contract') {
    return offer.listError === undefined ? [] : [`Zod makes no JSON Schema of it: ${sentence(offer.listError)}`];
  }
  const { mates, culprits } = listedWith(offer, tool, source);
  if (offer.listError !== undefined) {
    const others = mates.length === 0 ? '' : ` It takes down the tools beside it, ${few(mates)}: ${lost(offer)}.`;
    return [`${on} cannot list this tool: ${sentence(offer.listError)}${others}`];
  }
  return culprits.map(
    ({ name, error }) =>
      `Not listed together with ${name}, which ${on} cannot list, so that ${lost(offer)}: ${sentence(error)}`,
  );
}

function lost({ surface }: Offer): string {
  return surface.id === 'ai-sdk'
    ? 'a call of generateText that is given both fails as a whole'
    : 'tools/list of a server that has both fails as a whole';
}

/** What the tools of the same package on the same SDK come to: whom a failing tool takes along, and who fails. */
function listedWith({ surface }: Offer, tool: Tool, source: PreviewSource) {
  const folder = source.packageOf(definitionOf(tool).file);
  const mates: string[] = [];
  const culprits: { name: string; error: string }[] = [];
  for (const other of source.tools) {
    if (other === tool) continue;
    const offer = other.offers.find((each) => each.surface.id === surface.id);
    if (!offer || offer.mountError !== undefined || source.packageOf(definitionOf(other).file) !== folder) continue;
    const name = nameOf(other) ?? 'a tool without a name';
    if (offer.listError === undefined) mates.push(name);
    else culprits.push({ name, error: offer.listError });
  }
  return { mates: mates.sort(), culprits: culprits.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

const MOST_NAMES = 8;

function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

function notOffered(address: PreviewAddress, { offers }: Tool): string {
  const others = offers.map((offer) => surfaceName(offer.surface));
  const on = others.length > 0 ? `it is on ${others.join(' and ')}` : 'no SDK takes it';
  return `${titleOf(address)} is not offered on ${address.of.surface}: ${on}.`;
}

function gone(address: PreviewAddress, source: PreviewSource, lastPlace: string | undefined): string[] {
  const { file, name } = address;
  const was = lastPlace ?? source.show({ file, span: { start: 0, end: 0 } }).replace(/:\d+$/, '');
  const moved = source.tools.find((tool) => name !== null && nameOf(tool) === name);
  const now = moved ? ` There is one of that name in ${source.show(definitionOf(moved))}.` : '';
  return [`There is no ${name === null ? 'such tool' : `tool ${name}`} any more. It was in ${was}.${now}`];
}

/** A tool as a sentence names it. */
export function titleOf({ name }: ToolAddress): string {
  return name ?? 'The tool';
}

/** Ends a text that may end with any number of stops with one. */
export function sentence(text: string): string {
  return `${text.trim().replace(/[.\s]+$/, '')}.`;
}
