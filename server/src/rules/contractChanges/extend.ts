import type { Entry } from '../../baseline/contractChanges.ts';
import { isAtOrAfter } from '../../baseline/releases.ts';
import { ts } from '../../discovery/typescript.ts';
import { bare } from '../syntax.ts';
import { quoted } from './codeStyle.ts';
import { type EntryStyle, propertyValue, triggerText } from './entryStyle.ts';
import { type Edit, insertInto } from './literals.ts';
import { entryMessage, type GoneInput } from './message.ts';

/**
 * Edits that make an entry say more: triggers for the inputs, the release when its own is older, and a sentence behind
 * its message.
 *
 * @returns undefined when the entry's parts are not written where they could be extended
 */
export function extendEntry(
  literal: ts.ObjectLiteralExpression,
  { tool, lastRelease, triggers: known }: Entry,
  release: string,
  gone: readonly GoneInput[],
  style: EntryStyle,
): Edit[] | undefined {
  const [triggers, message, written] = ['triggers', 'message', 'lastRelease'].map((name) =>
    propertyValue(literal, name),
  );
  if (!triggers || !message || !written) return undefined;
  // An entry of an older release may tell of an input that came back since, and is gone again.
  const untold = gone.filter(({ path }) => !known.some((one) => one.path === path && one.when === 'present'));
  return [
    ...(isAtOrAfter(lastRelease, release) ? [] : [replace(written, quoted(release, style))]),
    ...(untold.length === 0 ? [] : extendTriggers(bare(triggers), untold, style)),
    ...(untold.length === 0 ? [] : [extendMessage(bare(message), entryMessage(tool, untold), style)]),
  ];
}

function extendTriggers(triggers: ts.Expression, gone: readonly GoneInput[], style: EntryStyle): Edit[] {
  const texts = gone.map(({ path }) => ({ text: triggerText(path, style) }));
  if (ts.isArrayLiteralExpression(triggers)) return insertOrFill(triggers, texts, style);
  const all = texts.map(({ text }) => text).join(', ');
  if (!ts.isObjectLiteralExpression(triggers)) return [replace(triggers, `[...${triggers.getText()}, ${all}]`)];
  const present = propertyValue(triggers, 'present');
  const list = present && bare(present);
  if (list && ts.isArrayLiteralExpression(list)) return insertOrFill(list, texts, style);
  if (present) return [replace(present, `[...${present.getText()}, ${all}]`)];
  const first = triggers.properties[0];
  const text = `present: [${all}]`;
  return first ? insertInto(triggers, [{ text, before: first }], style) : [replace(triggers, `{ ${text} }`)];
}

/** A list without elements is written in one line. */
function insertOrFill(
  list: ts.ArrayLiteralExpression,
  texts: readonly { readonly text: string }[],
  style: EntryStyle,
): Edit[] {
  if (list.elements.length > 0) return insertInto(list, texts, style);
  return [replace(list, `[${texts.map(({ text }) => text).join(', ')}]`)];
}

function extendMessage(message: ts.Expression, sentence: string, style: EntryStyle): Edit {
  const last = ts.isBinaryExpression(message) ? bare(message.right) : message;
  const space = /\s.$/s.test(last.getText()) ? '' : ' ';
  const at = { start: last.end - 1, end: last.end - 1 };
  if (ts.isStringLiteral(last)) {
    const quote = last.getText().startsWith('"') ? '"' : "'";
    return { span: at, text: space + quoted(sentence, { quote }).slice(1, -1) };
  }
  if (ts.isNoSubstitutionTemplateLiteral(last) || ts.isTemplateExpression(last)) {
    return {
      span: at,
      text: space + sentence.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${'),
    };
  }
  return replace(message, `${message.getText()} + ${quoted(` ${sentence}`, style)}`);
}

/** What stands for its own name as well gets it written out. */
function replace(node: ts.Node, text: string): Edit {
  const name = ts.isShorthandPropertyAssignment(node.parent) ? `${node.getText()}: ` : '';
  return { span: { start: node.getStart(), end: node.end }, text: name + text };
}
