import nodePath from 'node:path';
import type { Contract, Unevaluated } from '../../../shared/src/model.ts';
import { Packages } from '../files/packages.ts';
import type { FileTree } from '../files/tree.ts';
import type { Pipeline, PipelineResult } from '../pipeline/pipeline.ts';
import type { Probes } from '../pipeline/probes.ts';
import type { Repository } from './git.ts';
import { GitTree } from './gitTree.ts';
import { graphModel } from './graphModel.ts';
import { NO_INPUT } from './inputModel.ts';
import type { PreviousTool } from './previous.ts';
import type { KeptRelease, ReleaseCache } from './releaseCache.ts';
import { isSteady } from './steady.ts';

/** Makes a pipeline over a tree, of which only the wanted files are searched for tools. */
export type MakePipeline = (tree: FileTree, wants: (file: string) => boolean) => Pipeline;

/** Where what a commit gave is kept, and under which key. */
export interface KeptAt {
  readonly cache: ReleaseCache;
  readonly key: string;
}

/** What is known of a tool of now, as far as it depends on files. */
interface Dependent {
  readonly candidate: Contract['candidate'];
  readonly files: readonly string[];
}

/**
 * The tools of a commit, evaluated like those of the disk. Only files that differ are: a tool whose files are the same
 * then and now is the same tool.
 */
export class TagBaseline {
  /** Files that are searched for tools in this process. */
  private readonly wanted = new Set<string>();
  /** What an earlier process found in files. */
  private kept: (Omit<KeptRelease, 'files'> & { readonly files: ReadonlySet<string> }) | undefined;
  private readonly pipeline: Pipeline;
  private readonly packages: Packages;
  private readonly answers = new Map<string, Promise<unknown>>();
  private last: Promise<unknown> = Promise.resolve();
  private result: PipelineResult | undefined;
  private tools: { readonly folder: string; readonly tool: PreviousTool }[] = [];

  private constructor(
    private readonly tree: GitTree,
    makePipeline: MakePipeline,
    private readonly keptAt: KeptAt | undefined,
  ) {
    this.packages = new Packages(tree);
    this.pipeline = makePipeline(tree, (file) => this.wanted.has(file));
  }

  /**
   * @param keptAt undefined: nothing is kept from one process to the next
   * @throws GitError when git cannot read the commit
   */
  static async of(
    disk: FileTree,
    repository: Repository,
    commit: string,
    makePipeline: MakePipeline,
    keptAt?: KeptAt,
  ): Promise<TagBaseline> {
    return new TagBaseline(await GitTree.of(disk, repository, commit), makePipeline, keptAt);
  }

  /** Whether a tool of now is, byte by byte, what it was: none of the files that it was evaluated from differs. */
  isSame({ files }: Dependent): boolean {
    return files.every((file) => this.tree.isSame(file));
  }

  /**
   * Evaluates what is needed to compare the present tools, as far as it was not evaluated before.
   *
   * @param present tools of now, also those that could not be evaluated
   * @param changed files whose text may be another one than at the last time
   */
  async update(present: readonly Dependent[], changed: readonly string[]): Promise<void> {
    this.tree.compareAnew(changed);
    const wanted = new Set(this.tree.changedFiles());
    for (const each of present) if (!this.isSame(each)) wanted.add(each.candidate.file);
    // What is open in an editor is about to differ.
    for (const file of changed) wanted.add(file);
    const there = [...wanted].filter((file) => this.tree.holds(file));
    const isFirst = !this.result && !this.kept;
    if (isFirst) this.takeKept(there);
    const added = there.filter((file) => !this.wanted.has(file) && !this.kept?.files.has(file));
    if (added.length > 0) {
      await this.evaluate(added);
      if (isFirst) this.keep();
    }
    this.tools = this.contracts().flatMap((contract) => {
      const tool = this.toTool(contract);
      return tool ? [{ folder: this.folderOf(contract.candidate.file), tool }] : [];
    });
  }

  /** Takes what an earlier process found, when it looked into every file that is wanted. */
  private takeKept(wanted: readonly string[]): void {
    const kept = wanted.length > 0 ? this.keptAt?.cache.read(this.keptAt.key) : undefined;
    if (!kept) return;
    const files = new Set(kept.files);
    if (wanted.every((file) => files.has(file))) this.kept = { ...kept, files };
  }

  private async evaluate(files: readonly string[]): Promise<void> {
    for (const file of files) this.wanted.add(file);
    this.result = await this.pipeline.update(this.result ? files : []);
  }

