import { describe, expect, it } from 'vitest';
import { applyEdits, resolveFix } from '../../../server/src/rules/index.ts';
import { parseSuppressions } from '../../../server/src/rules/suppressions/parse.ts';
import type { Finding } from '../../../shared/src/model.ts';
import { check, FILE, fixed, only, summary, textOf } from './helpers/workspace.ts';

const LETTER = `const Letter = z.strictObject({ to: z.string() });\n`;
const SEND = `server.registerTool('send', { inputSchema: Letter.shape }, async () => ({}));\n`;
const DRAFT = `server.registerTool('draft', { inputSchema: Letter }, async () => ({}));\n`;
const ignore = (rest: string): string => `// tool-contracts-ignore-next-line ${rest}\n`;

function parsed(text: string): { codes: readonly string[]; line: number | undefined; comment: string }[] {
  return parseSuppressions(FILE, text).map(({ codes, line, span }) => ({
    codes,
    line,
    comment: text.slice(span.start, span.end),
  }));
}

describe('suppression comments', () => {
  it('name rules, a reason, and the next line', () => {
    const comment =
      '// tool-contracts-ignore-next-line dropped-catchall, intersection-policy: keys come from outside: fine';
    expect(parsed(`${comment}  \nfoo();\n`)).toEqual([
      { codes: ['dropped-catchall', 'intersection-policy'], line: 1, comment },
    ]);
  });

  it('may leave the reason out, stand behind code, and use any line break', () => {
    expect(parsed('//tool-contracts-ignore-next-line a\r\nx')).toMatchObject([{ codes: ['a'], line: 1 }]);
    expect(parsed('foo(); // tool-contracts-ignore-next-line a: b\nx')).toMatchObject([{ codes: ['a'], line: 1 }]);
    expect(parsed('x;\n// tool-contracts-ignore-file a: b')).toMatchObject([{ codes: ['a'], line: undefined }]);
    expect(parsed('// tool-contracts-ignore-next-line')).toMatchObject([{ codes: [], line: 1 }]);
  });

  it('stand above each other', () => {
    const text = `${ignore('a: x')}  ${ignore('b: y')}code();\n`;
    expect(parsed(text).map(({ line }) => line)).toEqual([2, 2]);
  });

  it.each([
    ['a string', `const a = '// tool-contracts-ignore-next-line a: b';`],
    [
      'a template',
      'const a = `\n// tool-contracts-ignore-next-line a: b\n${1}\n// tool-contracts-ignore-file a: b\n`;',
    ],
    ['a block comment', '/*\n// tool-contracts-ignore-next-line a: b\n*/'],
    ['another comment', '// see // tool-contracts-ignore-next-line a: b'],
    ['another word', '// tool-contracts-ignore-next-lines a: b'],
  ])('are not found in %s', (_what, text) => {
    expect(parsed(text)).toEqual([]);
  });
});

describe('a suppressed finding', () => {
  it('is gone, and its comment is used', async () => {
    expect(await summary(LETTER + ignore('dropped-catchall: the sorting office adds keys') + SEND)).toEqual([]);
    expect(await summary(`// tool-contracts-ignore-file dropped-catchall: all of it\n${LETTER}${SEND}`)).toEqual([]);
  });

  it('is silenced by rule and line alone', async () => {
    expect(await summary(`${LETTER + ignore('dropped-catchall: x')}\n${SEND}`)).toEqual([
      'unused-suppression hint: // tool-contracts-ignore-next-line dropped-catchall: x',
      'dropped-catchall warning: Letter.shape',
    ]);
    expect(await summary(LETTER + ignore('intersection-policy: x') + SEND)).toHaveLength(2);
  });
});

