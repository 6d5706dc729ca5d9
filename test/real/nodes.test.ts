import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeWorkspace, manifest, PROJECT, removeWorkspaces, sandboxEntry } from '../helpers/evaluate.ts';
import { otherNode } from '../helpers/nodes.ts';

const CLI = join(sandboxEntry(), '../cli.cjs');
/** What the oldest Node does not understand, and what each must be kept from. */
const SERVER = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
const server = new McpServer({ name: 'x', version: '1' });
const handler = async () => { using file = open(); await using other = await openLater(); return { content: [] }; };
const written = () => z.literal(String(writeFileSync('canary', 'x')));
const stored = () => z.literal(String(new DatabaseSync('canary.sqlite')));
server.registerTool('plain', { description: 'd', inputSchema: z.object({ a: z.string() }).strict() }, handler);
server.registerTool('writes', { description: 'd', inputSchema: z.object({ a: written() }) }, handler);
server.registerTool('stores', { description: 'd', inputSchema: z.object({ a: stored() }) }, handler);
server.registerTool('exits', { description: 'd', inputSchema: z.object({ a: z.literal(process.exit(1) as never) }) }, handler);
server.registerTool('kills', { description: 'd', inputSchema: z.object({ a: z.literal(process.kill(process.ppid) as never) }) }, handler);
`;

const roots: Record<string, string> = {};
beforeAll(() => {
  roots.fixture = join(PROJECT, 'test/fixtures/evaluation');
  roots.canaries = makeWorkspace({});
  cpSync(join(PROJECT, 'test/fixtures/canaries'), roots.canaries, { recursive: true });
  roots.own = makeWorkspace({ 'package.json': manifest(), 'server.ts': SERVER });
});
afterAll(removeWorkspaces);

interface Listed {
  readonly tools: readonly { readonly name: string; readonly evaluated: boolean; readonly reason?: string }[];
}

function list(node: string, root: string): Listed {
  const { stdout, stderr } = spawnSync(node, [CLI, 'list', root, '--format', 'json'], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Listed;
}

/** Node's own words for what its permission flag refuses differ from version to version. */
function withoutWords({ tools }: Listed) {
  return tools.map(({ reason, ...tool }) => ({ ...tool, failed: reason !== undefined }));
}

describe.each([22, 24])('Node %i', (major) => {
  let found: ReturnType<typeof otherNode> = { missing: 'not looked for yet' };
  beforeAll(() => {
    found = otherNode(major);
    if ('missing' in found) console.log(`Skipped: ${found.missing}`);
  }, 600_000);
  const nodeOr = (skip: (note: string) => never): string => ('path' in found ? found.path : skip(found.missing));

  test('is what it says', ({ skip }) => {
    expect(spawnSync(nodeOr(skip), ['--version'], { encoding: 'utf8' }).stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  test.for(['fixture', 'canaries', 'own'])('evaluates as this one does: %s', (name, { skip }) => {
    const node = nodeOr(skip);
    const root = roots[name] ?? '';
    const listed = list(node, root);
    expect(withoutWords(listed)).toEqual(withoutWords(list(process.execPath, root)));
    expect(listed.tools.length).toBeGreaterThan(4);
    expect(readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /canary/.test(file))).toEqual([]);
  });

  test('refuses what it must', ({ skip }) => {
    const { tools } = list(nodeOr(skip), roots.own ?? '');
    expect(tools.filter(({ evaluated }) => evaluated).map(({ name }) => name)).toEqual(['plain']);
    const reasons = Object.fromEntries(tools.map(({ name, reason }) => [name, reason]));
    expect(reasons.writes).toMatch(/^(Access to this API has been restricted|fs\.writeFileSync)/);
    expect(reasons.exits).toBe('process.exit(1) was called');
    expect(reasons.kills).toBe('process.kill is not available while a tool contract is evaluated');
    expect(reasons.stores).toMatch(/DatabaseSync|node:sqlite/);
    expect(existsSync(join(roots.own ?? '', 'canary.sqlite'))).toBe(false);
  });
});
