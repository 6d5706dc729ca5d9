import { describe, expect, test } from 'vitest';
import { type PreviewAddress, parsePreviewUri, previewUri } from '../../../server/src/features/preview/address.ts';

const ADDRESS: PreviewAddress = {
  file: '/code/src/boats.ts',
  name: 'list_boats',
  number: 1,
  of: { surface: 'mcp-v1', isPast: false },
};

/** How VS Code spells a URI again: without an empty authority, decoded and encoded anew. */
function respelled(uri: string): string {
  const [, path = '', query] = /^tool-contract:\/\/(\/[^?]*)(?:\?(.*))?$/.exec(uri) ?? [];
  const encode = (text: string) => encodeURIComponent(decodeURIComponent(text)).replaceAll('%2F', '/');
  return `tool-contract:${encode(path)}${query === undefined ? '' : `?${encode(query)}`}`;
}

describe('a preview URI', () => {
  test('is read by people as a folder of the file, and the tool on its surface', () => {
    expect(previewUri(ADDRESS)).toBe('tool-contract:///code/src/boats.ts/list_boats.mcp-v1.json?list_boats');
    expect(previewUri({ ...ADDRESS, number: 2, of: { surface: 'ai-sdk', isPast: true } })).toBe(
      'tool-contract:///code/src/boats.ts/list_boats%20(2).ai-sdk.baseline.json?list_boats',
    );
  });

  test.each([
    {},
    { number: 3 },
    { name: null },
    { name: 'a/b' },
    { name: '..' },
    { name: 'x.mcp-v1.json' },
    { name: 'x (2)' },
    { name: 'ü & ? # % 100%25 "quoted"' },
    { name: 'name\nwith\tcontrols' },
    { name: 'x'.repeat(300) },
    { of: { surface: 'contract', isPast: false } },
    { of: { surface: 'mcp-v2', isPast: true } },
    { file: '/code/my tools #2 (été) 100%/a.ts' },
  ] satisfies Partial<PreviewAddress>[])('leads back to what it is of, however it is spelled: %j', (change) => {
    const address = { ...ADDRESS, ...change };
    expect(parsePreviewUri(previewUri(address))).toEqual(address);
    expect(parsePreviewUri(respelled(previewUri(address)))).toEqual(address);
  });

  test.each([
    'file:///code/src/boats.ts/list_boats.mcp-v1.json?list_boats',
    'tool-contract:///code/src/boats.ts/list_boats.mcp-v9.json?list_boats',
    'tool-contract:///code/src/boats.ts/list_boats.mcp-v1.json?other',
    'tool-contract:///code/src/boats.ts/list_boats.mcp-v1.txt?list_boats',
    'tool-contract:///code/src/boats.ts/list_boats?list_boats',
    'tool-contract:',
    '',
  ])('%s is none', (uri) => {
    expect(parsePreviewUri(uri)).toBeUndefined();
  });
});
