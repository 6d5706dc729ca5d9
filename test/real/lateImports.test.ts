import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Changes, Evaluated, makeWorkspace, removeWorkspaces } from '../helpers/evaluate.ts';

const HEAD =
  "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nconst server = new McpServer({ name: 'a', version: '1.0.0' });\nconst done = async () => ({ content: [] });\n";
const LEAF = "import { z } from 'zod';\nexport const Leaf = z.strictObject({ n: z.string() });\n";

/** Schemas that read an import only when they are used, in a file that nothing else has asked for. */
const SCHEMAS: { readonly [what: string]: string } = {
  'a getter': 'z.strictObject({ name: z.string(), get kids() { return z.array(Leaf); } })',
  'z.lazy': 'z.strictObject({ name: z.string(), kids: z.lazy(() => z.array(Leaf)) })',
  'z.lazy in a getter': 'z.strictObject({ name: z.string(), get kids() { return z.lazy(() => Leaf.array()); } })',
};
const REGISTERED: { readonly [how: string]: string } = {
  'as it is': 'Tree',
  'its shape': 'Tree.shape',
  extended: 'Tree.extend({ more: z.string().optional() })',
  spread: 'z.strictObject({ ...Tree.shape })',
};

let evaluated: Evaluated | undefined;
afterEach(() => evaluated?.dispose());
afterAll(removeWorkspaces);

async function evaluate(files: Changes): Promise<Evaluated> {
  evaluated = await new Evaluated(makeWorkspace(files)).update();
  return evaluated;
}

describe('an import that is only read when a schema is used', () => {
  for (const [what, schema] of Object.entries(SCHEMAS)) {
    for (const [how, registered] of Object.entries(REGISTERED)) {
      test(`${what}, registered ${how}`, async () => {
        const workspace = await evaluate({
          'tools.ts': `${HEAD}import { Tree } from './tree.ts';\nserver.registerTool('grow', { inputSchema: ${registered} }, done);\n`,
          'tree.ts': `import { z } from 'zod';\nimport { Leaf } from './leaf.ts';\nexport const Tree = ${schema};\n`,
          'leaf.ts': LEAF,
        });
        const { graph } = workspace.contract('grow');
        const leaf = graph?.nodes.find(({ fields }) => fields && 'n' in fields);
        expect(leaf?.policy).toBe('strict');
        expect(workspace.textOf(leaf?.origin?.place)).toBe('z.strictObject({ n: z.string() })');
        const [offer] = workspace.offers('grow');
        expect(offer?.advertised).toMatchObject({
          properties: { name: { type: 'string' }, kids: { type: 'array' } },
          required: expect.arrayContaining(['name', 'kids']),
        });
        expect(JSON.stringify(offer)).not.toContain('needs module');
      });
    }
  }

  test('a refinement and a transform that call a function of another file answer calls', async () => {
    const workspace = await evaluate({
      'tools.ts': `${HEAD}import { isPier, upper } from './checks.ts';\nserver.registerTool('moor', { inputSchema: z.object({ pier: z.string().refine((pier) => isPier(pier), 'no pier').transform((pier) => upper(pier)) }) }, done);\n`,
      'checks.ts':
        "import { PIERS } from './piers.ts';\nexport const isPier = (pier: string) => PIERS.includes(pier);\nexport const upper = (pier: string) => pier.toUpperCase();\n",
      'piers.ts': "export const PIERS = ['north', 'south'];\n",
    });
    const [offer] = workspace.offers('moor');
    if (!offer) throw new Error('moor is not offered');
    const { probes } = workspace.pipeline;
    expect(await probes.call(offer, { pier: 'north' })).toEqual({ accepts: true, value: { pier: 'NORTH' } });
    expect(await probes.call(offer, { pier: 'east' })).toMatchObject({
      accepts: false,
      error: expect.stringContaining('no pier'),
    });
  });

  test('a package that only a getter reads', async () => {
    const workspace = await evaluate({
      'tools.ts': `${HEAD}import { Tree } from './tree.ts';\nserver.registerTool('grow', { inputSchema: Tree.shape }, done);\n`,
      'tree.ts':
        "import { z } from 'zod';\nimport { z as other } from 'zod/v3';\nexport const Tree = z.strictObject({ name: z.string(), get size() { return z.literal(other.string().safeParse('x').success); } });\n",
    });
    expect(workspace.offers('grow')[0]?.advertised).toMatchObject({ properties: { size: { const: true } } });
  });
});
