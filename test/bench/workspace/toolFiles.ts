import { fields } from './fields.ts';
import type { Random } from './random.ts';
import { QUIET_INPUTS, QUIET_SHAPES, type SharedModule } from './sharedSchemas.ts';

/** How the tools of a file are offered. */
export type Style =
  /** `server.registerTool(…)` once per tool. */
  | 'calls'
  /** `tool({…})` of the AI SDK, in a record by name. */
  | 'ai sdk'
  /** Definition objects in an array, registered by a loop in the same file. */
  | 'own loop'
  /** Definition objects in an array, registered by a loop in the index of the area. */
  | 'area loop';

/** What a tool of a file is made of. */
export interface Slot {
  readonly name: string;
  /** Source text of the input schema. */
  readonly input: string;
  /** The local variable that the schema is given to first, if it is not written in place. */
  readonly variable?: string;
  /** Inputs that the handler reads by name; absent: it hands on what it gets. */
  readonly reads?: readonly string[];
}

/** A file of five tools. */
export interface ToolFile {
  readonly style: Style;
  /** Import declarations of what the input schemas name. */
  readonly imports: readonly string[];
  readonly slots: readonly Slot[];
}

const VERBS = ['find', 'list', 'book', 'move', 'close', 'price', 'check', 'plan'] as const;

/** Number of tools in a file. */
export const TOOLS_PER_FILE = 5;

/** The style of a file by its number: two of five register by calls, one is for the AI SDK. */
export function styleOf(index: number): Style {
  return (['calls', 'calls', 'ai sdk', 'own loop', 'area loop'] as const)[index % 5] ?? 'calls';
}

/** Folder of ten tool files with an index that registers them: `area00`. */
export function areaOf(index: number): string {
  return `area${String(Math.floor(index / 10)).padStart(2, '0')}`;
}

/** A tool file's name without extension. */
export function fileName(index: number): string {
  return `tools${String(index).padStart(3, '0')}`;
}

/** The unique name of a tool by its number. */
export function toolName(number: number): string {
  return `${VERBS[number % VERBS.length]}_${String(number).padStart(4, '0')}`;
}

/**
 * Imports what some source text names of a shared module in one of the ways in which people write it: from its file,
 * with and without suffix, from its barrel, or through an alias.
 */
export function importLine({ prefix, name, area }: SharedModule, used: string, random: Random): string[] {
  const from = random.pick([
    `../../schemas/${area}/${name}.js`,
    `../../schemas/${area}/${name}`,
    `../../schemas/${area}/index.js`,
    `@schemas/${area}/${name}`,
  ]);
  const names = new Set(used.match(new RegExp(`\\b(${prefix}\\w*|${name}Shape)\\b`, 'g')));
  return names.size === 0 ? [] : [`import { ${[...names].sort().join(', ')} } from '${from}';`];
}

/** A slot that no rule has anything to say about. */
export function quietSlot(name: string, style: Style, { prefix }: SharedModule, random: Random): Slot {
  const own = fields(random, 2 + random.below(4), 'N', '  ');
  const inputs = style === 'calls' && random.below(2) === 0 ? QUIET_SHAPES : QUIET_INPUTS;
  const input = random.pick(inputs)(prefix, own);
  const reads = input.includes(own) ? [...own.matchAll(/^ +(\w+):/gm)].flatMap(([, field]) => field ?? []) : [];
  const slot = { name, input, ...(reads.length > 0 && { reads }) };
  return random.below(3) === 0 ? { ...slot, variable: `${name.replace('_', '')}Input` } : slot;
}

const SERVER = "import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';";

function isDefinitions(style: Style): style is 'own loop' | 'area loop' {
  return style === 'own loop' || style === 'area loop';
}

/** Source text of a tool file. */
export function toolFileText({ style, imports, slots }: ToolFile): string {
  const schemas = slots.flatMap(({ variable, input }) => (variable ? [`const ${variable} = ${input};`, ''] : []));
  const support = style === 'ai sdk' ? ['query', 'show'] : ['query', 'reply', 'show'];
  if (slots.some(({ input }) => input.includes('readLimits'))) support.push('readLimits');
  if (isDefinitions(style)) support.push('type ToolDefinition');
  const body =
    style === 'calls' ? callsText(slots) : style === 'ai sdk' ? recordText(slots) : definitionsText(slots, style);
  const server = {
    calls: [SERVER],
    'own loop': [SERVER],
    'area loop': [],
    'ai sdk': ["import { tool } from 'ai';"],
  }[style];
  return [
    ...server,
    "import { z } from 'zod';",
    ...imports,
    `import { ${support.join(', ')} } from '../../support.js';`,
    '',
    ...schemas,
    ...body,
    '',
  ].join('\n');
}