describe('unused-suppression', () => {
  it('is a hint at the comment', async () => {
    const comment = '// tool-contracts-ignore-next-line dropped-catchall: mended long ago';
    const text = `${LETTER}${comment}\n${DRAFT}`;
    const finding = await only(text);
    expect(finding).toMatchObject({ rule: 'unused-suppression', severity: 'hint', tools: [] });
    expect(textOf(text, finding.at)).toBe(comment);
    expect(finding.message).toBe('This comment silences nothing: there is no dropped-catchall here any more.');
    expect(await fixed(text, 'Remove the comment')).toBe(LETTER + DRAFT);
  });

  it('removes a comment behind code with the space before it', async () => {
    const text = `const a = 1; // tool-contracts-ignore-next-line dropped-catchall: x\n${LETTER}${DRAFT}`;
    expect(await fixed(text, 'Remove the comment')).toBe(`const a = 1;\n${LETTER}${DRAFT}`);
  });

  it('names the code of several that is not needed, and removes it alone', async () => {
    const text = LETTER + ignore('intersection-policy, dropped-catchall: why') + SEND;
    const finding = await only(text);
    expect(finding.message).toBe('This comment silences nothing for intersection-policy.');
    expect(await fixed(text, 'Remove intersection-policy from the comment')).toBe(
      LETTER + ignore('dropped-catchall: why') + SEND,
    );
  });

  it('says that a rule is none', async () => {
    expect((await only(ignore('no-such-rule: x') + LETTER)).message).toContain('no-such-rule, which is no rule');
    expect((await only(ignore('') + LETTER)).message).toContain('it names no rule');
  });

  it('is silent about a rule that is off', async () => {
    const text = LETTER + ignore('dropped-catchall: x') + DRAFT;
    expect(await summary(text, { config: { rules: { 'dropped-catchall': 'off' } } })).toEqual([]);
    expect(await summary(text, { config: { rules: { 'unused-suppression': 'off' } } })).toEqual([]);
  });

  it('is silent where a tool of the file could not be evaluated', async () => {
    const candidate = { id: 'x', file: FILE, way: 'registerTool', certain: true, span: { start: 0, end: 1 } } as const;
    const at = { file: FILE, span: { start: 0, end: 1 } };
    const unevaluated = [{ candidate, name: 'x', reason: 'it fails', at, trail: [], files: [FILE] }];
    const text = LETTER + ignore('dropped-catchall: x') + DRAFT;
    expect((await check(text, { unevaluated })).map(({ rule }) => rule)).toEqual(['not-evaluated']);
  });

  it('can be suppressed itself', async () => {
    const text = `// tool-contracts-ignore-file unused-suppression: generated\n${LETTER}${ignore('dropped-catchall: x')}${DRAFT}`;
    expect(await summary(text)).toEqual([]);
    expect(await summary(`// tool-contracts-ignore-file unused-suppression: generated\n${LETTER}`)).toHaveLength(1);
  });
});

describe('the fix "Ignore on this line"', () => {
  it.each([
    ['', LETTER + SEND],
    ['  ', `if (true) {\n  ${LETTER.trim()}\n  ${SEND.trim()}\n}\n`],
    ['\t', `if (true) {\n\t${LETTER.trim()}\n\t${SEND.trim()}\n}\n`],
  ])('inserts a comment with the indentation %j', async (indentation, text) => {
    const changed = await fixed(text, 'Ignore on this line');
    expect(changed).toContain(
      `\n${indentation}// tool-contracts-ignore-next-line dropped-catchall: intended\n${indentation}server`,
    );
    expect(await summary(changed)).toEqual([]);
  });

  it('keeps the line breaks of the file', async () => {
    const text = (LETTER + SEND).replaceAll('\n', '\r\n');
    expect(await fixed(text, 'Ignore on this line')).toContain(': intended\r\nserver');
  });

  it('works for two findings on one line, one after the other', async () => {
    const text = `${LETTER}server.registerTool('a', { inputSchema: z.object({ x: z.object(Letter.shape), y: Letter.and(z.object({ b: z.string() })) }) }, async () => ({}));\n`;
    let changed = text;
    for (let round = 0; round < 2; round++) {
      const [finding] = await check(changed);
      const edits = finding && resolveFix(finding, 'ignore', () => changed);
      changed = applyEdits(changed, edits ?? []);
    }
    expect(await summary(changed)).toEqual([]);
  });

  it('is not made where no comment can stand', () => {
    const text = 'const a = `\n${z.object(A.shape)}\n`;';
    const start = text.indexOf('z.object');
    const finding = { rule: 'dropped-catchall', at: { file: FILE, span: { start, end: start + 17 } } } as Finding;
    expect(resolveFix(finding, 'ignore', () => text)).toBeUndefined();
    expect(resolveFix(finding, 'ignore', () => undefined)).toBeUndefined();
    expect(resolveFix(finding, 'ignore', () => '')).toBeUndefined();
  });
});
