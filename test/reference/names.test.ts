import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Evaluated } from '../helpers/evaluate.ts';
import { evaluateWith, INSTALL_MS } from '../helpers/sdk.ts';

const tool = (name: string, extra = ''): string =>
  `export const ${name} = tool({ description: 'D', inputSchema: z.object({ ${name}: z.string()${extra} }) });`;
const HEAD = "import { tool } from 'ai';\nimport { z } from 'zod';\n";

const FILES = {
  'weather.ts': `${HEAD}${tool('weatherTool')}\n${tool('forecastTool')}`,
  'tides.ts': `${HEAD}const tides = tool({ description: 'D', inputSchema: z.object({ port: z.string() }) });\nexport default tides;`,
  'makers.ts': `${HEAD}export function bookTool(session: { id: string }) {
    return tool({ description: 'D', inputSchema: z.object({ berth: z.string() }), execute: async () => session.id });
  }`,
  'deep/berths.ts': `${HEAD}${tool('berthTool')}`,
  'index.ts': "export * from './deep/berths.ts';\nexport { forecastTool as forecast } from './weather.ts';",
  'plain.ts':
    "import { z } from 'zod';\nexport const plain = { description: 'D', inputSchema: z.strictObject({ a: z.string() }), execute: async () => 1 };",
  'named.ts': `${HEAD}export const inline = { list_boats: tool({ description: 'D', inputSchema: z.object({ x: z.string() }) }) };`,
  'local.ts': `${HEAD}${tool('localTool')}\nexport const localTools = { read_log: localTool };`,
  'dynamic.ts':
    "import { dynamicTool } from 'ai';\nimport { z } from 'zod';\nexport const anyTool = dynamicTool({ description: 'D', inputSchema: z.looseObject({}), execute: async () => 1 });",
  'agent.ts': `import { generateText } from 'ai';
import { weatherTool } from './weather.ts';
import tides from './tides.ts';
import { bookTool } from './makers.ts';
import { berthTool } from './index.ts';
import { plain } from './plain.ts';
import { anyTool } from './dynamic.ts';
export const run = (model: never, session: { id: string }) =>
  generateText({ model, prompt: 'p', tools: {
    get_weather: weatherTool, tides_today: tides, book: bookTool(session), berth: berthTool, plain_one: plain, any: anyTool,
  } });`,
};

describe('names of AI SDK tools', () => {
  let evaluated: Evaluated;
  beforeAll(async () => {
    evaluated = await evaluateWith('ai-7', 'names', FILES);
  }, INSTALL_MS);
  afterAll(() => evaluated?.dispose());

  test('are the keys that they are offered under, in whatever file that is', () => {
    expect(evaluated.names()).toEqual([
      'any',
      'berth',
      'book',
      'forecastTool',
      'get_weather',
      'list_boats',
      'plain_one',
      'read_log',
      'tides_today',
    ]);
  });

  test('a tool stays where it is written down, and the key is where it is registered', () => {
    const weather = evaluated.contract('get_weather');
    expect(evaluated.textOf(weather.definedAt)).toContain('weatherTool: z.string()');
    expect(evaluated.textOf(weather.registeredAt ?? undefined)).toBe('weatherTool');
    expect(weather.registeredAt?.file).toBe(evaluated.path('agent.ts'));
    expect(evaluated.contract('list_boats').registeredAt).toBeNull();
  });

  test('a definition that claims nothing is judged by the SDK that it is handed to', () => {
    const plain = evaluated.contract('plain_one');
    expect(plain.candidate.claim).toBe('ai-sdk');
    expect(evaluated.offers('plain_one').map(({ surface }) => surface.id)).toEqual(['ai-sdk']);
  });

  test('follow an edit of the record alone, also in the words of the SDK', async () => {
    const agent = FILES['agent.ts'].replace('get_weather', 'weather_now');
    await evaluated.update({ 'agent.ts': agent });
    expect(evaluated.names()).toContain('weather_now');
    expect(evaluated.names()).not.toContain('get_weather');
    const { id } = evaluated.contract('weather_now');
    expect([...evaluated.result.fresh]).toContain(id);
    const [offer] = evaluated.offers('weather_now');
    expect(offer && (await evaluated.pipeline.probes.call(offer, {}))).toMatchObject({
      accepts: false,
      error: expect.stringContaining('weather_now'),
    });
    await evaluated.update({ 'agent.ts': undefined });
    expect(evaluated.names()).toContain('weatherTool');
    expect(evaluated.contract('weatherTool').registeredAt).toBeNull();
    await evaluated.update({ 'agent.ts': FILES['agent.ts'] });
    expect(evaluated.names()).toContain('get_weather');
  });
});
