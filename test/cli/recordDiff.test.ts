import { describe, expect, test } from 'vitest';
import type { JsonDiff } from '../../server/src/reporters/diff.ts';
import { manifest, repository, serverModule } from '../helpers/repository.ts';
import { toolContracts } from './cli.ts';

const LOCK = 'tool-contracts.lock.json';

describe('record', () => {
  const tools = {
    stay: '{ to: z.string() }',
    go: 'z.strictObject({ from: z.string(), avoid: z.string().optional() })',
  };

  test('writes what clients get, the same each time; --check says whether it still is so', async () => {
    const repo = repository({ 'src/server.ts': serverModule(tools) });
    const missing = await toolContracts(repo.root, 'record', '--check');
    expect([missing.status, missing.err]).toEqual([1, `${LOCK} is not there. Run "tool-contracts record".\n`]);
    const first = await toolContracts(repo.root, 'record');
    expect([first.status, first.out, first.err]).toEqual([0, `Recorded 2 tools of 1.0.0 in ${LOCK}.\n`, '']);
    const text = repo.text(LOCK);
    const { recordedWith, ...lock } = JSON.parse(text);
    expect(Object.keys(recordedWith)).toEqual(['@modelcontextprotocol/sdk', 'tool-contracts', 'zod']);
    expect(lock).toEqual({
      version: 1,
      release: '1.0.0',
      tools: {
        go: {
          inputSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { from: { type: 'string' }, avoid: { type: 'string' } },
            required: ['from'],
            additionalProperties: false,
          },
        },
        stay: {
          inputSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { to: { type: 'string' } },
            required: ['to'],
          },
        },
      },
    });
    expect(Object.keys(lock.tools)).toEqual(['go', 'stay']);
    await toolContracts(repo.root, 'record');
    expect(repo.text(LOCK)).toBe(text);
    expect((await toolContracts(repo.root, 'record', '--check')).status).toBe(0);

    repo.write({
      'src/server.ts': serverModule({ go: '{ from: z.string() }', sail: '{}' }),
      'package.json': manifest('harbour', '1.1.0'),
    });
    const stale = await toolContracts(repo.root, 'record', '--check');
    expect([stale.status, stale.err]).toEqual([
      1,
      `${LOCK} is out of date: it holds release 1.0.0, and this is 1.1.0; "sail" is new; "stay" is gone; "go" changed. Run "tool-contracts record".\n`,
    ]);
    expect(repo.text(LOCK)).toBe(text);
    const removed = await toolContracts(repo.root, 'check', '--format', 'json');
    expect(JSON.parse(removed.out).findings[0]).toMatchObject({ rule: 'undocumented-input-removal', tools: ['go'] });
  });

  test('writes one file for each package, names with their file where they occur twice', async () => {
    const repo = repository({
      'packages/a/package.json': manifest('a', '2.0.0'),
      'packages/a/src/one.ts': serverModule({ go: '{ a: z.string() }' }),
      'packages/a/src/two.ts': serverModule({ go: '{ b: z.string() }' }),
      'packages/b/package.json': manifest('b', '3.0.0'),
      'packages/b/src/server.ts': serverModule({ go: '{ c: z.string() }' }),
    });
    const { out } = await toolContracts(repo.root, 'record');
    expect(out).toBe(
      `Recorded 2 tools of 2.0.0 in packages/a/${LOCK}.\nRecorded 1 tool of 3.0.0 in packages/b/${LOCK}.\n`,
    );
    expect(Object.keys(JSON.parse(repo.text(`packages/a/${LOCK}`)).tools)).toEqual(['src/one.ts#go', 'src/two.ts#go']);
    repo.write({ 'packages/a/src/two.ts': serverModule({ go: '{}' }) });
    const { findings } = JSON.parse((await toolContracts(repo.root, 'check', '--format', 'json')).out);
    expect(
      findings.map(({ file, message }: { file: string; message: string }) => [file, message.split(' of ')[0]]),
    ).toEqual([['packages/a/src/two.ts', '"b"']]);
  });

  test('loses nothing: a recorded tool that cannot be evaluated now, a file of a newer program', async () => {
    const repo = repository({ 'src/server.ts': serverModule(tools) });
    await toolContracts(repo.root, 'record');
    const text = repo.text(LOCK);
    repo.write({ 'src/server.ts': serverModule({ ...tools, go: 'missing' }) });
    const refused = await toolContracts(repo.root, 'record');
    expect(refused.status).toBe(2);
    expect(refused.err).toContain(
      `${LOCK} is left as it is: it holds "go", which cannot be recorded now (missing is not defined)`,
    );
    expect(repo.text(LOCK)).toBe(text);
    repo.write({ 'src/server.ts': serverModule(tools), [LOCK]: '{ "version": 2 }' });
    const newer = await toolContracts(repo.root, 'record');
    expect([newer.status, newer.err]).toEqual([2, expect.stringContaining('use a newer tool-contracts')]);
    expect(repo.text(LOCK)).toBe('{ "version": 2 }');
  });

  test('says what is left out, and needs a version', async () => {
    const repo = repository({
      'src/server.ts': serverModule({ go: '{ from: z.string() }', odd: 'missing' }),
      'package.json': '{ "name": "harbour", "dependencies": { "@modelcontextprotocol/sdk": "*", "zod": "*" } }',
    });
    const refused = await toolContracts(repo.root, 'record');
    expect([refused.status, refused.err]).toEqual([
      2,
      expect.stringContaining('package.json has no version to record'),
    ]);
    const given = await toolContracts(repo.root, 'record', '--release', '0.1.0');
    expect([given.status, given.err]).toEqual([0, `${LOCK}: "odd" is not recorded: missing is not defined.\n`]);
    expect(given.out).toContain('Recorded 1 tool of 0.1.0');
  });
});

