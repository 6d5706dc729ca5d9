import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe } from 'vitest';
import type { JsonObject, Offer, Outcome } from '../../shared/src/model.ts';
import { type Evaluated, writeFiles } from '../helpers/evaluate.ts';
import { evaluateWith, INSTALL_MS, type SdkName, sdkFolder } from '../helpers/sdk.ts';

// What surprises people about the SDKs is said to the built sandbox and, where the whole of an SDK is meant, to the SDK.

export const V1 = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';";
export const V2 = "import { McpServer } from '@modelcontextprotocol/server';";
export const STRICT = 'z.object({ a: z.string() }).strict()';

/** A module that registers schemas, given as source text by name, on an MCP server. */
export function registered(sdk: string, schemas: Readonly<Record<string, string>>, zod = 'zod'): string {
  const calls = Object.entries(schemas).map(
    ([name, code]) => `server.registerTool('${name}', { inputSchema: ${code} }, async () => ({ content: [] }));`,
  );
  const server = "const server = new McpServer({ name: 'facts', version: '1.0.0' });";
  return [sdk, `import { z } from '${zod}';`, server, ...calls, ''].join('\n');
}

/** A module that offers schemas, given as source text by name, as tools of the AI SDK. */
export function offered(schemas: Readonly<Record<string, string>>, zod = 'zod'): string {
  const tools = Object.entries(schemas).map(
    ([name, code]) => `  ${name}: tool({ description: 'D', inputSchema: ${code}, execute: async () => 1 }),`,
  );
  return [
    `import { tool } from 'ai';`,
    `import { z } from '${zod}';`,
    'export const tools = {',
    ...tools,
    '};',
    '',
  ].join('\n');
}

/** Tools of one SDK, evaluated together. */
export class Facts {
  private constructor(private readonly evaluated: Evaluated) {}

  static async of(sdk: SdkName, files: Readonly<Record<string, string>>): Promise<Facts> {
    return new Facts(await evaluateWith(sdk, 'facts', files));
  }

  offer(name: string): Offer {
    const [offer, another] = this.evaluated.offers(name);
    if (!offer || another) throw new Error(`${name} is not on one surface`);
    return offer;
  }

  advertised(name: string): JsonObject {
    const { advertised, listError, mountError } = this.offer(name);
    if (advertised === null) throw new Error(`${name} is not listed: ${mountError ?? listError}`);
    return advertised as JsonObject;
  }

  call(name: string, args: JsonObject): Promise<Outcome> {
    return this.evaluated.pipeline.probes.call(this.offer(name), args);
  }

  dispose(): void {
    this.evaluated.dispose();
  }
}

const run = promisify(execFile);

/** Runs a script beside an installed SDK, in a process of its own; answers what it prints as JSON. */
export async function saysSdk(sdk: SdkName, name: string, script: string): Promise<unknown> {
  const folder = join(await sdkFolder(sdk), 'workspaces', 'scripts');
  writeFiles(folder, { [`${name}.mjs`]: script });
  const { stdout } = await run(process.execPath, [join(folder, `${name}.mjs`)]);
  return JSON.parse(stdout);
}

/** Tells of several facts about one set of tools. */
export function about(
  title: string,
  sdk: SdkName,
  files: Readonly<Record<string, string>>,
  tell: (facts: () => Facts) => void,
): void {
  describe(title, () => {
    let facts: Facts | undefined;
    beforeAll(async () => {
      facts = await Facts.of(sdk, files);
    }, INSTALL_MS);
    afterAll(() => facts?.dispose());
    tell(() => {
      if (!facts) throw new Error('not set up');
      return facts;
    });
  });
}
