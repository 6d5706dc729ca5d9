import { expect, test } from 'vitest';
import { editor, folder, serverModule } from './folders.ts';
import { BARE_CAPABILITIES } from './harness/index.ts';

const STRICT = 'export const ListBoats = z.strictObject({ harbour: z.string() });';

async function open(files: { readonly [path: string]: string }, path: string, capabilities?: typeof BARE_CAPABILITIES) {
  const made = folder(files);
  const client = await editor(made.root, capabilities ? { capabilities } : {});
  const file = made.file(path);
  client.documents.open(file);
  const [diagnostic] = await client.diagnosticsOf(file, { where: ({ diagnostics }) => diagnostics.length > 0 });
  if (!diagnostic) throw new Error('no diagnostic');
  return { client, file, diagnostic };
}

/** Applies every fix in turn to the same text and waits until the finding is gone. */
async function tryAll(source: string): Promise<{ title: string; preferred: boolean; text: string }[]> {
  const { client, file, diagnostic } = await open({ 'src/server.ts': source }, 'src/server.ts');
  const tried: { title: string; preferred: boolean; text: string }[] = [];
  for (const action of await client.codeActions(file, diagnostic.range)) {
    const texts = await client.apply(action);
    await client.diagnosticsOf(file, {
      version: client.documents.get(file)?.version ?? 0,
      where: ({ diagnostics }) => diagnostics.length === 0,
    });
    tried.push({ title: action.title, preferred: action.isPreferred ?? false, text: texts.get(file) ?? '' });
    const again = client.documents.change(file, source);
    await client.diagnosticsOf(file, { version: again.version, where: ({ diagnostics }) => diagnostics.length === 1 });
  }
  return tried;
}

test('each fix of a registered shape leaves code without the finding', async () => {
  const source = serverModule(STRICT, 'ListBoats.shape');
  const tried = await tryAll(source);
  expect(tried.map(({ title }) => title)).toEqual([
    'Register ListBoats itself',
    'Say .strip() explicitly',
    'Ignore on this line',
  ]);
  expect(tried.map(({ preferred }) => preferred)).toEqual([true, false, false]);
  expect(tried[0]?.text).toBe(source.replace('ListBoats.shape', 'ListBoats'));
});

test('each fix of a spread leaves code without the finding', async () => {
  const source = serverModule(`${STRICT}\nconst Paged = z.object({ ...ListBoats.shape, page: z.number() });`, 'Paged');
  const tried = await tryAll(source);
  expect(tried.map(({ title }) => title)).toEqual([
    'Extend ListBoats instead',
    'Put .strict() back',
    'Keep unknown keys with .loose()',
    'Say .strip() explicitly',
    'Ignore on this line',
  ]);
  expect(tried[0]?.text).toContain('const Paged = ListBoats.extend({ page: z.number() });');
});

test('an editor that cannot resolve an action gets its edit at once', async () => {
  const { client, file, diagnostic } = await open(
    { 'src/server.ts': serverModule(STRICT, 'ListBoats.shape') },
    'src/server.ts',
    BARE_CAPABILITIES,
  );
  const [action] = await client.codeActions(file, diagnostic.range);
  expect(action?.edit).toBeDefined();
});

test('a fix whose text has moved on changes nothing', async () => {
  const source = serverModule(STRICT, 'ListBoats.shape');
  const { client, file, diagnostic } = await open({ 'src/server.ts': source }, 'src/server.ts');
  const [action] = await client.codeActions(file, diagnostic.range);
  if (!action) throw new Error('no action');
  client.documents.change(file, '// something else altogether\n');
  expect((await client.resolve(action)).edit).toBeUndefined();
});
