import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Json, Outcome } from '../../shared/src/model.ts';
import type { Changes } from '../helpers/evaluate.ts';
import type { Construct } from './constructs.ts';

/** What an SDK did with a construct, seen by the reference. */
export interface Answer {
  readonly advertised?: Json;
  readonly mountError?: string;
  readonly listError?: string;
  /** Parallel to the construct's calls. */
  readonly calls: readonly Outcome[];
}

/** The SDKs that there is a reference for. */
export type Reference = 'mcp-v1' | 'mcp-v2' | 'ai-v2' | 'ai-v3' | 'ai-v4';

const run = promisify(execFile);
const HERE = import.meta.dirname;

/** The module of zod that gives a major version, in a workspace with zod 4. */
export const ZOD = { 3: 'zod/v3', 4: 'zod' } as const;

/** Files of a workspace in which constructs are written down and a reference drives them. */
export function referenceFiles(reference: Reference, zod: 3 | 4, constructs: readonly Construct[]): Changes {
  const tools = constructs.map(
    ({ id, code, calls }) =>
      `  { id: ${JSON.stringify(id)}, schema: ${code ?? 'undefined'}, calls: ${JSON.stringify(calls)} },`,
  );
  return {
    'reference/tools.mjs': `import { z } from '${ZOD[zod]}';\nexport const tools = [\n${tools.join('\n')}\n];\n`,
    'reference/run.mjs': `${IMPORTS[reference].join('\n')}\nimport { tools } from './tools.mjs';\nawait ${CALLS[reference]};\n`,
  };
}

const driver = (file: string): string => `import { drive } from ${JSON.stringify(join(HERE, file))};`;
const ai = ["import { generateText, tool } from 'ai';", driver('ai.mjs')];
const IMPORTS: Readonly<Record<Reference, readonly string[]>> = {
  'mcp-v1': [
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js';",
    "import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';",
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
    driver('mcp.mjs'),
  ],
  'mcp-v2': [
    "import { Client } from '@modelcontextprotocol/client';",
    "import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';",
    driver('mcp.mjs'),
  ],
  'ai-v2': ai,
  'ai-v3': ai,
  'ai-v4': ai,
};
const MCP = 'drive({ McpServer, Client, InMemoryTransport }, tools)';
const CALLS: Readonly<Record<Reference, string>> = {
  'mcp-v1': MCP,
  'mcp-v2': MCP,
  'ai-v2': "drive({ generateText, tool }, 'v2', tools)",
  'ai-v3': "drive({ generateText, tool }, 'v3', tools)",
  'ai-v4': "drive({ generateText, tool }, 'v4', tools)",
};

/** Runs the reference of a workspace in a process of its own. */
export async function ask(root: string): Promise<ReadonlyMap<string, Answer>> {
  const { stdout } = await run(process.execPath, [join(root, 'reference/run.mjs')], { maxBuffer: 64 << 20 });
  return new Map(Object.entries(JSON.parse(stdout) as Record<string, Answer>));
}
