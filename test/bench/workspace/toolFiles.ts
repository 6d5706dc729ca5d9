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
  return random.below(3) === 0 ? { name, input, variable: `${name.replace('_', '')}Input` } : { name, input };
}

const SERVER = "import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';";

function isDefinitions(style: Style): style is 'own loop' | 'area loop' {
  return style === 'own loop' || style === 'area loop';
}

/** Source text of a tool file. */
export function toolFileText({ style, imports, slots }: ToolFile): string {
  const schemas = slots.flatMap(({ variable, input }) => (variable ? [`const ${variable} = ${input};`, ''] : []));
  const support = style === 'ai sdk' ? ['query'] : ['query', 'reply'];
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
    ...slots.flatMap(({ name, input, variable }) => [
      '  server.registerTool(',
      `    '${name}',`,
      `    { description: '${description(name)}', inputSchema: ${variable ?? input} },`,
      ...handler(name, '    ', 'args'),
      '  );',
    ]),
    '}',
  ];
}

function recordText(slots: readonly Slot[]): string[] {
  return [
    '/** The tools of this file, for a model. */',
    'export const tools = {',
    ...slots.flatMap(({ name, input, variable }) => [
      `  ${name}: tool({`,
      `    description: '${description(name)}',`,
      `    inputSchema: ${variable ?? input},`,
      '    execute: async (args) => {',
      `      const rows = await query('${name}', args);`,
      '      return { found: rows.length > 0, rows: rows.slice(0, 50) };',
      '    },',
      '  }),',
    ]),
    '};',
  ];
}

function definitionsText(slots: readonly Slot[], style: 'own loop' | 'area loop'): string[] {
  const definitions = [
    '/** The tools of this file. */',
    'export const tools: readonly ToolDefinition[] = [',
    ...slots.flatMap(({ name, input, variable }) => [
      '  {',
      `    name: '${name}',`,
      `    description: '${description(name)}',`,
      `    inputSchema: ${variable ?? input},`,
      ...handler(name, '    ', 'args', 'handler: '),
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

function handler(name: string, indent: string, args: string, key = ''): string[] {
  return [
    `${indent}${key}async (${args}) => {`,
    `${indent}  const started = Date.now();`,
    `${indent}  const rows = await query('${name}', ${args});`,
    `${indent}  if (rows.length === 0) return reply({ found: false, took: Date.now() - started });`,
    `${indent}  return reply({ found: true, rows: rows.slice(0, 50), took: Date.now() - started });`,
    `${indent}},`,
  ];
}

function description(name: string): string {
  const [verb, number] = name.split('_');
  return `Asks the harbour office to ${verb} what is known under ${number}.`;
}
