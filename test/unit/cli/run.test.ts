import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Output, run, type World } from '../../../server/src/cli/run.ts';
import type { Found } from '../../../server/src/reporters/fromSnapshot.ts';
import { DEFAULT_EXCLUDE } from '../../../shared/src/config.ts';
import type { Finding } from '../../../shared/src/model.ts';
import { workspace } from '../files/workspace.ts';
import { dropped, found, tool } from '../reporters/found.ts';

/** What is found in every workspace here: moved to the root that is checked. */
function moved(value: Found, root: string): Found {
  return JSON.parse(JSON.stringify(value).replaceAll('/harbour/', `${root}/`)) as Found;
}

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly asked: Parameters<World['check']>[0][];
}

async function ran(
  line: string,
  options: { found?: Found; cwd?: string; env?: World['env']; terminal?: Partial<Output>; fails?: Error } = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const asked: Parameters<World['check']>[0][] = [];
  const cwd =
    options.cwd ?? workspace({ 'package.json': '{ "name": "here" }', 'sub/a.ts': '', 'odd name/b.ts': '' })('');
  const status = await run(line.split(' ').filter(Boolean), {
    cwd,
    env: options.env ?? {},
    stdout: { write: (text) => out.push(text), ...options.terminal },
    stderr: { write: (text) => err.push(text) },
    version: '1.2.3',
    async check(folder) {
      asked.push(folder);
      folder.log('what is being done');
      if (options.fails) throw options.fails;
      return moved(options.found ?? found(), folder.tree.root);
    },
  });
  return { status, out: out.join(''), err: err.join(''), asked };
}

const of = (severity: Finding['severity']): Finding => ({ ...dropped, severity });

describe('exit status of check', () => {
  test.each([
    ['check', [], 0],
    ['check', ['warning', 'information', 'hint'], 0],
    ['check', ['error'], 1],
    ['check --max-warnings 1', ['warning'], 0],
    ['check --max-warnings 1', ['warning', 'warning'], 1],
    ['check --max-warnings 0', ['information', 'hint'], 0],
    ['check --max-warnings 9', ['error'], 1],
    ['check --format json', ['error'], 1],
    ['list', ['error'], 0],
  ] as const)('%s with %j: %d', async (line, severities, status) => {
    const result = await ran(line, { found: found({ findings: severities.map(of) }) });
    expect(result.status).toBe(status);
  });

  test('too many warnings are said, for the findings alone do not tell why', async () => {
    const result = await ran('check --max-warnings 0', { found: found({ findings: [of('warning')] }) });
    expect(result.err).toBe('tool-contracts: 1 warning, and --max-warnings allows 0.\n');
  });
});

describe('what cannot run: status 2 and one sentence', () => {
  test.each([
    ['chekc', 'There is no command "chekc"; did you mean "check"?'],
    ['check gone', 'There is no folder gone.'],
    ['check package.json', 'package.json is a file; give the folder of its package, and --include for the file alone.'],
    ['advertise lost_boats', 'There is no tool "lost_boats"; did you mean "list_boats"?'],
  ])('%s', async (line, message) => {
    expect(await ran(line)).toMatchObject({ status: 2, out: '', err: `tool-contracts: ${message}\n` });
  });

  test('a pipeline that throws', async () => {
    const result = await ran('check', { fails: new Error('the sandbox did not start') });
    expect(result).toMatchObject({
      status: 2,
      out: '',
      err: 'tool-contracts: could not run: the sandbox did not start\n',
    });
  });
});

describe('what is checked', () => {
  test('the folder that was given, with the options as settings', async () => {
    const result = await ran('check sub --rule dropped-catchall=off --include src --exclude old/**');
    expect(result.asked[0]?.tree.root).toMatch(/sub$/);
    expect(result.asked[0]?.settings).toEqual({
      rules: { 'dropped-catchall': 'off' },
      include: ['src'],
      exclude: [...DEFAULT_EXCLUDE, 'old/**'],
    });
    expect((await ran('check')).asked[0]?.settings).toEqual({ rules: {} });
  });

  test('what the configuration excludes stays excluded', async () => {
    const at = workspace({ 'tool-contracts.json': '{ "exclude": ["legacy/**"] }' });
    const result = await ran('list --exclude old/**', { cwd: at('') });
    expect(result.asked[0]?.settings.exclude).toEqual(['legacy/**', 'old/**']);
  });

  test('help and version run nothing', async () => {
    expect(await ran('--version')).toEqual({ status: 0, out: '1.2.3\n', err: '', asked: [] });
    expect(await ran('check --help')).toMatchObject({
      status: 0,
      asked: [],
      out: expect.stringContaining('--max-warnings N'),
    });
  });

  test('what is being done is told when asked', async () => {
    expect((await ran('check')).err).toBe('');
    expect((await ran('check --verbose')).err).toBe('what is being done\n');
  });
});

