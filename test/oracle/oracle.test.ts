import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Evaluated, makeWorkspace, PROJECT, removeWorkspaces } from '../helpers/evaluate.ts';
import { predict } from './predict.ts';

const SERVERS = 'node_modules/@modelcontextprotocol';
/** Folder, and the least number of nodes on which the oracle and the evaluation have to agree. */
const WORKSPACES: readonly (readonly [folder: string, floor: number])[] = [
  ['test/fixtures/sample', 80],
  ['test/fixtures/evaluation', 200],
  ['test/fixtures/variants', 900],
  [`${SERVERS}/server-everything`, 80],
  [`${SERVERS}/server-filesystem`, 50],
  [`${SERVERS}/server-memory`, 40],
];
/** Folders of modules that only export schemas. */
const MODULES: readonly (readonly [folder: string, floor: number])[] = [
  ['test/fixtures/cases', 300],
  ['test/fixtures/twins', 100],
];

afterAll(removeWorkspaces);

test.each(WORKSPACES)('%s: what stands at the origin of a node makes such a node', async (folder, floor) => {
  await judge(folder, join(PROJECT, folder), floor);
});

test.each(MODULES)('%s: what stands at the origin of a node makes such a node', async (folder, floor) => {
  const root = makeWorkspace({});
  cpSync(join(PROJECT, folder), root, { recursive: true });
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file));
  writeFileSync(join(root, 'all.ts'), files.map((file, index) => registering(root, file, index)).join('\n'));
  await judge(folder, root, floor);
});

/** Registers every constant that a module exports. */
function registering(root: string, file: string, index: number): string {
  const names = [...readFileSync(join(root, file), 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  return [
    `import * as m${index} from './${file}';`,
    ...names.map(
      (name) => `server.registerTool('${index}_${name}', { description: 'd', inputSchema: m${index}.${name} }, run);`,
    ),
  ].join('\n');
}

async function judge(folder: string, root: string, floor: number): Promise<void> {
  const evaluated = new Evaluated(root, {
    exclude: ['**/node_modules/**', '**/__tests__/**', '**/*.d.ts'],
    surfacesOf: () => [],
  });
  try {
    await evaluated.update();
  } finally {
    evaluated.dispose();
  }
  const mismatches: string[] = [];
  let agree = 0;
  let unknown = 0;
  const seen = new Set<string>();
  for (const { name, graph, output } of evaluated.contracts()) {
    for (const node of [...(graph?.nodes ?? []), ...(output?.nodes ?? [])]) {
      if (!node.origin) continue;
      const { place, method } = node.origin;
      const key = `${place.file}:${place.span.start}-${place.span.end} ${node.kind}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const text = evaluated.textOf(place) ?? '';
      const predicted = predict(text, node.zod);
      const isMismatch =
        (predicted.kind !== undefined && predicted.kind !== node.kind) ||
        (predicted.method !== undefined && predicted.method !== method);
      if (isMismatch) {
        mismatches.push(`${name}: ${node.kind} by ${method}, but ${predicted.kind} by ${predicted.method}: ${text}`);
      } else if (predicted.kind === undefined) unknown++;
      else agree++;
    }
  }
  console.log(`oracle ${folder}: ${agree} agree, ${mismatches.length} mismatch, ${unknown} unknown`);
  expect(mismatches).toEqual([]);
  expect(agree).toBeGreaterThanOrEqual(floor);
}
