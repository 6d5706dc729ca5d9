import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { check } from './commandLine.ts';
import { inFolder } from './inFolder.ts';
import { differences, unevaluated } from './judge.ts';
import { expectedWith } from './manifest.ts';
import { markedIn } from './markers.ts';
import { untrueClaims } from './truth/truth.ts';
import { claimOfWitness } from './truth/witnesses.ts';
import { readVariants } from './variants.ts';
import { dependenciesOf, makeWorkspaceOf, ZODS, type Zod } from './workspace.ts';

const variants = readVariants();
/** Rules that are not about what a call does. */
const UNPROVED = ['not-evaluated', 'unused-suppression'];

describe.each(Object.keys(ZODS) as Zod[])('with zod %s', (zod) => {
  const own = variants.filter(({ zods }) => zods.includes(zod));
  let report: JsonReport;
  let untrue: { [variant: string]: string[] };
  let unwitnessed: { [variant: string]: string[] };

  beforeAll(async () => {
    const packages = own.map(({ name, text }) => [
      name,
      { files: { [`${name}.ts`]: text }, dependencies: dependenciesOf(text) },
    ]);
    const root = makeWorkspaceOf('variants', zod, Object.fromEntries(packages));
    report = await check(root);
    untrue = await untrueClaims(root, own, ({ claims }) =>
      claims.filter((claim) => claim.holdsWith(zod)).map((claim) => [claim]),
    );
    // A variant that says nothing of its calls is none that can be run.
    const runnable = own.filter(({ claims }) => claims.length > 0);
    unwitnessed = await untrueClaims(root, runnable, ({ name }) =>
      inFolder(report, name).findings.flatMap((finding) => {
        const claim = claimOfWitness(finding);
        return claim ? [claim] : [];
      }),
    );
  });

  it.each(own)('what $name says of its calls is so', ({ name }) => {
    expect(untrue[name] ?? []).toEqual([]);
  });

  it.each(own)('what the witnesses of $name show is what the SDK does', ({ name }) => {
    expect(unwitnessed[name] ?? []).toEqual([]);
  });

  it.each(own)('$name is reported where it is marked', ({ name, text }) => {
    const found = inFolder(report, name);
    const marked = expectedWith(zod, markedIn(`${name}.ts`, text));
    expect(differences(found.findings, marked).join('\n')).toBe('');
    const proved = found.findings.filter(({ rule }) => !UNPROVED.includes(rule));
    // Where no call could be built the finding says so, and drops a severity.
    expect(proved.filter(({ witness, severity }) => witness === null && severity !== 'information')).toEqual([]);
    if (!marked.some(({ rule }) => rule === 'not-evaluated')) expect(unevaluated(found)).toEqual([]);
  });
});
