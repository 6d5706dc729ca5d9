import { describe, expect, test } from 'vitest';
import { sdkOfModule } from '../../../server/src/discovery/sdk.ts';
import { row } from './rows.ts';

const IMPORT = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n`;
/** The claim of the one registering call in a source. */
const claim = (text: string, file?: string): string | undefined => row(text, file).claim;

describe('which SDK a registering call is of', () => {
  test.each([
    ['new', `${IMPORT}const s = new McpServer({}); s.registerTool('a', {}, f);`],
    ['a typed parameter', `${IMPORT}function add(s: McpServer) { s.registerTool('a', {}, f); }`],
    [
      'a type-only import',
      `import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'; const add = (s: McpServer) => s.registerTool('a', {}, f);`,
    ],
    [
      'an import under another name',
      `import { McpServer as Server } from '@modelcontextprotocol/sdk/server/mcp.js'; const add = (s: Server) => s.tool('a', f2, {}, f);`,
    ],
    [
      'a namespace import',
      `import * as mcp from '@modelcontextprotocol/sdk/server/mcp.js'; const s = new mcp.McpServer({}); s.registerTool('a', {}, f);`,
    ],
    [
      'an import type',
      `function add(s: import('@modelcontextprotocol/sdk/server/mcp.js').McpServer) { s.registerTool('a', {}, f); }`,
    ],
    ['a variable with a type', `${IMPORT}const s: McpServer = make(); s.registerTool('a', {}, f);`],
    ['an optional one', `${IMPORT}let s: McpServer | undefined; s?.registerTool('a', {}, f);`],
    ['an utility type', `${IMPORT}function add(s: Pick<McpServer, 'registerTool'>) { s.registerTool('a', {}, f); }`],
    ['an instance type', `${IMPORT}function add(s: InstanceType<typeof McpServer>) { s.registerTool('a', {}, f); }`],
    [
      'a member of an object',
      `${IMPORT}const ctx = { server: new McpServer({}) }; ctx.server.registerTool('a', {}, f);`,
    ],
    [
      'a member of an interface',
      `${IMPORT}interface Ctx { server: McpServer } const add = (ctx: Ctx) => ctx.server.registerTool('a', {}, f);`,
    ],
    [
      'a destructured parameter',
      `${IMPORT}type Ctx = { server: McpServer }; const add = ({ server: s }: Ctx) => s.registerTool('a', {}, f);`,
    ],
    [
      'an intersection',
      `${IMPORT}type Ctx = Base & { server: McpServer }; const add = ({ server }: Ctx) => server.registerTool('a', {}, f);`,
    ],
    ['an alias', `${IMPORT}type S = McpServer; const add = (s: S) => s.registerTool('a', {}, f);`],
    ['a subclass', `${IMPORT}class Mine extends McpServer {} const s = new Mine(); s.registerTool('a', {}, f);`],
    ['this of a subclass', `${IMPORT}class Mine extends McpServer { add() { this.registerTool('a', {}, f); } }`],
    [
      'a field',
      `${IMPORT}class Agent { server = new McpServer({}); init() { this.server.registerTool('a', {}, f); } }`,
    ],
    ['a typed field', `${IMPORT}class Agent { private s!: McpServer; init() { this.s.registerTool('a', {}, f); } }`],
    [
      'a parameter property',
      `${IMPORT}class Agent { constructor(private s: McpServer) {} init() { this.s.registerTool('a', {}, f); } }`,
    ],
    [
      'a field set in the constructor',
      `${IMPORT}class Agent { constructor() { this.s = new McpServer({}); } init() { this.s.registerTool('a', {}, f); } }`,
    ],
    [
      'the result of a function of the file',
      `${IMPORT}function make() { const s = new McpServer({}); return s; } const s = make(); s.registerTool('a', {}, f);`,
    ],
    [
      'the annotated result of a function',
      `${IMPORT}function make(): McpServer { return x; } make().registerTool('a', {}, f);`,
    ],
    [
      'an awaited result',
      `${IMPORT}async function make(): Promise<McpServer> { return x; } const s = await make(); s.registerTool('a', {}, f);`,
    ],
    ['a cast', `${IMPORT}const s = new McpServer({}); (s as any).registerTool('a', {}, f);`],
    ['a default', `${IMPORT}const s = given ?? new McpServer({}); s.registerTool('a', {}, f);`],
    [
      'a handler that the library calls',
      `import { createMcpHandler } from 'mcp-handler'; createMcpHandler((s) => { s.registerTool('a', {}, f); });`,
    ],
  ])('%s', (_, text) => {
    expect(row(text)).toMatchObject({ claim: 'mcp-v1', certain: true });
  });

  test('CommonJS', () => {
    const text = `const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js'); const s = new McpServer({}); s.registerTool('a', {}, f);`;
    expect(claim(text, '/w/a.cjs')).toBe('mcp-v1');
    expect(
      claim(
        `const m = require('@modelcontextprotocol/sdk/server/mcp.js'); new m.McpServer().registerTool('a', {}, f);`,
        '/w/a.cjs',
      ),
    ).toBe('mcp-v1');
  });

  test('annotations in JSDoc', () => {
    expect(
      claim(
        `/** @param {import('@modelcontextprotocol/sdk/server/mcp.js').McpServer} s */\nexport function add(s) { s.registerTool('a', {}, f); }`,
        '/w/a.js',
      ),
    ).toBe('mcp-v1');
  });

  test('version 2 has packages of its own', () => {
    expect(
      claim(
        `import { McpServer } from '@modelcontextprotocol/server'; const s = new McpServer({}); s.registerTool('a', {}, f);`,
      ),
    ).toBe('mcp-v2');
  });

  test('both versions in one file, told apart by the receiver', () => {
    const text = `import { McpServer as One } from '@modelcontextprotocol/sdk/server/mcp.js'; import { McpServer as Two } from '@modelcontextprotocol/server';`;
    expect(claim(`${text} function add(s: Two) { s.registerTool('a', {}, f); }`)).toBe('mcp-v2');
    expect(claim(`${text} function add(s: One) { s.registerTool('a', {}, f); }`)).toBe('mcp-v1');
  });

  test('an import that the receiver has nothing to do with claims nothing', () => {
    expect(claim(`${IMPORT}export const add = (s) => s.registerTool('a', {}, f);`)).toBeUndefined();
    expect(claim(`${IMPORT}import { s } from './server.js'; s.registerTool('a', {}, f);`)).toBeUndefined();
  });

  test('declarations that lead in circles end', () => {
    expect(claim(`const a = b; const b = a; a.registerTool('x', {}, f);`)).toBeUndefined();
    expect(claim(`type A = B; type B = A; function add(s: A) { s.registerTool('x', {}, f); }`)).toBeUndefined();
    expect(claim(`class A extends A { m() { this.registerTool('x', {}, f); } }`)).toBeUndefined();
    expect(claim(`function make() { return make(); } make().registerTool('x', {}, f);`)).toBeUndefined();
  });
});

test('sdkOfModule reads package names out of specifiers', () => {
  expect(sdkOfModule('@modelcontextprotocol/sdk/server/mcp.js')).toEqual({
    library: '@modelcontextprotocol/sdk',
    claim: 'mcp-v1',
  });
  expect(sdkOfModule('npm:@modelcontextprotocol/sdk@1.20.0/server/mcp.js')?.claim).toBe('mcp-v1');
  expect(sdkOfModule('ai')?.claim).toBe('ai-sdk');
  expect(sdkOfModule('@ai-sdk/provider-utils')?.claim).toBe('ai-sdk');
  expect(sdkOfModule('@ai-sdk/openai')?.claim).toBeUndefined();
  expect(sdkOfModule('ai/react')?.library).toBe('ai');
  expect(sdkOfModule('fastmcp')).toEqual({ library: 'fastmcp' });
  expect(sdkOfModule('@langchain/core/tools')?.claim).toBeUndefined();
  for (const other of ['aik', './ai', '../ai', '@modelcontextprotocol/sdk-like', 'constructor', 'toString', 'fs', '']) {
    expect(sdkOfModule(other), other).toBeUndefined();
  }
});
