import { ts } from '../../discovery/typescript.ts';
import { bare } from '../syntax.ts';
import { type CodeStyle, quoted } from './codeStyle.ts';
import { isMultiline } from './literals.ts';
import { entryMessage, type GoneInput } from './message.ts';

/** How entries of a file are written. */
export interface EntryStyle extends CodeStyle {
  /** Names of an entry's properties in their order. */
  readonly order: readonly ('lastRelease' | 'triggers' | 'message')[];
  readonly isMultiline: boolean;
  readonly triggers: TriggerStyle;
  /** Every key is quoted, also one that need not be. */
  readonly quotesKeys: boolean;
  readonly trailingComma: boolean;
}

export interface TriggerStyle {
  /** `{ present: ['a'] }` instead of a list of triggers. */
  readonly isGrouped: boolean;
  /** What `when` is called. */
  readonly when: string;
  readonly pathFirst: boolean;
  readonly isMultiline: boolean;
}

const NAMES = ['lastRelease', 'triggers', 'message'] as const;

/** The style of an entry that is there; of none the one that the documentation shows. */
export function entryStyleOf(entry: ts.ObjectLiteralExpression | undefined, code: CodeStyle): EntryStyle {
  const order = entry?.properties.flatMap(({ name }) => NAMES.find((one) => name && keyText(name) === one) ?? []) ?? [];
  const keys = [entry, ...(entry ? [entry.parent?.parent] : [])].flatMap((literal) =>
    literal && ts.isObjectLiteralExpression(literal) ? literal.properties.flatMap(({ name }) => name ?? []) : [],
  );
  return {
    ...code,
    order: order.length === NAMES.length ? order : NAMES,
    isMultiline: entry ? isMultiline(entry) : true,
    triggers: triggerStyleOf(entry && propertyValue(entry, 'triggers')),
    quotesKeys: keys.length > 0 && keys.every((key) => ts.isStringLiteral(key)),
    trailingComma: entry ? (entry.properties.hasTrailingComma ?? false) : true,
  };
}

function triggerStyleOf(triggers: ts.Expression | undefined): TriggerStyle {
  const list = triggers && bare(triggers);
  if (list && ts.isObjectLiteralExpression(list)) {
    return { isGrouped: true, when: 'when', pathFirst: true, isMultiline: false };
  }
  const [first] = list && ts.isArrayLiteralExpression(list) ? list.elements : [];
  const literal = first && bare(first);
  const names =
    literal && ts.isObjectLiteralExpression(literal)
      ? literal.properties.flatMap(({ name }) => (name ? (keyText(name) ?? []) : []))
      : [];
  return {
    isGrouped: false,
    when: names.find((name) => ['when', 'kind', 'type'].includes(name)) ?? 'when',
    pathFirst: names.length === 0 || names[0] === 'path',
    isMultiline: list !== undefined && ts.isArrayLiteralExpression(list) && isMultiline(list),
  };
}

/** One trigger for an input that may be present. */
export function triggerText(path: string, style: EntryStyle): string {
  if (style.triggers.isGrouped) return quoted(path, style);
  const parts = [
    `${key('path', style)}: ${quoted(path, style)}`,
    `${key(style.triggers.when, style)}: ${quoted('present', style)}`,
  ];
  return `{ ${(style.triggers.pathFirst ? parts : parts.reverse()).join(', ')} }`;
}

/**
 * The literal of a new entry.
 *
 * @param tool written into the entry when it is one of a list
 * @param indent of the line that the literal begins on
 */
export function entryText(
  tool: { readonly name: string; readonly isInside: boolean },
  release: string,
  gone: readonly GoneInput[],
  style: EntryStyle,
  indent: string,
): string {
  const inner = indent + style.indent;
  const values = {
    lastRelease: quoted(release, style),
    triggers: triggersText(gone, style, inner),
    message: quoted(entryMessage(tool.name, gone), style),
  };
  const properties = [
    ...(tool.isInside ? [`${key('tool', style)}: ${quoted(tool.name, style)}`] : []),
    ...style.order.map((name) => `${key(name, style)}: ${values[name]}`),
  ];
  if (!style.isMultiline) return `{ ${properties.join(', ')} }`;
  const lines = properties.map((property) => `${style.newline}${inner}${property}`).join(',');
  return `{${lines}${style.trailingComma ? ',' : ''}${style.newline}${indent}}`;
}

/** More inputs than these are a line each. */
const MOST_IN_A_LINE = 2;

function triggersText(gone: readonly GoneInput[], style: EntryStyle, indent: string): string {
  const texts = gone.map(({ path }) => triggerText(path, style));
  if (style.triggers.isGrouped) return `{ present: [${texts.join(', ')}] }`;
  if (!style.triggers.isMultiline && texts.length <= MOST_IN_A_LINE) return `[${texts.join(', ')}]`;
  const lines = texts.map((text) => `${style.newline}${indent}${style.indent}${text}`).join(',');
  return `[${lines}${style.trailingComma ? ',' : ''}${style.newline}${indent}]`;
}

/** A key of an object literal, quoted where it has to be or all are. */
export function key(name: string, style: Pick<EntryStyle, 'quotesKeys' | 'quote'>): string {
  return !style.quotesKeys && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quoted(name, style);
}

/** The value of a property of an object literal. */
export function propertyValue(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of literal.properties) {
    if (!property.name || keyText(property.name) !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

/** The text of a key that is written out. */
export function keyText(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return undefined;
}
