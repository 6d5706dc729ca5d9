import { expect, test } from 'vitest';
import { codes, editor, folder, serverModule } from './folders.ts';
import { textAt } from './harness/index.ts';

const STRICT = 'export const ListBoats = z.strictObject({ harbour: z.string() });';

test('a finding stands at the registered shape, in a file that is not open', async () => {
  const { root, file, text } = folder({ 'src/server.ts': serverModule(STRICT, 'ListBoats.shape') });
  const client = await editor(root);
  const [diagnostic, ...others] = await client.diagnosticsOf(file('src/server.ts'));
  expect(others).toEqual([]);
  expect(diagnostic?.code).toBe('dropped-catchall');
  expect(diagnostic?.source).toBe('Tool Contracts');
  expect(textAt(text('src/server.ts'), diagnostic?.range as never)).toBe('ListBoats.shape');
  expect(diagnostic?.codeDescription?.href).toMatch(/docs\/rules\/dropped-catchall\.md$/);
  expect(diagnostic?.relatedInformation?.[0]?.message).toContain('strict');
});

test('findings come and go with edits, each for the version that was typed', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  await client.ready();
  const server = client.documents.open(file('src/server.ts'));
  expect(await client.diagnosticsOf(file('src/server.ts'), { version: server.version })).toEqual([]);
  const broken = client.documents.change(
    file('src/server.ts'),
    source.replace('inputSchema: ListBoats ', 'inputSchema: ListBoats.shape '),
  );
  expect(codes(await client.diagnosticsOf(file('src/server.ts'), { version: broken.version }))).toEqual([
    'dropped-catchall',
  ]);
  const mended = client.documents.change(file('src/server.ts'), source);
  expect(await client.diagnosticsOf(file('src/server.ts'), { version: mended.version })).toEqual([]);
});

test('an edit of a shared module changes the findings of the modules that import it', async () => {
  const shared = (policy: string) =>
    `import { z } from 'zod';\nexport const Boat = z.${policy}({ name: z.string() });\n`;
  const { root, file } = folder({
    'src/boat.ts': shared('object'),
    'src/index.ts': "export * from './boat.js';\n",
    'src/server.ts': serverModule("import { Boat } from './index.js';", 'Boat.shape'),
  });
  const client = await editor(root);
  await client.ready();
  expect(client.problems().size).toBe(0);
  client.documents.open(file('src/boat.ts'));
  client.documents.change(file('src/boat.ts'), shared('strictObject'));
  expect(
    codes(await client.diagnosticsOf(file('src/server.ts'), { where: ({ diagnostics }) => diagnostics.length > 0 })),
  ).toEqual(['dropped-catchall']);
});

test('half-typed code keeps the last good findings until it parses', async () => {
  const source = serverModule(STRICT, 'ListBoats.shape');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  const path = file('src/server.ts');
  await client.diagnosticsOf(path, { where: ({ diagnostics }) => diagnostics.length === 1 });
  client.documents.open(path);
  const before = client.at;
  client.documents.change(path, `${source}\nexport const X = z.`);
  const other = client.documents.change(path, `${source}\nexport const X = z.string();\n`);
  const after = await client.publicationOf(path, { version: other.version });
  expect(codes(after.diagnostics)).toEqual(['dropped-catchall']);
  const between = client.publications(path).filter((one) => one.at > before && one.at < after.at);
  expect(between.filter((one) => one.diagnostics.length === 0)).toEqual([]);
});

test('a file that changes on the disk, comes or goes, is checked anew', async () => {
  const { root, file, write, remove } = folder({
    'src/shared.ts':
      "import { z } from 'zod';\nexport const Base = z.strictObject({ bike: z.string() });\nexport const Rental = z.object({ ...Base.shape, days: z.int() });\n",
    'src/server.ts': serverModule("import { Rental } from './shared.ts';", 'Rental'),
  });
  const client = await editor(root);
  const [finding] = await client.diagnosticsOf(file('src/shared.ts'), {
    where: ({ diagnostics }) => diagnostics.length > 0,
  });
  expect(finding?.relatedInformation?.some((related) => related.location.uri.endsWith('server.ts'))).toBe(true);
  write(
    'src/shared.ts',
    "import { z } from 'zod';\nexport const Base = z.strictObject({ bike: z.string() });\nexport const Rental = Base.extend({ days: z.int() });\n",
  );
  client.watched({ file: file('src/shared.ts'), type: 'changed' });
  await client.diagnosticsOf(file('src/shared.ts'), { where: ({ diagnostics }) => diagnostics.length === 0 });
  write('src/extra.ts', serverModule(STRICT, 'ListBoats.shape'));
  client.watched({ file: file('src/extra.ts'), type: 'created' });
  await client.diagnosticsOf(file('src/extra.ts'), { where: ({ diagnostics }) => diagnostics.length === 1 });
  remove('src/extra.ts');
  client.watched({ file: file('src/extra.ts'), type: 'deleted' });
  await client.diagnosticsOf(file('src/extra.ts'), { where: ({ diagnostics }) => diagnostics.length === 0 });
});

test('closing a document without saving brings back what the disk says', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  await client.ready();
  const path = file('src/server.ts');
  client.documents.open(path);
  client.documents.change(path, source.replace('inputSchema: ListBoats ', 'inputSchema: ListBoats.shape '));
  await client.diagnosticsOf(path, { where: ({ diagnostics }) => diagnostics.length === 1 });
  client.documents.close(path);
  await client.diagnosticsOf(path, { where: ({ diagnostics }) => diagnostics.length === 0 });
});

test('a folder with spaces, # and other letters in its path is checked', async () => {
  const { root, file } = folder(
    { 'src/mein server.ts': serverModule(STRICT, 'ListBoats.shape') },
    'my tools #2 (été) 100%',
  );
  const client = await editor(root);
  expect(codes(await client.diagnosticsOf(file('src/mein server.ts')))).toEqual(['dropped-catchall']);
});

test('many edits in a row end with the findings of the last text', async () => {
  const source = serverModule(STRICT, 'ListBoats');
  const { root, file } = folder({ 'src/server.ts': source });
  const client = await editor(root);
  await client.ready();
  const path = file('src/server.ts');
  client.documents.open(path);
  let last = 0;
  for (let index = 0; index < 40; index++) {
    const text = source.replace(
      'inputSchema: ListBoats ',
      index % 2 === 0 ? 'inputSchema: ListBoats.shape ' : 'inputSchema: ListBoats ',
    );
    last = client.documents.change(path, `${text}// ${index}\n`).version;
  }
  expect(await client.diagnosticsOf(path, { version: last })).toEqual([]);
});
