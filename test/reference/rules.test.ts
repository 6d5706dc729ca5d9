import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonFinding, JsonReport } from '../../server/src/reporters/json.ts';
import { toolContracts } from '../cli/cli.ts';
import type { Changes } from '../helpers/evaluate.ts';
import { INSTALL_MS, type SdkName, sdkWorkspace } from '../helpers/sdk.ts';

const Z = "import { z } from 'zod';\n";
const V1 = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n";
const V2 = "import { McpServer } from '@modelcontextprotocol/server';\n";
const AI = "import { tool } from 'ai';\n";
const SERVER = "const server = new McpServer({ name: 'rules', version: '1.0.0' });\n";
const LIST = 'export const List = z.strictObject({ harbour: z.string(), filters: z.string().optional() });\n';
const registers = (name: string, schema: string): string =>
  `server.registerTool('${name}', { inputSchema: ${schema} }, async () => ({ content: [] }));\n`;
const offers = (name: string, schema: string): string =>
  `export const ${name} = tool({ description: 'D', inputSchema: ${schema}, execute: async () => 1 });\n`;

/** What the built command line says of a workspace. */
class Checked {
  private constructor(
    private readonly root: string,
    readonly report: JsonReport,
  ) {}

  static async of(sdk: SdkName, name: string, files: Changes): Promise<Checked> {
    const root = await sdkWorkspace(sdk, name, files);
    const { out, err } = await toolContracts(root, 'check', '--format', 'json');
    if (out === '') throw new Error(err);
    return new Checked(root, JSON.parse(out) as JsonReport);
  }

  /** Findings as `rule severity on surfaces: tools: text`, in a file. */
  told(file: string): string[] {
    return this.in(file).map(
      (one) => `${one.rule} ${one.severity} on ${one.surfaces}: ${one.tools}: ${this.textAt(one)}`,
    );
  }

  only(file: string): JsonFinding {
    const [finding, another] = this.in(file);
    if (!finding || another) throw new Error(`${file} has not one finding: ${this.told(file)}`);
    return finding;
  }

  private in(file: string): JsonFinding[] {
    return this.report.findings.filter((finding) => finding.file === file);
  }

  private textAt({ file, range: { start, end } }: JsonFinding): string {
    const lines = readFileSync(join(this.root, file), 'utf8').split('\n');
    if (start.line !== end.line) throw new Error('write it in one line');
    return (lines[start.line] ?? '').slice(start.character, end.character);
  }
}

const VARIANTS =
  'z.union([z.strictObject({ id: z.string(), limit: z.number().default(20) }), z.strictObject({ id: z.string(), limit: z.number().optional(), all: z.boolean().optional() })])';
const TAGGED =
  "z.discriminatedUnion('by', [z.object({ by: z.literal('id'), page: z.number().default(1) }), z.object({ by: z.literal('name') })])";
const STRICT_PLAIN = 'z.strictObject({ a: z.string() }).and(z.object({ b: z.string() }))';
const LOOSE_PLAIN = 'z.looseObject({ a: z.string() }).and(z.object({ b: z.string() }))';

/** The same schemas on any surface, each in a file of its own. */
const FILES = (head: string, offering: (name: string, schema: string) => string): Changes => ({
  'list.ts': `${Z}${LIST}`,
  'rebuilt.ts': `${head}import { List } from './list.ts';\n${offering('rebuilt', 'z.object({ ...List.shape, page: z.number() })')}`,
  'nested.ts': `${head}import { List } from './list.ts';\n${offering('nested', 'z.object({ by: z.array(z.object(List.shape)) })')}`,
  'itself.ts': `${head}import { List } from './list.ts';\n${offering('itself', 'List')}`,
  'extended.ts': `${head}import { List } from './list.ts';\n${offering('extended', 'List.extend({ page: z.number() })')}`,
  'shape.ts': `${head}import { List } from './list.ts';\n${offering('shape', 'List.shape')}`,
  'variantRoot.ts': `${head}${offering('variantRoot', VARIANTS)}`,
  'variantNested.ts': `${head}${offering('variantNested', `z.object({ w: ${TAGGED} })`)}`,
  'strictPlain.ts': `${head}${offering('strictPlain', `z.object({ w: ${STRICT_PLAIN} })`)}`,
  'loosePlain.ts': `${head}${offering('loosePlain', `z.object({ w: ${LOOSE_PLAIN} })`)}`,
  'strictPlainRoot.ts': `${head}${offering('strictPlainRoot', STRICT_PLAIN)}`,
});

