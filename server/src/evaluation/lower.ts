import { ts } from '../discovery/typescript.ts';
import { Output, sourceOffset } from './edits.ts';

/** What a fragment of code is, so that it can be transpiled alone. */
export type Fragment = 'statement' | 'expression' | 'declaration' | 'parameter';

export interface Lowering {
  readonly jsx: boolean;
  /** The newest syntax that may be left. */
  readonly target: ts.ScriptTarget;
}

/** A fragment as plain JavaScript. */
export interface Lowered {
  /** Functions of TypeScript's own that the code calls (`__decorate`, …), each as a `var` statement. */
  readonly helpers: readonly string[];
  readonly code: Output;
}

/** What stands around a fragment so that it is a statement, before and after transpiling. */
const AROUND: Record<Fragment, readonly [open: string, close: string, openAfter: string, closeAfter: string]> = {
  statement: ['', '', '', ''],
  expression: ['$value = (', ');', '$value = ', ';'],
  declaration: ['let ', ';', 'let ', ';'],
  parameter: ['((', ') => 0);', '((', ') => 0);'],
};
/** Helpers and temporary variables are put before the first statement: this one tells where they end. */
const MARK = '$mark;';

/**
 * Turns a fragment of TypeScript, JSX, or JavaScript newer than the runtime into JavaScript of a given version.
 *
 * @param raw its text, which may hold instrumentation, with where it came from
 */
export function lower(raw: Output, fragment: Fragment, lowering: Lowering): Lowered {
  const [open, close, openAfter, closeAfter] = AROUND[fragment];
  const before = `${MARK}\n${open}`;
  const { outputText, sourceMapText } = ts.transpileModule(before + raw.text + close, {
    fileName: lowering.jsx ? 'lowered.tsx' : 'lowered.ts',
    compilerOptions: {
      target: lowering.target,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      experimentalDecorators: true,
      jsx: ts.JsxEmit.React,
      removeComments: true,
      sourceMap: true,
    },
  });
  const text = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, '').trimEnd();
  const mark = text.indexOf(MARK);
  const from = mark + MARK.length + (/^\s*/.exec(text.slice(mark + MARK.length))?.[0].length ?? 0) + openAfter.length;
  const to = text.length - (text.endsWith(closeAfter) ? closeAfter.length : 0);
  const { helpers, variables } = prelude(text.slice(0, Math.max(mark, 0)));
  const code = new Output();
  const isWrapped = variables !== '' && fragment === 'expression';
  if (isWrapped) code.put(`(()=>{${variables}return `);
  else if (fragment === 'statement') code.put(variables);
  appendMapped(
    text.slice(from, to),
    mappings(text, before + raw.text, sourceMapText ?? ''),
    from,
    raw,
    before.length,
    code,
  );
  if (isWrapped) code.put(';})()');
  return {
    helpers: isWrapped || fragment === 'statement' || variables === '' ? helpers : [...helpers, variables],
    code,
  };
}

/** Tells helpers from temporary variables, which belong to their fragment. */
function prelude(text: string): { helpers: string[]; variables: string } {
  const helpers: string[] = [];
  let variables = '';
  if (text.trim() === '') return { helpers, variables };
  for (const statement of ts.createSourceFile('prelude.js', text, ts.ScriptTarget.ESNext).statements) {
    const code = text.slice(statement.pos, statement.end).trim();
    if (/^var __\w+ = /.test(code)) helpers.push(code);
    else if (!/^["']use strict["'];?$/.test(code)) variables += code;
  }
  return { helpers, variables };
}

function appendMapped(
  text: string,
  pairs: readonly (readonly [generated: number, raw: number])[],
  from: number,
  raw: Output,
  rawStart: number,
  code: Output,
): void {
  let position = 0;
  let origin = 0;
  const copyUntil = (end: number) => {
    if (end <= position) return;
    code.copy(text.slice(position, end), sourceOffset(raw.pieces, origin));
    position = end;
  };
  for (const [generated, offset] of pairs) {
    if (generated < from || generated > from + text.length) continue;
    copyUntil(generated - from);
    origin = Math.max(offset - rawStart, 0);
  }
  copyUntil(text.length);
}

/** Pairs of offsets in the transpiled and in the original text, from a source map's `mappings`. */
function mappings(generated: string, original: string, map: string): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  const parsed = (map === '' ? {} : JSON.parse(map)) as { mappings?: string };
  const generatedLines = lineStarts(generated);
  const originalLines = lineStarts(original);
  let line = 0;
  let column = 0;
  (parsed.mappings ?? '').split(';').forEach((segments, generatedLine) => {
    let generatedColumn = 0;
    for (const segment of segments.split(',')) {
      const [columns, , lines, originalColumns] = decode(segment);
      if (columns === undefined) continue;
      generatedColumn += columns;
      line += lines ?? 0;
      column += originalColumns ?? 0;
      pairs.push([(generatedLines[generatedLine] ?? 0) + generatedColumn, (originalLines[line] ?? 0) + column]);
    }
  });
  return pairs;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of a source map's segment (base 64 VLQ, source map revision 3). */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    if (digit & 32) shift += 5;
    else {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
}
