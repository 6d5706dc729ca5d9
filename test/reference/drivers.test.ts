import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Driver, DriverHost, DriverSession, Mounted } from '../../server/src/evaluation/sandbox/driver.ts';
import { NotInstalled } from '../../server/src/evaluation/sandbox/driver.ts';
import { aiSdk } from '../../server/src/surfaces/drivers/aiSdk.ts';
import { mcpV2 } from '../../server/src/surfaces/drivers/mcpV2.ts';
import type { JsonObject } from '../../shared/src/model.ts';
import { INSTALL_MS, SDKS, type SdkName, sdkFolder } from '../helpers/sdk.ts';

type Namespace = Record<string, unknown>;
type Zod = typeof import('zod').z;

interface Loaded {
  readonly host: DriverHost;
  readonly z: Zod;
  readonly modules: ReadonlyMap<string, Namespace>;
}

/** Imports modules as a file beside an installed SDK would. */
async function load(name: SdkName, specifiers: readonly string[]): Promise<Loaded> {
  const entry = join(await sdkFolder(name), 'entry.mjs');
  const all = ['zod', ...specifiers];
  writeFileSync(entry, all.map((specifier, at) => `export * as m${at} from '${specifier}';\n`).join(''));
  const namespace = (await import(/* @vite-ignore */ entry)) as Record<string, Namespace>;
  const modules = new Map(all.map((specifier, at) => [specifier, namespace[`m${at}`] ?? {}]));
  const versions: Readonly<Record<string, string>> = SDKS[name];
  const host: DriverHost = {
    load: async (specifier) => {
      const found = modules.get(specifier);
      if (!found) throw new Error(`no ${specifier}`);
      return found;
    },
    version: (packageName) => versions[packageName],
  };
  return { host, z: modules.get('zod')?.z as Zod, modules };
}

const tool = (contract: string, schema: unknown, output?: unknown): Mounted => ({
  contract,
  name: contract,
  schema,
  output,
});

interface Subject {
  readonly sdk: SdkName;
  readonly driver: Driver;
  readonly specifiers: readonly string[];
  readonly package: string;
}

describe.each<Subject>([
  {
    sdk: 'mcp-v2-2.4',
    driver: mcpV2,
    specifiers: ['@modelcontextprotocol/server'],
    package: '@modelcontextprotocol/server',
  },
  { sdk: 'ai-7', driver: aiSdk, specifiers: ['ai', 'ai/test'], package: 'ai' },
  { sdk: 'ai-6', driver: aiSdk, specifiers: ['ai', 'ai/test'], package: 'ai' },
  { sdk: 'ai-5', driver: aiSdk, specifiers: ['ai', 'ai/test'], package: 'ai' },
])('$sdk', ({ sdk, driver, specifiers, package: name }) => {
  let loaded: Loaded;
  let session: DriverSession;
  const call = (id: string, args: JsonObject) => session.call(id, args);

  beforeAll(async () => {
    loaded = await load(sdk, specifiers);
    session = await driver.open(loaded.host, '/w/tools.ts');
  }, INSTALL_MS);

  test('says which SDK it drives, with one session for a copy', async () => {
    const versions: Readonly<Record<string, string>> = SDKS[sdk];
    expect([session.sdk, session.version]).toEqual([name, versions[name]]);
    expect(await driver.open(loaded.host, '/w/other.ts')).toBe(session);
  });

  test('tools of one name are told apart, under their own name', async () => {
    const { z } = loaded;
    const offers = await session.offer([
      { contract: 'a', name: 'same', schema: z.object({ a: z.string() }), output: undefined },
      { contract: 'b', name: 'same', schema: z.strictObject({ b: z.string() }), output: undefined },
    ]);
    expect(offers.map(({ mountError, listError }) => mountError ?? listError)).toEqual([undefined, undefined]);
    expect(offers[1]?.advertised).toMatchObject({ properties: { b: {} } });
    expect(await call('a', { a: 'x' })).toEqual({ accepts: true, value: { a: 'x' } });
    const rejected = await call('b', { b: 1 });
    expect(rejected).toMatchObject({ accepts: false, error: expect.stringMatching(/\bsame\b/) });
    expect(rejected).not.toMatchObject({ error: expect.stringContaining('same__') });
  });

  test('calls that overlap are answered each with its own arguments', async () => {
    const { z } = loaded;
    const Slow = z.object({ n: z.number() }).refine(async () => true);
    await session.offer([tool('slow', Slow), tool('fast', z.object({ a: z.string() }))]);
    const answers = await Promise.all([call('slow', { n: 1 }), call('fast', { a: 'x' }), call('slow', { n: 2 })]);
    expect(answers).toEqual([
      { accepts: true, value: { n: 1 } },
      { accepts: true, value: { a: 'x' } },
      { accepts: true, value: { n: 2 } },
    ]);
  });

  test('a value that JSON cannot hold is told in a form that it can', async () => {
    const { z } = loaded;
    await session.offer([tool('made', z.object({ n: z.number().transform((n) => BigInt(n)) }))]);
    expect(await call('made', { n: 5 })).toEqual({ accepts: true, value: { n: '5n' } });
  });

  test('a name that objects have already is a name', async () => {
    const { z } = loaded;
    const [offer] = await session.offer([
      { contract: 'odd', name: '__proto__', schema: z.object({ a: z.string() }), output: undefined },
    ]);
    // MCP's server keeps its tools in a plain object, where this name cannot be put.
    const error = offer?.listError ?? offer?.mountError;
    if (name === 'ai') expect(error).toBeUndefined();
    else expect(error).toBeDefined();
  });

  test('offering again replaces, and a released tool is gone', async () => {
    const { z } = loaded;
    await session.offer([tool('t', z.object({ a: z.string() }))]);
    await session.offer([tool('t', z.strictObject({ a: z.string() }))]);
    expect((await call('t', { a: 'x', extra: 1 })).accepts).toBe(false);
    session.release(['t']);
    expect(await call('t', { a: 'x' })).toEqual({ accepts: false, error: 'The tool is not offered.' });
  });

  test('nothing is offered without tools', async () => {
    expect(await session.offer([])).toEqual([]);
  });

  test('a thousand tools are asked for at once', async () => {
    const { z } = loaded;
    const start = performance.now();
    const offers = await session.offer(
      Array.from({ length: 1000 }, (_, at) =>
        tool(`t${at}`, z.object({ [`f${at}`]: z.string(), n: z.number().optional() })),
      ),
    );
    expect(offers.every(({ advertised, listError }) => advertised !== null && listError === undefined)).toBe(true);
    expect(offers[999]?.advertised).toMatchObject({ required: ['f999'] });
    expect(performance.now() - start).toBeLessThan(5000);
    session.release(offers.map(({ contract }) => contract));
  });

  test.each([
    ['not there', undefined, /not installed: run your package manager/],
    ['too old', '0.9.0', /0\.9\.0 is too old to be driven/],
  ])('an SDK that is %s is said to be so', async (_, version, sentence) => {
    const opened = driver.open({ ...loaded.host, version: () => version }, '/w/tools.ts');
    await expect(opened).rejects.toThrow(NotInstalled);
    await expect(opened).rejects.toThrow(sentence);
  });

  test('an SDK that throws while it is loaded, or has not what is needed, is said to be so', async () => {
    const broken = driver.open(
      { ...loaded.host, load: () => Promise.reject(new Error('no such file')) },
      '/w/tools.ts',
    );
    await expect(broken).rejects.toThrow(NotInstalled);
    await expect(broken).rejects.toThrow(`${name} cannot be loaded: no such file`);
    const empty = driver.open({ ...loaded.host, load: async () => ({}) }, '/w/tools.ts');
    await expect(empty).rejects.toThrow(NotInstalled);
    await expect(empty).rejects.toThrow(/cannot be loaded: (?:it does not export|.* has no mock)/);
  });

  test('a version that is newer than any tested one is driven the same way', async () => {
    const newer = await driver.open({ ...loaded.host, version: () => '99.0.0' }, '/w/tools.ts');
    const { z } = loaded;
    expect((await newer.offer([tool('n', z.object({ a: z.string() }))]))[0]).toMatchObject({ advertised: {} });
  });
});

