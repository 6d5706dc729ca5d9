import { blankSourceFile } from 'ts-blank-space';
import { ts } from '../discovery/typescript.ts';

/** A file's text without types, and the parts of it for which blanking is not enough. */
export interface Erased {
  /** Same length as the source text: no offset moves. */
  readonly text: string;
  /** Whether a part holds what only a transpiler can take away: enums, parameter properties, JSX, decorators, … */
  needsLowering(part: ts.Node): boolean;
}

/**
 * Erases types by blanking them.
 *
 * @param source a JavaScript file has no types to erase; JSX and decorators may need lowering there too
 */
export function erase(source: ts.SourceFile): Erased {
  const leftOver: { pos: number; end: number }[] = [];
  const hasJsx = source.languageVariant === ts.LanguageVariant.JSX && /<[A-Za-z>]/.test(source.text);
  const text = /\.[cm]?jsx?$/.test(source.fileName)
    ? source.text
    : blankSourceFile(source as never, (node) => leftOver.push({ pos: node.pos, end: node.end }));
  const hasDecorators = /@\s*[\w$([]/.test(text);
  return {
    text,
    needsLowering(part) {
      if (leftOver.some(({ pos, end }) => pos >= part.pos && end <= part.end)) return true;
      return (hasJsx && contains(part, isJsx)) || (hasDecorators && contains(part, ts.isDecorator));
    },
  };
}

function isJsx(node: ts.Node): boolean {
  return ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);
}

function contains(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return test(node) || ts.forEachChild(node, (child) => contains(child, test) || undefined) === true;
}
