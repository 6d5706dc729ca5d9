import { isDeepStrictEqual } from 'node:util';
import type { JsonTool } from '../../server/src/reporters/json.ts';
import type { Json, SurfaceId } from '../../shared/src/model.ts';
import { isBelow } from './manifest.ts';

/** Something that a tool's advertised schema must be. Says what is wrong, or nothing. */
type Check = (part: Json | undefined) => string | undefined;

/** A fact about the part of a tool's advertised `inputSchema` at a path, from the manifest's `preview`. */
export interface Fact {
  readonly tool: string;
  /** Keys and indices, joined by dots; empty for the whole. `output` in front: of the `outputSchema`. */
  readonly at: string;
  readonly check: Check;
  /** The surface that it is about, where the case is offered on several. */
  readonly on?: SurfaceId;
}

const isRecord = (part: unknown): part is Record<string, Json> => typeof part === 'object' && part !== null;

/** The part has these members, whatever else it has. */
function has(members: Record<string, Json>): Check {
  return (part) => {
    if (!isRecord(part)) return 'is not there';
    const wrong = Object.keys(members).find((key) => !isDeepStrictEqual(part[key], members[key]));
    return wrong && `${wrong} is ${JSON.stringify(part[wrong])}, not ${JSON.stringify(members[wrong])}`;
  };
}

/** The part is there, without these members. */
function lacks(...keys: string[]): Check {
  return (part) => {
    if (!isRecord(part)) return 'is not there';
    const found = keys.find((key) => key in part);
    return found && `has ${found}`;
  };
}

/** The part has these properties, in this order, and no others. */
function properties(...names: string[]): Check {
  return (part) => {
    const own = isRecord(part) && isRecord(part.properties) ? Object.keys(part.properties) : undefined;
    return isDeepStrictEqual(own, names) ? undefined : `has the properties ${own}, not ${names}`;
  };
}

/** The part is a list of so many. */
function length(count: number): Check {
  return (part) => (Array.isArray(part) && part.length === count ? undefined : `is no list of ${count}`);
}

/** The part is a list with, or without, an item. */
function includes(item: Json, wanted: boolean): Check {
  return (part) =>
    (Array.isArray(part) && part.includes(item)) === wanted
      ? undefined
      : `${wanted ? 'lacks' : 'has'} ${JSON.stringify(item)}`;
}

const OPEN = lacks('additionalProperties');
const CLOSED = has({ additionalProperties: false });
const EMPTY: Check = (part) =>
  has({ type: 'object', properties: {} })(part) ?? lacks('required', 'anyOf', 'oneOf')(part);

const fact = (tool: string, at: string, check: Check): Fact => ({ tool, at, check });
const factOn = (on: SurfaceId, tool: string, at: string, check: Check): Fact => ({ ...fact(tool, at, check), on });

/** Two strict sides of an intersection below a property: one flat object, or two closed branches before zod 4.5. */
function closedSides(tool: string, at: string, names: readonly string[], zod: string): Fact[] {
  if (!isBelow(zod, '4.5')) return [fact(tool, at, properties(...names)), fact(tool, at, CLOSED)];
  return [fact(tool, `${at}.allOf`, length(2)), ...[0, 1].map((side) => fact(tool, `${at}.allOf.${side}`, CLOSED))];
}

