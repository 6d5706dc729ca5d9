import nodePath from 'node:path';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';

import { type CodeStyle, codeStyleOf } from './codeStyle.ts';
import { entryStyleOf, entryText, key } from './entryStyle.ts';
import type { GoneInput } from './message.ts';

/** The inputs of a tool that nothing documents. */
export interface Undocumented {
  readonly tool: string;
  readonly release: string;
  readonly gone: readonly GoneInput[];
}

const COMMENT =
  '/** What callers of a previous release are told when they still send an input that is gone, by the name of the tool. */';

/**
 * Where a package's contract changes go when there are none yet: beside its tools, in their language.
 *
 * @param toolFiles files that the package's tools are written in; at least one
 */
export function newFileFor(toolFiles: readonly string[]): string {
  const folders = toolFiles.map((file) => nodePath.dirname(file).split(nodePath.sep));
  const [first = [], ...others] = folders;
  const shared = first.filter((_, index) => others.every((folder) => isSameUntil(folder, first, index)));
  const counts = new Map<string, number>();
  for (const file of toolFiles) {
    const extension = nodePath.extname(file).replace(/x$/, '');
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const [extension = '.ts'] = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return nodePath.join(shared.join(nodePath.sep) || nodePath.sep, `contractChanges${extension}`);
}

function isSameUntil(a: readonly string[], b: readonly string[], index: number): boolean {
  return a.slice(0, index + 1).join('\0') === b.slice(0, index + 1).join('\0');
}

/**
 * The declaration of contract changes, in the style of a file beside it.
 *
 * @param name of the export
 * @param like a file of the package and its text
 */
export function declarationText(
  name: string,
  tools: readonly Undocumented[],
  like: { readonly file: string; readonly text: string },
): string {
  const source = parse(like.file, like.text);
  const code: CodeStyle = codeStyleOf(source);
  const style = entryStyleOf(undefined, code);
  const entries = tools.map(({ tool, release, gone }) => {
    const entry = entryText({ name: tool, isInside: false }, release, gone, style, code.indent);
    return `${code.indent}${key(tool, style)}: ${entry},${code.newline}`;
  });
  const declared = isCommonJs(source) ? `exports.${name}` : `export const ${name}`;
  return `${COMMENT}${code.newline}${declared} = {${code.newline}${entries.join('')}}${code.semicolon}${code.newline}`;
}

function isCommonJs(source: ts.SourceFile): boolean {
  if (/\.cts$|\.cjs$/.test(source.fileName)) return true;
  const isModule = source.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) ||
      ts.isExportDeclaration(statement) ||
      (ts.canHaveModifiers(statement) &&
        (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)),
  );
  return !isModule && /\brequire\s*\(|\bexports\b/.test(source.text);
}
