import nodePath from 'node:path';
import {
  type Config,
  type ConfigFile,
  type ConfigProblem,
  configFileSchema,
  mergeConfig,
  readParts,
  type Settings,
} from '../../../shared/src/config.ts';
import { readJson } from './jsonText.ts';
import { isInside, relativePath } from './paths.ts';
import type { FileTree } from './tree.ts';

export const CONFIG_FILE = 'tool-contracts.json';

/** The configuration that holds for a file. */
export interface FoundConfig {
  readonly config: Config;
  /** The `tool-contracts.json` it comes from, or undefined when there is none. */
  readonly file: string | undefined;
  /** What could not be used, as sentences. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * The `tool-contracts.json` nearest to a path: in the folder itself, else above it, up to the tree's root.
 *
 * @param path a file or a folder
 */
export function nearestConfigFile(tree: FileTree, path: string): string | undefined {
  let folder = tree.directoryExists(path) ? path : nodePath.dirname(path);
  while (isInside(tree.root, folder)) {
    const file = nodePath.join(folder, CONFIG_FILE);
    if (tree.exists(file)) return file;
    const parent = nodePath.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

/** Reads a `tool-contracts.json`. Of a file with faults the valid parts hold; every fault is a sentence. */
export function readConfigFile(
  tree: FileTree,
  file: string,
): { value: Partial<ConfigFile>; problems: readonly ConfigProblem[] } {
  const text = tree.read(file);
  const shown = relativePath(tree.root, file);
  if (text === undefined)
    return { value: {}, problems: [{ message: `${shown} cannot be read, so the defaults are used.` }] };
  if (text.trim() === '') return { value: {}, problems: [{ message: `${shown} is empty, so the defaults are used.` }] };
  const { value, broken } = readJson(text);
  const problems = broken ? [{ message: `${shown}:${broken}; what can be read of it is used.` }] : [];
  const read = readParts(configFileSchema, value, shown);
  return { value: read.value, problems: [...problems, ...read.problems] };
}

/**
 * The configuration for a path: defaults, then the nearest `tool-contracts.json`, then settings.
 *
 * @param settings what the editor or the command line says, already read
 */
export function configFor(tree: FileTree, path: string, settings: Partial<Settings>): FoundConfig {
  const file = nearestConfigFile(tree, path);
  if (file === undefined) return { config: mergeConfig({}, settings), file, problems: [] };
  const { value, problems } = readConfigFile(tree, file);
  return { config: mergeConfig(value, settings), file, problems };
}
