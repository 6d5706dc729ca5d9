import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Evaluated, makeWorkspace, manifest, removeWorkspaces } from '../helpers/evaluate.ts';

afterAll(removeWorkspaces);

test.each(['my tools', 'tools #2', 'été (1)', '100% [x]', "it's"])(
  'a workspace in a folder called %s',
  async (folder) => {
    const parent = makeWorkspace({
      [`${folder}/package.json`]: manifest(),
      [`${folder}/src/schemas.ts`]:
        "import { z } from 'zod';\nexport const Good = z.object({ a: z.string() });\nexport const bad: any = undefined;",
      [`${folder}/src/server.ts`]: `import { z } from 'zod';
import { Good, bad } from './schemas.js';
server.registerTool('good', { description: 'd', inputSchema: Good.strict() }, async () => ({ content: [] }));
server.registerTool('bad', { description: 'd', inputSchema: z.object({ a: bad.missing }) }, async () => ({ content: [] }));
`,
    });
    const evaluated = await new Evaluated(join(parent, folder)).update();
    try {
      expect(evaluated.names()).toEqual(['good']);
      const { graph } = evaluated.contract('good');
      expect(graph?.nodes.map((node) => evaluated.textOf(node.origin?.place))).toEqual([
        'Good.strict()',
        'z.string()',
        'z.object({ a: z.string() })',
      ]);
      expect(evaluated.textOf(evaluated.failure('bad').at)).toBe('bad.missing');
      expect(evaluated.offers('good').map(({ surface }) => surface.id)).toEqual(['mcp-v1']);
    } finally {
      evaluated.dispose();
    }
  },
);
