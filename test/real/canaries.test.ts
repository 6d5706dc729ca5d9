import { cpSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Changes, Evaluated, makeWorkspace, manifest, PROJECT, removeWorkspaces } from '../helpers/evaluate.ts';

const running: Evaluated[] = [];
afterEach(() => {
  for (const evaluated of running.splice(0)) evaluated.dispose();
});
afterAll(removeWorkspaces);

function open(root: string, options: ConstructorParameters<typeof Evaluated>[1] = {}): Evaluated {
  const evaluated = new Evaluated(root, options);
  running.push(evaluated);
  return evaluated;
}

/** Names of what code has written into a workspace. */
function written(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /canary/.test(name));
}

/** Whether something listens on a port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe('what modules do when they are imported', () => {
  test('does not happen, and every tool is evaluated', async () => {
    const root = makeWorkspace({});
    cpSync(join(PROJECT, 'test/fixtures/canaries'), root, { recursive: true });
    const evaluated = await open(root).update();
    expect(evaluated.names()).toEqual(['exits', 'listens', 'loops', 'prints', 'spawns', 'throws', 'writes']);
    expect(evaluated.result.unevaluated).toEqual([]);
    expect(evaluated.contract('spawns').graph?.nodes[0]?.policy).toBe('strict');
    for (const name of evaluated.names()) {
      expect(evaluated.offers(name).map(({ surface, listError }) => [surface.id, listError])).toEqual([
        ['mcp-v1', undefined],
      ]);
    }
    expect(written(root)).toEqual([]);
    expect(await listens(48_613)).toBe(false);
    expect(evaluated.log.filter((line) => line.includes('canary'))).toEqual([]);
  });
});

const FILE = 'canary-file';
/** What an initialiser does, and the reason that its tool gets. */
const INITIALISERS: readonly (readonly [title: string, code: string, reason: RegExp, at: string])[] = [
  [
    'writes a file',
    `import { writeFileSync } from 'node:fs';\nconst bad = z.literal(String(writeFileSync('${FILE}', 'x')));`,
    /^(Access to this API has been restricted|fs\.writeFileSync)/,
    `writeFileSync('${FILE}', 'x')`,
  ],
  [
    'starts a program',
    `import { execFileSync } from 'node:child_process';\nconst bad = z.literal(String(execFileSync('touch', ['${FILE}'])));`,
    /^child_process\.execFileSync is not available while a tool contract is evaluated$/,
    `execFileSync('touch', ['${FILE}'])`,
  ],
  [
    'listens',
    "import { createServer } from 'node:net';\nconst bad = z.literal(String(createServer().listen(48_614)));",
    /is not available while a tool contract is evaluated$/,
    'createServer().listen(48_614)',
  ],
  [
    'asks the network',
    "import { connect } from 'node:net';\nconst bad = z.literal(String(connect(80, '127.0.0.1')));",
    /is not available while a tool contract is evaluated$/,
    "connect(80, '127.0.0.1')",
  ],
  ['exits', 'const bad = z.literal(process.exit(7) as never);', /^process\.exit\(7\) was called$/, 'process.exit(7)'],
  [
    'throws',
    "const bad = z.literal(fail());\nfunction fail(): never { throw new Error('no key is set'); }",
    /^no key is set$/,
    "new Error('no key is set')",
  ],
  [
    'aborts',
    'const bad = z.literal(process.abort() as never);',
    /^process\.abort is not available while/,
    'process.abort()',
  ],
  [
    'kills its parent',
    'const bad = z.literal(process.kill(process.ppid) as never);',
    /^process\.kill is not available while/,
    'process.kill(process.ppid)',
  ],
  [
    'never ends',
    'const bad = z.literal(spin());\nfunction spin(): never { for (;;) {} }',
    /^it did not finish within [36] seconds and was stopped$/,
    'z.object({ bad })',
  ],
  [
    'fills the heap',
    'const bad = z.literal(fill());\nfunction fill(): never { const all: unknown[] = []; for (;;) all.push(new Array(1000).fill(all.length)); }',
    /^it used more than 128 MB of memory and was stopped$/,
    'z.object({ bad })',
  ],
  [
    'fills memory beyond the heap',
    'const bad = z.literal(fill());\nfunction fill(): never { const all: unknown[] = []; for (;;) all.push(Buffer.alloc(8_000_000, 1)); }',
    /^it used more than 128 MB of memory and was stopped$/,
    'z.object({ bad })',
  ],
  [
    'prints without an end',
    'const bad = z.literal(say());\nfunction say(): never { for (;;) console.log("again"); }',
    /^it did not finish within [36] seconds and was stopped$/,
    'z.object({ bad })',
  ],
  [
    'overflows the stack',
    'const bad = deep();\nfunction deep(): any { return deep(); }',
    /^Maximum call stack size exceeded$/,
    'deep()',
  ],
  [
    'imports a package that is not installed',
    "import { bad } from 'not-installed';",
    /^the package "not-installed" is not installed: run your package manager$/,
    'bad',
  ],
];

