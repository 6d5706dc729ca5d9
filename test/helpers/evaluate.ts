import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskTree } from '../../server/src/files/disk.ts';
import { Pipeline, type PipelineOptions, type PipelineResult } from '../../server/src/pipeline/pipeline.ts';
import { DEFAULT_CONFIG } from '../../shared/src/config.ts';
import type { Contract, Offer, Place, Unevaluated } from '../../shared/src/model.ts';

export const PROJECT = join(import.meta.dirname, '../..');
const SCRATCH = join(PROJECT, '.vscode-test/evaluation');

/** The built sandbox, in the folder that `TOOL_CONTRACTS_DIST` names when there is such a variable. */
export function sandboxEntry(): string {
  const entry = join(process.env.TOOL_CONTRACTS_DIST ?? join(PROJECT, 'dist'), 'server/sandbox.mjs');
  if (!existsSync(entry)) throw new Error(`${entry} is not there: run npm run build first`);
  return entry;
}

/** New texts by path; undefined: the file goes. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** A folder of files and the pipeline over it, with a sandbox process of its own. */
export class Evaluated {
  readonly tree: DiskTree;
  readonly pipeline: Pipeline;
  /** What was logged, such as what workspace code printed. */
  readonly log: string[] = [];
  result: PipelineResult = {
    subjects: [],
    unchosen: [],
    unevaluated: [],
    fresh: new Set(),
    stale: new Set(),
    notes: [],
  };

  constructor(
    readonly root: string,
    options: Partial<PipelineOptions> = {},
  ) {
    this.tree = new DiskTree(root);
    this.pipeline = new Pipeline({
      tree: this.tree,
      sandboxEntry: sandboxEntry(),
      timeoutMs: DEFAULT_CONFIG.timeoutMs,
      memoryMb: DEFAULT_CONFIG.memoryMb,
      include: DEFAULT_CONFIG.include,
      exclude: DEFAULT_CONFIG.exclude,
      schemaKeysOf: () => [],
      surfacesOf: () => 'auto',
      log: (line) => this.log.push(line),
      ...options,
    });
  }

  /** Writes files and evaluates what they touch; the first time, everything. */
  async update(changes: Changes = {}): Promise<this> {
    writeFiles(this.root, changes);
    this.result = await this.pipeline.update(Object.keys(changes).map((name) => this.path(name)));
    return this;
  }

  path(name: string): string {
    return join(this.root, name);
  }

  names(): string[] {
    return this.contracts()
      .map(({ name }) => name ?? '?')
      .sort();
  }

  contracts(): Contract[] {
    return this.result.subjects.map(({ contract }) => contract);
  }

  /** The tool of that name, an error when there is none. */
  contract(name: string): Contract {
    return this.subject(name).contract;
  }

  offers(name: string): readonly Offer[] {
    return this.subject(name).offers;
  }

  failure(name: string): Unevaluated {
    const found = this.result.unevaluated.find((each) => each.name === name);
    if (!found)
      throw new Error(`${name} is not among what failed: ${this.result.unevaluated.map((each) => each.name)}`);
    return found;
  }

  textOf(place: Place | undefined): string | undefined {
    return place && this.tree.read(place.file)?.slice(place.span.start, place.span.end);
  }

  dispose(): void {
    this.pipeline.dispose();
  }

  private subject(name: string) {
    const found = this.result.subjects.find(({ contract }) => contract.name === name);
    if (found) return found;
    const failed = this.result.unevaluated.map((each) => `${each.name}: ${each.reason}`);
    throw new Error(`no tool ${name}; there are ${[...this.names(), ...failed].join('; ')}`);
  }
}

/**
 * Writes files into a new folder inside the project, where packages resolve to the project's own.
 *
 * @returns the folder; `removeWorkspaces` takes all of them away
 */
export function makeWorkspace(files: Changes): string {
  mkdirSync(SCRATCH, { recursive: true });
  const root = mkdtempSync(join(SCRATCH, 'w-'));
  made.push(root);
  writeFiles(root, files);
  return root;
}

const made: string[] = [];

export function removeWorkspaces(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** Writes files below a folder; those without a text go. */
export function writeFiles(root: string, files: Changes): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    if (text === undefined) rmSync(path, { force: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
}

/** A `package.json` with dependencies, as a workspace that uses the MCP SDK has it. */
export function manifest(...dependencies: readonly string[]): string {
  const all = ['zod', '@modelcontextprotocol/sdk', ...dependencies];
  return JSON.stringify({
    name: 'w',
    type: 'module',
    dependencies: Object.fromEntries(all.map((name) => [name, '*'])),
  });
}
