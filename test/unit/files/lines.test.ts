import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LineMap } from '../../../server/src/files/lines.ts';

const texts = {
  empty: '',
  'one line': 'z.object({})',
  'line feeds': 'a\nbc\n\nd\n',
  'carriage returns and line feeds': 'a\r\nbc\r\n\r\nd\r\n',
  'carriage returns': 'a\rbc\r\rd',
  mixed: 'a\r\n\rb\n\r\nc',
  'beyond the basic plane': 'const 船 = "⛵🚢";\r\n🚢x',
  'Unicode separators, which end no line': 'a\u2028b\u2029c\nd',
};

describe.each(Object.entries(texts))('%s', (_name, text) => {
  // The document that language servers use is the reference.
  const document = TextDocument.create('file:///a.ts', 'typescript', 1, text);
  const map = new LineMap(text);

  test('offsets become positions', () => {
    for (let offset = -1; offset <= text.length + 2; offset++) {
      expect(map.position(offset), `offset ${offset}`).toEqual(document.positionAt(offset));
    }
    expect(map.lineCount).toBe(document.lineCount);
  });

  test('positions become offsets', () => {
    for (let line = 0; line <= document.lineCount; line++) {
      for (let character = 0; character <= text.length + 1; character++) {
        const position = { line, character };
        expect(map.offset(position), `${line}:${character}`).toBe(document.offsetAt(position));
      }
    }
  });
});

test('a span becomes a range and back', () => {
  const text = 'a\r\nconst x = 1;\r\nb';
  const map = new LineMap(text);
  const span = { start: text.indexOf('const'), end: text.indexOf(';') };
  expect(map.range(span)).toEqual({ start: { line: 1, character: 0 }, end: { line: 1, character: 11 } });
  expect(map.span(map.range(span))).toEqual(span);
});

test('a line is given without its break', () => {
  const text = 'a\r\nbc\r\n';
  const map = new LineMap(text);
  const line = map.line(1);
  expect(line && text.slice(line.start, line.end)).toBe('bc');
  expect(map.line(2)).toEqual({ start: 7, end: 7 });
  expect(map.line(3)).toBeUndefined();
  expect(map.line(-1)).toBeUndefined();
});
