import { describe, expect, test } from 'vitest';
import { brief, row } from './rows.ts';

describe('modules that are tools', () => {
  test('schema, metadata and a default function (xmcp)', () => {
    expect(
      row(
        `export const schema = { name: z.string() };
        export const metadata: ToolMetadata = { name: 'greet', description: 'Greets' };
        export default function greet({ name }) {}`,
        '/w/src/tools/greet.ts',
      ),
    ).toMatchObject({
      way: 'module',
      name: 'greet',
      from: 'property',
      schema: '{ name: z.string() }',
      key: 'schema',
      whole: 'schema = { name: z.string() }',
      certain: false,
    });
  });

  test('named exports', () => {
    expect(
      row(
        `export const name = 'dim'; export const description = 'D'; export const inputSchema = z.object({}); export async function handler() {}`,
      ),
    ).toMatchObject({ name: 'dim', from: 'variable', schema: 'z.object({})' });
  });

  test('an export list, with other names inside', () => {
    expect(
      row(
        `const S = z.object({}); const d = 'D'; function run() {} export { S as inputSchema, d as description, run as handler };`,
        '/w/dim.ts',
      ),
    ).toMatchObject({ name: 'dim', from: 'file', schema: 'z.object({})' });
  });

  test('the place among tools is enough', () => {
    const text = `export const schema = z.object({}); export const execute = async () => {};`;
    expect(row(text, '/w/src/tools/dim.ts').name).toBe('dim');
    expect(brief(text, '/w/src/forms/dim.ts')).toEqual([]);
    expect(brief(`export const name = 'dim'; ${text}`, '/w/src/forms/dim.ts')).toEqual([]);
  });

  test('a namespace', () => {
    expect(
      row(
        `export namespace Dim { export const description = 'D'; export const inputSchema = S; export async function execute() {} }`,
      ),
    ).toMatchObject({ way: 'module', name: 'Dim', schema: 'S' });
  });

  test.each([
    ['no handler', `export const name = 'dim'; export const description = 'D'; export const inputSchema = S;`],
    [
      'a type of that name',
      `export type inputSchema = X; export const description = 'D'; export function handler() {}`,
    ],
    ['not exported', `const inputSchema = S; export const description = 'D'; export function handler() {}`],
    ['exported from elsewhere', `export { inputSchema, description, handler } from './x.js';`],
    [
      'a schema that is none',
      `export const inputSchema = 'text'; export const description = 'D'; export function handler() {}`,
    ],
  ])('not with %s', (_, text) => {
    expect(brief(text)).toEqual([]);
  });
});
