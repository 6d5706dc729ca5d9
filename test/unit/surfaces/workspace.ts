import { createRequire } from 'node:module';
import type { DriverHost, Mounted } from '../../../server/src/evaluation/sandbox/driver.ts';

const require = createRequire(import.meta.url);

/** What the sandbox lends a driver, over this repository's own `node_modules`. */
export function workspace(replaced: { readonly [specifier: string]: string } = {}): DriverHost {
  return {
    load: (specifier) => import(replaced[specifier] ?? specifier),
    version: (name) => require(`${process.cwd()}/node_modules/${name}/package.json`).version as string,
  };
}

/** A tool as a driver mounts it, called by its contract's id. */
export function tool(contract: string, schema: unknown, output?: unknown): Mounted {
  return { contract, name: contract, schema, output };
}
