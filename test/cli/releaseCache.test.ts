import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { folder, type GitRepository, manifest, repository, serverModule } from '../helpers/repository.ts';
import { toolContracts } from './cli.ts';

const home = folder('cache');
const cache = join(home, 'tool-contracts');
const before = process.env.XDG_CACHE_HOME;
process.env.XDG_CACHE_HOME = home;
afterAll(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
});
beforeEach(() => {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
});

const kept = (): string[] => readdirSync(cache).filter((name) => name.startsWith('release-'));

/** What a check and a diff print, but for how long they took. */
async function answers(repo: GitRepository, ...args: string[]): Promise<unknown[]> {
  const check = await toolContracts(repo.root, 'check', '--format', 'json', ...args);
  const diff = await toolContracts(repo.root, 'diff', '--format', 'json', ...args);
  expect([check.status, diff.status], check.err + diff.err).not.toContain(2);
  const { durationMs: _, ...report } = JSON.parse(check.out) as { durationMs: number };
  return [report, JSON.parse(diff.out)];
}

/** A repository whose tool has lost an input since its release. */
function changed(before: string, now: string, constants = ''): GitRepository {
  const repo = repository({ 'src/server.ts': serverModule({ go: before, stay: '{ x: z.number() }' }, constants) });
  repo.commit('v1.2.0');
  repo.write({ 'src/server.ts': serverModule({ go: now, stay: '{ x: z.number() }' }, constants) });
  return repo;
}

describe('what a release offered', () => {
  test('is the same from the cache, with the calls that show what was lost', async () => {
    const repo = changed('{ from: z.string(), avoid: z.object({ tolls: z.boolean() }) }', '{ from: z.string() }');
    const uncached = await answers(repo, '--no-cache');
    expect(kept()).toEqual([]);
    expect(JSON.stringify(uncached)).toContain('undocumented-input-removal');
    expect(await answers(repo)).toEqual(uncached);
    expect(kept()).toHaveLength(1);
    expect(await answers(repo)).toEqual(uncached);
  });

  test('is really read from there', async () => {
    const repo = changed('{ from: z.string() }', '{ from: z.string() }\n');
    repo.write({ 'src/server.ts': `${repo.text('src/server.ts')}// Since then.\n` });
    await answers(repo);
    const path = join(cache, kept()[0] ?? '');
    const body = readFileSync(path, 'utf8').split('\n').slice(1).join('\n').replaceAll('"from"', '"whence"');
    writeFileSync(path, `${createHash('sha256').update(body).digest('hex')}\n${body}`);
    expect(JSON.stringify(await answers(repo))).toContain('whence');
    expect(JSON.stringify(await answers(repo, '--no-cache'))).not.toContain('whence');
  });

  test('is evaluated anew when more files differ, and when the settings are others', async () => {
    const repo = changed('{ from: z.string(), avoid: z.string() }', '{ from: z.string() }');
    repo.write({ 'src/other.ts': serverModule({ other: '{ y: z.number() }' }) });
    repo.commit('v1.3.0');
    repo.write({ 'src/server.ts': `${repo.text('src/server.ts')}// Since then.\n` });
    await answers(repo);
    repo.write({ 'src/other.ts': serverModule({ other: '{}' }) });
    const uncached = await answers(repo, '--no-cache');
    expect(JSON.stringify(uncached)).toContain('"y\\"');
    expect(await answers(repo)).toEqual(uncached);
    expect(kept()).toHaveLength(1);
    repo.write({ 'tool-contracts.json': '{ "discovery": { "schemaKeys": ["takes"] } }' });
    await answers(repo);
    expect(kept()).toHaveLength(2);
  });

  test.each([
    ['the environment', "const modes = [process.env.MODE ?? 'plain', 'x'] as const;"],
    [
      'a file',
      "import { existsSync } from 'node:fs';\nconst modes = [existsSync('/nowhere') ? 'a' : 'b', 'x'] as const;",
    ],
  ])('is not kept when it depends on %s', async (_, constants) => {
    const repo = changed('{ mode: z.enum(modes), a: z.string() }', '{ mode: z.enum(modes) }', constants);
    await answers(repo);
    expect(kept()).toEqual([]);
  });

  test('is not kept when a package is a link to a folder whose files may change', async () => {
    const repo = repository({
      'package.json': manifest('harbour', '1.0.0', {
        dependencies: { linked: '*', zod: '*', '@modelcontextprotocol/sdk': '*' },
      }),
      'src/server.ts': serverModule({ go: '{ a: z.string(), b: z.string() }' }),
    });
    repo.commit('v1.2.0');
    repo.write({
      'src/server.ts': serverModule({ go: '{ a: z.string() }' }),
      '../linked/package.json': '{ "name": "linked" }',
    });
    mkdirSync(repo.file('node_modules'), { recursive: true });
    const { symlinkSync } = await import('node:fs');
    symlinkSync(repo.file('../linked'), repo.file('node_modules/linked'));
    await answers(repo);
    expect(kept()).toEqual([]);
    rmSync(repo.file('../linked'), { recursive: true, force: true });
  });

  test('survives two runs at once, and a cache that is broken', async () => {
    const repo = changed('{ from: z.string(), avoid: z.string() }', '{ from: z.string() }');
    const uncached = await answers(repo, '--no-cache');
    expect(await Promise.all([answers(repo), answers(repo)])).toEqual([uncached, uncached]);
    for (const name of kept()) writeFileSync(join(cache, name), 'broken');
    expect(await answers(repo)).toEqual(uncached);
  });
});
