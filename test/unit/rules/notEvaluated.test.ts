import { describe, expect, it } from 'vitest';
import { notEvaluated } from '../../../server/src/rules/notEvaluated.ts';
import type { Unevaluated } from '../../../shared/src/model.ts';
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

  it('says that a schema is too large to be looked at altogether, beside what is found in it', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, i) => `field${i}: z.string().optional(),`).join('\n');
    const text = (count: number) => `
      const Boats = z.strictObject({ ${fields(count)} });
      server.registerTool('boats', { inputSchema: Boats.shape });`;
    const found = async (count: number) =>
      (await check(text(count))).map(({ rule, severity, message }) => [rule, severity, message.split(':')[0]]);
    const lost = ['dropped-catchall', 'warning', 'An undeclared argument such as "field0s" would be deleted'];
    expect(await found(600)).toEqual([lost]);
    expect(await found(10_001)).toEqual([['not-evaluated', 'information', '"boats" is checked only in part'], lost]);
  });
});
