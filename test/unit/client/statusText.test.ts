import { expect, test } from 'vitest';
import { statusText } from '../../../client/src/statusText.ts';

test('the first scan says how far it is', () => {
  const scanning = { state: 'scanning', tools: 212, problems: 0, progress: { done: 212, total: 1_000 } } as const;
  expect(statusText(scanning)).toMatchObject({ progress: '212 of 1,000', isBusy: true });
  expect(statusText({ state: 'scanning', tools: 0, problems: 0 }).progress).toBe('looking for tools');
});

test('a check says what it found, on what, and how long it took', () => {
  const ready = { state: 'ready', tools: 1_028, problems: 1, durationMs: 12.4, surfaces: ['MCP SDK 1.32.2'] } as const;
  expect(statusText(ready)).toEqual({
    text: '$(check) 1,028 tools · 1 problem',
    detail: 'checked in 12 ms',
    severity: 'information',
    isBusy: false,
    surfaces: 'MCP SDK 1.32.2',
    progress: undefined,
  });
  expect(statusText({ ...ready, durationMs: 1_240 }).detail).toBe('checked in 1.2 s');
});

test('while it checks, the former numbers stand and it is busy', () => {
  const text = statusText({ state: 'checking', tools: 28, problems: 0 });
  expect(text).toMatchObject({ text: '28 tools · 0 problems', isBusy: true, progress: undefined });
});

test("the server's sentence comes before the duration", () => {
  const text = statusText({ state: 'ready', tools: 0, problems: 0, durationMs: 3, message: 'No tools found.' });
  expect(text.detail).toBe('No tools found.');
});

test('a sentence too long for its line is cut at a word', () => {
  const message = 'The language server ended unexpectedly 3 times in 3 minutes. See the log.';
  const { detail } = statusText({ state: 'failed', tools: 0, problems: 0, message });
  expect(detail).toBe('The language server ended unexpectedly 3 times …');
});

test('Restricted Mode lists the tools by name, so many as fit', () => {
  const names = ['get_boat', 'list_boats', 'next_high_water', 'passage_window', 'quote_stay'];
  const text = statusText({ state: 'restricted', tools: 5, problems: 0, names, message: 'Nothing has run.' });
  expect(text).toMatchObject({
    text: '5 tools, not checked',
    detail: 'nothing runs before you trust it',
    severity: 'warning',
    surfaces: 'get_boat, list_boats, next_high_water and 2 more',
  });
  const few = statusText({ state: 'restricted', tools: 1, problems: 0, names: ['a'] });
  expect(few).toMatchObject({ text: '1 tool, not checked', surfaces: 'a' });
});

test('a failure is an error with its sentence', () => {
  const text = statusText({ state: 'failed', tools: 0, problems: 0, message: 'It did not start. See the log.' });
  expect(text).toMatchObject({ severity: 'error', detail: 'It did not start.', isBusy: false });
});