describe('how it is told', () => {
  test('paths can be clicked from where the command was run', async () => {
    expect((await ran('check sub')).out).toContain('\n  sub/src/tools/boats.ts\n');
    expect((await ran('check')).out).toContain('\n  src/tools/boats.ts\n');
    const at = workspace({ 'here/a.ts': '', 'there/b.ts': '' });
    expect((await ran('check ../there', { cwd: at('here') })).out).toContain(`\n  ${at('there')}/src/tools/boats.ts\n`);
  });

  test('no colour and no links when piped, with NO_COLOR or on a dumb terminal', async () => {
    const terminal = { isTTY: true, columns: 90 };
    for (const options of [
      {},
      { terminal, env: { NO_COLOR: '1' } },
      { terminal, env: { TERM: 'dumb' } },
      { terminal, env: { FORCE_COLOR: '0' } },
    ]) {
      expect((await ran('check', options)).out).not.toContain('\u001b');
    }
    expect((await ran('check', { terminal })).out).toContain('\u001b[');
    expect((await ran('check', { terminal })).out).toContain('\u001b]8;;file:///');
    const forced = (await ran('check', { env: { FORCE_COLOR: '1' } })).out;
    expect(forced).toContain('\u001b[');
    expect(forced).not.toContain('\u001b]8;;');
  });

  test('lines fit the terminal', async () => {
    const longest = async (columns: number) => {
      const { out } = await ran('check', { terminal: { isTTY: true, columns }, env: { NO_COLOR: '1' } });
      return Math.max(...out.split('\n').map((line) => line.length));
    };
    expect(await longest(70)).toBeLessThanOrEqual(70);
    expect(await longest(500)).toBeLessThanOrEqual(110);
  });

  test('notes are on stdout for people and on stderr beside JSON', async () => {
    const notes = ['tsconfig.json is broken.'];
    const people = await ran('check', { found: found({ notes }) });
    expect(people).toMatchObject({ err: '', out: expect.stringContaining('note  tsconfig.json is broken.') });
    const program = await ran('check --format json', { found: found({ notes }) });
    expect(program.err).toBe('tsconfig.json is broken.\n');
    expect(JSON.parse(program.out)).toMatchObject({ version: 1, root: '.' });
  });

  test('JSON names the root that was checked', async () => {
    expect(JSON.parse((await ran('check sub --format json')).out)).toMatchObject({ root: 'sub' });
  });

  test('list as JSON is the same document', async () => {
    expect((await ran('list --format json')).out).toBe((await ran('check --format json')).out);
  });

  test('no tools says where was looked', async () => {
    const result = await ran('check --include src/** sub', { found: found({ tools: [], findings: [] }) });
    expect(result.out.replaceAll(/\s+/g, ' ')).toMatch(/No tools found\. Looked for tools .* in src\/\*\* of .*sub/);
    expect(result.status).toBe(0);
  });
});

describe('advertise', () => {
  const schema = { type: 'object', properties: { harbour: { type: 'string' } }, $schema: 'x' };
  const boats = tool('src/tools/boats.ts', 'list_boats', 'strip', schema);
  const twin = { ...tool('src/schemas/boats.ts', 'list_boats', 'strip', {}, 'ListBoats') };

  test('the schema verbatim', async () => {
    const result = await ran('advertise list_boats', { found: found({ tools: [boats] }) });
    expect(result).toMatchObject({ status: 0, out: `${JSON.stringify(schema, null, 2)}\n`, err: '' });
  });

  test('a name of two files is ambiguous, and FILE#NAME is not', async () => {
    const both = found({ tools: [boats, twin] });
    expect(await ran('advertise list_boats', { found: both })).toMatchObject({
      status: 2,
      out: '',
      err: 'tool-contracts: "list_boats" is ambiguous; there are src/schemas/boats.ts#list_boats, src/tools/boats.ts#list_boats.\n',
    });
    for (const name of [
      'src/tools/boats.ts#list_boats',
      './src/tools/boats.ts#list_boats',
      'src\\tools\\boats.ts#list_boats',
    ]) {
      expect(await ran(`advertise ${name}`, { found: both })).toMatchObject({
        status: 0,
        out: expect.stringContaining('harbour'),
      });
    }
  });

  test('a tool on several surfaces needs one of them', async () => {
    const offers = boats.offers.flatMap((offer) => [
      offer,
      { ...offer, surface: { id: 'ai-sdk' as const }, advertised: { type: 'string' } },
    ]);
    const two = found({ tools: [{ ...boats, offers }] });
    expect((await ran('advertise list_boats', { found: two })).err).toBe(
      'tool-contracts: list_boats is offered on ai-sdk and mcp-v1; choose one with --surface.\n',
    );
    expect((await ran('advertise list_boats --surface ai-sdk', { found: two })).out).toBe('{\n  "type": "string"\n}\n');
    expect((await ran('advertise list_boats --surface contract', { found: two })).err).toBe(
      'tool-contracts: list_boats is not offered on contract; it is on ai-sdk, mcp-v1.\n',
    );
  });

  test('why there is no schema', async () => {
    expect((await ran('advertise tide_table')).err).toMatch(/tide_table could not be evaluated: The value is awaited/);
    const offers = boats.offers.map((offer) => ({ ...offer, advertised: null, listError: 'Date has no form' }));
    expect(await ran('advertise list_boats', { found: found({ tools: [{ ...boats, offers }] }) })).toMatchObject({
      status: 2,
      err: 'tool-contracts: list_boats cannot be listed: Date has no form\n',
    });
    expect((await ran('advertise x', { found: found({ tools: [] }) })).err).toContain('no tools were found');
  });
});

test('a folder with a space in its name', async () => {
  const at = workspace({ 'odd name/a.ts': '' });
  expect((await ran('check .', { cwd: at('odd name') })).asked[0]?.tree.root).toBe(join(at(''), 'odd name'));
});
