import { join } from 'node:path';
import type { Found } from '../../../server/src/reporters/fromSnapshot.ts';
import type { Contract, Finding, Offer, Place, Unevaluated } from '../../../shared/src/model.ts';
import { MemoryTree } from './memoryTree.ts';

/** The files that everything here is about. */
export const tree = new MemoryTree({
  'package.json': '{ "name": "harbour-mcp" }',
  'node_modules/zod/package.json': '{ "version": "4.6.7" }',
  'src/schemas/boats.ts':
    "import { z } from 'zod';\n\nexport const ListBoats = z.strictObject({ type: z.string() });\n",
  'src/schemas/tides.ts':
    "import { z } from 'zod';\n\nexport const Near = z.object({ harbour: z.string().default('h') });\n",
  'src/tools/boats.ts': [
    "server.registerTool('list_boats', {",
    '  inputSchema: ListBoats.shape,',
    '});',
    "server.registerTool('get_boat', {});",
    "    server.registerTool('report_position', {});",
  ].join('\r\n'),
  'src/tools/tides.ts': "const stations = await load('港');\n\nexport const tool = { name: 'tide_table' };\n",
});

/** The place of a text in a file: of its first occurrence. */
export function place(file: string, text: string): Place {
  const path = join(tree.root, file);
  const start = tree.read(path)?.indexOf(text) ?? -1;
  if (start === -1) throw new Error(`${text} is not in ${file}`);
  return { file: path, span: { start, end: start + text.length } };
}

/** A tool as the pipeline hands it over. */
export function tool(
  file: string,
  name: string,
  policy: 'strip' | 'strict' | 'loose',
  advertised: Offer['advertised'] = { type: 'object', properties: {} },
  written = `'${name}'`,
): { contract: Contract; offers: Offer[] } {
  const at = place(file, written);
  const contract: Contract = {
    id: `${at.file}#${name}:0`,
    candidate: { id: `${at.file}#${name}`, file: at.file, way: 'registerTool', certain: true, span: at.span },
    name,
    form: 'schema',
    graph: { nodes: [{ id: 0, uid: 1, kind: 'object', zod: 4, policy }], root: 0 },
    output: null,
    rebuiltFrom: [],
    definedAt: at,
    registeredAt: null,
    files: [at.file],
    environment: [],
  };
  const surface = { id: 'mcp-v1', sdk: '@modelcontextprotocol/sdk', version: '1.32.2' } as const;
  return { contract, offers: [{ surface, contract: contract.id, advertised, outputSchema: null }] };
}

export const tideTable: Unevaluated = {
  candidate: {
    id: 'tides#0',
    file: place('src/tools/tides.ts', 'tide_table').file,
    way: 'definition',
    certain: true,
    span: place('src/tools/tides.ts', "'tide_table'").span,
  },
  name: 'tide_table',
  reason: 'The value is awaited while the module loads, so it is known only when the program runs.',
  at: place('src/tools/tides.ts', "await load('港')"),
  trail: ['stations', 'tideTools'],
  files: [],
};

export const dropped: Finding = {
  rule: 'dropped-catchall',
  severity: 'warning',
  at: place('src/tools/boats.ts', 'ListBoats.shape'),
  message:
    'An undeclared argument such as "harbour" would be deleted: the tool is registered with `ListBoats.shape` and loses its `.strict()`. A call that `ListBoats` rejects succeeds without it.',
  tools: ['list_boats'],
  surfaces: ['mcp-v1'],
  related: [{ place: place('src/schemas/boats.ts', 'z.strictObject'), message: '`ListBoats` is strict here' }],
  witness: {
    arguments: { type: 'sail', harbour: 'x' },
    expected: {
      by: 'source',
      name: 'ListBoats',
      accepts: false,
      error:
        '[\n  {\n    "code": "unrecognized_keys",\n    "keys": ["harbour"],\n    "path": [],\n    "message": "Unrecognized key: \\"harbour\\""\n  }\n]',
    },
    actual: { by: 'mcp-v1', accepts: true, received: { type: 'sail' } },
  },
  fixes: [
    { id: 'strict', title: 'Put `.strict()` back', preferred: false },
    { id: 'ignore', title: 'Ignore on this line', preferred: false },
    { id: 'schema', title: 'Register `ListBoats` itself', preferred: true },
  ],
};

export const swallowed: Finding = {
  rule: 'default-in-union-variant',
  severity: 'information',
  at: place('src/schemas/tides.ts', "z.string().default('h')"),
  message: 'A call for another variant can be taken by this one. Its `harbour` fills itself in.',
  tools: ['next_high_water', 'a', 'b', 'c', 'd'],
  surfaces: ['mcp-v1'],
  related: [],
  witness: {
    arguments: { place: { latitude: 0, longitude: 0 } },
    expected: { by: 'source', name: 'NearPosition', accepts: true, value: { place: { latitude: 0, longitude: 0 } } },
    actual: { by: 'mcp-v1', accepts: true, received: { place: { harbour: 'harlingen' } } },
  },
  fixes: [],
};

export const notEvaluated: Finding = {
  rule: 'not-evaluated',
  severity: 'information',
  at: tideTable.at,
  message: `tide_table could not be evaluated. ${tideTable.reason}`,
  tools: ['tide_table'],
  surfaces: [],
  related: [],
  witness: null,
  fixes: [],
};

/** What a check could have found, in no order. */
export function found(changes: Partial<Found> = {}): Found {
  return {
    tools: [
      { unevaluated: tideTable, offers: [] },
      tool('src/tools/boats.ts', 'report_position', 'loose'),
      tool('src/tools/boats.ts', 'list_boats', 'strip', { type: 'object', properties: { type: {}, shorterThan: {} } }),
      tool('src/tools/boats.ts', 'get_boat', 'strict', { type: 'object', properties: { id: {} } }),
    ],
    findings: [swallowed, notEvaluated, dropped],
    durationMs: 812,
    notes: [],
    ...changes,
  };
}