/** What of the manifest's `preview` can be judged on the surfaces that there are, written down by hand, by case. */
const FACTS: { readonly [id: string]: (zod: string) => readonly Fact[] } = {
  '001': () => [fact('move_crate', '', OPEN)],
  '003': () => [fact('ListBoatsPaged', '', OPEN), fact('ListBoats', '', CLOSED)],
  '005': () => [fact('HorseSearch', '', CLOSED)],
  '006': () => ['WithNote', 'WithFlag', 'OnlyCode', 'NoWeight', 'Patch', 'Full'].map((tool) => fact(tool, '', CLOSED)),
  '008': () => [fact('tag_item', '', has({ additionalProperties: {} }))],
  '009': () => [
    ...['list_lamps', 'ping', 'dim'].map((tool) => fact(tool, '', OPEN)),
    ...['list_lamps', 'ping'].map((tool) => fact(tool, '', has({ type: 'object', properties: {} }))),
  ],
  '010': () => [fact('Weights', '', has({ additionalProperties: { type: 'number' } }))],
  '011': () => [fact('record', '', OPEN)],
  '016': () => [
    fact('saveScores', '', CLOSED),
    fact('saveScores', 'properties.m', has({ additionalProperties: { type: 'number' } })),
    fact('saveScores', 'properties.l', has({ additionalProperties: {} })),
  ],
  '017': () => [
    factOn('ai-sdk', 'logEvent', 'properties.event', CLOSED),
    factOn('mcp-v1', 'LogEvent', 'properties.event', OPEN),
  ],
  '019': () => [fact('Loose', '', has({ additionalProperties: true })), fact('Exact', '', CLOSED)],
  '020': () => [fact('StopQuery', 'properties.stop', OPEN)],
  '021': (zod) => closedSides('Gate', 'properties.gate', ['pin', 'plate'], zod),
  '023': (zod) => closedSides('Stay', 'properties.stay', ['guest', 'night'], zod),
  '025': () => [
    fact('Letter', 'properties.letter.properties.party', properties('from', 'to')),
    fact('Letter', 'properties.letter.properties.party', CLOSED),
  ],
  '027': () => [fact('NoteInput', 'properties.note', OPEN)],
  '028': () => [fact('HostContext', 'properties.host.allOf.0', CLOSED)],
  '029': () => [fact('work', '', EMPTY)],
  '031': () => [fact('set_light', '', EMPTY)],
  '034': () => [
    ...['Refined', 'Branded', 'Named', 'Exact'].map((tool) => fact(tool, '', properties('adults', 'children'))),
    fact('Exact', '', CLOSED),
  ],
  '035': () =>
    ['AsSeconds', 'Piped', 'Lenient'].flatMap((tool) => [
      factOn('mcp-v1', tool, '', EMPTY),
      factOn('ai-sdk', tool, '', has({ type: 'object' })),
      factOn('ai-sdk', tool, '', properties('series', 'minutes')),
    ]),
  '037': () => [fact('remember', '', lacks('type', 'properties')), fact('remember', 'oneOf', length(2))],
  '040': () => [
    fact('Multi', 'properties.request.oneOf', length(2)),
    ...[0, 1].map((branch) => fact('Multi', `properties.request.oneOf.${branch}`, CLOSED)),
  ],
  '042': () => [
    fact('Page', 'properties.page.anyOf.0', lacks('required')),
    fact('Page', 'properties.page.anyOf.0.properties.limit', has({ default: 20 })),
  ],
  '044': () => [0, 1].map((branch) => fact('Door', `properties.door.oneOf.${branch}.required`, includes('act', false))),
  '045': () => [
    fact('Measure', 'properties.measure.oneOf.0.properties.unit', has({ default: 'metric' })),
    fact('Measure', 'properties.measure.oneOf.0.required', includes('unit', false)),
  ],
  '048': () => [fact('Pin', '', lacks('required')), fact('Pin', 'properties.tags.anyOf.0', has({ default: 'misc' }))],
  '050': () => [
    fact('Opts', 'properties.a', has({ type: ['string', 'null'], default: 'x' })),
    fact('Opts', 'properties.o.anyOf.0.properties.deep', has({ default: true })),
    fact('Opts', 'properties.o.anyOf.1', has({ type: 'null' })),
  ],
  '052': () => [fact('Fan', 'properties.speed', has({ default: 2 })), fact('Fan', 'required', includes('speed', true))],
  '054': () => [
    fact('Sweep', 'properties.dryRun', has({ default: false })),
    fact('Sweep', 'properties.count', has({ default: 0 })),
  ],
  '056': () => [fact('stop_alarm', '', properties('id'))],
  '058': () => [fact('Stamp', 'properties.no', has({ type: 'string' }))],
  '060': (zod) =>
    isBelow(zod, '4.4') ? [] : [fact('Sketch', 'properties.strokes', has({ additionalProperties: {} }))],
  '063': () => [
    fact('Model', 'properties.field.$ref', (part) => (typeof part === 'string' ? undefined : 'is no reference')),
    fact('Tree', 'properties.kids.items', has({ $ref: '#' })),
  ],
  '065': () => [
    fact('Range', '', has({ $schema: 'http://json-schema.org/draft-07/schema#' })),
    fact('Range', 'properties.range.items', length(2)),
  ],
  '066': () => [
    fact('Invite', 'properties.user', lacks('description')),
    fact('Invite', 'properties.user.properties.name', has({ description: 'Full name' })),
  ],
  '083': () => [fact('Animal', 'properties.animal.anyOf', length(2))],
  '086': () => [fact('Kettle', '', properties('litres'))],
  '087': () => [fact('ring', '', OPEN)],
  '089': () => [fact('Clock', '', properties('zone')), fact('Clock', '', CLOSED)],
  '091': () => [fact('open', '', OPEN)],
  '093': () => [fact('KiteLoose', '', OPEN), fact('Kite', '', CLOSED)],
  '094': (zod) => closedSides('Boat', 'properties.boat', ['hull', 'sail'], zod),
  '097': () => [fact('Print', 'properties.job.anyOf.0.properties.pages', has({ default: 1 }))],
  '099': () => [fact('OvenRelaxed', '', OPEN)],
  '105': () => [fact('Trip', 'properties.stops.items', OPEN), fact('Trip', 'properties.returns.items', CLOSED)],
  '107': () => [
    fact('Drive', 'properties.order.anyOf.0.properties.speed', has({ default: 10 })),
    fact('Drive', 'properties.order.anyOf.0.required', includes('speed', true)),
  ],
  '110': () => [fact('wind', '', OPEN), fact('wind', 'output', CLOSED)],
  '111': () => [fact('send', '', OPEN), fact('draft', '', CLOSED)],
  '113': () => [fact('find_pier', '', properties('code', 'depth')), fact('find_pier', '', OPEN)],
};

