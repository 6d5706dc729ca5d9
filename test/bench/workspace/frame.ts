import { fileName, styleOf } from './toolFiles.ts';

const SUPPORT = `import { readFile } from 'node:fs/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';

/** A tool that is registered somewhere else. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly handler: (args: Record<string, unknown>) => Promise<CallToolResult>;
}

/** Answers a call with JSON. */
export function reply(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** A value as one line for people. */
export function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? 'nothing';
}

/** Asks the harbour's data base. */
export async function query(table: string, args: unknown): Promise<unknown[]> {
  const rows = JSON.parse(await readFile(\`data/\${table}.json\`, 'utf8')) as unknown[];
  return args === undefined ? [] : rows;
}

/** Reads the limits that this installation was given. */
export async function readLimits(): Promise<{ count: number }> {
  return JSON.parse(await readFile('data/limits.json', 'utf8')) as { count: number };
}
`;

/** The files that are the same in every workspace, by path. */
export const FRAME: { readonly [path: string]: string } = {
  'package.json': `${JSON.stringify(
    {
      name: 'harbour-mcp',
      version: '1.0.0',
      private: true,
      type: 'module',
      dependencies: { '@modelcontextprotocol/sdk': '^1.32.0', ai: '^7.0.0', zod: '^4.0.0' },
    },
    null,
    2,
  )}\n`,
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        lib: ['ES2023'],
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        paths: { '@schemas/*': ['./src/schemas/*'] },
      },
      include: ['src'],
    },
    null,
    2,
  )}\n`,
  'data/limits.json': '{ "count": 100 }\n',
  'src/support.ts': SUPPORT,
};

/** A barrel over the modules of a folder. */
export function barrelText(names: readonly string[]): string {
  return names.map((name) => `export * from './${name}.js';\n`).join('');
}

/** The index of ten tool files, by their numbers: registers them, some through a loop over their definitions. */
export function areaIndexText(area: string, members: readonly number[]): string {
  const looped = members.filter((index) => styleOf(index) === 'area loop');
  const assistants = members.filter((index) => styleOf(index) === 'ai sdk');
  const others = members.filter((index) => !looped.includes(index) && !assistants.includes(index));
  const alias = (index: number) => `in${fileName(index)}`;
  return [
    "import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
    ...others.map((index) => `import { register as ${alias(index)} } from './${fileName(index)}.js';`),
    ...[...looped, ...assistants].map((index) => `import { tools as ${alias(index)} } from './${fileName(index)}.js';`),
    '',
    `/** What the assistant may call of ${area}. */`,
    `export const assistantTools = { ${assistants.map((index) => `...${alias(index)}`).join(', ')} };`,
    '',
    `/** Offers the tools of ${area}. */`,
    `export async function register(server: McpServer): Promise<void> {`,
    ...others.map((index) => `  await ${alias(index)}(server);`),
    `  for (const tool of [${looped.map((index) => `...${alias(index)}`).join(', ')}]) {`,
    '    const { description, inputSchema } = tool;',
    '    server.registerTool(tool.name, { description, inputSchema }, tool.handler);',
    '  }',
    '}',
    '',
  ].join('\n');
}

/** The program for a model: an assistant with the tools of all areas. */
export function assistantText(areas: readonly string[]): string {
  return [
    "import { generateText, type LanguageModel } from 'ai';",
    ...areas.map((area) => `import { assistantTools as ${area} } from './tools/${area}/index.js';`),
    '',
    '/** Answers a question, with tools. */',
    'export async function ask(model: LanguageModel, prompt: string): Promise<string> {',
    `  const tools = { ${areas.map((area) => `...${area}`).join(', ')} };`,
    '  return (await generateText({ model, prompt, tools })).text;',
    '}',
    '',
  ].join('\n');
}

/** The program: a server with the tools of all areas, on standard input and output. */
export function serverText(areas: readonly string[]): string {
  return [
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
    "import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';",
    ...areas.map((area) => `import { register as ${area} } from './tools/${area}/index.js';`),
    '',
    "const server = new McpServer({ name: 'harbour', version: '1.0.0' });",
    ...areas.map((area) => `await ${area}(server);`),
    'await server.connect(new StdioServerTransport());',
    '',
  ].join('\n');
}
