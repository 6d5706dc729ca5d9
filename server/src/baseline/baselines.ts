import type { Contract, SchemaGraph, Unevaluated } from '../../../shared/src/model.ts';
import { Packages } from '../files/packages.ts';
import { isInside, relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';
import type { Subject } from '../pipeline/evaluated.ts';
import type { PipelineResult } from '../pipeline/pipeline.ts';
import type { ChangeFile, Changes } from './changeFiles.ts';
import { type Choice, Chooser, type PackageOfTools } from './choose.ts';
import { compareInputs } from './compare.ts';
import { comparisonOf, type ToolComparison } from './comparison.ts';
import type { Entry } from './contractChanges.ts';
import { GitError } from './git.ts';
import { graphModel } from './graphModel.ts';
import type { InputChange } from './inputChange.ts';
import { type InputModel, NO_INPUT } from './inputModel.ts';
import { installationOf } from './installation.ts';
import { jsonModel } from './jsonModel.ts';
import { LOCK_FILE, type LockFile, recordedNames } from './lockFile.ts';
import type { Previous, PreviousTool, Release } from './previous.ts';
import type { ReleaseCache } from './releaseCache.ts';
import { declaredBy, type KeptAt, type MakePipeline, TagBaseline } from './tagBaseline.ts';

export interface BaselinesOptions {
  readonly tree: FileTree;
  /** The setting that holds for a package's folder: `auto`, a tag or a file. */
  readonly settingOf: (folder: string) => string;
  /** Whether any rule asks what the tools of a package's folder were: else no baseline is looked for. */
  readonly isAsked: (folder: string) => boolean;
  readonly makePipeline: MakePipeline;
  /** See `Chooser.choose`. */
  readonly isBeforeNow?: boolean;
  /** Where evaluated releases are kept; undefined: nowhere. */
  readonly cache?: ReleaseCache | undefined;
  /** What else the evaluation of a file depends on, in the program and its settings, as JSON. */
  readonly circumstances?: () => unknown;
}

/** A tool of now with what it was. */
export type ComparedSubject = Subject & { readonly previous?: Previous };

/** What one package is compared with. */
export interface PackageBaseline {
  readonly folder: string;
  /** Null: with nothing, and `reason` says why. */
  readonly release: Release | null;
  readonly reason?: string;
  /** Tools that are others than they were, came or went. */
  readonly tools: readonly ToolComparison[];
}

export interface Compared {
  readonly subjects: readonly ComparedSubject[];
  /** Ids of the tools about which everything concluded before is void. */
  readonly fresh: ReadonlySet<string>;
  readonly baselines: readonly PackageBaseline[];
  /** By package folder the contract changes that hold for it, and the files that its tools are written in. */
  readonly packages: ReadonlyMap<
    string,
    { readonly files: readonly ChangeFile[]; readonly toolFiles: readonly string[] }
  >;
  /** Sentences for people: a baseline that cannot be used as it is. */
  readonly notes: readonly string[];
}

/** A package with its present tools and what they are compared with. */
interface Group extends PackageOfTools {
  readonly subjects: Subject[];
  readonly unevaluated: Unevaluated[];
}

/** What a tool was in the last release, or why that is not known. */
export type PastTool =
  | { readonly release: Release; readonly tool: PreviousTool }
  /** The files that it is made from are the same. */
  | { readonly release: Release; readonly isSame: true }
  /** One sentence. */
  | { readonly reason: string };

interface Known {
  readonly release: Release;
  readonly tools: readonly PreviousTool[];
  /** Whether a tool of now needs no comparison. */
  isSame(contract: Contract): boolean;
  readonly notes: readonly string[];
}

/** Dependencies whose major decides how a schema is understood. */
const JUDGES = ['zod', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'ai'];

/** What the last releases of a workspace's packages offered, and what changed since. */
export class Baselines {
  private chooser: Chooser;
  private readonly packages: Packages;
  private readonly choices = new Map<string, Promise<Choice>>();
  private readonly commits = new Map<string, Promise<TagBaseline>>();
  private readonly signatures = new Map<string, string>();
  private readonly compared = new WeakMap<object, Map<PreviousTool, readonly InputChange[]>>();
  private readonly recorded = new WeakMap<LockFile, readonly PreviousTool[]>();
  /** Of the last comparison, by package folder. */
  private readonly last = new Map<
    string,
    { readonly group: Group; readonly known: Known | { readonly reason: string } }
  >();

  constructor(private readonly options: BaselinesOptions) {
    this.packages = new Packages(options.tree);
    this.chooser = new Chooser(options.tree, options.settingOf);
  }

  /**
   * Gives every tool what it was in the last release of its package.
   *
   * @param changes what the workspace says about its changes
   * @param changed files whose text may be another one than at the last time
   */
  async compare(result: PipelineResult, changes: Changes, changed: readonly string[]): Promise<Compared> {
    if (changed.some((file) => file.endsWith(LOCK_FILE))) this.choices.clear();
    const groups = this.groupsOf(result);
    const choices = new Map(
      await Promise.all(groups.map(async (group) => [group.folder, await this.choiceOf(group)] as const)),
    );
    const updated = await this.updateCommits(groups, choices, changed);
    const subjects = new Map<Subject, ComparedSubject>();
    const notes: string[] = [];
    const baselines: PackageBaseline[] = [];
    const packages = new Map<string, { files: readonly ChangeFile[]; toolFiles: readonly string[] }>();
    this.last.clear();
    for (const group of groups) {
      const files = this.changesFor(group, changes);
      packages.set(group.folder, {
        files,
        // Only a fix asks, and every edit compares.
        get toolFiles() {
          return toolFilesOf(group);
        },
      });
      const choice = choices.get(group.folder) as Choice;
      const known = this.knownOf(group, choice, updated);
      this.last.set(group.folder, { group, known });
      if ('reason' in known) {
        baselines.push({ folder: group.folder, release: null, reason: known.reason, tools: [] });
        if (known.isWrong) notes.push(known.reason);
        continue;
      }
      notes.push(...known.notes);
      const entries = files.flatMap((file) => file.entries);
      for (const subject of group.subjects) {
        const previous = this.previousOf(subject, group, known, entries);
        if (previous) subjects.set(subject, { ...subject, previous });
      }
      const tools = this.toolsOf(group, known, subjects, changes);
      baselines.push({ folder: group.folder, release: known.release, tools });
    }
    const all = result.subjects.map((subject) => subjects.get(subject) ?? subject);
    return { subjects: all, fresh: this.freshOf(all, result.fresh), baselines, packages, notes };
  }

  /** The release that the tools of a file's package were last compared with, or why with none. */
  releaseFor(file: string): Release | { readonly reason: string } {
    const last = this.last.get(this.packages.nearest(file)?.folder ?? this.options.tree.root);
    if (!last)
      return { reason: 'The rules that compare with a release are switched off, so no release is looked for.' };
    return 'reason' in last.known ? { reason: last.known.reason } : last.known.release;
  }

  /** What a tool of the last comparison was in the last release. */
  pastOf(contract: Contract): PastTool {
    const { file } = contract.candidate;
    const release = this.releaseFor(file);
    const last = this.last.get(this.packages.nearest(file)?.folder ?? this.options.tree.root);
    if ('reason' in release) return release;
    if (!last || 'reason' in last.known) return { reason: 'There is no baseline.' };
    if (last.known.isSame(contract)) return { release, isSame: true };
    const tool = this.toolOf(contract, last.group, last.known.tools);
    return tool ? { release, tool } : { reason: `${release.name} has no tool ${contract.name ?? 'without a name'}.` };
  }

  /** Forgets everything: packages, configuration or tags changed. */
  reset(): void {
    this.dispose();
    this.packages.clear();
    this.choices.clear();
    this.commits.clear();
    this.signatures.clear();
    this.chooser = new Chooser(this.options.tree, this.options.settingOf);
  }

  dispose(): void {
    for (const commit of this.commits.values()) {
      commit.then(
        (baseline) => baseline.dispose(),
        () => {},
      );
    }
  }

  private groupsOf({ subjects, unevaluated }: PipelineResult): Group[] {
    const groups = new Map<string, Group>();
    const byFile = new Map<string, Group>();
    const groupOf = (file: string): Group => {
      const known = byFile.get(file) ?? newGroupOf(file);
      byFile.set(file, known);
      return known;
    };
    const newGroupOf = (file: string): Group => {
      const pkg = this.packages.nearest(file);
      const folder = pkg?.folder ?? this.options.tree.root;
      let group = groups.get(folder);
      if (!group) {
        group = { folder, name: pkg?.name, subjects: [], unevaluated: [] };
        groups.set(folder, group);
      }
      return group;
    };
    for (const subject of subjects) groupOf(subject.contract.candidate.file).subjects.push(subject);
    for (const one of unevaluated) groupOf(one.candidate.file).unevaluated.push(one);
    const asked = [...groups.values()].filter(({ folder }) => this.options.isAsked(folder));
    return asked.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  }

  private choiceOf(group: Group): Promise<Choice> {
    let choice = this.choices.get(group.folder);
    if (!choice) {
      choice = this.chooser.choose(group, this.options.isBeforeNow);
      this.choices.set(group.folder, choice);
    }
    return choice;
  }

  /** Brings every commit that is compared with up to date. @returns by commit the baseline, or why there is none */
  private async updateCommits(
    groups: readonly Group[],
    choices: ReadonlyMap<string, Choice>,
    changed: readonly string[],
  ): Promise<Map<string, TagBaseline | string>> {
    const updated = new Map<string, TagBaseline | string>();
    for (const { folder } of groups) {
      const choice = choices.get(folder);
      if (choice?.by !== 'tag' || updated.has(choice.commit)) continue;
      const own = groups.filter((group) => {
        const other = choices.get(group.folder);
        return other?.by === 'tag' && other.commit === choice.commit;
      });
      try {
        const baseline = await this.commitOf(choice);
        const present = own.flatMap((group) => [
          ...group.subjects.map(({ contract }) => contract),
          ...group.unevaluated,
        ]);
        await baseline.update(present, changed);
        updated.set(choice.commit, baseline);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        updated.set(
          choice.commit,
          `${choice.release.name} cannot be read, so no tool is compared with it: ${error.message}.`,
        );
      }
    }
    return updated;
  }

  private commitOf({ commit, repository }: Extract<Choice, { by: 'tag' }>): Promise<TagBaseline> {
    let baseline = this.commits.get(commit);
    if (!baseline) {
      const { tree, makePipeline } = this.options;
      baseline = TagBaseline.of(tree, repository, commit, makePipeline, this.keptAt(commit));
      this.commits.set(commit, baseline);
    }
    return baseline;
  }

  /** Undefined when it cannot be told whether a release would be evaluated as it was. */
  private keptAt(commit: string): KeptAt | undefined {
    const { cache, circumstances, tree } = this.options;
    const installation = cache && installationOf(this.packages);
    if (!cache || installation === undefined) return undefined;
    const key = JSON.stringify([tree.root, commit, process.version, circumstances?.(), installation]);
    return { cache, key };
  }

  private knownOf(
    group: Group,
    choice: Choice,
    updated: ReadonlyMap<string, TagBaseline | string>,
  ): Known | { reason: string; isWrong: boolean } {
    if (choice.by === 'nothing') return choice;
    const { release } = choice;
    if (choice.by === 'file') {
      const notes = choice.note === undefined ? [] : [choice.note];
      return { release, tools: this.recordedTools(choice.lock), isSame: () => false, notes };
    }
    const baseline = updated.get(choice.commit);
    if (!(baseline instanceof TagBaseline)) return { reason: baseline ?? 'There is no baseline.', isWrong: true };
    if (!baseline.hasPackage(group.folder, group.name)) {
      const shown = relativePath(this.options.tree.root, group.folder);
      const what = shown === '.' ? 'this package' : `the package in ${shown}`;
      const reason = `${release.name} does not hold ${what}, so its tools are compared with nothing; record them with "tool-contracts record", or name another tag in "baseline".`;
      return { reason, isWrong: true };
    }
    const tools = baseline.toolsOf(group.folder, group.name);
    return {
      release,
      tools,
      isSame: (contract) => baseline.isSame(contract),
      notes: [
        ...(tools.length > 0 ? this.majorNotes(group, baseline, release) : []),
        ...unevaluatedNotes(group, baseline, release),
      ],
    };
  }

  private recordedTools(lock: LockFile): readonly PreviousTool[] {
    let tools = this.recorded.get(lock);
    if (!tools) {
      tools = recordedNames(lock).map(({ key, name, file }): PreviousTool => {
        const schema = lock.tools[key]?.inputSchema ?? {};
        return { name, file, inputs: jsonModel(schema), source: { by: 'schema', schema } };
      });
      this.recorded.set(lock, tools);
    }
    return tools;
  }

  /** A release that was made with another major of what judges schemas is evaluated with the one of today. */
  private majorNotes(group: Group, baseline: TagBaseline, release: Release): string[] {
    const then = baseline.declared(group.folder, group.name);
    const now = declaredBy(this.packages.at(group.folder)?.json);
    return JUDGES.flatMap((name) => {
      const installed = this.packages.installed(name, group.folder)?.version ?? now[name];
      const [major, today] = [majorOf(then[name]), majorOf(installed)];
      if (major === undefined || today === undefined || major === today) return [];
      return [
        `${release.name} was made with ${name} ${then[name]}; its tools are evaluated with ${installed}, which is installed, and compared by their schemas.`,
      ];
    });
  }

  /** The contract changes of a package: its own, else those of the nearest package around it that has some. */
  private changesFor(group: Group, { files }: Changes): readonly ChangeFile[] {
    const around = files
      .map((file) => ({ folder: this.packages.nearest(file.file)?.folder ?? this.options.tree.root, file }))
      .filter(({ folder }) => isInside(folder, group.folder));
    const depth = Math.max(...around.map(({ folder }) => folder.length));
    return around.filter(({ folder }) => folder.length === depth).map(({ file }) => file);
  }

  private previousOf(subject: Subject, group: Group, known: Known, entries: readonly Entry[]): Previous | undefined {
    const { contract } = subject;
    const now = modelOf(contract);
    if (!now || known.isSame(contract)) return undefined;
    const tool = this.toolOf(contract, group, known.tools);
    return (
      tool && {
        release: known.release,
        folder: group.folder,
        tool,
        changes: this.changesOf(contract, now, tool),
        entries: entries.filter((entry) => entry.tool === tool.name),
      }
    );
  }

  /** What became of a package's tools, sorted by name. */
  private toolsOf(
    group: Group,
    known: Known,
    compared: ReadonlyMap<Subject, ComparedSubject>,
    { retired }: Changes,
  ): ToolComparison[] {
    const tools: ToolComparison[] = [];
    const present = new Set<string | null>(group.unevaluated.map(({ name }) => name));
    for (const subject of group.subjects) {
      const { contract } = subject;
      present.add(contract.name);
      const { previous } = compared.get(subject) ?? {};
      const comparison = previous && comparisonOf(previous);
      if (comparison) tools.push(comparison);
      const isNew = !previous && !known.isSame(contract) && !known.tools.some(({ name }) => name === contract.name);
      if (isNew && contract.name !== null) tools.push({ name: contract.name, status: 'added' });
    }
    const names = new Set(retired.flatMap((file) => file.tools));
    for (const name of new Set(known.tools.map((tool) => tool.name))) {
      if (!present.has(name)) tools.push({ name, status: 'removed', isRetired: names.has(name) });
    }
    return tools.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** The tool of then with the name of one of now; of several the one in the same file. */
  private toolOf(
    { name, candidate }: Contract,
    group: Group,
    tools: readonly PreviousTool[],
  ): PreviousTool | undefined {
    const named = tools.filter((tool) => tool.name === name);
    const isIn = (file: string | undefined) =>
      file === candidate.file || file === relativePath(group.folder, candidate.file);
    const here = named.find(({ file }) => isIn(file));
    if (here || named.length !== 1) return here;
    const twins = group.subjects.filter(({ contract }) => contract.name === name);
    return twins.length === 1 ? named[0] : undefined;
  }

  private changesOf({ graph }: Contract, now: InputModel, tool: PreviousTool): readonly InputChange[] {
    const key = graph ?? NO_INPUT;
    const byTool = this.compared.get(key) ?? new Map<PreviousTool, readonly InputChange[]>();
    this.compared.set(key, byTool);
    let changes = byTool.get(tool);
    if (!changes) {
      changes = compareInputs(tool.inputs, now);
      byTool.set(tool, changes);
    }
    return changes;
  }

  /** A tool whose past is another one than at the last check is judged anew. */
  private freshOf(subjects: readonly ComparedSubject[], fresh: ReadonlySet<string>): Set<string> {
    const all = new Set(fresh);
    const before = new Map(this.signatures);
    this.signatures.clear();
    for (const { contract, previous } of subjects) {
      const signature = previous && JSON.stringify([previous.release, previous.changes, previous.entries]);
      if (signature !== undefined) this.signatures.set(contract.id, signature);
      if (before.get(contract.id) !== signature) all.add(contract.id);
    }
    return all;
  }
}

/** The files of a package's own that its tools are written in. */
function toolFilesOf({ folder, subjects }: Group): string[] {
  const files = subjects.flatMap(({ contract }) => [contract.definedAt.file, contract.candidate.file]);
  return [...new Set(files)].filter((file) => isInside(folder, file)).sort();
}

/** What a tool of now takes; undefined when it is not known, or only in part. */
function modelOf({ graph, form }: Contract): InputModel | undefined {
  if (graph) return graph.truncated ? undefined : known(graph);
  return form === 'none' ? NO_INPUT : undefined;
}

const models = new WeakMap<SchemaGraph, InputModel>();

function known(graph: SchemaGraph): InputModel {
  let model = models.get(graph);
  if (!model) {
    model = graphModel(graph);
    models.set(graph, model);
  }
  return model;
}

function majorOf(range: string | undefined): string | undefined {
  return range === undefined ? undefined : /^[^\d]*(\d+)/.exec(range)?.[1];
}

const MOST_NAMES = 3;

/** Tools of then that are not known, so that nothing can be said about them. */
function unevaluatedNotes(group: Group, baseline: TagBaseline, release: Release): string[] {
  // Of what cannot be evaluated now either something is said already.
  const told = new Set([
    ...group.subjects.flatMap(({ contract }) => (baseline.isSame(contract) ? (contract.name ?? []) : [])),
    ...group.unevaluated.flatMap(({ name }) => name ?? []),
  ]);
  const failed = baseline
    .unevaluatedOf(group.folder, group.name)
    .filter(({ name }) => name === null || !told.has(name));
  const [first] = failed;
  if (!first) return [];
  const names = failed.slice(0, MOST_NAMES).map(({ name }) => (name === null ? 'a tool without a name' : `"${name}"`));
  const more = failed.length > MOST_NAMES ? ` and ${failed.length - MOST_NAMES} more` : '';
  return [
    `Of ${release.name}, ${names.join(', ')}${more} cannot be evaluated, so nothing is said about what it took: ${first.reason.replace(/[.\s]+$/, '')}. Record the release with "tool-contracts record" to compare with it.`,
  ];
}
