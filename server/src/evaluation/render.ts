import { start } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { Output } from './edits.ts';
import { type Erased, erase } from './erase.ts';
import type { Instrumented } from './instrument.ts';
import { type Fragment, lower } from './lower.ts';

/** Writes parts of a module as instrumented JavaScript. */
export class Renderer {
  /** What the lowered parts call, as statements of the module's own. */
  readonly helpers = new Set<string>();
  private readonly erased: Erased;
  private readonly jsx: boolean;

  /** @param target when given, every part is lowered to it: the module holds syntax that the runtime does not know */
  constructor(
    private readonly source: ts.SourceFile,
    private readonly parts: Instrumented,
    private readonly target: ts.ScriptTarget | undefined,
  ) {
    this.erased = erase(source);
    this.jsx = source.languageVariant === ts.LanguageVariant.JSX;
  }

  /** Appends a statement, an expression, a variable's declaration, a parameter or a binding's name. */
  render(node: ts.Node, output: Output): void {
    const ranges = isDeclaration(node) ? withoutExport(node) : [{ from: start(node), to: node.end }];
    if (this.target === undefined && !this.erased.needsLowering(node)) {
      for (const { from, to } of ranges) this.parts.edits.render(this.erased.text, from, to, output);
      return;
    }
    const fragment = isDeclaration(node) && !node.name ? 'expression' : fragmentOf(node);
    this.lowered(ranges, fragment, output);
  }

  /** Appends statements that are lowered in any case, together, but for their `export`. */
  renderLowered(statements: readonly (ts.EnumDeclaration | ts.ModuleDeclaration)[], output: Output): void {
    this.lowered(statements.flatMap(withoutExport), 'statement', output);
  }

  private lowered(ranges: readonly Range[], fragment: Fragment, output: Output): void {
    const raw = new Output();
    for (const { from, to } of ranges) this.parts.edits.render(this.source.text, from, to, raw);
    const { helpers, code } = lower(raw, fragment, { jsx: this.jsx, target: this.target ?? ts.ScriptTarget.ESNext });
    for (const helper of helpers) this.helpers.add(helper);
    output.append(code);
  }
}

type Declaration = ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration;

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node)
  );
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The ranges of a declaration around its `export`, `default` and `abstract`, so that it can stand inside a function. */
function withoutExport(statement: ts.Node & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }): Range[] {
  const ranges: Range[] = [];
  let from = start(statement);
  for (const modifier of statement.modifiers ?? []) {
    if (!DROPPED.has(modifier.kind)) continue;
    if (start(modifier) > from) ranges.push({ from, to: start(modifier) });
    from = modifier.end;
  }
  return [...ranges, { from, to: statement.end }];
}

const DROPPED = new Set([ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DefaultKeyword, ts.SyntaxKind.AbstractKeyword]);

function fragmentOf(node: ts.Node): Fragment {
  if (ts.isVariableDeclaration(node)) return 'declaration';
  const isName = (ts.isVariableDeclaration(node.parent) || ts.isParameter(node.parent)) && node.parent.name === node;
  if (ts.isParameter(node) || isName) return 'parameter';
  return ts.isStatement(node) ? 'statement' : 'expression';
}
