import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  BARE_CAPABILITIES,
  type ClientOptions,
  changeBetween,
  LanguageClient,
  offsetAt,
  PROJECT,
  position,
  positionAt,
  range,
  startServer,
  textAt,
  type Workspace,
  workspace,
} from '../lsp/harness/index.ts';

const FAKE: [string, ...string[]] = [process.execPath, resolve(PROJECT, 'test/lsp/harness/fakeServer.mjs'), '--stdio'];
const opened: Workspace[] = [];
const started: LanguageClient[] = [];

function folder(files: { [path: string]: string }): Workspace {
  const made = workspace({ name: 'harness', files });
  opened.push(made);
  return made;
}
async function start(options: Omit<ClientOptions, 'root'> & { root: string }): Promise<LanguageClient> {
  const client = await startServer({ command: FAKE, deadlineMs: 10_000, ...options });
  started.push(client);
  return client;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((client) => client.kill()));
  for (const one of opened.splice(0)) one.dispose();
});

describe('diagnostics', () => {
  test('come for files that are not open, and for the version that was asked for', async () => {
    const { root, file } = folder({ 'src/a.ts': 'const a = WRONG;\n', 'src/b.ts': 'const b = 1;\n' });
    const client = await start({ root });
    expect(await client.diagnosticsOf(file('src/a.ts'))).toMatchObject([{ code: 'wrong' }]);

    client.documents.open(file('src/b.ts'));
    const { version, text } = client.documents.change(file('src/b.ts'), 'const b = WRONG;\nconst c = WRONG;\n');
    const found = await client.diagnosticsOf(file('src/b.ts'), { version });
    expect(version).toBe(2);
    expect(found.map((one) => textAt(text, one.range))).toEqual(['WRONG', 'WRONG']);
    expect(found[1]?.range).toEqual(range(text, 'WRONG', 1));
    expect([...client.problems().keys()].sort()).toEqual([file('src/a.ts'), file('src/b.ts')]);
  });

  test('of a version that was passed over are reported with the story when the deadline passes', async () => {
    const { root, file } = folder({ 'a.ts': 'WRONG' });
    const client = await start({ root });
    client.documents.open(file('a.ts'));
    await client.diagnosticsOf(file('a.ts'), { version: 1 });
    await client.ready();
    client.documents.change(file('a.ts'), 'WRONG SILENT');
    const after = client.at;
    await expect(client.diagnosticsOf(file('a.ts'), { version: 2, deadlineMs: 100 })).rejects.toThrow(
      /Waited 0.1 s for diagnostics of a.ts at version 2[\s\S]*→ textDocument\/didChange .*a.ts \(version 2\)[\s\S]*configuration true/,
    );
    client.documents.change(file('a.ts'), 'RIGHT');
    expect(await client.diagnosticsOf(file('a.ts'), { after })).toEqual([]);
  });

  test('of an older version that come late do not pass for the newer ones', async () => {
    const { root, file } = folder({ 'a.ts': '' });
    const client = await start({ root });
    await client.ready();
    client.documents.open(file('a.ts'));
    client.documents.change(file('a.ts'), 'WRONG LATE');
    const { at } = await client.publicationOf(file('a.ts'), { version: 2 });
    await client.publicationOf(file('a.ts'), { version: 1, after: at });
    expect(client.publications(file('a.ts')).map(({ version }) => version)).toEqual([undefined, 1, 2, 1]);
    expect(await client.diagnosticsOf(file('a.ts'), { version: 2 })).toHaveLength(1);
  });

  test('come for watched files', async () => {
    const { root, file, write } = folder({ 'a.ts': '' });
    const client = await start({ root });
    await client.ready();
    const after = client.at;
    write('a.ts', 'WRONG');
    client.watched({ file: file('a.ts'), type: 'changed' });
    expect(await client.diagnosticsOf(file('a.ts'), { after })).toHaveLength(1);
  });
});

test('code actions are resolved, applied, and give the resulting text', async () => {
  const { root, file } = folder({ 'a.ts': 'one\ntwo WRONG three\n' });
  const client = await start({ root });
  const { text } = client.documents.open(file('a.ts'));
  await client.diagnosticsOf(file('a.ts'), { version: 1 });
  await client.ready();
  expect(await client.codeActions(file('a.ts'), range(text, 'one'))).toEqual([]);
  const [action] = await client.codeActions(file('a.ts'), range(text, 'WRONG'));
  if (!action) throw new Error('no action');
  expect(action.edit).toBeUndefined();
  expect(await client.textsAfter(action)).toEqual(new Map([[file('a.ts'), 'one\ntwo RIGHT three\n']]));
  expect(client.documents.get(file('a.ts'))?.text).toBe(text);
  expect(await client.apply(action)).toEqual(new Map([[file('a.ts'), 'one\ntwo RIGHT three\n']]));
  expect(await client.diagnosticsOf(file('a.ts'), { version: 2 })).toEqual([]);

  const resolved = await client.resolve(action);
  client.documents.change(file('a.ts'), 'WRONG');
  expect(() => client.documents.apply(resolved.edit ?? {})).toThrow('The edit is for version 2');
});