  /** Keeps what was found for the next process, as far as it will be the same then. */
  private keep(): void {
    const { keptAt, pipeline, result } = this;
    // What ran out of time or memory may have more of it the next time.
    if (!keptAt || !result || pipeline.generation > 1 || result.stale.size > 0) return;
    const known = new Map<string, boolean>();
    const isSteadyFile = (file: string): boolean => {
      const code = pipeline.codeOf(file);
      const steady = known.get(file) ?? (this.tree.holds(file) && code !== undefined && isSteady(code));
      known.set(file, steady);
      return steady;
    };
    const contracts = result.subjects.map(({ contract }) => contract);
    const isSteadyTool = ({ files }: { readonly files: readonly string[] }) => files.every(isSteadyFile);
    // All or nothing: tools of several files are joined with each other.
    if (!contracts.every((one) => one.environment.length === 0 && isSteadyTool(one))) return;
    if (!result.unevaluated.every(isSteadyTool)) return;
    keptAt.cache.write(keptAt.key, { files: [...this.wanted], contracts, unevaluated: result.unevaluated });
  }

  private contracts(): Contract[] {
    const own = this.result?.subjects.map(({ contract }) => contract) ?? [];
    return [...(this.kept?.contracts.filter((each) => this.isKept(each)) ?? []), ...own];
  }

  private unevaluated(): Unevaluated[] {
    return [...(this.kept?.unevaluated.filter((each) => this.isKept(each)) ?? []), ...(this.result?.unevaluated ?? [])];
  }

  private isKept({ candidate }: Dependent | Unevaluated): boolean {
    return !this.wanted.has(candidate.file);
  }

  /** Whether the commit has a package at all: in the folder, or by its name elsewhere. */
  hasPackage(folder: string, name: string | undefined): boolean {
    return this.homeOf(folder, name) !== undefined;
  }

  /** The evaluated tools of a package. */
  toolsOf(folder: string, name: string | undefined): PreviousTool[] {
    const home = this.homeOf(folder, name);
    return this.tools.filter((each) => each.folder === home).map(({ tool }) => tool);
  }

  /** Tools of a package that certainly were tools, but whose contract of then is not known. */
  unevaluatedOf(folder: string, name: string | undefined): Unevaluated[] {
    const home = this.homeOf(folder, name);
    return this.unevaluated().filter(({ candidate }) => this.folderOf(candidate.file) === home);
  }

  /** What a package then declared to need, by name: `zod` → `^3.22.0`. */
  declared(folder: string, name: string | undefined): { readonly [dependency: string]: string } {
    const home = this.homeOf(folder, name);
    return declaredBy(home === undefined ? undefined : this.packages.at(home)?.json);
  }

  dispose(): void {
    this.pipeline.dispose();
  }

  private toTool(contract: Contract): PreviousTool | undefined {
    const { name, graph, form, candidate } = contract;
    if (name === null || graph?.truncated || (!graph && form !== 'none')) return undefined;
    return {
      name,
      file: candidate.file,
      inputs: graph ? graphModel(graph) : NO_INPUT,
      source: {
        by: 'evaluation',
        contract,
        ask: (key, work) => this.ask(`${contract.id} ${key}`, contract, work),
      },
    };
  }

  private ask<Answer>(
    key: string,
    contract: Contract,
    work: (probe: Probes) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const known = this.answers.get(key) as Promise<Answer | undefined> | undefined;
    if (known) return known;
    const subject = { contract, offers: [] };
    const answer = this.last.then(async () => {
      await this.bringBack(contract);
      let got: Answer | undefined;
      await this.pipeline.survive(
        [subject],
        async () => {
          got = await work(this.pipeline.probes);
        },
        () => {},
      );
      return got;
    });
    this.answers.set(key, answer);
    // One after the other: a process that ended is made anew once.
    this.last = answer.catch(() => {});
    return answer;
  }

  /** Schemas are asked in this process: what was kept is evaluated again when it comes to that. */
  private async bringBack({ candidate, definedAt, registeredAt }: Contract): Promise<void> {
    const files = [candidate.file, definedAt.file, ...(registeredAt ? [registeredAt.file] : [])];
    const missing = [...new Set(files)].filter((file) => !this.wanted.has(file) && this.tree.holds(file));
    if (missing.length > 0) await this.evaluate(missing);
  }

  private homeOf(folder: string, name: string | undefined): string | undefined {
    if (this.packages.at(folder)) return folder;
    const moved = name === undefined ? undefined : this.packages.workspace().get(name);
    // A workspace without any manifest is one package.
    return (
      moved ?? (folder === this.tree.root && !this.packages.nearest(nodePath.join(folder, 'x')) ? folder : undefined)
    );
  }

  private folderOf(file: string): string {
    return this.packages.nearest(file)?.folder ?? this.tree.root;
  }
}

/** All dependencies of a manifest with the ranges it gives. */
export function declaredBy(json: { readonly [key: string]: unknown } | undefined): { [dependency: string]: string } {
  const kinds = ['peerDependencies', 'devDependencies', 'optionalDependencies', 'dependencies'];
  return Object.assign({}, ...kinds.map((kind) => json?.[kind] ?? {})) as { [dependency: string]: string };
}
