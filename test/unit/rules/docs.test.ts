import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatWithOptions } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rulesIndex } from '../../../scripts/lib/rulesIndex.ts';
import { RULES } from '../../../shared/src/rules.ts';
import { check, textOf } from './helpers/workspace.ts';

const folder = join(import.meta.dirname, '../../../docs/rules');
const page = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8');
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code ?? '');

describe('docs/rules', () => {
  it('has an index that says what the table of rules says: node scripts/docs.mjs writes it', () => {
    expect(page('README')).toBe(rulesIndex());
  });

  it('has one page for each rule', () => {
    const pages = readdirSync(folder).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(RULES.map(({ code }) => `${code}.md`).sort());
  });

  it.each(RULES)('$code: what is wrong, the proof, how to fix, how to silence', ({ code, title }) => {
    const text = page(code);
    expect(text).toMatch(new RegExp(`^# ${code}\n\n\\*\\*${title}\\.\\*\\*`));
    for (const heading of ['What is reported', 'The proof', 'How to fix it', 'How to silence it']) {
      expect(text).toContain(`\n## ${heading}\n`);
    }
    expect(text).toMatch(new RegExp(`tool-contracts-ignore-(next-line|file) ${code}: `));
    expect(text).toContain(`{ "rules": { "${code}": "off" } }`);
  });

  it.each(RULES)('$code: the proof prints what the page says', ({ code }) => {
    for (const proof of blocks(page(code), 'js')) {
      const printed: string[] = [];
      const log = (...values: unknown[]): unknown => printed.push(formatWithOptions({}, ...values));
      new Function('z', 'console', proof.replace(/^import .*$/gm, ''))(z, { log });
      // What is printed is the comment after the statement that prints it.
      const said = [...proof.matchAll(/console\.log\(.*?\);\n\}?\n?\/\/ (.*)/g)].map(([, line]) => line);
      expect(said.length).toBeGreaterThan(0);
      expect(printed).toEqual(said);
    }
  });
});

describe('the first example of a page', () => {
  const example = (code: string): string => blocks(page(code), 'ts')[0] ?? '';
  const scope = { handler: async () => ({}) };
  const registered = (names: string): string =>
    `\nserver.registerTool('example', { inputSchema: z.object({ ${names} }) }, handler);\n`;

  it.each([
    ['dropped-catchall', 'Paged, Merged', ['z.object({ ...ListBoats.shape', 'ListBoats.merge(', 'ListBoats.shape']],
    ['default-in-union-variant', 'Speed, Measure', ['z.number().catch(10)', `z.literal('metric').default('metric')`]],
    ['intersection-policy', 'Stop', ['Core.and(Extra)']],
    ['unused-suppression', '', ['// tool-contracts-ignore-next-line dropped-catchall: mended']],
  ])('of %s is reported', async (code, names, expressions) => {
    const text = example(code) + registered(names);
    const findings = await check(text, { scope });
    expect(findings.map(({ rule }) => rule)).toEqual(expressions.map(() => code));
    for (const [index, start] of expressions.entries()) {
      const at = findings[index]?.at;
      expect(at && textOf(text, at).startsWith(start)).toBe(true);
    }
  });
});
