import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifest, repository, serverModule } from '../helpers/repository.ts';
import { codes, editor } from './folders.ts';

const FIX = 'Add a CONTRACT_CHANGES entry';
const ALL = 'Add CONTRACT_CHANGES entries for all tools in the workspace';

/** A repository with a tag, opened in an editor with its server module, from which inputs are then taken away. */
async function edited(
  before: { readonly [tool: string]: string },
  now: { readonly [tool: string]: string },
  files: { readonly [path: string]: string } = {},
) {
  const repo = repository({ 'src/server.ts': serverModule(before), ...files });
  repo.commit('v1.2.0');
  const client = await editor(repo.root);
  const file = repo.file('src/server.ts');
  client.documents.open(file);
  const { version } = client.documents.change(file, serverModule(now));
  const diagnostics = await client.diagnosticsOf(file, {
    version,
    where: ({ diagnostics }) => diagnostics.length > 0,
  });
  return { repo, client, file, diagnostics };
}

async function apply({ client, file, diagnostics }: Awaited<ReturnType<typeof edited>>, title: string) {
  const [first] = diagnostics;
  if (!first) throw new Error('no diagnostic');
  const action = (await client.codeActions(file, first.range)).find((one) => one.title === title);
  if (!action) throw new Error(`no ${title}`);
  const texts = await client.apply(action);
  await client.diagnosticsOf(file, { where: ({ diagnostics }) => diagnostics.length === 0 });
  return texts;
}

test('an input that is deleted is reported while typing, and gone after the fix, which makes the file', async () => {
  const session = await edited({ go: '{ from: z.string(), avoid: z.string() }' }, { go: '{ from: z.string() }' });
  expect(codes(session.diagnostics)).toEqual(['undocumented-input-removal']);
  const texts = await apply(session, FIX);
  expect([...texts.keys()]).toEqual([session.repo.file('src/contractChanges.ts')]);
  expect([...texts.values()][0]).toContain("triggers: [{ path: 'avoid', when: 'present' }]");
});

test('an entry that is there is extended, and typing in it brings the finding back', async () => {
  const changes = `// Kept.
export const CONTRACT_CHANGES = {
  go: { lastRelease: '1.2.0', triggers: [{ path: 'old', when: 'present' }], message: '\`go\` lost \`old\`.' },
};
`;
  const session = await edited(
    { go: '{ from: z.string(), avoid: z.string() }' },
    { go: '{ from: z.string() }' },
    { 'src/changes/all.ts': changes },
  );
  const { client, repo, file } = session;
  const texts = await apply(session, FIX);
  expect(Object.fromEntries(texts)).toEqual({
    [repo.file('src/changes/all.ts')]: changes
      .replace(' }],', " }, { path: 'avoid', when: 'present' }],")
      .replace("lost `old`.'", "lost `old`. `go` no longer takes `avoid`. [Say why, and what to send instead.]'"),
  });
  client.documents.replace(repo.file('src/changes/all.ts'), "path: 'avoid'", "path: 'avoids'");
  const again = await client.diagnosticsOf(file, { where: ({ diagnostics }) => diagnostics.length > 0 });
  expect(codes(again)).toEqual(['undocumented-input-removal']);
});

test('a rename is gone with both of its findings', async () => {
  const session = await edited({ go: '{ avoid: z.string() }' }, { go: '{ shun: z.string() }' });
  expect(codes(session.diagnostics).sort()).toEqual(['breaking-input-change', 'undocumented-input-removal']);
  await apply(session, FIX);
});

test('one fix documents all tools of all packages, each in its own package', async () => {
  const session = await edited(
    { go: '{ a: z.string(), b: z.string() }', stay: '{ c: z.object({ d: z.string(), e: z.string() }) }' },
    { go: '{ a: z.string().optional() }', stay: '{ c: z.object({ e: z.string() }) }' },
    {
      'packages/other/package.json': manifest('other', '1.0.0'),
      'packages/other/src/server.ts': serverModule({ sail: '{ f: z.string(), g: z.string() }' }),
    },
  );
  const { client, repo } = session;
  const other = repo.file('packages/other/src/server.ts');
  client.documents.open(other);
  client.documents.change(other, serverModule({ sail: '{ g: z.string() }' }));
  await client.diagnosticsOf(other, { where: ({ diagnostics }) => diagnostics.length > 0 });
  const texts = await apply(session, ALL);
  expect([...texts.keys()].sort()).toEqual([
    repo.file('packages/other/src/contractChanges.ts'),
    repo.file('src/contractChanges.ts'),
  ]);
  const own = texts.get(join(repo.root, 'src/contractChanges.ts')) ?? '';
  expect(own.match(/path: '[^']*'/g)).toEqual(["path: 'b'", "path: 'c.d'"]);
  await client.diagnosticsOf(other, { where: ({ diagnostics }) => diagnostics.length === 0 });
});
