import { statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Packages } from '../files/packages.ts';

/** What package managers leave in a `node_modules` that says what is in it. */
const STATES = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];

/**
 * Tells an installation of a workspace's packages from every other one, as one text.
 *
 * @returns undefined when that cannot be told: a dependency is linked to a folder whose files may change
 */
export function installationOf(packages: Packages): string | undefined {
  const parts: unknown[] = [];
  const places = new Set<string>();
  for (const { folder, dependencies } of packages.all()) {
    for (const name of [...dependencies].sort()) {
      const installed = packages.installed(name, folder);
      if (installed && !installed.folder.split(sep).includes('node_modules')) return undefined;
      if (installed) places.add(join(installed.from, 'node_modules'));
      parts.push([folder, name, installed?.folder ?? null, installed?.version ?? null]);
    }
  }
  for (const place of [...places].sort()) for (const name of STATES) parts.push(stateOf(join(place, name)));
  return JSON.stringify(parts);
}

function stateOf(file: string): unknown {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? [file, stat.size, stat.mtimeMs] : null;
}
