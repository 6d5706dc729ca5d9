import { afterEach } from 'vitest';
import { type ClientOptions, type LanguageClient, startServer, type Workspace, workspace } from './harness/index.ts';

const opened: Workspace[] = [];
const started: LanguageClient[] = [];

/** A folder with the given files that is deleted when the test is over. */
export function folder(files: { readonly [path: string]: string | null }, name = 'lsp'): Workspace {
  const made = workspace({ name, files });
  opened.push(made);
  return made;
}

/** The built server on some folders, ended when the test is over. */
export async function editor(
  root: string | readonly string[],
  options: Omit<ClientOptions, 'root'> = {},
): Promise<LanguageClient> {
  const client = await startServer({ root, ...options });
  started.push(client);
  return client;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((client) => client.kill()));
  for (const one of opened.splice(0)) one.dispose();
});

/** A small server module: one tool that registers an expression as its input schema. */
export function serverModule(schema: string, inputSchema: string, imports = ''): string {
  return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
${imports}
${schema}

const server = new McpServer({ name: 'harbour', version: '1.0.0' });
server.registerTool('list_boats', { inputSchema: ${inputSchema} }, async () => ({ content: [] }));
`;
}

/** The rule codes of diagnostics, in their order. */
export function codes(diagnostics: readonly { readonly code?: unknown }[]): unknown[] {
  return diagnostics.map((diagnostic) => diagnostic.code);
}
