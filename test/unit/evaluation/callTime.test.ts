import { describe, expect, test } from 'vitest';
import { InProcess } from '../../helpers/inProcess.ts';
import { ZOD } from './source.ts';

const S = 'z.object({ a: z.string() })';

/** Code that the sandbox gets of a file of tools, in both forms. */
function codeOf(text: string): { plain: string; whole: string } {
  const made = new InProcess({ 'tools.ts': ZOD + text });
  return { plain: made.codeOf('tools.ts'), whole: made.codeOf('tools.ts', 'whole') };
}

describe('what only runs when a tool is called or registered', () => {
  test.each([
    [
      'a handler of a call',
      `export function all(server: any) { server.registerTool('t', { inputSchema: ${S} }, async () => { RUN; }); return 1; }`,
    ],
    [
      'a handler of a call by position',
      `export function all(server: any) { server.tool('t', 'd', ${S}.shape, function () { RUN; }); return 1; }`,
    ],
    [
      'a definition',
      `export const t = { name: 't', description: 'd', inputSchema: ${S}, handler: async () => { RUN; } };`,
    ],
    ['a method', `export const t = { name: 't', description: 'd', inputSchema: ${S}, async execute() { RUN; } };`],
    [
      'a function that registers',
      `export function register(server: any) { RUN; server.registerTool('t', { inputSchema: ${S} }, done); }`,
    ],
    [
      'an async function that registers',
      `export const register = async (server: any) => { RUN; server.registerTool('t', { inputSchema: ${S} }, done); return 1; };`,
    ],
    [
      'a method that registers',
      `export class Server { setUp() { RUN; this.server.registerTool('t', { inputSchema: ${S} }, done); } }`,
    ],
    [
      "a tool class's method",
      `export class TheTool { name = 'the_tool'; description = 'd'; inputSchema = ${S}; async execute() { RUN; } }`,
    ],
  ])('%s is left out', (_, text) => {
    const { plain, whole } = codeOf(text);
    expect(plain).not.toContain('RUN');
    expect(plain).toContain('z.object');
    expect(whole).toContain('RUN');
  });

  test.each([
    [
      'a schema that is a function',
      `export const t = { name: 't', description: 'd', inputSchema: (() => { RUN; return ${S}; })(), handler: 1 };`,
    ],
    [
      'a function that registers and answers',
      `export function register(server: any) { RUN; server.registerTool('t', { inputSchema: ${S} }, done); return schemas; }`,
    ],
    [
      'a function that registers nothing',
      `function make() { RUN; return ${S}; }\nserver.registerTool('t', { inputSchema: make() }, done);`,
    ],
    [
      'a refinement',
      `server.registerTool('t', { inputSchema: z.object({ a: z.string().refine(() => { RUN; return true; }) }) }, done);`,
    ],
  ])('%s is not', (_, text) => {
    expect(codeOf(text).plain).toContain('RUN');
  });
});
