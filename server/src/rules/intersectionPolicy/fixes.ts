import type { Finding, Fix, Json, SchemaNode, TextEdit } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import { isRefined } from '../refined.ts';
import type { SourceText } from '../rule.ts';
import { chainOf, expressionAt, fileText, memberable, shapeText, shortName, usesMini } from '../syntax.ts';
import { isObject } from '../values.ts';
import { UNNAMED } from './message.ts';
import type { Sides } from './sides.ts';

type Receiver = 'left' | 'right';

/**
 * The fixes that can be made in the text as it is, and the data they need: one object instead of the intersection, with
 * the key policy of one side or another that the author chooses. Only for two objects that declare different fields.
 *
 * @param own the place is the intersection's own expression
 */
export function offeredFixes(
  sides: Sides,
  at: Finding['at'],
  own: boolean,
  source: SourceText,
): { fixes: readonly Fix[]; data: Json } {
  const receiver = receiverOf(sides);
  const data = { text: source.text(at) ?? '', receiver, zod: sides.node.zod };
  const text = fileText(source, at.file);
  if (!own || text === undefined || !canExtend(sides)) return { fixes: [], data };
  const file = parse(at.file, text);
  const operands = operandsOf(file, at.span);
  if (!operands || usesMini(operands.call)) return { fixes: [], data };
  const side = sides[receiver];
  const name = shortName(operands[receiver].getText()) ?? UNNAMED[receiver];
  const fixes = [
    { id: 'extend', title: `Extend ${name} instead`, preferred: true },
    ...(side.policy === 'strict'
      ? []
      : [{ id: 'strict', title: 'Extend and reject other keys with .strict()', preferred: false }]),
    ...(side.policy === 'loose'
      ? []
      : [{ id: 'loose', title: `Extend and keep other keys with ${loose(side.zod)}`, preferred: false }]),
    ...(side.policy === 'strip'
      ? []
      : [{ id: 'strip', title: 'Extend and delete other keys with .strip()', preferred: false }]),
  ];
  return { fixes, data };
}

/** The side to extend: the first one that says what becomes of undeclared keys. */
function receiverOf({ left, right }: Sides): Receiver {
  return left.policy === 'strip' && right.policy !== undefined && right.policy !== 'strip' ? 'right' : 'left';
}

/** Shared fields would be overwritten instead of intersected, and a refinement of the other side would be lost. */
function canExtend({ left, right }: Sides): boolean {
  const isPlainObject = (node: SchemaNode): boolean => node.kind === 'object' && !isRefined(node);
  return (
    isPlainObject(left) &&
    isPlainObject(right) &&
    Object.keys(left.fields ?? {}).every((name) => right.fields?.[name] === undefined)
  );
}

function loose(zod: 3 | 4): string {
  return zod === 3 ? '.passthrough()' : '.loose()';
}

/** The edits of a fix, or undefined when the text is no longer what the finding was about. */
export function resolveFix(
  finding: Finding,
  fixId: string,
  read: (file: string) => string | undefined,
): readonly TextEdit[] | undefined {
  const { file, span } = finding.at;
  const { data } = finding;
  const text = read(file);
  if (text === undefined || !isObject(data) || text.slice(span.start, span.end) !== data.text) return undefined;
  const operands = operandsOf(parse(file, text), span);
  if (!operands) return undefined;
  const [receiver, other] =
    data.receiver === 'right' ? [operands.right, operands.left] : [operands.left, operands.right];
  const policy: { readonly [id: string]: string } = {
    extend: '',
    strict: '.strict()',
    loose: loose(data.zod === 3 ? 3 : 4),
    strip: '.strip()',
  };
  const call = policy[fixId];
  if (call === undefined) return undefined;
  const made = `${memberable(receiver)}.extend(${shapeText(other)})${call}`;
  return [{ file, span: { start: operands.call.getStart(), end: operands.call.end }, text: made }];
}

/** `A` and `B` of `A.and(B)` or `z.intersection(A, B)` in a chain, with the call. */
export function operandsOf(
  file: ts.SourceFile,
  span: Finding['at']['span'],
): { call: ts.CallExpression; left: ts.Expression; right: ts.Expression } | undefined {
  for (const { call, receiver, name, args } of chainOf(expressionAt(file, span))) {
    const [first, second] = args;
    if (args.some(ts.isSpreadElement)) return undefined;
    if (name.text === 'and' && first && args.length === 1) return { call, left: receiver, right: first };
    if (name.text === 'intersection' && first && second) return { call, left: first, right: second };
  }
  return undefined;
}
