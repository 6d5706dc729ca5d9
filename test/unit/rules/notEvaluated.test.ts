import { describe, expect, it } from 'vitest';
import { cutFinding, notEvaluated } from '../../../server/src/rules/notEvaluated.ts';
import type { Contract, Unevaluated } from '../../../shared/src/model.ts';
import { check } from './helpers/workspace.ts';

const FILE = '/workspace/tools.ts';
const OTHER = '/workspace/other.ts';

function unevaluated(part: Partial<Unevaluated> & { certain?: boolean; id?: string } = {}): Unevaluated {
  const { certain = true, id = 'a', ...rest } = part;
  return {
    candidate: { id, file: FILE, way: 'registerTool', certain, span: { start: 10, end: 90 } },
    name: 'shelf',
    reason: 'top-level await is not run.',
    at: { file: FILE, span: { start: 20, end: 30 } },
    trail: [],
    files: [FILE],
    ...rest,
  };
}

describe('not-evaluated', () => {
  it('says which tool is not checked, and why', () => {
    expect(notEvaluated.check(unevaluated())).toEqual([
      {
        severity: 'information',
        at: { file: FILE, span: { start: 20, end: 30 } },
        message: '"shelf" is not checked, because its inputs could not be evaluated: top-level await is not run.',
        surfaces: [],
        related: [],
        witness: null,
        fixes: [],
      },
    ]);
  });

  it('says what needed the failing expression, and where the tool stands', () => {
    const at = { file: OTHER, span: { start: 0, end: 5 } };
    const [finding] = notEvaluated.check(unevaluated({ at, trail: ['KEY', 'NeedsKey'], name: null }));
    expect(finding?.message).toMatch(/^A tool is not checked.* It is needed by `KEY`, then `NeedsKey`\.$/);
    expect(finding?.related).toEqual([
      { place: { file: FILE, span: { start: 10, end: 90 } }, message: 'the tool is defined here' },
    ]);
  });

  it('says that trying a call did not end', () => {
    const reason = 'it did not finish within 10 seconds and was stopped';
    expect(notEvaluated.check(unevaluated({ reason, whenCalled: true }))[0]?.message).toBe(
      `"shelf" is checked only in part: a call was tried, which runs the refinements and transforms of its schema, and ${reason}.`,
    );
  });

  it('is silent about what may be no tool', () => {
    expect(notEvaluated.check(unevaluated({ certain: false }))).toEqual([]);
  });

  it('is one finding for all the tools that one expression fails', async () => {
    const two = [unevaluated({ id: 'a', name: 'two' }), unevaluated({ id: 'b', name: 'one' })];
    const findings = await check('', { unevaluated: two });
    expect(findings).toMatchObject([{ rule: 'not-evaluated', tools: ['one', 'two'] }]);
    expect(findings[0]?.fixes.map(({ id }) => id)).toEqual(['ignore']);
  });

  it('can be set', async () => {
    const set = (severity: 'error' | 'off') =>
      check('', { unevaluated: [unevaluated()], config: { rules: { 'not-evaluated': severity } } });
    expect(await set('error')).toMatchObject([{ severity: 'error' }]);
    expect(await set('off')).toEqual([]);
  });

  it('says that a schema is too large to be looked at altogether', () => {
    const span = { start: 10, end: 90 };
    const candidate = { id: 'a', file: FILE, way: 'registerTool', certain: true, span } as const;
    const cut = (truncated: boolean) =>
      cutFinding({
        candidate,
        name: 'shelf',
        definedAt: { file: FILE, span },
        graph: { nodes: [], root: 0, ...(truncated && { truncated }) },
      } as unknown as Contract);
    expect(cut(true)).toMatchObject({ at: { file: FILE, span }, message: expect.stringContaining('only in part') });
    expect(cut(false)).toBeUndefined();
  });

  it('is not said of hundreds of fields, which are looked at', async () => {
    const fields = Array.from({ length: 600 }, (_, i) => `field${i}: z.string().optional(),`).join('\n');
    const text = `const Boats = z.strictObject({ ${fields} });\nserver.registerTool('boats', { inputSchema: Boats.shape });`;
    const found = (await check(text)).map(({ rule, severity }) => `${rule} ${severity}`);
    expect(found).toEqual(['dropped-catchall warning']);
  });
});
