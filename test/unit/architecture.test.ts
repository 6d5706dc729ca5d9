import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');

/** The rooms in the order of the flow; those of one step do not know each other. */
const FLOW = [
  ['files'],
  ['discovery'],
  ['evaluation'],
  ['surfaces'],
  ['pipeline'],
  ['baseline'],
  ['rules'],
  ['features', 'reporters'],
];
/** What puts the rooms together: it may import every room, and no room imports it. `cli` is a folder. */
const COMPOSITION = [
  'main.ts',
  'server.ts',
  'folder.ts',
  'cli.ts',
  'cli',
  'ahead.ts',
  'analysis.ts',
  'sandbox.ts',
  'startup',
];
/** Who holds the LSP connection. */
const CONNECTED = 'server/src/server.ts';

/** Files that belong to no room's step although they lie in one. */
const COMMON: { readonly [file: string]: 'anything' | 'types' } = {
  // Names the one TypeScript of the bundle and knows nothing of tools.
  'server/src/discovery/typescript.ts': 'anything',
  // The protocol between the two processes: its words are used on both sides of every room.
  'server/src/evaluation/sandbox/messages.ts': 'types',
};

interface Import {
  readonly specifier: string;
  readonly typesOnly: boolean;
  /** Imported names; `*` for a namespace. */
  readonly names: readonly string[];
}

/** Everything that a module's text imports: declarations, re-exports, `import()`, `require` and import types. */
function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { importClause: clause } = node;
      const bindings = clause?.namedBindings;
      const elements = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
      const names = elements.map((one) => (one.propertyName ?? one.name).text);
      if (bindings && ts.isNamespaceImport(bindings)) names.push('*');
      if (clause?.name) names.push('default');
      const eachIsType =
        names.length > 0 && names.length === elements.length && elements.every((one) => one.isTypeOnly);
      const typesOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || eachIsType;
      found.push({ specifier: node.moduleSpecifier.text, typesOnly, names });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      const elements = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
      const names = elements.map((one) => (one.propertyName ?? one.name).text);
      if (elements.length === 0) names.push('*');
      found.push({ specifier: node.moduleSpecifier.text, typesOnly: node.isTypeOnly, names });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      if (ts.isStringLiteral(literal)) found.push({ specifier: literal.text, typesOnly: true, names: [] });
    } else if (ts.isCallExpression(node) && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) {
      const called = node.expression;
      const loads =
        called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === 'require');
      if (loads) found.push({ specifier: node.arguments[0].text, typesOnly: false, names: ['*'] });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true));
  return found;
}

interface Area {
  readonly part: 'client' | 'server' | 'shared' | 'driving tests';
  /** Position in the flow; the composition comes after every room. */
  readonly step?: number;
  readonly room?: string;
}

/** Where a file stands, or undefined when the layout has no place for it. */
function areaOf(file: string): Area | undefined {
  const [top, src, name = ''] = file.split('/');
  if (top === 'test' && (src === 'lsp' || src === 'bench')) return { part: 'driving tests' };
  if (src !== 'src') return undefined;
  if (top === 'client' || top === 'shared') return { part: top };
  if (top !== 'server') return undefined;
  if (COMPOSITION.includes(name)) return { part: 'server', step: FLOW.length };
  const step = FLOW.findIndex((rooms) => rooms.includes(name));
  return step === -1 ? undefined : { part: 'server', step, room: name };
}

const LSP_CONNECTION = /^(\*|default|.*Connection|TextDocuments|ProposedFeatures|Remote\w+|(Stream|IPC)Message\w+)$/;

/** One sentence per import that breaks a rule. */
function violations(sources: { readonly [file: string]: string }): string[] {
  return Object.entries(sources).flatMap(([file, text]) => {
    const from = areaOf(file);
    if (!from) return [`${file} has no place in the layout.`];
    return importsOf(file, text).flatMap((one) => {
      const reason = one.specifier.startsWith('.')
        ? localReason(from, posix.join(posix.dirname(file), one.specifier), one)
        : packageReason(file, from, one);
      return reason ? [`${file} imports ${one.specifier}: ${reason}`] : [];
    });
  });
}

