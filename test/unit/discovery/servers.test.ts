import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayOffer } from '../../../server/src/discovery/discover.ts';
import { type Row, rows } from './rows.ts';

const PACKAGES = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol');

/** Candidates of a published server, over all its files that are no tests. */
function server(name: string): Row[] {
  const dist = join(PACKAGES, name, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.includes('__tests__'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(dist, file), 'utf8');
      const found = rows(text, join(dist, file));
      // A file that the prefilter leaves out would never be parsed.
      if (found.length > 0) expect(mayOffer(text, []), file).toBe(true);
      return found;
    });
}

describe('the published reference servers, in their shipped JavaScript', () => {
  test.each([
    ['server-everything', 19],
    ['server-filesystem', 14],
    ['server-memory', 9],
  ])('%s', (name, count) => {
    const found = server(name);
    expect(found).toHaveLength(count);
    for (const one of found) {
      expect(one.way).toBe('registerTool');
      expect(one.certain, one.name).toBe(true);
      expect(one.found.candidate.name?.text, 'its name is known without running anything').toMatch(/^[a-z_-]+$/);
    }
    expect(new Set(found.map((one) => one.name)).size).toBe(count);
  });
});