describe.each<{ sdk: SdkName; surface: string; head: string; offering: typeof offers; takesShapes: boolean }>([
  { sdk: 'mcp-v1-1.32', surface: 'mcp-v1', head: V1 + Z + SERVER, offering: registers, takesShapes: true },
  { sdk: 'mcp-v2-2.4', surface: 'mcp-v2', head: V2 + Z + SERVER, offering: registers, takesShapes: true },
  { sdk: 'ai-7', surface: 'ai-sdk', head: AI + Z, offering: offers, takesShapes: false },
  { sdk: 'ai-5', surface: 'ai-sdk', head: AI + Z, offering: offers, takesShapes: false },
])('$sdk', ({ sdk, surface, head, offering, takesShapes }) => {
  let checked: Checked;
  beforeAll(async () => {
    checked = await Checked.of(sdk, 'rules', FILES(head, offering));
  }, INSTALL_MS);

  test.each([
    ['rebuilt', 'z.object({ ...List.shape, page: z.number() })'],
    ['nested', 'z.object(List.shape)'],
  ])('dropped-catchall of an object that is %s, with a call that the surface answered', (name, text) => {
    expect(checked.told(`${name}.ts`)).toEqual([`dropped-catchall warning on ${surface}: ${name}: ${text}`]);
    const { witness } = checked.only(`${name}.ts`);
    expect(witness).toMatchObject({
      expected: { by: 'source', name: 'List', accepts: false },
      actual: { by: surface, accepts: true },
    });
    expect(JSON.stringify(witness?.arguments)).toContain('"filter":');
    expect(JSON.stringify(witness?.actual.received)).not.toContain('"filter":');
  });

  test('no dropped-catchall of a schema that is registered itself, or extended', () => {
    expect([...checked.told('itself.ts'), ...checked.told('extended.ts')]).toEqual([]);
  });

  test('a registered shape, where the surface makes an object of it', () => {
    if (!takesShapes) {
      expect(checked.told('shape.ts')).toEqual([]);
      const [row] = checked.report.tools.filter((tool) => tool.name === 'shape');
      expect(row).toMatchObject({ listed: false, listError: expect.any(String) });
      return;
    }
    expect(checked.told('shape.ts')).toEqual([`dropped-catchall warning on ${surface}: shape: List.shape`]);
    const { fixes } = checked.only('shape.ts');
    expect(fixes.map(({ title }) => title)).toEqual([
      'Register List itself',
      'Say .strip() explicitly',
      expect.any(String),
    ]);
  });

  test('default-in-union-variant at the root', () => {
    const [told] = checked.told('variantRoot.ts');
    expect(told).toBe(`default-in-union-variant information on ${surface}: variantRoot: z.number().default(20)`);
    const { witness } = checked.only('variantRoot.ts');
    expect(witness).toMatchObject({ actual: { by: surface, accepts: true, received: { limit: 20 } } });
  });

  test('default-in-union-variant below the root of a tagged union', () => {
    expect(checked.told('variantNested.ts')).toEqual([
      `default-in-union-variant information on ${surface}: variantNested: z.number().default(1)`,
    ]);
    expect(checked.only('variantNested.ts').witness).toMatchObject({
      actual: { by: surface, accepts: true, received: { w: { by: 'id', page: 1 } } },
    });
  });

  test.each(['strictPlain', 'strictPlainRoot'])('intersection-policy of %s', (name) => {
    expect(checked.told(`${name}.ts`)).toEqual([`intersection-policy warning on ${surface}: ${name}: ${STRICT_PLAIN}`]);
    expect(checked.only(`${name}.ts`).witness).toMatchObject({
      expected: { accepts: false },
      actual: { by: surface, accepts: true },
    });
  });

  test('no intersection-policy where the surface keeps what the loose side keeps', () => {
    expect(checked.told('loosePlain.ts')).toEqual([]);
  });
});

