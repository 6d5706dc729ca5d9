import type { Finding, Fix, Json, TextEdit } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import type { ts } from '../../discovery/typescript.ts';
import type { SourceText } from '../rule.ts';
import { chainOf, expressionAt, fileText } from '../syntax.ts';
import { isObject } from '../values.ts';
import type { Site } from './sites.ts';

/**
 * The fixes that can be made in the text as it is, and the data they need.
 *
 * @param optional what calls showed of `.optional()` in the default's place: it mends the fault, or changes nothing;
 *   `untried` where no call showed a fault
 */
export function offeredFixes(
  site: Site,
  optional: 'mends' | 'changes nothing' | 'untried',
  source: SourceText,
): { fixes: readonly Fix[]; data: Json } {
  const text = source.text(site.at) ?? '';
  const data = { text, kind: site.defaulted.kind };
  const whole = fileText(source, site.at.file);
  if (!site.own || whole === undefined) return { fixes: [], data };
  const fixes = [
    ...(optional === 'mends' || (optional === 'untried' && !site.tag)
      ? [{ id: 'optional', title: 'Use .optional() instead', preferred: optional === 'mends' }]
      : []),
    ...(site.tag ? [{ id: 'require', title: `Require "${site.field}"`, preferred: false }] : []),
  ];
  const file = parse(site.at.file, whole);
  return { fixes: fixes.filter(({ id }) => editOf(file, site.at.span, site.defaulted.kind, id)), data };
}

/** The edits of a fix, or undefined when the text is no longer what the finding was about. */
export function resolveFix(
  finding: Finding,
  fixId: string,
  read: (file: string) => string | undefined,
): readonly TextEdit[] | undefined {
  const { file, span } = finding.at;
  const text = read(file);
  if (text === undefined || !isObject(finding.data) || text.slice(span.start, span.end) !== finding.data.text)
    return undefined;
  const edit = editOf(parse(file, text), span, String(finding.data.kind), fixId);
  return edit && [{ file, ...edit }];
}

function editOf(
  file: ts.SourceFile,
  span: Finding['at']['span'],
  kind: string,
  id: string,
): Omit<TextEdit, 'file'> | undefined {
  const calls = chainOf(expressionAt(file, span));
  const call = calls.find(({ name }) => name.text === kind);
  if (!call) return undefined;
  const isOptional = calls.some(({ name }) => name.text === 'optional' || name.text === 'nullish');
  return {
    span: { start: call.receiver.end, end: call.call.end },
    text: id === 'optional' && !isOptional ? '.optional()' : '',
  };
}
