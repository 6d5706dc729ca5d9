import type { Json, Span } from '../../../../shared/src/model.ts';
import { ts } from '../../discovery/typescript.ts';
import { bare } from '../syntax.ts';
import { isObject } from '../values.ts';

/** What the fixes need to know, kept with the finding. */
export type FixData = {
  readonly via: 'shape' | 'merge';
  /** The object is the one an SDK wraps a registered shape in. */
  readonly registered: boolean;
  /** The SDK that the shape is registered on takes schemas too. */
  readonly schemas: boolean;
  /** Text of the reported expression, to see that it is still there. */
  readonly text: string;
  readonly read: { readonly start: number; readonly end: number } | null;
  /** Method that makes a larger object and keeps policy and refinements: `extend` or `safeExtend`. */
  readonly extend: 'extend' | 'safeExtend';
  /** Text of the source's typed catchall, when it means the same in the reported file. */
  readonly catchall: string | null;
  readonly zod: 3 | 4;
};

/** Whether a finding is about a registered shape, which is reported where the shape is read. */
export function isAboutRegisteredShape(data: Json | undefined): boolean {
  return isObject(data) && data.registered === true;
}

/** Replacements in the file of the finding; undefined where a fix cannot be made. */
export type Edits = readonly { readonly span: Span; readonly text: string }[] | undefined;

/** `S.extend({ … })` for `{ ...S.shape, … }`, or `S` when nothing is added; undefined when the spread is not first. */
export function extendedBy(literal: ts.ObjectLiteralExpression, data: FixData): string | undefined {
  const [spread, next] = literal.properties;
  if (!spread || !ts.isSpreadAssignment(spread)) return undefined;
  const owner = ownerOfRead(bare(spread.expression), data);
  if (owner === undefined) return undefined;
  if (!next) return owner;
  const text = literal.getSourceFile().text;
  const rest = text.slice(literal.getStart(), spread.getFullStart()) + text.slice(next.getFullStart(), literal.end);
  return `${owner}.${data.extend}(${rest})`;
}

/** Text of `S` when an expression is the reported read `S.shape`. */
export function ownerOfRead(expression: ts.Expression, { read }: FixData): string | undefined {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'shape' || !read) return undefined;
  return expression.getStart() === read.start && expression.end === read.end
    ? expression.expression.getText()
    : undefined;
}