describe('a schema that several surfaces offer', () => {
  const shared = `${Z}import { List } from './list.ts';\nexport const Paged = z.object({ ...List.shape, page: z.number() });\n`;
  const Paged = "import { Paged } from './paged.ts';\n";
  let checked: Checked;
  beforeAll(async () => {
    checked = await Checked.of('all', 'shared', {
      'list.ts': `${Z}${LIST}`,
      'paged.ts': shared,
      'v1.ts': V1 + Paged + SERVER + registers('one', 'Paged'),
      'v2.ts': V2 + Paged + SERVER + registers('two', 'Paged'),
      'ai.ts': AI + Paged + offers('three', 'Paged'),
    });
  }, INSTALL_MS);

  test('has one finding with all of them, and each tool is on its own', () => {
    expect(checked.told('paged.ts')).toEqual([
      'dropped-catchall warning on ai-sdk,mcp-v1,mcp-v2: one,three,two: z.object({ ...List.shape, page: z.number() })',
    ]);
    expect(checked.report.findings).toHaveLength(1);
    expect(checked.report.tools.map(({ name, surface }) => [name, surface?.id])).toEqual([
      ['three', 'ai-sdk'],
      ['one', 'mcp-v1'],
      ['two', 'mcp-v2'],
    ]);
  });
});

describe('a definition that nothing claims', () => {
  const SIDES = 'z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))';
  const defined = (name: string, schema: string): string =>
    `export const ${name} = { name: '${name}', description: 'D', inputSchema: ${schema}, handler: async () => 1 };\n`;
  let checked: Checked;
  beforeAll(async () => {
    checked = await Checked.of('both-zod-4.4', 'unclaimed', {
      'list.ts': `${Z}${LIST}`,
      'paged.ts': `${Z}import { List } from './list.ts';\n${defined('paged', 'z.object({ ...List.shape, page: z.number() })')}`,
      'shape.ts': `${Z}import { List } from './list.ts';\n${defined('shape', '{ ...List.shape }')}`,
      'sides.ts': Z + defined('sides', SIDES),
      'claimed.ts': AI + Z + offers('claimed', SIDES),
    });
  }, INSTALL_MS);

  test('is on every SDK of the package, a shape on those that take one', () => {
    const rows = checked.report.tools.map(({ name, surface }) => `${name} ${surface?.id}`);
    expect(rows).toEqual(
      expect.arrayContaining(['paged ai-sdk', 'paged mcp-v1', 'sides ai-sdk', 'sides mcp-v1', 'shape mcp-v1']),
    );
    expect(rows).not.toContain('shape ai-sdk');
  });

  test('is told what holds on all of them', () => {
    expect(checked.told('paged.ts')).toEqual([
      'dropped-catchall warning on ai-sdk,mcp-v1: paged: z.object({ ...List.shape, page: z.number() })',
    ]);
  });

  test('is not told what holds on one of them, which a claimed one is', () => {
    // Two closed branches are what the AI SDK advertises; MCP SDK v1 advertises no inputs for such a root.
    expect(checked.told('claimed.ts')).toEqual([`intersection-policy error on ai-sdk: claimed: ${SIDES}`]);
    expect(checked.told('sides.ts')).toEqual([]);
  });
});
