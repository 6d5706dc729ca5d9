import type { SurfaceId } from '../../../shared/src/model.ts';
import { permissionArguments } from '../evaluation/permission.ts';
import { Sandbox } from '../evaluation/sandbox.ts';
import { Packages } from '../files/packages.ts';
import type { FileTree } from '../files/tree.ts';
import { SDK_SURFACES, SDKS } from '../surfaces/sdks.ts';
import { readableFolders } from './readable.ts';

export interface SandboxOptions {
  readonly tree: FileTree;
  /** Path of the built sandbox. */
  readonly sandboxEntry: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly log: (line: string) => void;
}

/** What of a tree of files can be at work before anything is parsed, and so before TypeScript is loaded. */
export interface Prepared {
  readonly packages: Packages;
  readonly sandbox: Sandbox;
}

/** The packages of a tree and its sandbox, of which no process runs yet. */
export function prepare({ tree, sandboxEntry, timeoutMs, memoryMb, log }: SandboxOptions): Prepared {
  const packages = new Packages(tree);
  const sandbox = new Sandbox({
    entry: sandboxEntry,
    root: tree.root,
    nodeArguments: () => permissionArguments(readableFolders(tree, sandboxEntry, packages)),
    timeoutMs,
    memoryMb,
    log,
  });
  return { packages, sandbox };
}

/**
 * Starts the process and lets it import the SDKs that packages depend on: offering no tools loads what offering takes.
 * Nothing to do when a process runs already.
 *
 * @param surfacesOf the surfaces that the configuration of a file lets judge
 */
export function warmUp(
  { packages, sandbox }: Prepared,
  surfacesOf: (file: string) => 'auto' | readonly SurfaceId[],
): void {
  if (sandbox.isRunning) return;
  sandbox.warmUp();
  for (const pkg of packages.all()) {
    const wanted = surfacesOf(pkg.file);
    for (const surface of SDK_SURFACES) {
      if (wanted !== 'auto' && !wanted.includes(surface)) continue;
      if (!pkg.dependencies.has(SDKS[surface].package)) continue;
      // Whatever goes wrong is met again, and said, when tools are offered.
      sandbox.request('offer', { surface, from: pkg.file, tools: [] }).catch(() => {});
    }
  }
}
