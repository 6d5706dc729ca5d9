import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, Offer, Outcome } from '../../shared/src/model.ts';
import type { Evaluated } from '../helpers/evaluate.ts';
import { evaluateWith, INSTALL_MS, type SdkName } from '../helpers/sdk.ts';
import { type Construct, constructs, shapeOf } from './constructs.ts';
import { type Answer, ask, type Reference, referenceFiles, ZOD } from './reference.ts';

interface Run {
  readonly sdk: SdkName;
  readonly reference: Reference;
  readonly zod: 3 | 4;
  readonly shapes: boolean;
}

/** Two versions of each surface and, where a surface takes both, both majors of zod and raw shapes. */
const RUNS: readonly Run[] = [
  { sdk: 'mcp-v1-1.32', reference: 'mcp-v1', zod: 4, shapes: true },
  { sdk: 'mcp-v1-1.32', reference: 'mcp-v1', zod: 3, shapes: true },
  { sdk: 'mcp-v1-1.29', reference: 'mcp-v1', zod: 4, shapes: true },
  { sdk: 'mcp-v2-2.4', reference: 'mcp-v2', zod: 4, shapes: true },
  { sdk: 'mcp-v2-2.4', reference: 'mcp-v2', zod: 3, shapes: true },
  { sdk: 'mcp-v2-2.0', reference: 'mcp-v2', zod: 4, shapes: true },
  { sdk: 'ai-7', reference: 'ai-v4', zod: 4, shapes: true },
  { sdk: 'ai-7', reference: 'ai-v4', zod: 3, shapes: false },
  { sdk: 'ai-6', reference: 'ai-v3', zod: 4, shapes: false },
  { sdk: 'ai-5', reference: 'ai-v2', zod: 4, shapes: false },
];

/** The module in which a person offers the constructs as tools. */
function offering({ reference, zod }: Run, all: readonly Construct[]): string {
  const z = `import { z } from '${ZOD[zod]}';`;
  const schema = (code: string | undefined): string => (code === undefined ? '' : `inputSchema: ${code}, `);
  if (reference.startsWith('ai')) {
    const tools = all.map(
      ({ id, code }) =>
        `  ${JSON.stringify(id)}: tool({ description: 'A tool', ${schema(code)}execute: async () => 'done' }),`,
    );
    return ["import { tool } from 'ai';", z, 'export const tools = {', ...tools, '};', ''].join('\n');
  }
  const from = reference === 'mcp-v1' ? '@modelcontextprotocol/sdk/server/mcp.js' : '@modelcontextprotocol/server';
  const tools = all.map(
    ({ id, code }) => `server.registerTool(${JSON.stringify(id)}, { ${schema(code)}}, async () => ({ content: [] }));`,
  );
  const server = "export const server = new McpServer({ name: 'compared', version: '1.0.0' });";
  return [`import { McpServer } from '${from}';`, z, server, ...tools, ''].join('\n');
}

/** What is seen by both sides in the same words: which of the two an outcome is, and a schema without key order. */
function sorted(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((part) => sorted(part) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part) ?? null]),
  );
}

/** Differences between an offer with its calls and the reference's answer; the words of an error may be framed. */
function differences(offer: Offer, outcomes: readonly Outcome[], answer: Answer): string[] {
  const found: string[] = [];
  const differ = (what: string, mine: unknown, its: unknown): void => {
    found.push(`${what}: ${JSON.stringify(mine)} instead of ${JSON.stringify(its)}`);
  };
  if (answer.mountError !== undefined || offer.mountError !== undefined) {
    if (offer.mountError !== answer.mountError) differ('mount error', offer.mountError, answer.mountError);
    return found;
  }
  if (!framed(offer.listError, answer.listError)) differ('list error', offer.listError, answer.listError);
  if (
    answer.listError === undefined &&
    JSON.stringify(sorted(offer.advertised)) !== JSON.stringify(sorted(answer.advertised))
  )
    differ('advertised', offer.advertised, answer.advertised);
  for (const [at, its] of answer.calls.entries()) {
    const mine = outcomes[at];
    const same = mine?.accepts
      ? its.accepts && JSON.stringify(sorted(mine.value)) === JSON.stringify(sorted(its.value))
      : mine && !its.accepts && framed(mine.error, its.error);
    if (!same) differ(`call ${at + 1}`, mine, its);
  }
  return found;
}

/** Whether both fail or neither does, for the same reason: the SDK's client puts its own words before the server's. */
function framed(mine: string | undefined, its: string | undefined): boolean {
  if (mine === undefined || its === undefined) return mine === its;
  return mine.startsWith("The SDK's client rejects the list") || its.endsWith(mine) || its === mine;
}

describe.each(RUNS)('$sdk, zod $zod', (run) => {
  const schemas = constructs(run.zod);
  const all = run.shapes ? [...schemas, ...schemas.flatMap((one) => shapeOf(one) ?? [])] : schemas;
  let evaluated: Evaluated;
  let answers: ReadonlyMap<string, Answer>;

  beforeAll(async () => {
    evaluated = await evaluateWith(run.sdk, `compare-zod${run.zod}`, {
      ...referenceFiles(run.reference, run.zod, all),
      'tools.ts': offering(run, all),
    });
    answers = await ask(evaluated.root);
  }, INSTALL_MS);
  afterAll(() => evaluated?.dispose());

  test(`${all.length} constructs are offered, on one surface`, () => {
    expect(evaluated.names()).toEqual(all.map(({ id }) => id).sort());
    const surface = run.reference.startsWith('ai') ? 'ai-sdk' : run.reference;
    for (const { id } of all)
      expect(
        evaluated.offers(id).map((offer) => offer.surface.id),
        id,
      ).toEqual([surface]);
    expect(schemas.length).toBeGreaterThanOrEqual(100);
  });

  test('the advertised schema and the outcome of every call are what the SDK itself makes of them', async () => {
    const wrong: string[] = [];
    for (const { id, calls } of all) {
      const [offer] = evaluated.offers(id);
      const answer = answers.get(id);
      if (!offer || !answer) throw new Error(`nothing is known of ${id}`);
      const outcomes = await Promise.all(calls.map((args) => evaluated.pipeline.probes.call(offer, args)));
      wrong.push(...differences(offer, outcomes, answer).map((one) => `${id}: ${one}`));
    }
    expect(wrong).toEqual([]);
  });
});
