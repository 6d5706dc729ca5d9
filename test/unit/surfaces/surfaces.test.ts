import { describe, expect, test } from 'vitest';
import { DRIVERS } from '../../../server/src/surfaces/drivers/index.ts';
import { refusal, SDK_SURFACES, type SdkSurface, untested } from '../../../server/src/surfaces/sdks.ts';
import { surfacesFor } from '../../../server/src/surfaces/surfaces.ts';
import { SURFACE_IDS } from '../../../shared/src/config.ts';
import type { Contract, SurfaceId, Way } from '../../../shared/src/model.ts';

const claimed = (claim?: SurfaceId, form: Contract['form'] = 'schema', way: Way = 'definition') =>
  ({ candidate: { ...(claim && { claim }), way }, form }) as Contract;
const [V1, V2, AI] = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'ai'] as const;

describe('which surfaces judge a contract', () => {
  test.each<[SurfaceId | undefined, string[], SurfaceId[]]>([
    ['mcp-v1', [V1, AI], ['mcp-v1']],
    ['mcp-v1', ['zod'], ['contract']],
    ['mcp-v2', [V1, V2], ['mcp-v2']],
    ['mcp-v2', [V1], ['contract']],
    ['ai-sdk', [V1, AI], ['ai-sdk']],
    ['ai-sdk', [V1, '@ai-sdk/openai'], ['contract']],
    ['contract', [V1], ['contract']],
    [undefined, [V1], ['mcp-v1']],
    [undefined, [AI, V1], ['mcp-v1', 'ai-sdk']],
    [undefined, [V1, V2, AI, 'zod'], ['mcp-v1', 'mcp-v2', 'ai-sdk']],
    [undefined, [AI], ['ai-sdk']],
    [undefined, [], ['contract']],
  ])('claimed by %s with %j installed: %j', (claim, installed, surfaces) => {
    expect(surfacesFor(claimed(claim), new Set(installed))).toEqual(surfaces);
  });

  test('an unclaimed shape is not for an SDK that takes schemas only, unless there is no other', () => {
    const shape = claimed(undefined, 'raw-shape');
    expect(surfacesFor(shape, new Set([V1, AI]))).toEqual(['mcp-v1']);
    expect(surfacesFor(shape, new Set([AI]))).toEqual(['contract']);
    expect(surfacesFor(claimed('ai-sdk', 'raw-shape'), new Set([V1, AI]))).toEqual(['ai-sdk']);
  });
});

test.each<[Way, SurfaceId[]]>([
  ['registerTool', ['mcp-v1', 'mcp-v2']],
  ['registerAppTool', ['mcp-v1', 'mcp-v2']],
  ['server.tool', ['mcp-v1']],
  ['tool', ['mcp-v1', 'mcp-v2', 'ai-sdk']],
])('%s of a receiver that nobody knows may be on %j', (way, surfaces) => {
  expect(surfacesFor(claimed(undefined, 'schema', way), new Set([V1, V2, AI]))).toEqual(surfaces);
  expect(surfacesFor(claimed('ai-sdk', 'schema', way), new Set([V1, V2, AI]))).toEqual(['ai-sdk']);
});

describe('SDKs that can be driven', () => {
  test('every surface has a driver', () => {
    expect([...DRIVERS.keys()].sort()).toEqual([...SURFACE_IDS].sort());
    expect([...SDK_SURFACES, 'contract'].sort()).toEqual([...SURFACE_IDS].sort());
  });

  test.each<[SdkSurface, string, RegExp | undefined]>([
    ['mcp-v1', '1.12.0', undefined],
    ['mcp-v1', '1.32.2', undefined],
    ['mcp-v1', '1.11.4', /1\.11\.4 is too old to be driven: 1\.12 or newer/],
    ['mcp-v1', '0.9.0', /too old/],
    ['mcp-v1', '2.0.0', /a version below 2 is needed/],
    ['mcp-v2', '2.0.0', undefined],
    ['mcp-v2', '2.0.0-beta.5', undefined],
    ['mcp-v2', '3.1.0', undefined],
    ['ai-sdk', '4.3.19', /^ai 4\.3\.19 is too old to be driven: 5\.0 or newer is needed\.$/],
    ['ai-sdk', '5.0.0', undefined],
    ['ai-sdk', '8.0.0', undefined],
  ])('%s %s is refused with %s', (surface, version, sentence) => {
    const refused = refusal(surface, version);
    if (sentence) expect(refused).toMatch(sentence);
    else expect(refused).toBeUndefined();
  });

  test('a major version that is newer than the tested ones is driven, and said to be so', () => {
    expect(untested('ai-sdk', '7.9.9')).toBeUndefined();
    expect(untested('ai-sdk', '8.0.0')).toMatch(/^ai 8\.0\.0 is newer than what .* tested with \(7\)/);
    expect(untested('mcp-v2', '2.99.0')).toBeUndefined();
    expect(untested('mcp-v2', '3.0.0-alpha.1')).toMatch(/@modelcontextprotocol\/server 3\.0\.0-alpha\.1/);
  });
});