describe('diff', () => {
  async function repo() {
    const made = repository({
      'src/server.ts': serverModule({
        go: 'z.looseObject({ from: z.string(), avoid: z.string(), stops: z.array(z.object({ gate: z.string(), lane: z.number() })) })',
        list: '{ ports: z.string(), size: z.number().nullable() }',
        gone: '{}',
        left: '{}',
        same: '{ a: z.string() }',
      }),
    });
    made.commit('v1.0.0');
    made.write({
      'src/server.ts': serverModule({
        go: 'z.object({ from: z.string(), shun: z.string(), stops: z.array(z.object({ lane: z.number() })) })',
        list: '{ ports: z.array(z.string()), size: z.number(), lazy: z.boolean().optional() }',
        fresh: '{}',
        same: '{ a: z.string() }',
      }),
      'src/contractChanges.ts': `export const CONTRACT_CHANGES = { go: { lastRelease: '1.0.0', triggers: [{ path: 'stops.gate', when: 'present' }], message: 'go' } };\nexport const RETIRED_TOOLS = ['left'];\n`,
    });
    return made;
  }

  test('is a section of a changelog', async () => {
    const { root } = await repo();
    const { status, out } = await toolContracts(root, 'diff');
    expect(status).toBe(0);
    expect(out).toBe(`## Tool contracts since 1.0.0

### \`go\`

- \`avoid\` removed, probably renamed to \`shun\` (**not documented**)
- \`shun\` added, required (**not documented**)
- undeclared keys of the inputs are deleted now (**not documented**)
- \`stops[].gate\` removed (documented)

### \`list\`

- \`lazy\` added, optional
- \`ports\` was a string and is a list now (**not documented**)
- \`size\` no longer takes null, but number (**not documented**)

### New tools

- \`fresh\`

### Removed tools

- \`gone\`
- \`left\` (retired)
`);
  });

  test('and JSON', async () => {
    const { root } = await repo();
    const { out } = await toolContracts(root, 'diff', '--format', 'json');
    const { packages } = JSON.parse(out) as JsonDiff;
    expect(packages).toHaveLength(1);
    expect(packages[0]).toMatchObject({ package: '.', baseline: { kind: 'tag', release: '1.0.0', name: 'v1.0.0' } });
    const tools = Object.fromEntries((packages[0]?.tools ?? []).map((tool) => [tool.name, tool]));
    expect(Object.keys(tools)).toEqual(['fresh', 'go', 'gone', 'left', 'list']);
    expect(tools.left).toEqual({ name: 'left', status: 'removed', retired: true });
    expect(tools.go).toMatchObject({
      status: 'changed',
      inputs: [
        { path: 'avoid', change: 'removed', required: true, renamedTo: 'shun', documented: false },
        { path: 'shun', change: 'added', required: true, renamedFrom: 'avoid', documented: false },
        { path: '', change: 'policy', before: 'loose', now: 'strip', documented: false },
        { path: 'stops[].gate', change: 'removed', documented: true },
      ],
    });
  });

  test('takes the release before the one that is here, and one that is named', async () => {
    const made = await repo();
    made.commit('v1.1.0', 'v1.1.1');
    expect((await toolContracts(made.root, 'diff')).out).toContain('## Tool contracts since 1.0.0\n');
    expect((await toolContracts(made.root, 'diff', '--baseline', 'v1.1.0')).out).toBe(
      '## Tool contracts since 1.1.0\n\nNothing changed.\n',
    );
    made.write({ 'README.md': 'changed' });
    expect((await toolContracts(made.root, 'diff')).out).toContain(
      '## Tool contracts since 1.1.1\n\nNothing changed.\n',
    );
  });

  test('needs something to compare with', async () => {
    const made = repository({ 'src/server.ts': serverModule({ go: '{}' }) });
    made.commit();
    const { status, out, err } = await toolContracts(made.root, 'diff');
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^There is no baseline: no tag that leads here is a version\. Record one/);
  });
});
