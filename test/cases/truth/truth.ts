import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { transform } from 'esbuild';
import { PROJECT } from '../project.ts';
import type { Claim, Variant } from '../variants.ts';
import type { Zod } from '../workspace.ts';

interface Answers {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly calls: readonly ({ readonly rejected: string } | { readonly received: unknown })[];
}

/**
 * Runs variants with the SDK of their workspace, in a process that knows nothing of the checker.
 *
 * @param root a workspace with one zod release; what is run is written to its `dist`
 * @returns by variant, the claims of its header that do not hold, one line each
 */
export async function untrueClaims(
  root: string,
  zod: Zod,
  variants: readonly Variant[],
): Promise<{ [variant: string]: string[] }> {
  const folder = join(root, 'dist');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(PROJECT, 'test/cases/truth/driver.mjs'), join(folder, 'driver.mjs'));
  const run = variants
    .map((variant) => ({ ...variant, claims: variant.claims.filter((claim) => claim.holdsWith(zod)) }))
    .filter(({ claims }) => claims.length > 0);
  for (const { name, text } of run) {
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20' });
    writeFileSync(join(folder, `${name}.mjs`), code);
  }
  const asked = Object.fromEntries(run.map(({ name, claims }) => [name, claims]));
  const printed = execFileSync(process.execPath, [join(folder, 'driver.mjs')], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const answers = JSON.parse(printed) as { [variant: string]: Answers };
  return Object.fromEntries(
    run.map(({ name, claims }) => {
      const own = answers[name] ?? { tools: [], calls: [] };
      return [name, claims.flatMap((claim, at) => untrue(claim, own, at))];
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
