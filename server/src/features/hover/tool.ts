import type { Contract, Finding, Json, Offer } from '../../../../shared/src/model.ts';
import { rulePage } from '../../../../shared/src/rules.ts';
import { answer, inline, shortError } from '../../rules/callWords.ts';
import { rank } from '../../rules/severity.ts';
import { inputWords, plural } from '../keyPolicies.ts';
import type { Block, Line } from '../markup.ts';
import { surfaceName } from '../surface.ts';
import { nameOf, type Tool } from '../tool.ts';
import { policyList, type Words } from './policies.ts';

/** The contents of a hover over a tool's name or schema. Of several tools, one line each. */
export function toolHover(
  tools: readonly Tool[],
  findings: readonly Finding[],
  words: Words,
  isStale: (contract: Contract) => boolean,
): Block[] {
  const [first, second] = tools;
  if (!first) return [];
  if (second) return severalTools(tools);
  const { contract, unevaluated } = first;
  const title: Block = { is: 'title', line: [titleOf(first)] };
  if (!contract) {
    return [title, { is: 'paragraph', line: [`Not evaluated: ${unevaluated?.reason ?? 'its schema is not known'}`] }];
  }
  const stale: Block[] = isStale(contract)
    ? [{ is: 'paragraph', line: ['The code does not parse at the moment: this is of the last good text.'] }]
    : [];
  return [title, ...stale, ...policyList(contract, words), ...advertised(first.offers), ...witness(contract, findings)];
}

function titleOf({ contract, unevaluated, offers, zod }: Tool): string {
  const surfaces = [...new Set(offers.map(({ surface }) => surfaceName(surface)))];
  const name = nameOf({ ...(contract && { contract }), ...(unevaluated && { unevaluated }), offers });
  return [name ?? 'a tool without a name', ...surfaces, ...(zod === undefined ? [] : [`zod ${zod}`])].join(' · ');
}

const MOST_TOOLS = 12;

function severalTools(tools: readonly Tool[]): Block[] {
  const rows = tools
    .slice(0, MOST_TOOLS)
    .map((tool): Line[] => [
      [{ code: nameOf(tool) ?? '?' }],
      [tool.contract ? inputWords(tool.contract) : 'not evaluated'],
    ]);
  const rest = tools.length - rows.length;
  return [
    { is: 'title', line: [plural(tools.length, 'tool')] },
    { is: 'table', head: ['tool', 'input'], rows },
    ...(rest > 0 ? [{ is: 'paragraph', line: [`and ${rest} more`] } satisfies Block] : []),
  ];
}

/** What each surface advertises, a line each. */
function advertised(offers: readonly Offer[]): Block[] {
  if (offers.length === 0) return [];
  const rows = offers.map((offer): Line[] => {
    const name = surfaceName(offer.surface).replace(/:.*/, '');
    const error = offer.mountError ?? offer.listError;
    if (error !== undefined) return [[name], [`cannot be listed: ${shortError(error)}`], [], []];
    return [[name], ...schemaCells(offer.advertised)];
  });
  return [{ is: 'table', head: ['advertised by', 'undeclared keys', 'inputs', 'required'], rows }];
}

const MOST_NAMES = 4;

function schemaCells(schema: Json): Line[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [[], [], []];
  const { properties, required, additionalProperties } = schema;
  const isOpen = additionalProperties === undefined || additionalProperties === true || isEmpty(additionalProperties);
  const keys = additionalProperties === false ? 'closed' : isOpen ? 'open' : 'typed';
  const inputs = typeof properties === 'object' && properties !== null ? Object.keys(properties).length : 0;
  const names = Array.isArray(required) ? required.map(String) : [];
  const shown = names.slice(0, MOST_NAMES).flatMap((name, index): Line => [index > 0 ? ', ' : '', { code: name }]);
  const more = names.length > MOST_NAMES ? [` and ${names.length - MOST_NAMES} more`] : [];
  return [[keys], [String(inputs)], names.length === 0 ? ['none'] : [...shown, ...more]];
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The call that shows the worst finding of a tool. */
function witness({ name, files }: Contract, findings: readonly Finding[]): Block[] {
  const own = findings.filter(
    (finding) => name !== null && finding.tools.includes(name) && files.includes(finding.at.file),
  );
  const [worst] = own.filter((finding) => finding.witness).sort((a, b) => rank(a.severity) - rank(b.severity));
  if (!worst?.witness) return [];
  const { arguments: sent, expected, actual } = worst.witness;
  const tool = name ?? 'the tool';
  const width = Math.max(expected.name.length, tool.length);
  const lines = [
    `call  ${inline(sent)}`,
    `  ${expected.name.padEnd(width)}  ${answer(expected, 'gives', expected.value)}`,
    `  ${tool.padEnd(width)}  ${answer(actual, 'runs with', actual.received)}`,
  ];
  return [
    { is: 'paragraph', line: [{ text: worst.rule, href: rulePage(worst.rule) }, ', shown by a call that was run:'] },
    { is: 'code', language: 'text', text: lines.join('\n') },
  ];
}
