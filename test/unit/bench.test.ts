import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type CommandLine, measureCold, measureInitialize, withOpenWorkspace } from '../bench/cold.ts';
import { type EditMeasure, type EditPlan, measureSharedEdits, measureToolEdits, type State } from '../bench/editing.ts';
import { measurePreviewEdits } from '../bench/previews.ts';
import { duration, insert, markdown, type Row } from '../bench/report.ts';
import { coldRows, editRow, growthRows, memoryRow, plantedRow } from '../bench/rows.ts';
import { main } from '../bench/run.ts';
import { median, percentile } from '../bench/statistics.ts';
import { checkAfresh, run } from '../bench/truth.ts';
import { TOOL_STATES } from '../bench/workspace/edits.ts';
import { generateWorkspace, writeWorkspace } from '../bench/workspace/generate.ts';
import { installedSdk } from '../helpers/sdkInstallation.ts';
import { type Workspace, workspace } from '../lsp/harness/index.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const opened: Workspace[] = [];
function folder(files: { [path: string]: string | null }): Workspace {
  const made = workspace({ name: 'bench', files });
  opened.push(made);
  return made;
}
afterAll(() => {
  for (const one of opened) one.dispose();
});

describe('the generated workspace', () => {
  const generated = generateWorkspace(1000);
  const sources = [...generated.files].filter(([path]) => path.endsWith('.ts'));

  test('is the same for the same seed, and another for another', () => {
    expect([...generateWorkspace(1000).files]).toEqual([...generated.files]);
    expect([...generateWorkspace(1000, 2).files]).not.toEqual([...generated.files]);
  });

  test('has a thousand tools of different names in 200 files over 50 shared modules', () => {
    const tools = sources.filter(([path]) => /tools\d+\.ts$/.test(path));
    const shared = sources.filter(([path]) => path.startsWith('src/schemas/') && !path.endsWith('/index.ts'));
    const names = tools.flatMap(
      ([, text]) => text.match(/(?<=^ {4}(name: )?')[a-z]+_\d+(?=',$)|(?<=^ {2})[a-z]+_\d+(?=: tool\(\{$)/gm) ?? [],
    );
    expect([tools.length, shared.length, names.length, new Set(names).size]).toEqual([200, 50, 1000, 1000]);
  });

  test('has a shared module with 80 dependents, each in its own file', () => {
    const users = sources.filter(([, text]) => /schemas\/core\//.test(text)).map(([path]) => path);
    expect(users).toEqual(generated.dependents);
    expect(users).toHaveLength(80);
    for (const path of users) expect(generated.files.get(path)?.match(/\.\.\.Session\.shape/g)).toHaveLength(1);
  });

  test('has a few known findings of each rule, each at an expression that is there once', () => {
    const count = (rule: string) => generated.planted.filter((one) => one.rule === rule).length;
    expect(count('dropped-catchall')).toBe(15);
    expect(count('default-in-union-variant')).toBe(6);
    expect(count('intersection-policy')).toBe(6);
    expect(count('not-evaluated')).toBe(3);
    for (const { file, tool, at } of generated.planted) {
      const text = generated.files.get(file) ?? '';
      expect(text.split(at), `${at} in ${file}`).toHaveLength(2);
      expect(text).toMatch(new RegExp(`'${tool}'|${tool}: tool\\(`));
    }
  });

  test('is edited in states that differ, and in counters that move nothing', () => {
    for (const hot of [generated.hotCalls, generated.hotDefinitions]) {
      expect(generated.files.get(hot.path)).toBe(hot.text(0, 0));
      expect(new Set(TOOL_STATES.map((_, state) => hot.text(state, 0))).size).toBe(10);
      expect(hot.text(3, 123)).toBe(hot.text(3, 0).replace('000000', '000123'));
      expect(generated.planted.map(({ file }) => file)).not.toContain(hot.path);
      expect(generated.dependents).not.toContain(hot.path);
    }
  });

  test('has every kind of schema and of import', () => {
    const all = sources.map(([, text]) => text).join('\n');
    for (const part of [
      'z.strictObject(',
      'z.looseObject(',
      '.catchall(',
      '.merge(',
      '.and(',
      '.shape,',
      '.default({',
    ]) {
      expect(all).toContain(part);
    }
    for (const from of [/'@schemas\/\w+\/\w+'/, /schemas\/area\d+\/index\.js'/, /\/[a-z]+\d+\.js'/, /\/[a-z]+\d+'/]) {
      expect(all).toMatch(from);
    }
    for (const way of [/for \(const tool of \[/, /for \(const \{ name/, /registerTool\(\n {4}'/, /: tool\(\{/])
      expect(all).toMatch(way);
  });

  test('of 100 tools compiles, runs and offers all of them', { timeout: 180_000 }, async () => {
    // The SDKs resolve from there.
    const root = join(await installedSdk('bench', PROJECT), 'workspaces', 'compiled');
    writeWorkspace(root, generateWorkspace(100));
    const file = (path: string) => join(root, path);
    const compiled = run([process.execPath, join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', root], root);
    const outfile = file('server.mjs');
    const bundled = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
    await build({ ...bundled, entryPoints: [file('src/server.ts')], outfile });
    const assistants = file('assistants.mjs');
    const contents = `${['area00', 'area01'].map((area) => `import { assistantTools as ${area} } from './src/tools/${area}/index.ts';`).join('')}export default { ...area00, ...area01 };`;
    await build({ ...bundled, stdin: { contents, resolveDir: root }, outfile: assistants });
    const assistant = ((await import(pathToFileURL(assistants).href)) as { default: object }).default;
    const client = new Client({ name: 'bench', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [outfile], cwd: root }));
    const { tools } = await client.listTools();
    await client.close();
    const names = tools.map(({ name }) => name);
    expect(names).toHaveLength(80);
    expect(new Set([...names, ...Object.keys(assistant)]).size).toBe(100);
    await compiled;
  });

  test('cannot have any size', () => {
    expect(() => generateWorkspace(150)).toThrow('a multiple of 100 tools, not 150');
  });
});

describe('measuring', { timeout: 60_000 }, () => {
  const fake = resolve(PROJECT, 'test/lsp/harness/fakeServer.mjs');
  const server: CommandLine = [process.execPath, fake, '--stdio'];
  const cli: CommandLine = [process.execPath, fake];
  const plan: EditPlan = { untimed: 1, timed: 3, deadlineMs: 1_000 };
  const files = { 'src/a.ts': 'WRONG USES', 'src/b.ts': 'USES', 'src/shared.ts': '', 'src/tool.ts': '' };

  /** States of a file with the truth of the command line, on disk. */
  async function statesOf({ root, write, text }: Workspace, path: string, texts: readonly string[]): Promise<State[]> {
    const before = text(path);
    const states: State[] = [];
    for (const one of texts) {
      write(path, one);
      const { problems, advertised } = await checkAfresh(cli, root);
      states.push({ text: (counter) => `${one} // ${counter}`, problems, advertised });
    }
    write(path, before);
    return states;
  }

  async function edit(
    path: string,
    texts: readonly string[],
    measure: typeof measureToolEdits,
    change: (states: State[]) => State[] = (states) => states,
    how: EditPlan = plan,
  ): Promise<EditMeasure> {
    const made = folder(files);
    const { problems } = await checkAfresh(cli, made.root);
    const states = change(await statesOf(made, path, texts));
    return withOpenWorkspace(made.root, problems, server, (client) =>
      measure(client, made.root, made.file(path), states, how),
    );
  }

  test('counts edits of a tool file that are answered rightly', async () => {
    const measured = await edit('src/tool.ts', ['RIGHT', 'WRONG', 'WRONG WRONG'], measureToolEdits);
    expect(measured).toMatchObject({ timed: 3, unanswered: 0, wrong: 0, stale: 0, firstFault: undefined });
    expect(measured.times).toHaveLength(3);
    for (const time of measured.times) expect(time).toBeGreaterThan(0);
  });

  test('finds answers that are wrong, missing or stale', async () => {
    const swapped = await edit('src/tool.ts', ['RIGHT', 'WRONG'], measureToolEdits, (states) =>
      states.map((state) => ({ ...state, problems: states[0]?.problems ?? new Map() })),
    );
    expect(swapped.wrong).toBe(2);
    expect(swapped.firstFault).toContain('WRONG is wrong.');
    const silent = await edit('src/tool.ts', ['RIGHT', 'SILENT'], measureToolEdits);
    expect(silent).toMatchObject({ unanswered: 2, wrong: 0 });
    expect(silent.times).toHaveLength(2);
    expect(silent.firstFault).toContain('Waited 1 s for diagnostics of tool.ts at version 2');
    expect((await edit('src/tool.ts', ['RIGHT', 'LATE'], measureToolEdits)).stale).toBeGreaterThanOrEqual(1);
  });

  test('of previews waits for the change and compares the text', async () => {
    const preview = (texts: readonly string[], change?: (states: State[]) => State[]) =>
      edit(
        'src/tool.ts',
        texts,
        (client, _, file, states, how) => measurePreviewEdits(client, file, states, how),
        change,
      );
    const measured = await preview(['one', 'two', 'three']);
    expect(measured).toMatchObject({ timed: 3, unanswered: 0, wrong: 0, firstFault: undefined });
    expect(measured.times).toHaveLength(3);
    const wrong = await preview(['one', 'two'], ([one, two]) => {
      if (!one || !two) throw new Error('two states');
      return [one, { ...two, text: () => 'other' }];
    });
    expect(wrong).toMatchObject({ wrong: 2, firstFault: expect.stringContaining('"text": "other"') });
    expect(await preview(['one', 'SILENT'])).toMatchObject({ unanswered: 2, wrong: 0 });
    await expect(preview(['one', 'one'])).rejects.toThrow('is another one in another state');
  });

  test('gives up on a server that answers no more', async () => {
    const how = { untimed: 0, timed: 50, deadlineMs: 20 };
    const measured = await edit('src/tool.ts', ['SILENT'], measureToolEdits, undefined, how);
    expect(measured).toMatchObject({ times: [], timed: 50, unanswered: 5 });
  });

  test('looks at the other files, too, when the edits are over', async () => {
    const measured = await edit('src/tool.ts', ['RIGHT'], measureToolEdits, (states) =>
      states.map((state) => ({ ...state, problems: new Map([...state.problems, ['src/b.ts', ['another']]]) })),
    );
    expect(measured).toMatchObject({ wrong: 1, firstFault: expect.stringContaining('src/b.ts') });
  });

  test('waits for the files that depend on a shared module', async () => {
    const measured = await edit('src/shared.ts', ['', 'BROKEN'], measureSharedEdits);
    expect(measured).toMatchObject({ unanswered: 0, wrong: 0, firstFault: undefined });
    expect(measured.times).toHaveLength(3);
    const never = await edit('src/shared.ts', ['', 'BROKEN'], measureSharedEdits, ([right, broken]) => {
      if (!right || !broken) throw new Error('two states');
      return [right, { ...broken, problems: new Map([...broken.problems, ['src/b.ts', ['another']]]) }];
    });
    expect(never.unanswered).toBe(2);
    expect(never.firstFault).toMatch(
      /Not right in 1 files, such as .*b\.ts\nexpected \["another"\]\nbut \[.*USES is wrong/,
    );
  });

  test('starts everything in turns', async () => {
    const { root } = folder(files);
    const { problems } = await checkAfresh(cli, root);
    const measured = await measureCold(root, problems, { server, cli, tsc: [process.execPath, '-e', '', '--'] }, 2);
    expect([measured.tsc.length, measured.server.length, measured.cli.length]).toEqual([2, 2, 2]);
    const answered = await measureInitialize(root, server, 2);
    expect(Math.max(...answered)).toBeLessThan(30_000);
  });

  test('does not go on when the command line cannot run', async () => {
    const { root } = folder({});
    const broken: CommandLine = [process.execPath, '-e', 'console.error("no such folder"); process.exit(2)', '--'];
    await expect(checkAfresh(broken, root)).rejects.toThrow(/ended with 2\.[\s\S]*no such folder/);
    const crashing: CommandLine = [process.execPath, '-e', 'throw new Error("lost")', '--'];
    await expect(checkAfresh(crashing, root)).rejects.toThrow(/answered no JSON[\s\S]*lost/);
  });
});

describe('the figures', () => {
  test('are the median and the percentile by nearest rank', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(hundred, 0.95), percentile([7], 0.95), percentile([], 0.5)]).toEqual([95, 7, Number.NaN]);
  });

  const edits: EditMeasure = {
    times: [10, 20, 30],
    timed: 3,
    unanswered: 0,
    wrong: 0,
    stale: 0,
    firstFault: undefined,
  };
  test.each([
    [{}, { median: 20, p95: 30 }, true],
    [{}, { median: 19 }, false],
    [{}, { p95: 29 }, false],
    [{ unanswered: 1 }, undefined, false],
    [{ wrong: 1 }, undefined, false],
    [{ stale: 1 }, undefined, false],
    [{ times: [1, 1] }, undefined, false],
    [{ times: [] }, { median: 20 }, false],
  ])('of edits %j meet %j: %s', (change, limits, met) => {
    expect(editRow(1000, 'edit', { ...edits, ...change }, limits).met).toBe(met);
  });

  test('of cold starts are a share of the compiler’s', () => {
    const [server, cli] = coldRows(1000, { tsc: [9000, 8000, 10_000], server: [2250], cli: [2251] });
    expect([server?.met, cli?.met]).toEqual([true, false]);
    expect(server?.measured).toBe('2.3 s, tsc 9.0 s: 1/4.0');
    expect(coldRows(1000, { tsc: [], server: [1], cli: [1] })[0]).not.toHaveProperty('met');
  });

  test('of memory count together and by growth', () => {
    const memory = (total: number, growth: number) =>
      memoryRow(1000, 500, {
        ...edits,
        memory: { total: total * 2 ** 20, server: 2 ** 20, growth: growth * 2 ** 20 },
      })[0];
    expect([memory(600, 10)?.met, memory(601, 0)?.met, memory(10, 11)?.met]).toEqual([true, false, false]);
    expect(memory(300, 2)?.measured).toBe('300 MB (1 MB + 299 MB), growth 2 MB');
    expect(memoryRow(1000, 500, edits)).toEqual([]);
  });

  test('of growth need both sizes', () => {
    const row = (tools: number, what: string, median: number): Row => ({
      tools,
      what,
      measured: '',
      figures: { median },
    });
    const small = [row(1000, 'cold: language server, x', 2), row(1000, 'edit → diagnostics, a tool file', 10)];
    const large = [row(10_000, 'cold: language server, x', 22), row(10_000, 'edit → diagnostics, a tool file', 21)];
    expect(growthRows([...small, ...large]).map(({ met }) => met)).toEqual([true, false]);
    expect(growthRows(small)).toEqual([]);
  });

  test('are read by people', () => {
    expect([9.44, 10.6, 999, 1000, 61_000, Number.NaN].map(duration)).toEqual([
      '9.4 ms',
      '11 ms',
      '999 ms',
      '1.0 s',
      '61.0 s',
      'never',
    ]);
  });
});

describe('the table', () => {
  const facts = { date: '2026-01-02', machine: '2 cores', versions: 'zod 4' };
  const rows = [plantedRow(1000, 3, [], []), plantedRow(10_000, 3, ['a | b'], [])];
  const table = markdown(facts, rows);

  test('marks what falls short', () => {
    expect(table.split('\n')).toEqual([
      '2026-01-02 · 2 cores · zod 4',
      '',
      '|  | tools | what | to reach | measured |',
      '| - | - | - | - | - |',
      '| ✓ | 1,000 | findings of a fresh check | the 3 planted ones, no other | 3 of 3, 0 other |',
      '| ✗ | 10,000 | findings of a fresh check | the 3 planted ones, no other | 2 of 3, 0 other; missing: a \\| b |',
    ]);
  });

  test('takes the place of the one before, in the document that people read', async () => {
    const document = await readFile(join(PROJECT, 'docs/benchmarks.md'), 'utf8');
    const once = insert(document, table);
    expect(once).toContain(table);
    expect(insert(once, table)).toBe(once);
    expect(insert(once, 'other')).not.toContain(table);
    expect(() => insert('no markers', table)).toThrow('needs the lines');
  });
});

test.each([
  [['--tools', '150'], '--tools takes multiples of 100, not "150".'],
  [['--edits', 'many'], '--edits takes a number from 1 on, not "many".'],
  [['--speed'], "Unknown option '--speed'"],
])('options that make no sense are refused with what they take: %j', async (args, sentence) => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await main(args, PROJECT)).toBe(2);
    expect(told.mock.calls.join('')).toContain(sentence);
  } finally {
    told.mockRestore();
  }
});
