import { describe, expect, test } from 'vitest';
import { evaluateFiles, outline } from '../../helpers/inProcess.ts';
import { evaluate, schemaOf, tool, ZOD } from './source.ts';

describe('what blanking types cannot erase', () => {
  test.each([
    ['<T>x', 'const S = <z.ZodObject>z.object({ port: z.string() });', 'S', '{port: string}'],
    ['<T>x within a call', 'const S = z.object({ port: <z.ZodString>z.string() });', 'S', '{port: string}'],
    [
      'an arrow with a type parameter',
      'const box = <T>(x: T) => z.object({ x: <any>x });',
      'box(z.string())',
      '{x: string}',
    ],
    ['an enum', 'enum Wind { Calm, Gale = 8, Storm }', 'z.object({ w: z.nativeEnum(Wind) })', '{w: 0|8|9}'],
    [
      'an enum of strings',
      "enum Tide { High = 'high', Low = 'low' }",
      'z.object({ t: z.enum(Tide) })',
      '{t: "high"|"low"}',
    ],
    [
      'a const enum',
      "const enum Tide { High = 'hi', Low = 'lo' }",
      'z.object({ t: z.literal(Tide.Low) })',
      '{t: "lo"}',
    ],
    [
      'a merged enum',
      "enum Sky { Clear = 'clear' }\nenum Sky { Fog = 'fog' }",
      'z.object({ s: z.enum([Sky.Clear, Sky.Fog]) })',
      '{s: "clear"|"fog"}',
    ],
    [
      'an enum whose values are computed',
      'const base = 40;\nenum N { A = base + 1, B = "xy".length }',
      'z.object({ n: z.literal([N.A, N.B]) })',
      '{n: 41|2}',
    ],
    [
      'a namespace',
      'namespace Shapes { const inner = z.string(); export const Port = z.object({ inner }); }',
      'Shapes.Port',
      '{inner: string}',
    ],
    [
      'a namespace in two parts',
      'namespace P { export const a = z.string(); }\nnamespace P { export const b = z.object({ a }); }',
      'P.b',
      '{a: string}',
    ],
    ['a dotted namespace', 'namespace A.B { export const S = z.object({ n: z.number() }); }', 'A.B.S', '{n: number}'],
    [
      'a namespace of types only',
      'namespace T { export type X = string; }\nconst S = z.object({ b: z.boolean() });',
      'S',
      '{b: boolean}',
    ],
    [
      'a namespace that adds to a function',
      'function make() { return make.schema; }\nnamespace make { export const schema = z.object({ f: z.string() }); }',
      'make()',
      '{f: string}',
    ],
    [
      'a namespace that adds to a class',
      'class Port { static size = 3; }\nnamespace Port { export const schema = z.object({ n: z.literal(Port.size) }); }',
      'Port.schema',
      '{n: 3}',
    ],
    [
      'parameter properties',
      'class Box { constructor(public readonly item: z.ZodTypeAny, private n = 1) {} get schema() { return z.object({ item: this.item }); } }',
      'new Box(z.string()).schema',
      '{item: string}',
    ],
    ['import =', "import zod = require('zod');", 'zod.z.object({ a: zod.z.string() })', '{a: string}'],
    [
      'import = of a namespace',
      'namespace N { export const S = z.object({ a: z.string() }); }\nimport S = N.S;',
      'S',
      '{a: string}',
    ],
    [
      'decorators',
      'function sealed(target: any) { target.extra = z.string(); }\n@sealed class Tool { static extra: z.ZodString; static schema = z.object({ a: z.number() }); }',
      'Tool.schema.extend({ extra: Tool.extra })',
      '{a: number, extra: string}',
    ],
    [
      'a decorated class that is exported',
      'const tag = (value: any) => (target: any) => { target.value = value; };\n@tag(z.object({ a: z.string() })) export class Tool { declare static value: any; }',
      'Tool.value',
      '{a: string}',
    ],
    [
      'an abstract class',
      'export abstract class Base { abstract run(): void; static schema = z.object({ a: z.string() }); }\nclass Sub extends Base { run() {} }',
      'Sub.schema',
      '{a: string}',
    ],
    ['as const', "const KINDS = ['reef', 'wreck'] as const;", 'z.object({ k: z.enum(KINDS) })', '{k: "reef"|"wreck"}'],
    ['satisfies', 'const S = z.object({ a: z.string() }) satisfies z.ZodType;', 'S', '{a: string}'],
    [
      'both, trailing',
      'const S = ({ shape: z.object({ a: z.string() }) } as const) satisfies object;',
      'S.shape',
      '{a: string}',
    ],
    ['a non-null assertion', 'const S: z.ZodObject | undefined = z.object({ a: z.string() });', 'S!', '{a: string}'],
    ['type arguments', 'const id = <T,>(x: T) => x;', 'id<z.ZodObject>(z.object({ a: z.string() }))', '{a: string}'],
    [
      'overloads',
      'function f(a: string): any;\nfunction f(a: number): any;\nfunction f(a: any) { return z.object({ a: z.literal(a) }); }',
      'f(3)',
      '{a: 3}',
    ],
    [
      'this parameters',
      'function f(this: void, a: number) { return z.object({ a: z.literal(a) }); }',
      'f(3)',
      '{a: 3}',
    ],
    [
      'declare',
      'declare const nothing: string;\ndeclare global { interface X {} }\nconst S = z.object({ a: z.string() });',
      'S',
      '{a: string}',
    ],
    [
      'an interface merged with a const',
      'interface S { a: string }\nconst S = z.object({ a: z.string() });',
      'S',
      '{a: string}',
    ],
    ['a definite variable', 'let S!: z.ZodObject;\nS = z.object({ a: z.string() });', 'S', '{a: string}'],
    [
      'optional call of a generic',
      'const m = { f: <T,>(x: T) => x };',
      'm?.f?.<any>(z.object({ a: z.string() }))!',
      '{a: string}',
    ],
  ])('%s', async (_title, code, schema, expected) => {
    expect(await schemaOf(code, schema)).toBe(expected);
  });

  test('an exported enum and namespace are seen from another file', async () => {
    const files = {
      'kinds.ts': `${ZOD}export enum Kind { A = 'a' }\nexport namespace Shapes { export const S = z.object({ k: z.enum(Kind) }); }\nexport default abstract class Base { static b = z.boolean(); }`,
    };
    const code = "import Base, { Kind, Shapes } from './kinds.js';";
    expect(await schemaOf(code, 'Shapes.S.extend({ l: z.literal(Kind.A), b: Base.b })', files)).toBe(
      '{k: "a", l: "a", b: boolean}',
    );
  });

  test('JSX beside a schema', async () => {
    const code =
      'const View = (props: { a: string }) => <div className="x">{props.a}<>{[1]}</></div>;\nconst S = z.object({ a: z.string() });';
    expect(await schemaOf(code, 'S', {}, 'tools.tsx')).toBe('{a: string}');
    expect(await schemaOf(code.replace(': { a: string }', ''), 'S', {}, 'tools.jsx')).toBe('{a: string}');
  });

  test('a handler with JSX', async () => {
    const text = `${ZOD}server.registerTool('t', { description: 'd', inputSchema: z.object({ a: z.string() }) }, async () => render(<App a={1} />));`;
    const made = await evaluateFiles({ 'tools.tsx': text });
    expect(outline(made.tool('t'))).toBe('{a: string}');
  });

  test('decorated definitions have places', async () => {
    const made = await evaluateFiles({
      'tools.ts': `${ZOD}class Tools {\n  @Tool({ name: 'find', description: 'd', parameters: z.object({ a: z.string().min(2) }) })\n  find() {}\n}`,
    });
    const { graph } = made.tool('find');
    expect(made.textOf(graph?.nodes[0]?.origin?.place)).toBe('z.object({ a: z.string().min(2) })');
    expect(made.textOf(graph?.nodes[1]?.origin?.place)).toBe('z.string().min(2)');
  });

  test('places within lowered statements are those of the source', async () => {
    const code =
      'class Box { constructor(private a: string) {}\n  schema(): any { return z.object({ within: z.string().max(9) }); } }';
    const made = await evaluate(code, "new Box('x').schema()");
    const { graph } = made.tool('t');
    expect(graph?.nodes.map((node) => made.textOf(node.origin?.place))).toEqual([
      'z.object({ within: z.string().max(9) })',
      'z.string().max(9)',
      'z.string()',
    ]);
  });

  test('a failure within a lowered statement is at its expression', async () => {
    const code =
      'class Box { constructor(private a: string) {}\n\n  schema(): any { return z.object({ within: (undefined as any).missing }); } }';
    const made = await evaluate(code, "new Box('x').schema()");
    expect(made.failure('t').reason).toMatch(/reading 'missing'/);
    expect(made.textOf(made.failure('t').at)).toBe('(undefined as any).missing');
  });

  test('two files that need lowering share no helper', async () => {
    const decorated = (name: string) =>
      `${ZOD}const d = (t: any) => t;\n@d class C { static s = z.object({ ${name}: z.string() }); }\n${tool('C.s', name)}`;
    const made = await evaluateFiles({ 'a.ts': decorated('a'), 'b.ts': decorated('b') });
    expect([outline(made.tool('a')), outline(made.tool('b'))]).toEqual(['{a: string}', '{b: string}']);
  });
});
