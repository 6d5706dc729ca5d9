import { describe, expect, test } from 'vitest';
import { evaluateFiles, outline } from '../../helpers/inProcess.ts';
import { evaluate, schemaOf, tool, ZOD } from './source.ts';

const S = 'z.object({ a: z.string() })';
/** A handler that Node 20 and 22 do not understand. */
const USING = 'async () => { using a = open(); await using b = await openLater(); return a.read(b); }';

describe('syntax that is newer than the runtime', () => {
  test("in a handler's body", async () => {
    const made = await evaluateFiles({
      'tools.ts': `${ZOD}server.registerTool('t', { description: 'd', inputSchema: ${S} }, ${USING});`,
    });
    expect(outline(made.tool('t'))).toBe('{a: string}');
  });

  test.each([
    ['a function', `export async function handle() { using file = open(); return file; }\nconst S = ${S};`, 'S'],
    ['a const of a function', `const handle = ${USING};\nconst S = ${S};`, 'S'],
    ['a class', `class C { static S = ${S}; run() { using a = open(); } }`, 'C.S'],
    ['a method of an object', `const o = { S: ${S}, run() { using a = open(); } };`, 'o.S'],
    [
      'a function that is called',
      `function make() { using lock = { [Symbol.for('nodejs.dispose')]() {}, [Symbol.dispose ?? 'x']() {} } as any; return ${S}; }`,
      'make()',
    ],
    ['a destructuring', `const run = ${USING};\nconst { a, ...rest }: any = { a: ${S}, b: <any>1 };`, 'a'],
    [
      'a typed loop',
      `const run = ${USING};\nconst o: any = {};\nfor (const key of <string[]>['a']) { o[key] = z.string(); }`,
      'z.object(o)',
    ],
    ['an accessor', `class C { static accessor S = ${S}; }`, 'C.S'],
    [
      'an enum beside it',
      `const run = ${USING};\nenum K { A = 'a' }\nconst S = z.object({ a: z.string().default(K.A).unwrap() });`,
      'S',
    ],
    ['a default export', `const S = ${S};\nexport default ${USING};`, 'S'],
    ['a CommonJS export', `const S = ${S};\nexports.run = ${USING};`, 'S'],
  ])('in %s', async (_title, code, schema) => {
    expect(await schemaOf(code, schema)).toBe('{a: string}');
  });

  test('in another file', async () => {
    const made = await evaluate("import { S } from './s.js';", 'S', {
      's.ts': `${ZOD}export const run = ${USING};\nexport const S = ${S};`,
    });
    expect(outline(made.tool('t'))).toBe('{a: string}');
    const place = made.tool('t').graph?.nodes[1]?.origin?.place;
    expect(place?.file).toMatch(/s\.ts$/);
    expect(made.textOf(place)).toBe('z.string()');
  });

  test('failures keep their places', async () => {
    const made = await evaluate(
      `const run = ${USING};\nconst missing: any = undefined;\nconst part = z.object({\n  x: missing.there,\n});`,
      'part',
    );
    expect(made.textOf(made.failure('t').at)).toBe('missing.there');
    expect(made.failure('t').trail).toEqual(['part']);
  });

  test('in the locals, wrappers and loops around a tool', async () => {
    const text = `${ZOD}
function wrap(name: string, schema: any, count: number = <number>1) {
  const { inner, ...others }: any = { inner: <any>schema, other: 1 };
  server.registerTool(name, { description: 'd', inputSchema: inner }, ${USING});
}
wrap('one', ${S});
for (const [name, schema] of <any[]>[['two', ${S}]]) wrap(name, schema);
`;
    const made = await evaluateFiles({ 'tools.ts': text });
    expect(made.names()).toEqual(['one', 'two']);
  });

  test('a file that no lowering helps takes no other along', async () => {
    const made = await evaluateFiles({
      'a.ts': `${ZOD}const pattern = /(?<x>a)(?<x>b)/;\n${tool(S, 'a')}`,
      'b.ts': `${ZOD}${tool(S, 'b')}`,
    });
    expect(made.names()).toContain('b');
    const failure = made.failure('a');
    expect(failure.reason).toMatch(/^a\.ts has syntax that Node v\d+\S* does not know: Invalid regular expression/);
    expect(made.textOf(failure.at)).toBe(S);
  });

  test('after an edit it is still known', async () => {
    const text = (field: string) => `${ZOD}const run = ${USING};\n${tool(`z.object({ ${field}: z.string() })`)}`;
    const made = await evaluateFiles({ 'tools.ts': text('a') });
    await made.update({ 'tools.ts': text('b') });
    expect(outline(made.tool('t'))).toBe('{b: string}');
    await made.update({ 'tools.ts': `${ZOD}${tool('z.object({ c: z.string() })')}` });
    expect(outline(made.tool('t'))).toBe('{c: string}');
  });
});
