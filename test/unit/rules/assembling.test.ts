import { describe, expect, it } from 'vitest';
import { assemble, checkSubject } from '../../../server/src/rules/index.ts';
import { mergeFindings, type Raw } from '../../../server/src/rules/merge.ts';
import type { Probe, SourceText, Subject } from '../../../server/src/rules/rule.ts';
import { applySeverities, lowered, worst } from '../../../server/src/rules/severity.ts';
import { DEFAULT_CONFIG } from '../../../shared/src/config.ts';
import type { Witness } from '../../../shared/src/model.ts';
import { check, FILE, summary, textOf } from './helpers/workspace.ts';

const witness = (name: string): Witness => ({
  arguments: {},
  expected: { by: 'source', name, accepts: true },
  actual: { by: 'mcp-v1', accepts: false },
});
function raw(part: Partial<Raw>): Raw {
  return {
    rule: 'dropped-catchall',
    subject: 'a',
    tool: 'a',
    severity: 'warning',
    at: { file: FILE, span: { start: 1, end: 2 } },
    message: 'm',
    surfaces: ['mcp-v1'],
    related: [],
    witness: null,
    fixes: [],
    ...part,
  };
}

describe('merging', () => {
  it('unites what stands at one rule and range', () => {
    const place = { file: FILE, span: { start: 5, end: 6 } };
    const merged = mergeFindings([
      raw({ subject: 'b', tool: 'zebra', surfaces: ['mcp-v1'], related: [{ place, message: 'same' }] }),
      raw({
        subject: 'a',
        tool: 'ape',
        severity: 'error',
        message: 'worse',
        surfaces: ['contract', 'mcp-v1'],
        witness: witness('ape'),
        related: [
          { place, message: 'same' },
          { place, message: 'other' },
        ],
        data: { of: 'ape' },
      }),
      raw({ subject: 'c', tool: null }),
    ]);
    expect(merged).toEqual([
      {
        rule: 'dropped-catchall',
        severity: 'error',
        at: { file: FILE, span: { start: 1, end: 2 } },
        message: 'worse',
        tools: ['ape', 'zebra'],
        surfaces: ['contract', 'mcp-v1'],
        related: [
          { place, message: 'same' },
          { place, message: 'other' },
        ],
        witness: witness('ape'),
        fixes: [],
        data: { of: 'ape' },
      },
    ]);
  });

  it('does not depend on the order', () => {
    const findings = [
      raw({ subject: 'b', tool: 'b', message: 'b' }),
      raw({ subject: 'a', tool: 'a', message: 'a' }),
      raw({ subject: 'c', tool: 'c', message: 'c', witness: witness('c') }),
    ];
    expect(mergeFindings(findings)).toEqual(mergeFindings([...findings].reverse()));
    expect(mergeFindings(findings)[0]?.message).toBe('c');
  });

  it('keeps other rules, ranges and files apart', () => {
    const others = [
      raw({}),
      raw({ rule: 'intersection-policy' }),
      raw({ at: { file: FILE, span: { start: 1, end: 3 } } }),
      raw({ at: { file: '/workspace/b.ts', span: { start: 1, end: 2 } } }),
    ];
    expect(mergeFindings(others)).toHaveLength(4);
  });

  it('offers only what mends all of them', () => {
    const fix = (id: string, title = id) => ({ id, title, preferred: false });
    const merged = mergeFindings([
      raw({ subject: 'a', fixes: [fix('extend'), fix('loose', 'Keep')] }),
      raw({ subject: 'b', fixes: [fix('loose', 'Put back'), fix('extend')] }),
    ]);
    expect(merged[0]?.fixes).toEqual([fix('extend')]);
  });
});

describe('severities', () => {
  it('are compared and lowered', () => {
    expect(worst('warning', 'error')).toBe('error');
    expect(worst('hint', 'information')).toBe('information');
    expect((['error', 'warning', 'information', 'hint'] as const).map(lowered)).toEqual([
      'warning',
      'information',
      'hint',
      'hint',
    ]);
  });

  it('that are set replace every grade, and off removes', () => {
    const findings = [
      { rule: 'a', severity: 'error', at: { file: '/one/a.ts' } },
      { rule: 'b', severity: 'hint', at: { file: '/one/a.ts' } },
      { rule: 'c', severity: 'error', at: { file: '/one/a.ts' } },
      { rule: 'c', severity: 'error', at: { file: '/two/a.ts' } },
    ] as const;
    const left = applySeverities(findings, (file) => (file.startsWith('/one/') ? { a: 'hint', c: 'off' } : {}));
    expect(left.map(({ rule, severity, at }) => `${rule} ${severity} ${at.file}`)).toEqual([
      'a hint /one/a.ts',
      'b hint /one/a.ts',
      'c error /two/a.ts',
    ]);
  });
});

