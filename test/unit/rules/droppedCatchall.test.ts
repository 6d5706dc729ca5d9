import { describe, expect, it } from 'vitest';
import * as zod41 from 'zod-4-1';
import type { Probe, Subject } from '../../../server/src/rules/rule.ts';
import { check, type Options, only, summary, textOf } from './helpers/workspace.ts';

const tool = (schema: string): string => `server.registerTool('list', { inputSchema: ${schema} }, async () => ({}));\n`;
const BOATS = `const ListBoats = z.strictObject({ harbour: z.string(), filters: z.array(z.string()).optional() });\n`;
const NOTE = `const Note = z.looseObject({ title: z.string() });\n`;
const RANGE = `const Range = z.object({ from: z.number(), to: z.number() }).refine((v) => v.from <= v.to, 'from is after to');\n`;

describe('dropped-catchall: a registered shape', () => {
  it('is reported at the read, with a call that was run', async () => {
    const text = BOATS + tool('ListBoats.shape');
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('ListBoats.shape');
    expect(finding).toMatchObject({
      rule: 'dropped-catchall',
      severity: 'warning',
      tools: ['list'],
      surfaces: ['mcp-v1'],
    });
    expect(finding.message).toBe(
      'An undeclared argument such as "filter" would be deleted: `ListBoats.shape` is registered instead of `ListBoats`, ' +
        'and the plain object that it becomes is no longer strict. A call that `ListBoats` rejects succeeds without it.',
    );
    expect(finding.witness).toEqual({
      arguments: { harbour: 'text', filter: 'x' },
      expected: { by: 'source', name: 'ListBoats', accepts: false, error: 'Unrecognized key: "filter"' },
      actual: { by: 'mcp-v1', accepts: true, received: { harbour: 'text' } },
    });
    expect(finding.related.map(({ message, place }) => [message, textOf(text, place)])).toEqual([
      ['ListBoats is strict here', expect.stringMatching(/^z\.strictObject\(/)],
    ]);
  });

  it('is reported at the read within a literal', async () => {
    const text = BOATS + tool('{ ...ListBoats.shape, page: z.number() }');
    expect(await summary(text)).toEqual(['dropped-catchall warning: ListBoats.shape']);
  });

  it('is reported without fields too', async () => {
    const text = `const Nothing = z.strictObject({});\n${tool('Nothing.shape')}`;
    const { witness } = await only(text);
    expect(witness?.arguments).toEqual({ extra: 'x' });
    expect(await summary(`const Nothing = z.object({});\n${tool('Nothing.shape')}`)).toEqual([]);
  });

  it('is reported where a variable holds it, with the registration related', async () => {
    const text = `${BOATS}const shape = ListBoats.shape;\n${tool('shape')}`;
    const finding = await only(text);
    expect(text.slice(0, finding.at.span.start)).toMatch(/const shape = $/);
    expect(finding.related.map(({ message }) => message)).toEqual([
      'ListBoats is strict here',
      'registered as list here',
    ]);
  });

  it('says where only shapes can be registered', async () => {
    const direct = `${BOATS}server.tool('list', 'Lists', ListBoats.shape, async () => ({}));\n`;
    expect((await only(direct)).message).toContain('`server.tool` takes shapes only; `registerTool` takes the schema');
    const old = await only(BOATS + tool('ListBoats.shape'), { sdk: '1.20.2' });
    expect(old.message).toContain(
      'MCP SDK 1.20.2 takes shapes only; since 1.23 `registerTool` takes the schema itself.',
    );
    expect((await only(BOATS + tool('ListBoats.shape'), { sdk: '1.23.0' })).message).not.toContain('shapes only');
  });

  it('is nothing while no SDK is known to get it', async () => {
    expect(await summary(`${BOATS}define('list', ListBoats.shape);\n`)).toEqual([]);
    const registered: Options = {
      subject: ({ contract, offers }) => ({ contract: { ...contract, registeredAt: contract.definedAt }, offers }),
    };
    expect(await summary(`${BOATS}define('list', ListBoats.shape);\n`, registered)).toHaveLength(1);
  });

  const sink = `for (const tool of tools) server.registerTool(tool.name, { inputSchema: tool.schema.shape }, run);\n`;
  const run = 'const run = async () => ({});\n';

  it('is one finding in a sink that names its tools, when all of them lose something', async () => {
    const text = `${BOATS}${run}const tools = [{ name: 'two', schema: ListBoats }, { name: 'one', schema: ListBoats }];\n${sink}`;
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('tool.schema.shape');
    expect(finding.tools).toEqual(['one', 'two']);
    expect(finding.message).toContain('A call that `ListBoats` rejects succeeds without it.');
    const related = finding.related.map(({ message, place }) => `${message}: ${textOf(text, place)}`);
    expect(related).toContain(`defined as one here: { name: 'one', schema: ListBoats }`);
    expect(related).toContain(`defined as two here: { name: 'two', schema: ListBoats }`);
  });

  it('is reported at the definitions, when only some of a sink lose something', async () => {
    const text = `${BOATS}${run}const Plain = z.object({ q: z.string() });\nconst tools = [{ name: 'one', schema: ListBoats }, { name: 'two', schema: Plain }];\n${sink}`;
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe(`{ name: 'one', schema: ListBoats }`);
    expect(finding.tools).toEqual(['one']);
    expect(finding.related.map(({ message, place }) => `${message}: ${textOf(text, place)}`)).toContain(
      'its shape is read here: tool.schema.shape',
    );
    expect(finding.fixes.map(({ id }) => id)).toEqual(['ignore']);
  });
});

describe('dropped-catchall: a rebuilt object', () => {
  it.each([
    ['z.object(ListBoats.shape)'],
    ['z.object({ ...ListBoats.shape })'],
    ['z.object({ ...ListBoats.shape, page: z.number().optional() })'],
    ['ListBoats.merge(z.object({ page: z.number() }))'],
  ])('%s', async (schema) => {
    expect(await summary(BOATS + tool(schema))).toEqual([`dropped-catchall warning: ${schema}`]);
  });

  it('says what a loose source loses', async () => {
    const finding = await only(NOTE + tool('z.object({ ...Note.shape, at: z.string() })'));
    expect(finding.message).toBe(
      'Arguments that `Note` lets through, such as "extra", would be deleted: this object is rebuilt from `Note.shape` ' +
        'and no longer keeps undeclared keys. The call succeeds and the handler never sees them.',
    );
    expect(finding.witness).toMatchObject({
      expected: { accepts: true, value: { title: 'text', extra: 'x' } },
      actual: { accepts: true, received: { title: 'text', at: 'text' } },
    });
  });

  it('tries a typed catchall with a value that it takes', async () => {
    const text = `const Times = z.object({ id: z.string() }).catchall(z.number().min(3));\n${tool('z.object(Times.shape)')}`;
    const { witness, message } = await only(text);
    expect(witness?.expected).toMatchObject({ accepts: true, value: { extra: expect.any(Number) } });
    expect(message).toContain('loses its `.catchall(…)`');
  });

  it('names the method that is lost', async () => {
    const text = `const A = z.object({ id: z.string() }).strict().describe('d');\n${tool('z.object(A.shape)')}`;
    expect((await only(text)).message).toContain('rebuilt from `A.shape` and loses its `.strict()`');
  });

  it('names what a merge takes', async () => {
    const finding = await only(BOATS + tool('ListBoats.merge(z.object({ page: z.number() }))'));
    expect(finding.message).toContain('`.merge()` takes the key policy of its argument, and `ListBoats` is strict.');
  });

  it('is found below, with the way to it', async () => {
    const text = `const Stop = z.strictObject({ quay: z.string() });\n${tool(
      'z.strictObject({ stops: z.array(z.object({ ...Stop.shape, minutes: z.number() })).min(1) })',
    )}`;
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('z.object({ ...Stop.shape, minutes: z.number() })');
    expect(finding.message).toMatch(/^An undeclared key such as "quays" in `stops\[\]` would be deleted/);
    expect(finding.witness?.arguments).toEqual({ stops: [{ quay: 'text', minutes: 1, quays: 'x' }] });
  });

  it.each([
    ['optional', 'z.object({ at: z.object({ ...Pos.shape }).optional() })'],
    ['nullable', 'z.object({ at: z.object({ ...Pos.shape }).nullable() })'],
    ['record', 'z.object({ at: z.record(z.string(), z.object({ ...Pos.shape })) })'],
    ['tuple', 'z.object({ at: z.tuple([z.string(), z.object({ ...Pos.shape })]) })'],
    ['union', 'z.object({ at: z.union([z.string(), z.object({ ...Pos.shape })]) })'],
    ['lazy', 'z.object({ at: z.lazy(() => z.object({ ...Pos.shape })) })'],
    ['default', 'z.object({ at: z.object({ ...Pos.shape }).default({ x: 1 }) })'],
    ['transform', 'z.object({ at: z.object({ ...Pos.shape }).transform((v) => v.x) })'],
    ['preprocess', 'z.object({ at: z.preprocess((v) => v, z.object({ ...Pos.shape })) })'],
    ['intersection', 'z.object({ at: z.object({ ...Pos.shape }).and(z.object({ y: z.number() })) })'],
    ['catchall', 'z.object({ at: z.object({}).catchall(z.object({ ...Pos.shape })) })'],
  ])('is found in %s', async (_kind, schema) => {
    const text = `const Pos = z.strictObject({ x: z.number() });\n${tool(schema)}`;
    expect(await summary(text)).toEqual(['dropped-catchall warning: z.object({ ...Pos.shape })']);
  });

  it('is found in a helper, for all its tools, with the name that the source is declared by', async () => {
    const text = `${BOATS}const relax = (s) => z.object(s.shape);\n${tool('relax(ListBoats)')}server.registerTool('more', { inputSchema: relax(ListBoats).extend({ page: z.number() }) }, async () => ({}));\n`;
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('z.object(s.shape)');
    expect(finding.tools).toEqual(['list', 'more']);
    expect(finding.message).toContain('rebuilt from `s.shape`');
    expect(finding.message).toContain('A call that `ListBoats` rejects');
  });

  it('is found through the rest after leaving fields out', async () => {
    const text = `${BOATS}const { harbour, ...rest } = ListBoats.shape;\n${tool('z.object(rest)')}`;
    const finding = await only(text);
    expect(textOf(text, finding.at)).toBe('z.object(rest)');
    // The source is asked about a value of its own, so that the undeclared key is all that is wrong with it.
    expect(finding.witness?.expected.error).toBe('Unrecognized key: "filter"');
  });

  it('is found below the rest of a tuple', async () => {
    const text = `const Pos = z.strictObject({ x: z.number() });\n${tool(
      'z.object({ at: z.tuple([z.string()], z.object({ ...Pos.shape })) })',
    )}`;
    expect((await summary(text)).map((line) => line.split(': ')[1])).toEqual(['z.object({ ...Pos.shape })']);
  });

  it('is found before methods that keep what it is called on', async () => {
    const text = BOATS + tool(`z.object(ListBoats.shape).extend({ a: z.string() }).partial().describe('d')`);
    expect(await summary(text)).toEqual(['dropped-catchall warning: z.object(ListBoats.shape)']);
  });

  it('is found where a merge undoes a policy that was put back', async () => {
    const text = BOATS + tool('z.object(ListBoats.shape).strict().merge(z.object({ a: z.string() }))');
    expect(await summary(text)).toEqual([
      'dropped-catchall warning: z.object(ListBoats.shape).strict().merge(z.object({ a: z.string() }))',
    ]);
  });

  it.each([
    ['strict', 'z3.object({ ...A.shape, b: z3.number() })'],
    ['passthrough', 'z3.object({ ...A.shape, b: z3.number() })'],
    ['strict', 'A.merge(z3.object({ b: z3.number() }))'],
  ])('of zod 3: %s, %s', async (method, schema) => {
    const text = `const A = z3.object({ id: z3.string() }).${method}();\n${tool(schema)}`;
    expect(await summary(text)).toEqual([`dropped-catchall warning: ${schema}`]);
  });
});

describe('dropped-catchall: a lost refinement', () => {
  it('is shown by a call that the check rejects', async () => {
    const finding = await only(RANGE + tool('z.object({ ...Range.shape, unit: z.string() })'));
    expect(finding.severity).toBe('warning');
    expect(finding.message).toBe(
      'A call that `Range` rejects ("from is after to") would go through: this object is rebuilt from `Range.shape` and ' +
        'loses its `.refine()`.',
    );
    expect(finding.witness?.expected).toMatchObject({ by: 'source', accepts: false, error: 'from is after to' });
    expect(finding.witness?.actual).toMatchObject({ accepts: true });
    expect(finding.related[0]?.message).toBe('Range has its check here');
  });

  it('is shown for a registered shape', async () => {
    expect(await summary(RANGE + tool('Range.shape'))).toEqual(['dropped-catchall warning: Range.shape']);
  });

  it('says so, one severity less, when no call is found', async () => {
    const text = `const A = z.object({ id: z.string() }).refine((v) => v.id !== 'never sampled');\n${tool('z.object(A.shape)')}`;
    const finding = await only(text);
    expect(finding).toMatchObject({ severity: 'information', witness: null });
    expect(finding.message).toMatch(/No call could be built that shows it\.$/);
  });

  it('is told together with a lost policy', async () => {
    const text = `const A = z.strictObject({ id: z.string() }).refine((v) => v.id !== 'q');\n${tool('z.object(A.shape)')}`;
    expect((await only(text)).message).toContain('Its `.refine()` no longer runs either.');
  });

  it('is found in a merge of a zod that drops it', async () => {
    const text = RANGE + tool('Range.merge(z.object({ a: z.string() }))');
    expect(await summary(text, { zod: zod41 })).toEqual([
      'dropped-catchall warning: Range.merge(z.object({ a: z.string() }))',
    ]);
  });

  it('is nothing when the new object has a refinement of its own', async () => {
    expect(await summary(RANGE + tool('z.object(Range.shape).refine((v) => v.from <= v.to)'))).toEqual([]);
  });
});

describe('dropped-catchall never reports', () => {
  it.each([
    ['an explicit .strip()', BOATS + tool('z.object(ListBoats.shape).strip()')],
    ['an explicit .strip() of the source', BOATS + tool('z.object(ListBoats.strip().shape)')],
    ['an explicit .strip() alone', BOATS + tool('ListBoats.strip().extend({ page: z.number() })')],
    ['a plain source', `const A = z.object({ id: z.string() });\n${tool('z.object({ ...A.shape, b: z.number() })')}`],
    ['a plain shape', `const A = z.object({ id: z.string() });\n${tool('A.shape')}`],
    ['a policy put back', BOATS + tool('z.object(ListBoats.shape).strict()')],
    ['a policy put back later', BOATS + tool('z.object(ListBoats.shape).extend({ a: z.string() }).loose()')],
    [
      'a policy put back by a helper',
      `${BOATS}const re = (s) => z.object(s.shape).strict();\n${tool('re(ListBoats)')}`,
    ],
    ['a merge with a strict argument', BOATS + tool('z.object({ a: z.string() }).merge(ListBoats)')],
    ['extend', BOATS + tool('ListBoats.extend({ page: z.number() })')],
    ['extend with a shape', BOATS + tool('z.object({ a: z.string() }).extend(ListBoats.shape)')],
    ['safeExtend with a shape', BOATS + tool('z.object({ a: z.string() }).safeExtend(ListBoats.shape)')],
    ['pick', BOATS + tool('ListBoats.pick({ harbour: true })')],
    ['omit', BOATS + tool('ListBoats.omit({ harbour: true })')],
    ['partial', BOATS + tool('ListBoats.partial()')],
    ['required', BOATS + tool('ListBoats.partial().required()')],
    [
      'two objects of one plain shape',
      `const shape = { id: z.string() };\nconst A = z.strictObject(shape);\n${tool('z.object({ a: A, b: z.object(shape) })')}`,
    ],
    [
      'the plain object that the strict one was made from',
      `const Base = z.object({ id: z.string() });\nconst A = Base.strict();\n${tool('z.object({ a: A, b: Base, c: z.object(Base.shape) })')}`,
    ],
    ['a catchall that was overridden', BOATS + tool('z.looseObject({ ...ListBoats.shape })')],
    ['a catchall that was overridden by another', NOTE + tool('z.object(Note.shape).catchall(z.number())')],
    ['single fields', BOATS + tool('z.object({ harbour: ListBoats.shape.harbour })')],
    ['the object itself', BOATS + tool('ListBoats')],
    ['no input', `server.registerTool('list', {}, async () => ({}));\n`],
  ])('%s', async (_what, text) => {
    expect(await summary(text)).toEqual([]);
  });

  it('an output schema', async () => {
    const text = `${BOATS}server.registerTool('list', { inputSchema: z.object({}), outputSchema: z.object(ListBoats.shape) }, async () => ({}));\n`;
    expect(await summary(text)).toEqual([]);
  });

  it('a loss that the surface does not show', async () => {
    const keeps: Options = {
      probe: (real): Probe => ({ ...real, call: async (_offer, args) => ({ accepts: true, value: args }) }),
    };
    expect(await summary(BOATS + tool('z.object(ListBoats.shape)'), keeps)).toEqual([]);
    const rejects: Options = {
      probe: (real): Probe => ({
        ...real,
        call: async (_offer, args) =>
          'filter' in args ? { accepts: false, error: 'no' } : { accepts: true, value: args },
      }),
    };
    expect(await summary(BOATS + tool('z.object(ListBoats.shape)'), rejects)).toEqual([]);
  });
});

describe('dropped-catchall without an answer', () => {
  it('says so, one severity less, when no sample is found', async () => {
    const unsampled: Options = {
      probe: (real) => ({ ...real, sample: async () => ({ found: false, reason: 'none' }) }),
    };
    const finding = await only(BOATS + tool('z.object(ListBoats.shape)'), unsampled);
    expect(finding).toMatchObject({ severity: 'information', witness: null, surfaces: ['mcp-v1'] });
    expect(finding.message).toBe(
      'An undeclared argument would be deleted: this object is rebuilt from `ListBoats.shape` and is no longer strict. ' +
        'A call that `ListBoats` rejects succeeds without it. No call could be built that shows it.',
    );
  });

  it('does not take a surface that rejects every call for one that keeps the policy', async () => {
    const broken: Options = { probe: (real) => ({ ...real, call: async () => ({ accepts: false, error: 'down' }) }) };
    expect(await only(BOATS + tool('z.object(ListBoats.shape)'), broken)).toMatchObject({
      severity: 'information',
      witness: null,
    });
  });

  it('is judged by the contract where no surface can be driven', async () => {
    const alone: Options = { subject: ({ contract }) => ({ contract, offers: [] }) };
    const finding = await only(BOATS + tool('z.object(ListBoats.shape)'), alone);
    expect(finding.surfaces).toEqual(['contract']);
    expect(finding.witness?.actual).toMatchObject({ by: 'contract', accepts: true });
  });

  const refused = ({ contract, offers }: Subject): Subject => ({
    contract,
    offers: offers.map((offer) => ({ ...offer, mountError: 'Tool is already registered.' })),
  });

  it('is nothing where the SDK throws at the registration, which is said instead', async () => {
    const text = BOATS + tool('z.object(ListBoats.shape)');
    const finding = await only(text, { subject: refused });
    expect(finding).toMatchObject({ rule: 'not-evaluated', severity: 'information', witness: null });
    expect(finding.message).toMatch(
      /is not checked, because @modelcontextprotocol\/sdk 1\.32\.2 throws when it is registered.*: Tool is already registered\.$/,
    );
    expect(await check(text, { subject: refused, config: { rules: { 'not-evaluated': 'off' } } })).toEqual([]);
  });

  it('is judged by its contract where another SDK may yet take it', async () => {
    const text = `${BOATS}define('boats', z.object(ListBoats.shape));`;
    expect((await only(text, { subject: refused })).surfaces).toEqual(['contract']);
  });

  it('is judged by the SDK that takes it', async () => {
    const one = (made: Subject): Subject => ({ ...made, offers: [...refused(made).offers, ...made.offers] });
    expect((await only(BOATS + tool('z.object(ListBoats.shape)'), { subject: one })).rule).toBe('dropped-catchall');
  });

  it('is nothing when the source does not keep the key after all', async () => {
    const forgetful: Options = {
      probe: (real) => ({
        ...real,
        parse: async (contract, node, value, whatIf) => {
          const outcome = await real.parse(contract, node, value, whatIf);
          return outcome.accepts ? { accepts: true, value: { title: 'text' } } : outcome;
        },
      }),
    };
    expect(await summary(NOTE + tool('z.object(Note.shape)'), forgetful)).toEqual([]);
  });

  it('reports only the surfaces that show it', async () => {
    const two: Options = {
      subject: ({ contract, offers }) => ({
        contract,
        offers: [...offers, ...offers.map((offer) => ({ ...offer, surface: { id: 'contract' as const } }))],
      }),
      probe: (real) => ({
        ...real,
        call: async (offer, args) =>
          offer.surface.id === 'contract' ? { accepts: true, value: args } : real.call(offer, args),
      }),
    };
    expect((await only(BOATS + tool('z.object(ListBoats.shape)'), two)).surfaces).toEqual(['mcp-v1']);
  });
});

describe('dropped-catchall names', () => {
  it('says "the source object" where the text has no short name', async () => {
    const text = tool('z.object(z.strictObject({ id: z.string() }).shape)');
    const findings = await check(text);
    expect(findings[0]?.message).toContain('A call that the source object rejects');
  });

  it('chooses a key that nothing in the tool declares', async () => {
    const text = BOATS + tool('z.object({ ...ListBoats.shape, filter: z.string().optional() })');
    expect((await only(text)).message).not.toContain('"filter"');
  });
});
