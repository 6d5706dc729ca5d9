import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Changes, Evaluated, PROJECT, writeFiles } from './evaluate.ts';
import { installedSdk, SDKS, type SdkName } from './sdkInstallation.ts';

export { SDKS, type SdkName } from './sdkInstallation.ts';

/** Milliseconds that a set-up may take which installs an SDK. */
export const INSTALL_MS = 180_000;

/** The folder that an SDK is installed in. @throws when npm cannot install it */
export function sdkFolder(name: SdkName): Promise<string> {
  return installedSdk(name, PROJECT);
}

/** A workspace below the folder of an SDK, so that its packages resolve to that. */
export async function sdkWorkspace(name: SdkName, workspace: string, files: Changes): Promise<string> {
  const root = join(await sdkFolder(name), 'workspaces', workspace);
  rmSync(root, { recursive: true, force: true });
  const dependencies: { readonly [dependency: string]: string } = SDKS[name];
  writeFiles(root, { 'package.json': JSON.stringify({ name: workspace, type: 'module', dependencies }), ...files });
  return root;
}

/** As `sdkWorkspace`, evaluated by the built sandbox. To be disposed of. */
export async function evaluateWith(name: SdkName, workspace: string, files: Changes): Promise<Evaluated> {
  return new Evaluated(await sdkWorkspace(name, workspace, files)).update();
}