function callsText(slots: readonly Slot[]): string[] {
  return [
    '/** Offers the tools of this file. */',
    'export async function register(server: McpServer): Promise<void> {',
    ...slots.flatMap((slot) => [
      '  server.registerTool(',
      `    '${slot.name}',`,
      '    {',
      `      title: '${title(slot.name)}',`,
      `      description: '${description(slot.name)}',`,
      `      inputSchema: ${slot.variable ?? slot.input},`,
      '      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },',
      '    },',
      ...handler(slot, '    ', parameter(slot), 'reply'),
      '  );',
    ]),
    '}',
  ];
}

function recordText(slots: readonly Slot[]): string[] {
  return [
    '/** The tools of this file, for a model. */',
    'export const tools = {',
    ...slots.flatMap((slot) => [
      `  ${slot.name}: tool({`,
      `    description: '${description(slot.name)}',`,
      `    inputSchema: ${slot.variable ?? slot.input},`,
      ...handler(slot, '    ', parameter(slot), '', 'execute: '),
      '  }),',
    ]),
    '};',
  ];
}

function definitionsText(slots: readonly Slot[], style: 'own loop' | 'area loop'): string[] {
  const definitions = [
    '/** The tools of this file. */',
    'export const tools: readonly ToolDefinition[] = [',
    ...slots.flatMap((slot) => [
      '  {',
      `    name: '${slot.name}',`,
      `    description: '${description(slot.name)}',`,
      `    inputSchema: ${slot.variable ?? slot.input},`,
      ...handler(slot, '    ', 'args', 'reply', 'handler: '),
      '  },',
    ]),
    '];',
  ];
  if (style === 'area loop') return definitions;
  return [
    ...definitions,
    '',
    '/** Offers the tools of this file. */',
    'export async function register(server: McpServer): Promise<void> {',
    '  for (const { name, description, inputSchema, handler } of tools) {',
    '    server.registerTool(name, { description, inputSchema }, handler);',
    '  }',
    '}',
  ];
}

/** What a typed handler takes: the inputs that it reads, or all of them. */
function parameter({ reads }: Slot): string {
  return reads ? `{ ${reads.join(', ')} }` : 'args';
}

/**
 * A handler of a usual length, which reads its inputs by name: asks the data base with them, and tells what was found,
 * or what was looked for. Of definitions, whose handlers are not typed, those with a schema at hand parse with it.
 *
 * @param answer the function that the result is given to, or nothing
 */
function handler({ name, variable, reads }: Slot, indent: string, takes: string, answer: string, key = ''): string[] {
  const isParsed = takes === 'args' && reads && variable;
  const known = takes === 'args' && !isParsed ? undefined : reads;
  const wanted = known
    ? `{ ${known.map((field) => `${field.replace(/N$/, '')}: ${field}`).join(', ')} }`
    : '{ ...args }';
  const words = known?.map((field) => `${field} === undefined ? 'any' : show(${field})`) ?? ['show(wanted)'];
  const lines = [
    `${key}async (${takes}) => {`,
    '  const started = Date.now();',
    ...(isParsed ? [`  const { ${reads.join(', ')} } = ${variable}.parse(args);`] : []),
    `  const wanted = ${wanted};`,
    `  const rows = await query('${name}', wanted);`,
    '  if (rows.length === 0) {',
    '    const tried = Object.entries(wanted).map(([input, value]) => [input, show(value)].join(": "));',
    `    return ${answer}({ found: false, tried, took: Date.now() - started });`,
    '  }',
    '  const lines = rows.slice(0, 50).map((row, index) => [index + 1, show(row)].join(". "));',
    `  const heading = [${words.join(', ')}].join(', ');`,
    `  return ${answer}({ found: true, heading, lines, more: rows.length > 50, took: Date.now() - started });`,
    '},',
  ];
  return lines.map((line) => indent + line);
}

function title(name: string): string {
  const [verb = '', number] = name.split('_');
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${number}`;
}

function description(name: string): string {
  const [verb, number] = name.split('_');
  return `Asks the harbour office to ${verb} what is known under ${number}.`;
}