/** Cases whose preview can be judged only on a surface that the checker does not have. */
const AWAITS: { readonly [id: string]: string } = {
  '014': 'surface openai-agents',
  '015': 'surface langchain',
  '032': 'surface low-level',
  '051': 'surface low-level',
  '068': 'surface openai-helper',
  '069': 'surface openai-helper',
  '081': 'surface mastra',
};

/** What a case waits for before it can be right, beside rules. */
export function awaited(id: string): string | undefined {
  return AWAITS[id];
}

/** Whether something about a case's advertised schemas is written down. */
export function hasPreview(id: string): boolean {
  return id in FACTS;
}

/** What is wrong with the advertised schemas of a case's tools, one line each. */
export function previewFaults(id: string, zod: string, tools: readonly JsonTool[]): string[] {
  return (FACTS[id]?.(zod) ?? []).flatMap(({ tool: name, at, check, on }) => {
    const rows = tools.filter((tool) => tool.name === name && (on === undefined || tool.surface?.id === on));
    if (rows.length === 0) return [`preview: there is no tool ${name}${on === undefined ? '' : ` on ${on}`}`];
    return rows.flatMap((row) => {
      const fault = check(part(row, at));
      return fault ? [`preview: ${name} ${at || 'root'} ${fault}`] : [];
    });
  });
}

function part(tool: JsonTool, at: string): Json | undefined {
  const [first, ...rest] = at.split('.').filter((step) => step !== '');
  const whole = first === 'output' ? tool.outputSchema : tool.advertised;
  const steps = first === undefined || first === 'output' ? rest : [first, ...rest];
  return steps.reduce<Json | undefined>(
    (inner, step) => (isRecord(inner) ? (inner as Record<string, Json>)[step] : undefined),
    whole,
  );
}
