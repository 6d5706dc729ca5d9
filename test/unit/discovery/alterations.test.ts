import { expect, test } from 'vitest';
import { alterationOf } from '../../../server/src/discovery/alterations.ts';
import { parse } from '../../../server/src/discovery/syntax.ts';
import { ts } from '../../../server/src/discovery/typescript.ts';

function expressionOf(text: string): ts.Expression {
  const [statement] = parse('/a.ts', `(${text});`).statements;
  if (!statement || !ts.isExpressionStatement(statement)) throw new Error(`no expression: ${text}`);
  return statement.expression;
}

test.each(['schema', 'tool.inputSchema', 'this.schema', 'this.tool.inputSchema as never', 'tool.inputSchema!'])(
  '%s is registered as it is',
  (text) => expect(alterationOf(expressionOf(text))).toBeUndefined(),
);

test.each(['tool.inputSchema.shape', 'this.inputSchema.shape', 'inputSchema.shape'])('%s is a shape', (text) =>
  expect(alterationOf(expressionOf(text))).toEqual({ names: expect.arrayContaining(['inputSchema']), isShape: true }),
);

test.each([
  'tool.inputSchema.strict()',
  'z.object(this.inputSchema).strict()',
  '{ ...inputSchema.shape, page: z.number() }',
  'strict ? inputSchema.strict() : inputSchema',
  'await provide(tool.inputSchema)',
  'tool.inputSchema.extend({ more: z.string() }).shape',
])('%s is made of it', (text) =>
  expect(alterationOf(expressionOf(text))).toEqual({ names: expect.arrayContaining(['inputSchema']), isShape: false }),
);
