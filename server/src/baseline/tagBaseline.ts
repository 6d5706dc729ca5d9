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

/** Makes a pipeline over a tree, of which only the wanted files are searched for tools. */
export type MakePipeline = (tree: FileTree, wants: (file: string) => boolean) => Pipeline;

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
  private readonly wanted = new Set<string>();
  private readonly pipeline: Pipeline;
  private readonly packages: Packages;
  private readonly answers = new Map<string, Promise<unknown>>();
  private last: Promise<unknown> = Promise.resolve();
  private result: PipelineResult | undefined;
  private tools: { readonly folder: string; readonly tool: PreviousTool }[] = [];

  private constructor(
    private readonly tree: GitTree,
    makePipeline: MakePipeline,
  ) {
    this.packages = new Packages(tree);
    this.pipeline = makePipeline(tree, (file) => this.wanted.has(file));
  }

  /** @throws GitError when git cannot read the commit */
  static async of(
    disk: FileTree,
    repository: Repository,
    commit: string,
    makePipeline: MakePipeline,
  ): Promise<TagBaseline> {
    return new TagBaseline(await GitTree.of(disk, repository, commit), makePipeline);
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
    const added = [...wanted].filter((file) => !this.wanted.has(file) && this.tree.holds(file));
    for (const file of added) this.wanted.add(file);
    if (this.wanted.size === 0 || (this.result && added.length === 0)) return;
    this.result = await this.pipeline.update(this.result ? added : []);
    this.tools = this.result.subjects.flatMap(({ contract }) => {
      const tool = this.toTool(contract);
      return tool ? [{ folder: this.folderOf(contract.candidate.file), tool }] : [];
    });
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
    return (this.result?.unevaluated ?? []).filter(({ candidate }) => this.folderOf(candidate.file) === home);
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
