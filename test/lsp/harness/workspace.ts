import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { uriOf } from './edits.ts';
import { PROJECT } from './serverProcess.ts';

/** A folder of files that a server is opened on. It lies inside the project, so that zod and the SDK resolve. */
export interface Workspace {
  readonly root: string;
  /** Absolute path of a file, from its path in the workspace. */
  file(path: string): string;
  uri(path: string): string;
  /** Text of a file on disk. */
  text(path: string): string;
  /** Writes a file on disk. The server hears of it only through `watched`. */
  write(path: string, text: string): void;
  remove(path: string): void;
  /** Deletes the folder. */
  dispose(): void;
}

const DEFAULT_FILES: { readonly [path: string]: string } = {
  'package.json': JSON.stringify({
    name: 'fixture',
    version: '1.0.0',
    type: 'module',
    dependencies: { '@modelcontextprotocol/sdk': '*', zod: '*' },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'Bundler',
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['src'],
  }),
};

/**
 * Writes a fresh folder under `.vscode-test/workspaces`.
 *
 * @param files texts by path. A `package.json` and a `tsconfig.json` of an ordinary package are added; null leaves one
 *   out.
 */
export function workspace({
  files,
  name = 'workspace',
}: {
  readonly files: { readonly [path: string]: string | null };
  readonly name?: string;
}): Workspace {
  const parent = join(PROJECT, '.vscode-test/workspaces');
  mkdirSync(parent, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parent, `${name}-`)));
  const file = (path: string) => join(root, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(file(path)), { recursive: true });
    writeFileSync(file(path), text);
  };
  for (const [path, text] of Object.entries({ ...DEFAULT_FILES, ...files })) {
    if (text !== null) write(path, text);
  }
  return {
    root,
    file,
    uri: (path) => uriOf(file(path)),
    text: (path) => readFileSync(file(path), 'utf8'),
    write,
    remove: (path) => rmSync(file(path), { recursive: true }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
