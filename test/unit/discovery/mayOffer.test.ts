import { describe, expect, test } from 'vitest';
import { mayOffer } from '../../../server/src/discovery/discover.ts';

describe('mayOffer', () => {
  test.each([
    `server.registerTool('a', {}, f)`,
    `server.tool('a', f)`,
    `export const x = { inputSchema: S }`,
    `export const x = { name, inputSchema }`,
    `addTool({})`,
    `const TOOLS = []`,
    `class X { argsShape = S }`,
    `export const schema = {}; export function handler() {}`,
    `x({ schema, description })`,
    `x({ args: S, async run() {} })`,
    `x({ parameters:\n S, description: 'd' })`,
  ])('%s', (text) => {
    expect(mayOffer(text, [])).toBe(true);
  });

  test.each([
    '',
    `import { z } from 'zod'; export const S = z.object({ a: z.string() });`,
    `const schema = 1;`,
    `showTooltip(); const toolbar = 1; import '@reduxjs/toolkit';`,
    `function f(args) { return description; }`,
  ])('not %s', (text) => {
    expect(mayOffer(text, [])).toBe(false);
  });

  test('keys of the configuration count', () => {
    expect(mayOffer('x({ contract: S })', [])).toBe(false);
    expect(mayOffer('x({ contract: S })', ['contract'])).toBe(true);
  });
});