describe('what an initialiser does that a schema needs', () => {
  const server = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { bad } from './bad.js';
import { z } from 'zod';
const server = new McpServer({ name: 'x', version: '1' });
server.registerTool('first', { description: 'd', inputSchema: z.object({ a: z.string() }) }, async () => ({ content: [] }));
server.registerTool('bad', { description: 'd', inputSchema: z.object({ bad }) }, async () => ({ content: [] }));
server.registerTool('last', { description: 'd', inputSchema: z.object({ c: z.string() }).strict() }, async () => ({ content: [] }));
`;

  test.each(INITIALISERS)(
    '%s: a reason for its tool, and the others are evaluated',
    async (_title, code, reason, at) => {
      const bad = /^import \{ bad \}/.test(code)
        ? `${code}\nexport { bad };`
        : `import { z } from 'zod';\n${code}\nexport { bad };`;
      const root = makeWorkspace({ 'package.json': manifest(), 'server.ts': server, 'bad.ts': bad });
      // A busy machine takes its time to fill memory.
      const timeoutMs = reason.source.includes('memory') ? 15_000 : 3000;
      const evaluated = await open(root, { timeoutMs, memoryMb: 128 }).update();
      expect(evaluated.names()).toEqual(['first', 'last']);
      const failure = evaluated.failure('bad');
      expect(failure.reason).toMatch(reason);
      expect(evaluated.textOf(failure.at)).toBe(at);
      expect(evaluated.offers('last').map(({ surface }) => surface.id)).toEqual(['mcp-v1']);
      expect(written(root)).toEqual([]);
      // The process that answers is one that holds the contracts.
      const outcome = await evaluated.pipeline.probes.parse(evaluated.contract('last').id, 0, { c: 'x', d: 1 });
      expect(outcome.accepts).toBe(false);
    },
  );

  test('all of them at once', async () => {
    const files: Record<string, string> = { 'package.json': manifest() };
    INITIALISERS.forEach(([, code], index) => {
      files[`bad${index}.ts`] = /^import \{ bad \}/.test(code)
        ? `${code}\nexport { bad };`
        : `import { z } from 'zod';\n${code}\nexport { bad };`;
      files[`server${index}.ts`] = server
        .replace('./bad.js', `./bad${index}.js`)
        .replaceAll(/'(first|bad|last)'/g, `'$1_${index}'`);
    });
    const root = makeWorkspace(files as Changes);
    const evaluated = await open(root, { timeoutMs: 6000, memoryMb: 128 }).update();
    expect(evaluated.names()).toEqual(INITIALISERS.flatMap((_, index) => [`first_${index}`, `last_${index}`]).sort());
    for (const [index, [, , reason]] of INITIALISERS.entries()) {
      expect(evaluated.failure(`bad_${index}`).reason).toMatch(reason);
    }
    expect(evaluated.offers('first_0')).toHaveLength(1);
    expect(evaluated.offers(`last_${INITIALISERS.length - 1}`)).toHaveLength(1);
    expect(written(root)).toEqual([]);
  });

  test('prints: captured, and the tool is evaluated', async () => {
    const bad =
      "import { z } from 'zod';\nconsole.log('never said');\nexport const bad = z.string().describe(say());\nfunction say() { console.log('hello'); console.error('there'); process.stdout.write('you'); return 'said'; }";
    const root = makeWorkspace({ 'package.json': manifest(), 'server.ts': server, 'bad.ts': bad });
    const evaluated = await open(root).update();
    expect(evaluated.names()).toEqual(['bad', 'first', 'last']);
    const printed = evaluated.log.join('\n');
    for (const word of ['hello', 'there', 'you']) expect(printed).toContain(word);
    expect(printed).not.toContain('never said');
  });

  test('reads variables of the environment: they are told', async () => {
    const bad =
      "import { z } from 'zod';\nexport const bad = z.enum(process.env.CANARY_BETA ? ['a', 'b'] : ['a']).describe(String(process.env['CANARY_OTHER']));\nexport const other = process.env.CANARY_UNREAD;";
    const root = makeWorkspace({
      'package.json': manifest(),
      'server.ts': `${server}server.registerTool('again', { description: 'd', inputSchema: z.object({ bad }) }, async () => ({ content: [] }));`,
      'bad.ts': bad,
    });
    const evaluated = await open(root).update();
    for (const name of ['bad', 'again']) {
      expect(evaluated.contract(name).environment).toEqual(['CANARY_BETA', 'CANARY_OTHER']);
      expect(
        evaluated
          .contract(name)
          .files.map((file) => file.slice(root.length + 1))
          .sort(),
      ).toEqual(['bad.ts', 'server.ts']);
    }
    expect(evaluated.contract('first').environment).toEqual([]);
    expect(evaluated.contract('first').files).toEqual([join(root, 'server.ts')]);
  });

  test('a package that ends the process when it is imported is the reason of what needs it', async () => {
    const root = makeWorkspace({
      'package.json': manifest(),
      'server.ts': server,
      'bad.ts': "export { bad } from 'endless';",
      'node_modules/endless/package.json':
        '{ "name": "endless", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
      'node_modules/endless/index.js': 'for (;;) {}\nexport const bad = 1;',
    });
    const evaluated = await open(root, { timeoutMs: 1000 }).update();
    expect(evaluated.names()).toEqual(['first', 'last']);
    expect(evaluated.failure('bad').reason).toBe('it did not finish within 1 second and was stopped');
  });

  test('a package that throws when it is imported, and one that never settles', async () => {
    const root = makeWorkspace({
      'package.json': manifest(),
      'a.ts': server.replace('./bad.js', 'throwing').replaceAll(/'(first|bad|last)'/g, "'$1_a'"),
      'b.ts': server.replace('./bad.js', 'waiting').replaceAll(/'(first|bad|last)'/g, "'$1_b'"),
      'node_modules/throwing/package.json': '{ "name": "throwing", "version": "1.0.0", "main": "index.cjs" }',
      'node_modules/throwing/index.cjs': "throw new Error('this machine has no GPU');",
      'node_modules/waiting/package.json':
        '{ "name": "waiting", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'node_modules/waiting/index.js': 'await new Promise(() => {});\nexport const bad = 1;',
    });
    const evaluated = await open(root, { timeoutMs: 1000 }).update();
    expect(evaluated.names()).toEqual(['first_a', 'first_b', 'last_a', 'last_b']);
    expect(evaluated.failure('bad_a').reason).toBe('cannot load throwing/index.cjs: this machine has no GPU');
    expect(evaluated.failure('bad_b').reason).toBe(
      'cannot load waiting/index.js: it did not finish loading within 0.7 seconds',
    );
  });
});
