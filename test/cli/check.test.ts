import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../package.json';
import type { JsonFinding, JsonReport } from '../../server/src/reporters/json.ts';
import { workspace } from '../unit/files/workspace.ts';
import { dist, type Ended, project, runProgram, sample, toImpatientReader, toolContracts } from './cli.ts';

async function json(cwd: string, ...args: string[]): Promise<JsonReport> {
  return JSON.parse((await toolContracts(cwd, 'check', '--format', 'json', ...args)).out) as JsonReport;
}

/** The text of a finding's range, from the sample itself. */
function textAt({ file, range }: Pick<JsonFinding, 'file' | 'range'>): string {
  const lines = readFileSync(join(sample, file), 'utf8')
    .split('\n')
    .slice(range.start.line, range.end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? range.start.character : 0, index === last ? range.end.character : undefined),
    )
    .join('\n');
}

describe('the sample', () => {
  let first: Ended;
  let checked: JsonReport;
  beforeAll(async () => {
    first = await toolContracts(sample, 'check', '--format', 'json');
    checked = JSON.parse(first.out) as JsonReport;
  });

  test('has one finding of each kind, each at the expression that does it', () => {
    const { findings, tools } = checked;
    const told = findings.map((finding) => [finding.rule, finding.severity, finding.tools.join(), textAt(finding)]);
    expect(told).toEqual([
      [
        'breaking-input-change',
        'warning',
        'register_boat',
        "draught: z.number().positive().describe('Draught, in metres')",
      ],
      [
        'default-in-union-variant',
        'information',
        'next_high_water',
        "z.string().describe('Id of a harbour').default('harlingen')",
      ],
      [
        'dropped-catchall',
        'warning',
        'search_berths',
        expect.stringMatching(/^z\.object\(\{\n {2}\.\.\.BerthFilter\.shape,[\s\S]*\}\)$/),
      ],
      ['intersection-policy', 'warning', 'reserve_berth', 'Stay.and(Guest)'],
      ['undocumented-input-removal', 'error', 'release_berth', 'z.strictObject({ berth: BerthId })'],
      ['dropped-catchall', 'warning', 'list_boats', 'ListBoats.shape'],
      [
        'unused-suppression',
        'hint',
        '',
        expect.stringContaining('tool-contracts-ignore-next-line dropped-catchall: the tablet'),
      ],
      ['not-evaluated', 'information', 'tide_table', expect.stringMatching(/^await readFile\(/)],
    ]);
    expect(tools.map((tool) => tool.name).sort()).toHaveLength(12);
    expect(tools.filter((tool) => !tool.evaluated).map((tool) => tool.name)).toEqual(['tide_table']);
    expect(Object.fromEntries(tools.map((tool) => [tool.name, tool.policy]))).toMatchObject({
      list_boats: 'strip',
      register_boat: 'strict',
      update_boat: 'strict',
      report_position: 'loose',
      search_berths: 'strip',
      passage_window: 'strict',
    });
  });

  test('every finding about behaviour comes with a call that was run', () => {
    const { findings } = checked;
    const proved = findings.filter(({ rule }) => rule !== 'not-evaluated' && rule !== 'unused-suppression');
    expect(proved).toHaveLength(6);
    for (const { rule, witness } of proved) {
      expect(witness, rule).not.toBeNull();
      const { expected, actual } = witness ?? {};
      expect([expected?.accepts, expected?.value], rule).not.toEqual([actual?.accepts, actual?.received]);
    }
  });

  test('two runs are equal byte for byte', async () => {
    const again = await toolContracts(sample, 'check', '--format=json');
    expect(again).toEqual(first);
    // An input that was removed without a word is an error.
    expect(again.status).toBe(1);
  });

  test('reads well in a terminal without colour', async () => {
    const { out, err, status } = await toolContracts(project, 'check', 'test/fixtures/sample');
    expect(status).toBe(1);
    expect(err).toBe('');
    expect(out).not.toContain('\u001b');
    expect(out).toMatch(/^\n {2}harbour-mcp · MCP SDK 1\.\d+\.\d+ · zod 4\.\d+\.\d+ · 12 tools · since 1\.6\.4\n/);
    expect(out).toContain('\n  test/fixtures/sample/src/tools/boats.ts\n');
    expect(out).toMatch(/list_boats {2}runs with \{.*\(deleted: /);
    expect(out).toMatch(
      /\n {2}8 problems \(1 error, 4 warnings, 2 infos, 1 hint\) in 12 tools, 1 not evaluated · \d+\.\d s\n/,
    );
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('exit status follows severities', async () => {
    const without = ['--rule', 'undocumented-input-removal=off'];
    expect((await toolContracts(sample, 'check', ...without)).status).toBe(0);
    expect((await toolContracts(sample, 'check', ...without, '--rule', 'dropped-catchall=error')).status).toBe(1);
    expect((await toolContracts(sample, 'check', ...without, '--max-warnings', '2')).status).toBe(1);
  });

  test('--include and --exclude choose files', async () => {
    const files = async (...args: string[]) => [
      ...new Set((await json(sample, ...args)).tools.map((tool) => tool.file)),
    ];
    expect(await files('--include', 'src/tools/boats.ts')).toEqual(['src/tools/boats.ts']);
    expect(await files('--exclude', '**/boats.ts')).toEqual(['src/tools/berths.ts', 'src/tools/tides.ts']);
  });
});

describe('a workspace that is not in order', () => {
  const tool = [
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
    "import { z } from 'zod';",
    "const server = new McpServer({ name: 'x', version: '1' });",
    "server.registerTool('ping', { inputSchema: z.strictObject({ host: z.string() }) }, async () => ({ content: [] }));",
  ].join('\r\n');

  function installed(files: { [path: string]: string }): string {
    const at = workspace(files);
    symlinkSync(join(project, 'node_modules'), at('node_modules'), 'dir');
    return at('');
  }

  test('broken tsconfig.json, package.json and tool-contracts.json each give a sentence, and the rest is checked', async () => {
    const root = installed({
      'tsconfig.json': '{ "compilerOptions": { "paths": {} ',
      'package.json': '{ "name": "whole" }',
      'tool-contracts.json': '{ "rules": { "dropped-catchal": "off" }, "surfaces": 7 }',
      'src/a b.ts': `\ufeff${tool}`,
      'packages/broken/package.json': 'no JSON',
      'packages/broken/c.ts': tool.replace('ping', 'lost'),
    });
    const { out, err, status } = await toolContracts(root, 'check', '--format', 'json');
    const { tools } = JSON.parse(out) as JsonReport;
    expect(status).toBe(0);
    expect(tools).toMatchObject([
      // Node itself imports nothing from a package whose package.json it cannot read.
      { name: 'lost', evaluated: false, package: 'packages/broken', reason: expect.stringContaining('package.json') },
      { name: 'ping', file: 'src/a b.ts', policy: 'strict', listed: true },
    ]);
    expect(tools[1]?.range.start.line).toBe(3);
    for (const sentence of [
      /^tsconfig\.json:1:\d+: .*expected; what can be read of it is used/m,
      /^packages\/broken\/package\.json:1:1: .*what can be read of it is used/m,
      /^tool-contracts\.json: "rules\.dropped-catchal" is ignored: .*did you mean "dropped-catchall"\?/m,
      /^tool-contracts\.json: "surfaces" is ignored: expected "auto" or/m,
    ]) {
      expect(err).toMatch(sentence);
    }
  });

  test('packages that are not installed are said at the tool, and the run ends', async () => {
    const at = workspace({ 'package.json': '{ "dependencies": { "zod": "*" } }', 'a.ts': tool });
    const { out, status } = await toolContracts(at(''), 'check');
    expect(status).toBe(0);
    expect(out).toContain('ping');
    expect(out).toMatch(/zod/);
    expect(out).toMatch(/not evaluated|not installed/);
  });

  test('no tools: it says what was looked for and where', async () => {
    const at = workspace({ 'package.json': '{}', 'a.ts': 'export const x = 1;' });
    const { out, status } = await toolContracts(at(''), 'check');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('No tools found. Looked for tools with a schema in');
    expect(status).toBe(0);
  });

  test('a folder that is not there, and a word that is no command: one sentence, status 2', async () => {
    expect(await toolContracts(sample, 'check', 'nowhere')).toEqual({
      status: 2,
      out: '',
      err: 'tool-contracts: There is no folder nowhere.\n',
    });
    expect(await toolContracts(sample, 'lits')).toEqual({
      status: 2,
      out: '',
      err: 'tool-contracts: There is no command "lits"; did you mean "list"?\n',
    });
  });
});

test('an installation that lacks the sandbox: one sentence, status 2', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'broken-'));
  const isKept = (path: string) => !path.endsWith('sandbox.mjs') && !path.endsWith('.map');
  cpSync(dist, broken, { recursive: true, filter: isKept });
  const { status, out, err } = await runProgram(join(broken, 'server/cli.cjs'), sample, 'check');
  rmSync(broken, { recursive: true });
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(
    /^tool-contracts: The process that evaluates tools did not start: Cannot find .*\. Install .*\.\n$/,
  );
});

test('a reader that has seen enough is no failure', async () => {
  expect(await toImpatientReader(sample, 'check', '--format', 'json')).toEqual({ status: 0, out: '', err: '' });
});

test('--version is that of the package', async () => {
  expect(await toolContracts(sample, '--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
});
