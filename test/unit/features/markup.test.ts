import { describe, expect, test } from 'vitest';
import { type Block, render } from '../../../server/src/features/markup.ts';

const BLOCKS: Block[] = [
  { is: 'title', line: ['a_tool'] },
  { is: 'paragraph', line: ['see ', { text: 'z.object(…)', href: 'file:///a.ts#L1,2' }, ' and ', { code: 'x' }] },
  { is: 'list', items: [[{ strong: 'deleted' }, ' here'], ['there']] },
  {
    is: 'table',
    head: ['name', 'what'],
    rows: [
      [[{ code: 'a|b' }], ['one\ntwo']],
      [['c'], []],
    ],
  },
  { is: 'code', language: 'text', text: 'call {}' },
];

describe('a hover', () => {
  test('in Markdown', () => {
    expect(render(BLOCKS, 'markdown')).toEqual({
      kind: 'markdown',
      value: [
        '**a\\_tool**',
        'see [z.object\\(…\\)](file:///a.ts#L1,2) and `x`',
        '- **deleted** here\n- there',
        '| name&nbsp;&nbsp; | what |\n| :-- | :-- |\n| `a\\|b`&nbsp;&nbsp; | one two |\n| c&nbsp;&nbsp; |  |',
        '```text\ncall {}\n```',
      ].join('\n\n'),
    });
  });

  test('as plain text', () => {
    expect(render(BLOCKS, 'plaintext')).toEqual({
      kind: 'plaintext',
      value: [
        'a_tool',
        'see z.object(…) and x',
        '- deleted here\n- there',
        'name  what\na|b   one\ntwo\nc',
        'call {}',
      ].join('\n\n'),
    });
  });

  test.each([
    [
      '*bold* _it_ `code` [x](y) <b> # &amp; ~~no~~ $m$',
      '\\*bold\\* \\_it\\_ \\`code\\` \\[x\\]\\(y\\) \\<b\\> \\# \\&amp; \\~\\~no\\~\\~ \\$m\\$',
    ],
    ['- no list', '\\- no list'],
    ['a - b', 'a - b'],
  ])('shows %s as it is', (text, escaped) => {
    expect(render([{ is: 'paragraph', line: [text] }], 'markdown').value).toBe(escaped);
  });

  test.each([
    ['a`b', '`` a`b ``'],
    ['``', '``` `` ```'],
    ['a\n  b', '`a b`'],
  ])('shows the code %s as it is', (code, span) => {
    expect(render([{ is: 'paragraph', line: [{ code }] }], 'markdown').value).toBe(span);
  });

  test('fences code that has fences', () => {
    const text = '```\ninner\n```';
    expect(render([{ is: 'code', language: '', text }], 'markdown').value).toBe(`\`\`\`\`\n${text}\n\`\`\`\``);
  });
});