function localReason(from: Area, target: string, { typesOnly }: Import): string | undefined {
  // The version that the program tells.
  if (from.step === FLOW.length && target === 'package.json') return undefined;
  const common = COMMON[target];
  if (from.part === 'server' && (common === 'anything' || (common === 'types' && typesOnly))) return undefined;
  const to = areaOf(target);
  if (from.part === 'driving tests') {
    return to?.part === 'server' || to?.part === 'client' ? 'these tests drive what was built' : undefined;
  }
  if (!to || to.part === 'driving tests') return 'it lies outside the layout';
  if (from.part !== to.part) return to.part === 'shared' ? undefined : `${from.part} never imports ${to.part}`;
  if (from.step === undefined || to.step === undefined) return undefined;
  if (to.step > from.step) return to.room ? `${to.room} comes after ${from.room}` : 'no room imports the composition';
  if (to.step === from.step && to.room !== from.room) return `${from.room} and ${to.room} do not know each other`;
  return undefined;
}

function packageReason(file: string, { part }: Area, { specifier, names }: Import): string | undefined {
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
  if (part === 'server' || part === 'shared') {
    if (name === 'vscode' || name === 'vscode-languageclient') return 'only the client runs in the editor';
  }
  if (part === 'server' && file !== CONNECTED) {
    const protocol = name === 'vscode-languageserver' || name === 'vscode-languageserver-protocol';
    if (name === 'vscode-jsonrpc' || (protocol && names.some((one) => LSP_CONNECTION.test(one)))) {
      return 'only server.ts knows the LSP connection';
    }
  }
  return undefined;
}

function sourcesOf(patterns: string[]): { [file: string]: string } {
  const files = globSync(patterns, { cwd: PROJECT, ignore: ['**/node_modules/**'] }).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(resolve(PROJECT, file), 'utf8')]));
}

