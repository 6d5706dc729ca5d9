import { blankSourceFile } from 'ts-blank-space';
import { ts } from '../discovery/typescript.ts';

/** A file's text without types, and the statements for which blanking is not enough. */
export interface Erased {
  /** Same length as the source text: no offset moves. */
  readonly text: string;
  /** Whether a statement has parts that only a transpiler can take away: enums, parameter properties, JSX, … */
  needsLowering(statement: ts.Node): boolean;
}

/**
 * Erases types by blanking them.
 *
 * @param javascript no types to erase, only JSX may need lowering
 */
export function erase(source: ts.SourceFile, javascript: boolean): Erased {
  const leftOver: { pos: number; end: number }[] = [];
  const hasJsx = source.languageVariant === ts.LanguageVariant.JSX && /<[A-Za-z>]/.test(source.text);
  const text = javascript
    ? source.text
    : blankSourceFile(source as never, (node) => leftOver.push({ pos: node.pos, end: node.end }));
  return {
    text,
    needsLowering(statement) {
      if (leftOver.some((part) => part.pos >= statement.pos && part.end <= statement.end)) return true;
      return (hasJsx && contains(statement, isJsx)) || (/@\w/.test(text) && contains(statement, ts.isDecorator));
    },
  };
}

/**
 * Turns one statement or expression, with its types, into JavaScript of a given version.
 *
 * @param code may hold instrumentation
 */
export function lower(code: string, target: ts.ScriptTarget = ts.ScriptTarget.ESNext): string {
  return ts.transpileModule(code, {
    fileName: 'lowered.tsx',
    compilerOptions: {
      target,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      experimentalDecorators: true,
      jsx: ts.JsxEmit.React,
      removeComments: true,
    },
  }).outputText;
}

function isJsx(node: ts.Node): boolean {
  return ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);
}

function contains(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return test(node) || ts.forEachChild(node, (child) => contains(child, test) || undefined) === true;
}