describe('configuration', () => {
  const answered = async (options: Pick<ClientOptions, 'settings' | 'capabilities'>) => {
    const { root } = folder({});
    const client = await start({ root, ...options });
    await client.ready();
    return client.answers.log[0]?.message;
  };
  test.each([
    ['of the settings', { settings: { toolContracts: { rules: { a: 'off' } } } }, 'true: [{"a":"off"}]'],
    ['null', { settings: null }, 'true: [null]'],
    ['null for an unknown section', { settings: { other: 1 } }, 'true: [null]'],
    ['computed', { settings: ({ section }: { section?: string }) => section }, 'true: ["toolContracts.rules"]'],
    ['not answered by a client without it', { capabilities: BARE_CAPABILITIES }, 'false: "error -32601"'],
  ])('is %s', async (_, options, expected) => {
    expect(await answered(options)).toBe(`configuration ${expected}`);
  });
});

describe('the process', () => {
  test('is ended as the protocol says', async () => {
    const client = await start({ root: folder({}).root });
    await client.ready();
    expect(await client.shutdown()).toEqual({ code: 0, signal: null });
  });

  test('that does not go is killed', async () => {
    const client = await start({ root: folder({}).root, environment: { FAKE_DEAF: '1' } });
    await client.ready();
    await expect(client.shutdown(1_500)).rejects.toThrow('Waited 1.5 s for the end of the server');
    expect(client.process.exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('that crashes ends every wait with its last words', async () => {
    const { root, file } = folder({ 'a.ts': '' });
    const client = await start({ root });
    client.documents.open(file('a.ts'), 'CRASH');
    const waits = [client.diagnosticsOf(file('a.ts'), { version: 9 }), client.request('textDocument/hover', {})];
    for (const outcome of await Promise.allSettled(waits)) {
      expect(outcome).toMatchObject({ status: 'rejected' });
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(
        /The server exited with code 3. That was while waiting for [\s\S]*It is all over\./,
      );
    }
    await expect(client.ready({ after: client.at })).rejects.toThrow('exited with code 3');
    expect(await client.exited()).toEqual({ code: 3, signal: null });
  });

  test('that writes something else than messages is found out', async () => {
    const { root, file } = folder({ 'a.ts': '' });
    const client = await start({ root });
    client.documents.open(file('a.ts'), 'GARBAGE');
    await expect(client.diagnosticsOf(file('a.ts'), { version: 2 })).rejects.toThrow('is no message');
  });

  test('that was not built is named', () => {
    const { root } = folder({});
    expect(() => new LanguageClient({ root, command: [process.execPath, `${root}/missing.cjs`] })).toThrow(
      'missing.cjs does not exist. Build first: npm run build',
    );
  });

  test.skipIf(process.platform === 'win32')('is weighed with its children', async () => {
    const alone = await start({ root: folder({}).root });
    const parent = await start({ root: folder({}).root, environment: { FAKE_CHILD: '1' } });
    await Promise.all([alone.ready(), parent.ready()]);
    expect(alone.memory()).toMatchObject({ children: 0, processes: 1 });
    const memory = parent.memory();
    expect(memory?.processes).toBe(2);
    expect(memory?.children).toBeGreaterThan(1_000_000);
    expect(memory?.total).toBe((memory?.server ?? 0) + (memory?.children ?? 0));
  });
});

test('requests that the server does not know are answered with its error', async () => {
  const client = await start({ root: folder({}).root });
  await expect(client.request('toolContracts/unknown', {})).rejects.toThrow('error -32601');
});

describe('positions', () => {
  const text = 'one two\r\ntwo 🚢 three\nfour';
  test('are found by text', () => {
    expect(position(text, 'three')).toEqual({ line: 1, character: 7 });
    expect(range(text, 'two', 1)).toEqual({ start: { line: 1, character: 0 }, end: { line: 1, character: 3 } });
    expect(textAt(text, range(text, '🚢 three\nfo'))).toBe('🚢 three\nfo');
  });
  test('must be meant', () => {
    expect(() => position(text, 'two')).toThrow('is in the text 2 times: say which occurrence');
    expect(() => position(text, 'five')).toThrow('is in the text 0 times');
    expect(() => position(text, 'two', 2)).toThrow('there is no such occurrence');
  });
  test('and offsets are each other’s inverse, and stay within their line', () => {
    for (let offset = 0; offset <= text.length; offset++) {
      if (text[offset] === '\n' && text[offset - 1] === '\r') continue;
      expect(offsetAt(text, positionAt(text, offset))).toBe(offset);
    }
    expect(offsetAt(text, { line: 0, character: 99 })).toBe(7);
    expect(offsetAt(text, { line: 9, character: 0 })).toBe(text.length);
  });
});

describe('a change', () => {
  const texts = [
    '',
    'a',
    'aa',
    'aaa',
    'a\r\nb',
    'a\nb',
    'a\r\n\r\nb',
    'x🚢y',
    'x🚣y',
    'x🚢🚢y',
    'one two',
    'one one two',
  ];
  test('turns any text into any other', () => {
    for (const before of texts) {
      for (const after of texts) {
        const change = changeBetween(before, after);
        if (!('range' in change)) throw new Error('not incremental');
        const [start, end] = [offsetAt(before, change.range.start), offsetAt(before, change.range.end)];
        expect(before.slice(0, start) + change.text + before.slice(end)).toBe(after);
        expect(change.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }
    }
  });
  test('is small', () => {
    expect(changeBetween('one two three', 'one 2 three')).toMatchObject({ text: '2' });
  });
});
