import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { transform } from 'esbuild';
import { PROJECT } from '../project.ts';
import type { Claim, Variant } from '../variants.ts';

interface Answers {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly calls: readonly ({ readonly rejected: string } | { readonly received: unknown })[];
}

/** What must be so: one of several claims. */
export type AnyOf = readonly Claim[];

/**
 * Runs the servers of variants with the SDK of their workspace, in a process that knows nothing of the checker.
 *
 * @param root a workspace with one zod release; what is run is written to its `dist`
 * @param claims by variant, what to hold against what the SDK does
 * @returns by variant, what does not hold, one line each
 */
export async function untrueClaims(
  root: string,
  variants: readonly Variant[],
  claims: (variant: Variant) => readonly AnyOf[],
): Promise<{ [variant: string]: string[] }> {
  const folder = join(root, 'dist');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(PROJECT, 'test/cases/truth/driver.mjs'), join(folder, 'driver.mjs'));
  const run = variants.map((variant) => ({ ...variant, all: claims(variant) })).filter(({ all }) => all.length > 0);
  for (const { name, text } of run) {
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20' });
    writeFileSync(join(folder, `${name}.mjs`), code);
  }
  const printed = execFileSync(process.execPath, [join(folder, 'driver.mjs')], {
    input: JSON.stringify(Object.fromEntries(run.map(({ name, all }) => [name, all.flat()]))),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const answers = JSON.parse(printed) as { [variant: string]: Answers };
  return Object.fromEntries(
    run.map(({ name, all }) => {
      const own = answers[name] ?? { tools: [], calls: [] };
      let at = 0;
      return [
        name,
        all.flatMap((anyOf) => {
          const faults = anyOf.map((claim) => untrue(claim, own, at++));
          return faults.some((fault) => fault.length === 0) ? [] : faults.flat();
        }),
      ];
    }),
  );
}

function untrue({ tool, arguments: args, outcome }: Claim, { tools, calls }: Answers, at: number): string[] {
  const call = `${tool} ${JSON.stringify(args)}`;
  if (outcome === 'allowed' || outcome === 'forbidden') {
    const schema = tools.find(({ name }) => name === tool)?.inputSchema;
    if (!schema) return [`${call}: it is not listed`];
    const is = new Ajv({ strict: false, validateFormats: false }).validate(schema, args) ? 'allowed' : 'forbidden';
    return is === outcome ? [] : [`${call}: the listed schema says ${is}, not ${outcome}`];
  }
  const answer = calls[at];
  if (!answer) return [`${call}: no answer`];
  if (outcome === 'rejected')
    return 'rejected' in answer ? [] : [`${call}: received ${JSON.stringify(answer.received)}`];
  if ('rejected' in answer) return [`${call}: rejected, ${answer.rejected}`];
  return isDeepStrictEqual(answer.received, outcome.received)
    ? []
    : [`${call}: received ${JSON.stringify(answer.received)}`];
}
