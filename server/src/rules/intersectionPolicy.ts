import type { Place } from '../../../shared/src/model.ts';
import { parse } from '../discovery/syntax.ts';
import { placeOf, type Visit, walk } from './graph.ts';
import { gather } from './intersectionPolicy/evidence.ts';
import { offeredFixes, operandsOf, resolveFix } from './intersectionPolicy/fixes.ts';
import { judge } from './intersectionPolicy/judge.ts';
import { messageOf, type SideNames, UNNAMED } from './intersectionPolicy/message.ts';
import { isHarmless, type Sides, sidesOf } from './intersectionPolicy/sides.ts';
import { contains, registrationRelated } from './related.ts';
import type { Probe, Rule, SourceText, Subject, ToolFinding } from './rule.ts';
import { fileText, shortName } from './syntax.ts';
import { isToldOf, lanesOf } from './witness.ts';

/** An intersection that answers undeclared keys otherwise than its sides do, or that nothing satisfies. */
export const intersectionPolicy: Rule = {
  code: 'intersection-policy',
  judgesCalls: true,
  async check(subject, probe, source) {
    const { graph } = subject.contract;
    if (!graph) return [];
    const found = [...walk(graph)].flatMap((visit) => {
      const sides = sidesOf(graph, visit.node);
      return sides && !isHarmless(sides) ? [{ visit, sides }] : [];
    });
    const findings = await Promise.all(found.map(({ visit, sides }) => report(subject, probe, source, visit, sides)));
    return findings.filter((finding) => finding !== undefined);
  },
  resolve: resolveFix,
};

async function report(
  subject: Subject,
  probe: Probe,
  source: SourceText,
  visit: Visit,
  sides: Sides,
): Promise<ToolFinding | undefined> {
  const { contract } = subject;
  const { graph } = contract;
  const at = graph && (visit.node.origin?.place ?? placeOf(graph, visit));
  if (!graph || !at) return undefined;
  const about = { contract, graph, probe };
  let read: SideNames | undefined;
  // Few are reported, and reading the names parses the file.
  const names = (): SideNames => {
    read ??= namesOf(source, at);
    return read;
  };
  const evidence = await gather(about, sides);
  const lanes = lanesOf(subject, probe);
  const judged = await judge(about, lanes, visit.path, evidence, ({ side }) =>
    (side.id === sides.left.id ? names().left : names().right).replaceAll('`', ''),
  );
  const faults = judged.filter(({ surfaces }) => isToldOf(subject, lanes, surfaces));
  const [worst] = faults;
  if (!worst) return undefined;
  return {
    severity: worst.severity,
    at,
    message: messageOf(graph, sides, names(), visit.name, faults),
    surfaces: [...new Set(faults.flatMap(({ surfaces }) => surfaces))],
    related: [...sideRelated(sides, names(), at), ...registrationRelated(contract, at)],
    witness: worst.witness,
    ...offeredFixes(sides, at, visit.node.origin !== undefined, source),
  };
}

function namesOf(source: SourceText, at: Place): SideNames {
  const text = fileText(source, at.file);
  const operands = text === undefined ? undefined : operandsOf(parse(at.file, text), at.span);
  const name = (text: string | undefined, otherwise: string): string => {
    const short = shortName(text);
    return short ? `\`${short}\`` : otherwise;
  };
  return {
    left: name(operands?.left.getText(), UNNAMED.left),
    right: name(operands?.right.getText(), UNNAMED.right),
  };
}

function sideRelated(sides: Sides, names: SideNames, at: Place): ToolFinding['related'] {
  return (
    [
      ['left', names.left],
      ['right', names.right],
    ] as const
  ).flatMap(([side, name]) => {
    const { origin, policy } = sides[side];
    if (!origin || contains(at, origin.place)) return [];
    const what = name.replaceAll('`', '');
    return [{ place: origin.place, message: `${what} ${policy ? POLICY_WORDS[policy] : 'is declared'} here` }];
  });
}

const POLICY_WORDS = {
  strip: 'deletes undeclared keys',
  strict: 'is strict',
  loose: 'keeps undeclared keys',
  catchall: 'takes undeclared keys of one type',
} as const;