describe('MCP SDK v2', () => {
  let loaded: Loaded;
  let session: DriverSession;
  beforeAll(async () => {
    loaded = await load('mcp-v2-2.4', ['@modelcontextprotocol/server']);
    session = await mcpV2.open(loaded.host, '/w/tools.ts');
  }, INSTALL_MS);

  test('an output schema is listed and does not hide what the handler received', async () => {
    const { z } = loaded;
    const [offer] = await session.offer([tool('out', z.object({ a: z.string() }), z.object({ ok: z.boolean() }))]);
    expect(offer?.outputSchema).toMatchObject({ properties: { ok: { type: 'boolean' } } });
    expect(await session.call('out', { a: 'x' })).toEqual({ accepts: true, value: { a: 'x' } });
  });

  test('a thousand tools are on one server', async () => {
    const { z, modules } = loaded;
    const { McpServer } = modules.get('@modelcontextprotocol/server') as {
      McpServer: { prototype: { connect(): unknown } };
    };
    const connect = vi.spyOn(McpServer.prototype, 'connect');
    await session.offer(Array.from({ length: 1000 }, (_, at) => tool(`t${at}`, z.object({ a: z.string() }))));
    expect(connect).toHaveBeenCalledTimes(1);
    connect.mockRestore();
  });

  test("what the SDK's own client would refuse is said of the one tool", async () => {
    const { z, modules } = loaded;
    const sdk = modules.get('@modelcontextprotocol/server') as { specTypeSchemas: { ListToolsResult: object } };
    const refused = {
      success: false,
      error: { issues: [{ path: ['tools', 0, 'inputSchema', 'type'], message: 'no' }] },
    };
    const ListToolsResult = {
      safeParse: ({ tools }: { tools: { name: string }[] }) =>
        tools.some((one) => one.name === 'bad') ? refused : { success: true },
    };
    class McpServer extends (sdk as unknown as { McpServer: new (...args: never[]) => object }).McpServer {}
    const host = { ...loaded.host, load: async () => ({ ...sdk, McpServer, specTypeSchemas: { ListToolsResult } }) };
    const offers = await (await mcpV2.open(host, '/w/tools.ts')).offer([
      tool('good', z.object({ a: z.string() })),
      tool('bad', z.object({ a: z.string() })),
    ]);
    expect(offers.map(({ listError }) => listError)).toEqual([
      undefined,
      "The SDK's client rejects the list: inputSchema.type: no",
    ]);
  });
});