describe('imports', () => {
  test('follow the flow of the rooms', () => {
    const sources = sourcesOf(['{client,server,shared}/src/**/*.{ts,tsx,mts}', 'test/{lsp,bench}/**/*.{ts,mjs}']);
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    expect(violations(sources)).toEqual([]);
  });

  test.each([
    ['a later room', 'server/src/files/a.ts', "import { b } from '../rules/b.ts';", 'rules comes after files'],
    ['its types', 'server/src/surfaces/a.ts', "import type { B } from '../pipeline/b.ts';", 'pipeline comes after'],
    ['an import type', 'server/src/files/a.ts', "let a: import('../pipeline/b.ts').B;", 'pipeline comes after files'],
    ['a re-export', 'server/src/rules/a.ts', "export * from '../features/b.ts';", 'features comes after rules'],
    ['import()', 'server/src/files/a.ts', "const a = await import('../rules/b.ts');", 'rules comes after files'],
    ['a root', 'server/src/features/a.ts', "import { b } from '../folder.ts';", 'no room imports the composition'],
    ['a deep file', 'server/src/files/x/a.ts', "import '../../rules/y/b.ts';", 'rules comes after files'],
    ['a neighbour', 'server/src/reporters/a.ts', "import '../features/b.ts';", 'reporters and features do not know'],
    ['its neighbour', 'server/src/features/a.ts', "import '../reporters/b.ts';", 'features and reporters do not know'],
    ['the server', 'client/src/a.ts', "import '../../server/src/files/b.ts';", 'client never imports server'],
    ['the client', 'server/src/server.ts', "import '../../client/src/b.ts';", 'server never imports client'],
    ['upwards', 'shared/src/a.ts', "import '../../server/src/files/b.ts';", 'shared never imports server'],
    ['a test', 'server/src/files/a.ts', "import '../../../test/unit/b.ts';", 'it lies outside the layout'],
    [
      'the sandbox protocol’s values',
      'server/src/files/a.ts',
      "import { SITES } from '../evaluation/sandbox/messages.ts';",
      'evaluation comes after files',
    ],
    [
      'the editor',
      'server/src/features/a.ts',
      "import { window } from 'vscode';",
      'only the client runs in the editor',
    ],
    [
      'the connection',
      'server/src/features/a.ts',
      "import { type Connection } from 'vscode-languageserver/node';",
      'only server.ts knows',
    ],
    [
      'all of the protocol',
      'server/src/cli.ts',
      "import * as lsp from 'vscode-languageserver/node';",
      'only server.ts knows',
    ],
    [
      'sources from tests that drive',
      'test/lsp/a.test.ts',
      "import '../../server/src/files/b.ts';",
      'drive what was built',
    ],
  ])('of %s are found', (_, file, text, reason) => {
    expect(violations({ [file]: text })).toEqual([expect.stringContaining(reason)]);
  });

  test.each([
    ['an earlier room', 'server/src/rules/a.ts', "import { b } from '../files/b.ts';"],
    ['the room itself', 'server/src/rules/a.ts', "import { b } from './b.ts';"],
    [
      'every room into a root',
      'server/src/cli.ts',
      "import '../../shared/src/b.ts'; import './reporters/b.ts'; import './analysis.ts'; import './cli/run.ts';",
    ],
    [
      'the connection into the server',
      'server/src/server.ts',
      "import { createConnection } from 'vscode-languageserver/node';",
    ],
    [
      'types of the protocol',
      'server/src/features/a.ts',
      "import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';",
    ],
    [
      'types of the sandbox protocol',
      'server/src/files/a.ts',
      "import type { Resolved } from '../evaluation/sandbox/messages.ts';",
    ],
    [
      'what is shared',
      'client/src/preview/a.ts',
      "import type { B } from '../../../shared/src/b.ts'; import 'vscode';",
    ],
  ])('of %s are allowed', (_, file, text) => {
    expect(violations({ [file]: text })).toEqual([]);
  });

  test('of files without a place in the layout are refused', () => {
    for (const file of ['server/src/helpers.ts', 'server/src/utils/a.ts', 'tools/src/a.ts']) {
      expect(violations({ [file]: '' })).toEqual([`${file} has no place in the layout.`]);
    }
  });
});

/** Where a text mentions one of the folders as a path of its own, not as part of a longer name. */
function mentions(text: string, folders: readonly string[]): string[] {
  return folders.filter((folder) => {
    const escaped = folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return new RegExp(`(?<![\\w.~*@-])${escaped}(?![\\w-])`).test(text);
  });
}

describe('committed text', () => {
  // A folder right below the root (`/src`, `/app`) is a word that may stand anywhere.
  const folders = [PROJECT].filter((folder) => folder.split(/[\\/]/).filter(Boolean).length > 1);

  test('mentions no absolute path of the machine it was written on', () => {
    const files = globSync('**/*', {
      cwd: PROJECT,
      dot: true,
      ignore: ['.git/**', 'node_modules/**', 'dist/**', '.vscode-test/**', 'coverage/**', '*.vsix'],
    });
    const leaks = files.filter((file) => {
      const content = readFileSync(resolve(PROJECT, file));
      return !content.includes(0) && mentions(content.toString('utf8'), folders).length > 0;
    });
    expect(leaks).toEqual([]);
  });

  test('would be found out', () => {
    const folder = ['', 'build', 'agent-7'].join('/');
    for (const text of [
      `${folder}/src/a.ts`,
      `in ${folder}.`,
      `"${folder}"`,
      `file://${folder}/a`,
      `(${folder}:1:1)`,
    ]) {
      expect(mentions(text, [folder])).toEqual([folder]);
    }
    for (const text of [`${folder}0`, `x${folder}`, `~${folder}`, `${folder}-2/a`, folder.toUpperCase()]) {
      expect(mentions(text, [folder])).toEqual([]);
    }
  });
});
