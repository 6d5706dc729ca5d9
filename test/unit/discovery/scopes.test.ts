import { describe, expect, test } from 'vitest';
import { boundNames, freeReferences, isReference, lookup, moduleConst } from '../../../server/src/discovery/scopes.ts';
import { parse, start } from '../../../server/src/discovery/syntax.ts';
import { ts } from '../../../server/src/discovery/typescript.ts';

/** The first node of the source that starts at the text after `«`, and is as `pick` says. */
function nodeAt<T extends ts.Node>(marked: string, pick: (node: ts.Node) => node is T, file = '/w/a.ts'): T {
  const at = marked.indexOf('«');
  const source = parse(file, marked.replace('«', ''));
  let found: T | undefined;
  const visit = (node: ts.Node): void => {
    if (!found && start(node) === at && pick(node)) found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (!found) throw new Error(`nothing of that kind at « in ${marked}`);
  return found;
}

/** Kinds of the declaration and the scope of the identifier after `«`. */
function meaning(marked: string): string | undefined {
  const id = nodeAt(marked, ts.isIdentifier);
  const found = lookup(id.text, id);
  return found && `${ts.SyntaxKind[found.declaration.kind]} in ${ts.SyntaxKind[found.scope.kind]}`;
}

describe('lookup', () => {
  test.each([
    ['a const of the module', 'const a = 1; f(«a);', 'VariableDeclaration in SourceFile'],
    ['before its declaration', 'f(«a); const a = 1;', 'VariableDeclaration in SourceFile'],
    ['a function', 'f(«g); function g() {}', 'FunctionDeclaration in SourceFile'],
    ['a class', 'f(«C); class C {}', 'ClassDeclaration in SourceFile'],
    ['an enum', 'f(«E); enum E { A }', 'EnumDeclaration in SourceFile'],
    ['a namespace', 'f(«N); namespace N { export const x = 1; }', 'ModuleDeclaration in SourceFile'],
    ['a default import', 'import a from "x"; f(«a);', 'ImportClause in SourceFile'],
    ['a named import', 'import { b as a } from "x"; f(«a);', 'ImportSpecifier in SourceFile'],
    ['a namespace import', 'import * as a from "x"; f(«a);', 'NamespaceImport in SourceFile'],
    ['import =', 'import a = require("x"); f(«a);', 'ImportEqualsDeclaration in SourceFile'],
    ['a destructured const', 'const { x: { a }, ...rest } = o; f(«a);', 'VariableDeclaration in SourceFile'],
    ['a rest', 'const [, ...a] = o; f(«a);', 'VariableDeclaration in SourceFile'],
    ['a parameter', 'const a = 1; function f(a) { return «a; }', 'Parameter in FunctionDeclaration'],
    ['a destructured parameter', 'const f = ({ a: [b] }) => «b;', 'Parameter in ArrowFunction'],
    ['a parameter in another default', 'const b = 1; function f(a, c = «a) {}', 'Parameter in FunctionDeclaration'],
    [
      'not a local of the body in a default',
      'const b = 1; function f(c = «b) { const b = 2; }',
      'VariableDeclaration in SourceFile',
    ],
    ['a block', 'const a = 1; { const a = 2; f(«a); }', 'VariableDeclaration in Block'],
    ['not from another block', '{ const a = 2; } f(«a);', undefined],
    ['var from a block', 'if (x) { var a = 2; } f(«a);', 'VariableDeclaration in SourceFile'],
    [
      'var to the function',
      'function f() { for (;;) { try {} catch { var a = 1; } } return «a; }',
      'VariableDeclaration in Block',
    ],
    ['not out of the function', 'function g() { var a = 1; } f(«a);', undefined],
    ['a for', 'for (let a = 0; ; ) f(«a);', 'VariableDeclaration in ForStatement'],
    ['a for of', 'for (const [a] of as) f(«a);', 'VariableDeclaration in ForOfStatement'],
    ['a for in', 'for (const a in as) { f(«a); }', 'VariableDeclaration in ForInStatement'],
    ['a catch', 'try {} catch ({ a }) { f(«a); }', 'VariableDeclaration in CatchClause'],
    ['a case', 'switch (x) { case 1: const a = 1; case 2: f(«a); }', 'VariableDeclaration in CaseBlock'],
    [
      'a function expression by its own name',
      'const x = function a() { «a(); };',
      'FunctionExpression in FunctionExpression',
    ],
    [
      'a class expression by its own name',
      'const x = class A { m() { new «A(); } };',
      'ClassExpression in ClassExpression',
    ],
    ['a member of an enum', 'enum E { a = 1, b = «a }', 'EnumMember in EnumDeclaration'],
    ['a member of a namespace', 'namespace N { const a = 1; f(«a); }', 'VariableDeclaration in ModuleBlock'],
    ['a static block', 'class C { static { var a = 1; f(«a); } }', 'VariableDeclaration in Block'],
    ['a global', 'f(«console);', undefined],
  ])('%s', (_, text, expected) => {
    expect(meaning(text)).toBe(expected);
  });

  test('of an overloaded function, the one that runs', () => {
    const id = nodeAt('function g(a: string): void; function g(a: unknown) {} f(«g);', ts.isIdentifier);
    const found = lookup('g', id);
    expect(found && ts.isFunctionDeclaration(found.declaration) && found.declaration.body !== undefined).toBe(true);
  });

  test('names that every object has are no declarations', () => {
    expect(meaning('f(«constructor); f(toString);')).toBeUndefined();
  });
});

test('boundNames lists every name of a pattern', () => {
  const declaration = nodeAt('const «{ a, b: { c = 1 }, d: [e, , ...f], ...g } = o;', ts.isObjectBindingPattern);
  expect(boundNames(declaration)).toEqual(['a', 'c', 'e', 'f', 'g']);
});

describe('moduleConst', () => {
  const of = (marked: string) => {
    const made = moduleConst(nodeAt(marked, ts.isIdentifier));
    return made && marked.replace('«', '').slice(start(made), made.end);
  };
  test('only a const at the top with a name of its own', () => {
    expect(of('const a = { x: 1 }; f(«a);')).toBe('{ x: 1 }');
    expect(of('let a = 1; f(«a);')).toBeUndefined();
    expect(of('const { a } = o; f(«a);')).toBeUndefined();
    expect(of('function g() { const a = 1; f(«a); }')).toBeUndefined();
    expect(of('import { a } from "x"; f(«a);')).toBeUndefined();
  });
});

describe('isReference', () => {
  const read = (marked: string, file?: string): boolean => isReference(nodeAt(marked, ts.isIdentifier, file));

  test.each([
    'f(«a);',
    '«a.b;',
    'x[«a];',
    'const o = { «a };',
    'const o = { x: «a };',
    'const o = { [«a]: 1 };',
    'const { x = «a } = o;',
    'const x = «a;',
    'class C extends «A {}',
    'class C { x = «a; }',
    'const f = (x = «a) => x;',
    'export { «a as b };',
    'export default «a;',
    '«a = 1;',
    `const t = \`\${«a}\`;`,
    'label: «a();',
    'enum E { X = «a }',
    'import x = «A.B;',
  ])('reads: %s', (text) => {
    expect(read(text)).toBe(true);
  });

  test.each([
    'x.«a;',
    'const o = { «a: 1 };',
    'const o = { «a() {} };',
    'const o = { get «a() { return 1 } };',
    'const «a = 1;',
    'const { «a: b } = o;',
    'const { «a } = o;',
    'function «a() {}',
    'const x = function «a() {};',
    'class «A {}',
    'class C { «a = 1; }',
    'function f(«a) {}',
    'enum «E { A }',
    'enum E { «A }',
    'import «a from "x";',
    'import { «a } from "x";',
    'import * as «a from "x";',
    'export { «a } from "x";',
    'export { b as «a };',
    'export * as «a from "x";',
    '«label: for (;;) {}',
    'label: for (;;) { break «label; }',
    'namespace «N {}',
    'import.«meta.url;',
  ])('names: %s', (text) => {
    expect(read(text)).toBe(false);
  });

  test('components of JSX are read, elements and attributes are not', () => {
    expect(read('const x = <div><«Panel /></div>;', '/w/a.tsx')).toBe(true);
    expect(read('const x = <«div />;', '/w/a.tsx')).toBe(false);
    expect(read('const x = <Panel «title="a" />;', '/w/a.tsx')).toBe(false);
  });
});

describe('freeReferences', () => {
  /** Names that the expression after `«` uses without binding them. */
  const free = (marked: string): string[] =>
    freeReferences(
      nodeAt(marked, (node): node is ts.Node => !ts.isSourceFile(node) && !ts.isExpressionStatement(node)),
    ).map(({ name, found }) => `${name}${found ? '' : '?'}`);

  test.each([
    ['reads and globals', 'const a = 1; f(a); «g(a, b);', ['g?', 'a', 'b?']],
    ['own parameters and locals are bound', '«(a) => { const b = a; return b + c; };', ['c?']],
    [
      'own functions, classes and loops',
      '«(() => { function g() {} class C {} for (const x of xs) g(x, C); });',
      ['xs?'],
    ],
    ['var from a block inside', '«(() => { if (x) { var a = 1; } return a; });', ['x?']],
    ['types are not read', 'const x = «f<Input>(a as Output, b satisfies Other);', ['f?', 'a?', 'b?']],
    ['annotations are not read', '«((a: Input): Output => a);', []],
    ['implements is not read, extends is', '«(class extends Base implements Face {});', ['Base?']],
    ['keys are not read, shorthand is', '«({ a: b, c, [d]: e });', ['b?', 'c?', 'd?', 'e?']],
    ['this', '«f(this.a);', ['f?', 'this?']],
    ['this of an arrow is the outer one', '«(() => this.a);', ['this?']],
    [
      'this of a function, method and field is its own',
      '«({ f: function () { return this; }, m() { return this; }, c: class { x = this; } });',
      [],
    ],
    ['a name that is free although another binds it inside', '«[a, (a) => a];', ['a?']],
    ['a use outside of the binding function', 'const x = (a) => { «g(a); };', ['g?', 'a']],
  ])('%s', (_, text, expected) => {
    expect(free(text)).toEqual(expected);
  });

  test('says where a name is declared', () => {
    const [reference] = freeReferences(nodeAt('function f(a) { «g.x(a); }', ts.isCallExpression)).filter(
      ({ name }) => name === 'a',
    );
    expect(reference?.found && ts.isParameter(reference.found.declaration)).toBe(true);
  });

  test('of a whole file, only what no declaration of it binds', () => {
    const source = parse('/w/a.ts', 'import { z } from "zod"; const a = z.b; g(a);');
    expect(freeReferences(source).map(({ name }) => name)).toEqual(['g']);
  });

  test('a long concatenation does not exhaust the stack', () => {
    const long = Array.from({ length: 20_000 }, () => "'x'").join(' + ');
    expect(freeReferences(parse('/w/a.ts', `a + ${long} + b;`)).map(({ name }) => name)).toEqual(['b', 'a']);
  });
});
