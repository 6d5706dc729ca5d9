import type { Span } from '../../../shared/src/model.ts';
import { start, unwrap } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { sourceOffset } from './edits.ts';
import { LEAD } from './recorders.ts';

/**
 * The expression that an error came from: the smallest call, access or reference at a position in generated code.
 *
 * @param pieces what the code was made of
 * @param line 1-based, as in a stack frame; so is `column`
 * @returns undefined when the position lies in no expression
 */
export function failingExpression(
  source: ts.SourceFile,
  code: string,
  pieces: readonly number[],
  line: number,
  column: number,
): Span | undefined {
  return expressionAt(source, sourceOffset(pieces, generatedOffset(code, line, column)));
}

/** The initialiser of a top-level declaration, or the whole declaration where it has none. */
export function initializerAt(source: ts.SourceFile, position: number): Span | undefined {
  const found = deepest(source, position, (node) => start(node) === position);
  if (!found) return undefined;
  for (let node: ts.Node = found; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isVariableDeclaration(node)) return spanOf(node.initializer ? unwrap(node.initializer) : node);
    if (ts.isExportAssignment(node)) return spanOf(unwrap(node.expression));
    if (ts.isExpressionStatement(node)) return spanOf(node.expression);
    if (ts.isStatement(node) && ts.isSourceFile(node.parent)) return spanOf(node);
  }
  return undefined;
}

function generatedOffset(code: string, line: number, column: number): number {
  // The code starts within line 1, after what the sandbox puts before it: see LazyModule.lay.
  let offset = 0;
  for (let current = 1; current < line; current++) {
    const next = code.indexOf('\n', offset);
    if (next < 0) break;
    offset = next + 1;
  }
  return offset + column - 1 - (line === 1 ? LEAD.length : 0);
}

function expressionAt(source: ts.SourceFile, offset: number): Span | undefined {
  let node = deepest(source, offset);
  if (!node) return undefined;
  // `X.merge(Y)` fails at `merge`: the expression is the call.
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) node = node.parent;
  while ((ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) && node.parent.expression === node) {
    node = node.parent;
  }
  const inner = ts.isThrowStatement(node) || ts.isReturnStatement(node) ? node.expression : node;
  return inner && isExpression(inner) ? spanOf(inner) : undefined;
}

function isExpression(node: ts.Node): boolean {
  return ts.isExpression(node) || ts.isTemplateSpan(node);
}

/** The innermost node at an offset that passes a test. */
function deepest(source: ts.SourceFile, offset: number, test: (node: ts.Node) => boolean = () => true) {
  let best: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (start(node) > offset || node.end <= offset) return;
    if (!ts.isSourceFile(node) && test(node)) best = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return best;
}

function spanOf(node: ts.Node): Span {
  return { start: start(node), end: node.end };
}