const TOOLS = `const A = z.strictObject({ id: z.string() });
const B = z.looseObject({ id: z.string() });
server.registerTool('second', { inputSchema: z.object({ x: z.object(B.shape), y: z.object(A.shape) }) }, async () => ({}));
server.registerTool('first', { inputSchema: z.object({ x: z.object(A.shape), y: A.and(z.object({ q: z.string() })) }) }, async () => ({}));
`;

describe('all rules over all tools', () => {
  it('are sorted by position, and two runs give the same', async () => {
    const findings = await check(TOOLS);
    const starts = findings.map(({ at }) => at.span.start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(findings.map(({ rule, at }) => `${rule} ${textOf(TOOLS, at)}`)).toEqual([
      'dropped-catchall z.object(B.shape)',
      'dropped-catchall z.object(A.shape)',
      'dropped-catchall z.object(A.shape)',
      'intersection-policy A.and(z.object({ q: z.string() }))',
    ]);
    expect(await check(TOOLS)).toEqual(findings);
  });

  it('can be set and switched off', async () => {
    const rules = { 'dropped-catchall': 'off', 'intersection-policy': 'error' } as const;
    expect(await summary(TOOLS, { config: { rules } })).toEqual([
      'intersection-policy error: A.and(z.object({ q: z.string() }))',
    ]);
  });

  it('end with the fix that every finding has', async () => {
    for (const { fixes } of await check(TOOLS)) expect(fixes.at(-1)?.title).toBe('Ignore on this line');
  });

  it('do not ask the sandbox anything about a tool without a suspect', async () => {
    const never = async (): Promise<never> => {
      throw new Error('asked');
    };
    const silent: Probe = { sample: never, parse: never, call: never, jsonSchema: never };
    const text = `const A = z.strictObject({ id: z.string() });\nserver.registerTool('a', { inputSchema: A.extend({ b: z.union([z.string(), z.number()]).default(1) }) }, async () => ({}));\n`;
    expect(await summary(text, { probe: () => silent })).toEqual([]);
  });
});

describe('a rule that throws', () => {
  it('is told, and leaves the others alone', async () => {
    const subjects: Subject[] = [];
    await check(TOOLS, {
      subject: (subject) => {
        subjects.push(subject);
        return subject;
      },
    });
    const [, first] = subjects;
    if (!first) throw new Error('no tool');
    const source: SourceText = { text: ({ span }) => TOOLS.slice(span.start, span.end) };
    const defects: string[] = [];
    const broken: Probe = {
      sample: async () => ({ found: false, reason: 'none' }),
      parse: async () => ({ accepts: true, value: null }),
      call: async () => ({ accepts: true, value: null }),
      jsonSchema: async () => {
        throw new Error('a defect');
      },
    };
    const checked = await checkSubject(first, broken, source, DEFAULT_CONFIG, ({ rule, subject, error }) =>
      defects.push(`${rule} ${subject}: ${error}`),
    );
    expect(defects).toEqual([`intersection-policy ${first.contract.id}: Error: a defect`]);
    expect(checked.failed).toEqual(['intersection-policy']);
    expect(checked.findings.map(({ rule }) => rule)).toEqual(['dropped-catchall']);
  });

  it('makes its comments count as needed', async () => {
    const text = `// tool-contracts-ignore-file dropped-catchall: x\n`;
    const source: SourceText = { text: ({ span }) => text.slice(span.start, span.end) };
    const base = { contracts: [], unevaluated: [], source, configOf: () => DEFAULT_CONFIG, files: [FILE] };
    expect(assemble({ ...base, checked: [] })).toMatchObject([{ rule: 'unused-suppression' }]);
    expect(assemble({ ...base, checked: [{ findings: [], failed: ['dropped-catchall'] }] })).toEqual([]);
  });
});

describe('messages', () => {
  it('have a place and an end, and nothing that a reader must decode', async () => {
    for (const { message } of await check(TOOLS)) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(message).not.toMatch(/undefined|null|\[object|\0/);
    }
  });
});
