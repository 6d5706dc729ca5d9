import type { Finding, Fix, Json, Place, Span, TextEdit } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import type { SourceText } from '../rule.ts';
import { bare, expressionAt, fileText, methodCall, shapeText, usesMini } from '../syntax.ts';
import { isObject } from '../values.ts';
import { type Edits, extendedBy, type FixData, ownerOfRead } from './extending.ts';
import { type Draft, oldSdk } from './message.ts';
import { registrationEdits } from './registration.ts';
import { policySetter } from './words.ts';

/**
 * The fixes of a finding that can be made in the text as it is, and the data they need.
 *
 * @param at the reported place
 */
export function offeredFixes(draft: Draft, at: Place, source: SourceText): { fixes: readonly Fix[]; data: Json } {
  const { loss } = draft;
  const data: FixData = {
    via: loss.via,
    registered: draft.registered,
    schemas: oldSdk(draft.subject) === undefined,
    text: source.text(at) ?? '',
    read: loss.read?.file === at.file ? { start: loss.read.span.start, end: loss.read.span.end } : null,
    extend: loss.refinement && loss.source.zod === 4 ? 'safeExtend' : 'extend',
    catchall: catchallText(draft, at, source),
    zod: loss.source.zod,
  };
  const text = fileText(source, at.file);
  const file = text === undefined ? undefined : parse(at.file, text);
  const fixes = file
    ? idsOf(draft).flatMap((id): Fix[] => {
        const edits = editsOf(file, at.span, data, id);
        const isExtended = edits?.some((edit) => edit.text.includes(`.${data.extend}(`)) ?? false;
        return edits
          ? [{ id, title: titleOf(draft, id, isExtended), preferred: id === 'extend' || id === 'register' }]
          : [];
      })
    : [];
  return { fixes, data };
}

function idsOf({ loss, registered }: Draft): string[] {
  // A policy that is said again does not bring a lost refinement back, so the finding would stay.
  if (registered) return loss.refinement ? ['register'] : ['register', 'strip'];
  if (loss.refinement) return ['extend'];
  const { policy } = loss.source;
  return ['extend', ...(policy === 'strict' || policy === 'catchall' ? [policy] : []), 'loose', 'strip'];
}

/** @param isExtended the fix adds fields to the source instead of taking it as it is */
function titleOf({ loss, names, subject }: Draft, id: string, isExtended: boolean): string {
  const source = names.local ?? 'the source object';
  const loose = loss.source.zod === 3 ? '.passthrough()' : '.loose()';
  switch (id) {
    case 'register':
      if (subject.contract.candidate.way === 'server.tool') return `Register ${source} itself with registerTool`;
      return isExtended ? `Extend ${source} instead` : `Register ${source} itself`;
    case 'extend':
      return isExtended ? `Extend ${source} instead` : `Use ${source} itself`;
    case 'strict':
      return 'Put .strict() back';
    case 'catchall':
      return 'Put .catchall() back';
    case 'loose':
      return loss.source.policy === 'loose' ? `Put ${loose} back` : `Keep unknown keys with ${loose}`;
    default:
      return 'Say .strip() explicitly';
  }
}

/** The edits of a fix, or undefined when the text is no longer what the finding was about. */
export function resolveFix(
  finding: Finding,
  fixId: string,
  read: (file: string) => string | undefined,
): readonly TextEdit[] | undefined {
  const { file, span } = finding.at;
  const data = fixData(finding.data);
  const text = read(file);
  if (!data || text === undefined || text.slice(span.start, span.end) !== data.text) return undefined;
  return editsOf(parse(file, text), span, data, fixId)?.map((edit) => ({ file, ...edit }));
}

function fixData(data: Json | undefined): FixData | undefined {
  return isObject(data) && typeof data.text === 'string' ? (data as unknown as FixData) : undefined;
}

function editsOf(file: ts.SourceFile, at: Span, data: FixData, id: string): Edits {
  const expression = expressionAt(file, at);
  if (!expression) return undefined;
  if (data.registered) return registrationEdits(expression, data, id, usesMini(expression));
  const call = methodCall(bare(expression));
  if (!call) return undefined;
  switch (id) {
    case 'extend':
      if (usesMini(expression)) return undefined;
      return data.via === 'merge' ? extendInsteadOfMerge(call, data) : extendInsteadOfSpread(call, data);
    case 'strict':
    case 'loose':
      return usesMini(expression) ? renameFactory(call, `${id}Object`) : append(expression, policyCall(data, id));
    case 'catchall':
      return usesMini(expression) || data.catchall === null
        ? undefined
        : append(expression, `.catchall(${data.catchall})`);
    case 'strip':
      return usesMini(expression) ? undefined : append(expression, '.strip()');
    default:
      return undefined;
  }
}

type Call = NonNullable<ReturnType<typeof methodCall>>;

function policyCall(data: FixData, id: 'strict' | 'loose'): string {
  return id === 'loose' && data.zod === 3 ? '.passthrough()' : `.${id}()`;
}

function append(expression: ts.Expression, text: string): Edits {
  return [{ span: { start: expression.end, end: expression.end }, text }];
}

function renameFactory({ name }: Call, factory: string): Edits {
  return name.text === 'object' ? [{ span: { start: name.getStart(), end: name.end }, text: factory }] : undefined;
}

function extendInsteadOfMerge({ call, receiver, name, args }: Call, data: FixData): Edits {
  const [argument] = args;
  if (name.text !== 'merge' || !argument || args.length > 1 || ts.isSpreadElement(argument)) return undefined;
  return [
    {
      span: { start: call.getStart(), end: call.end },
      text: `${receiver.getText()}.${data.extend}(${shapeText(argument)})`,
    },
  ];
}

function extendInsteadOfSpread({ call, name, args }: Call, data: FixData): Edits {
  const [argument] = args;
  if (name.text !== 'object' || !argument || args.length > 1) return undefined;
  const whole = { start: call.getStart(), end: call.end };
  const value = bare(argument);
  const owner = ownerOfRead(value, data);
  if (owner) return [{ span: whole, text: owner }];
  const extended = ts.isObjectLiteralExpression(value) ? extendedBy(value, data) : undefined;
  return extended === undefined ? undefined : [{ span: whole, text: extended }];
}

/** The argument of the source's `.catchall(T)`, when it is made of `z` alone, which the reported expression uses too. */
function catchallText({ graph, loss }: Draft, at: Place, source: SourceText): string | null {
  if (loss.source.policy !== 'catchall') return null;
  const setter = policySetter(graph, loss.source).origin;
  const text = setter && source.text(setter.place);
  const argument = text?.match(/\.catchall\(\s*(.*?)\s*\)$/s)?.[1];
  const factory = source.text(at)?.match(/^([\w$]+)\.object\(/)?.[1];
  if (argument === undefined || factory === undefined) return null;
  const names = argument.replace(/'[^']*'|"[^"]*"/g, '').match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ?? [];
  return names.every((word) => word === factory) ? argument : null;
}
