import { describe, expect, test } from 'vitest';
import { surfacesFor } from '../../../server/src/surfaces/surfaces.ts';
import type { Contract, SurfaceId } from '../../../shared/src/model.ts';

const claimed = (claim?: SurfaceId) => ({ candidate: { claim } }) as Contract;
const SDK = '@modelcontextprotocol/sdk';

describe('which surfaces judge a contract', () => {
  test.each<[SurfaceId | undefined, string[], SurfaceId[]]>([
    ['mcp-v1', [SDK, 'ai'], ['mcp-v1']],
    ['mcp-v1', ['zod'], ['contract']],
    ['mcp-v2', [SDK, '@modelcontextprotocol/server'], ['contract']],
    ['ai-sdk', [SDK, 'ai'], ['contract']],
    ['contract', [SDK], ['contract']],
    [undefined, [SDK], ['mcp-v1']],
    [undefined, [SDK, 'ai'], ['mcp-v1', 'contract']],
    [undefined, ['ai'], ['contract']],
    [undefined, [], ['contract']],
  ])('claimed by %s with %j installed: %j', (claim, installed, surfaces) => {
    expect(surfacesFor(claimed(claim), new Set(installed))).toEqual(surfaces);
  });
});
