import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../package.json';
import type { Config, Settings } from '../../shared/src/config.ts';
import type { Finding, TextEdit } from '../../shared/src/model.ts';
import { SANDBOX_ENTRY } from './ahead.ts';
import { Baselines, type Compared, type PackageBaseline } from './baseline/baselines.ts';
import { type ChangeFile, ChangeFiles } from './baseline/changeFiles.ts';
import { ReleaseCache } from './baseline/releaseCache.ts';
import { CheckedSource } from './features/preview/source.ts';
import type { Tool } from './features/tool.ts';
import { cacheFolder } from './files/cache.ts';
import { configFor, type FoundConfig, nearestConfigFile } from './files/config.ts';
import type { DiskTree } from './files/disk.ts';
import { LineMap } from './files/lines.ts';
import { Pipeline, type PipelineResult } from './pipeline/pipeline.ts';
import type { Prepared } from './pipeline/prepared.ts';
import { Checker } from './rules/checker.ts';
import { resolveFix } from './rules/index.ts';

export interface AnalysisOptions {
  readonly tree: DiskTree;
  readonly settings: Partial<Settings>;
  readonly log: (line: string) => void;
  /** A sandbox that was started ahead: see ahead.ts. */
  readonly prepared?: Prepared;
  /** Compares with the last release in any case, and with the one before it where that is what is here. */
  readonly isDiff?: boolean;
  /** Evaluates releases anew instead of taking what an earlier process found. */
  readonly isUncached?: boolean;
}

/** A tool with what its surfaces make of it, or why it is not known. */
export type ToolRow = Tool;

/** Everything that one check found. */
export interface Snapshot {
  readonly tools: readonly ToolRow[];
  readonly findings: readonly Finding[];
  readonly stale: ReadonlySet<string>;
  /** What each package is compared with; none where no rule asks. */
  readonly baselines: readonly PackageBaseline[];
  /** Sentences for people about the workspace: broken configuration, packages that are not installed. */
  readonly notes: readonly string[];
  readonly durationMs: number;
}

/**
 * The whole for one folder: pipeline and rules, with the configuration that holds for each file. Making one means that
 * the folder is trusted.
 */
export class Analysis {
  private readonly pipeline: Pipeline;
  private readonly baselines: Baselines;
  private changeFiles: ChangeFiles;
  /** Of the last check. */
  private compared: Compared | undefined;
  private changes: readonly ChangeFile[] = [];
  private findings: readonly Finding[] = [];
  private readonly checker: Checker;
  private readonly configs = new Map<string, FoundConfig>();
  private readonly configByFolder = new Map<string, Config>();
  /** By what they are of: an edit asks for all of them, and few are others. */
  private readonly rows = new WeakMap<object, ToolRow>();
  private readonly lines = new Map<string, { readonly text: string; readonly map: LineMap }>();

  constructor(private readonly options: AnalysisOptions) {
    const { tree, log } = options;
    const root = this.configOf(tree.root);
    const common = {
      sandboxEntry: SANDBOX_ENTRY,
      timeoutMs: root.timeoutMs,
      memoryMb: root.memoryMb,
      include: root.include,
      exclude: root.exclude,
      schemaKeysOf: (file: string) => this.configOf(file).schemaKeys,
      log,
    };
    this.pipeline = new Pipeline({
      ...common,
      tree,
      surfacesOf: (file) => this.configOf(file).surfaces,
      ...(options.prepared && { prepared: options.prepared }),
    });
    const folder = cacheFolder();
    const configIn = (folder: string) => this.configOf(join(folder, 'package.json'));
    this.baselines = new Baselines({
      tree,
      settingOf: (folder) => configIn(folder).baseline,
      isAsked: (folder) => options.isDiff === true || comparesReleases(configIn(folder)),
      isBeforeNow: options.isDiff ?? false,
      // What a release advertised is not asked: its schemas are compared.
      makePipeline: (of, wants) => new Pipeline({ ...common, tree: of, wants, surfacesOf: () => [] }),
      cache: options.isUncached || folder === undefined ? undefined : new ReleaseCache(folder),
      circumstances: () => ({
        build: buildOf(__filename),
        limits: [root.timeoutMs, root.memoryMb],
        files: [root.include, root.exclude],
        keys: this.pipeline.packages.all().map((pkg) => [pkg.folder, this.configOf(pkg.file).schemaKeys]),
      }),
    });
    this.changeFiles = this.newChangeFiles();
    this.checker = new Checker({
      probe: this.pipeline.probes,
      survive: (subjects, work, givenUp) => this.pipeline.survive(subjects, work, givenUp),
      textOf: (file) => this.textOf(file),
      generation: () => this.pipeline.generation,
      configOf: (file) => this.configOf(file),
      onDefect: (rule, error) =>
        log(`The rule ${rule} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
  }

  /** Process id of the sandbox, for measurements. */
  get sandboxPid(): number | undefined {
    return this.pipeline.sandboxPid;
  }

  /**
   * Checks the folder: everything the first time, then what the changed files touch.
   *
   * @param progress called with the number of candidates that are done, of how many
   * @param evaluated called, and waited for, when it is known what the tools are and not yet what is wrong with them
   */
  async check(
    changed: readonly string[],
    progress?: (done: number, total: number) => void,
    evaluated?: (source: CheckedSource) => Promise<void>,
  ): Promise<Snapshot> {
    const start = performance.now();
    const result = await this.pipeline.update(changed, progress, (tools) => this.checker.prepare(tools));
    const changes = await this.changeFiles.update(changed);
    this.changes = changes.files;
    const compared = await this.baselines.compare(result, changes, changed);
    this.compared = compared;
    const tools = this.toRows(result, compared);
    await evaluated?.(this.sourceOf({ tools, findings: this.findings }));
    this.findings = await this.checker.check({
      subjects: [...compared.subjects, ...result.unchosen],
      unevaluated: result.unevaluated,
      fresh: compared.fresh,
      unread: changes.unread,
    });
    return {
      tools,
      findings: this.findings,
      stale: result.stale,
      baselines: compared.baselines,
      notes: [...new Set([...this.configProblems(), ...result.notes, ...compared.notes])],
      durationMs: performance.now() - start,
    };
  }

  /** Starts over, with a fresh sandbox: packages, configuration or resolution changed. */
  reset(): void {
    this.configs.clear();
    this.configByFolder.clear();
    this.checker.clear();
    this.baselines.reset();
    this.changeFiles = this.newChangeFiles();
    this.pipeline.reset();
  }

  dispose(): void {
    this.baselines.dispose();
    this.pipeline.dispose();
  }

  /** The edits of one of a finding's fixes, for the present texts. */
  resolveFix(finding: Finding, fixId: string): readonly TextEdit[] | undefined {
    const { contractChanges: name } = this.configOf(this.options.tree.root);
    return resolveFix(finding, fixId, (file) => this.options.tree.read(file), {
      findings: this.findings,
      changesOf: (folder) => {
        const known = this.compared?.packages.get(folder);
        return known && { name, ...known };
      },
    });
  }

  /** Positions in the text that the findings of a file are about. */
  linesOf(file: string): LineMap | undefined {
    const text = this.textOf(file);
    if (text === undefined) return undefined;
    const known = this.lines.get(file);
    if (known?.text === text) return known.map;
    const map = new LineMap(text);
    this.lines.set(file, { text, map });
    return map;
  }

  /** Whether the findings of a file are about a text. */
  isAbout(file: string, text: string): boolean {
    const analysed = this.pipeline.analysedText(file);
    return analysed === undefined || analysed === text;
  }

  /** What an editor asks about a check, which must be the last. */
  sourceOf({ tools, findings }: Pick<Snapshot, 'tools' | 'findings'>): CheckedSource {
    return new CheckedSource(tools, {
      tree: this.options.tree,
      pipeline: this.pipeline,
      baselines: this.baselines,
      linesOf: (file) => this.linesOf(file),
      textOf: (file) => this.textOf(file),
      changeFiles: this.changes,
      findings,
    });
  }

  private newChangeFiles(): ChangeFiles {
    const { tree } = this.options;
    const { contractChanges, retiredTools, include, exclude } = this.configOf(tree.root);
    return new ChangeFiles({
      tree,
      names: { contractChanges, retiredTools },
      include,
      exclude,
      valuesOf: (exports) => this.pipeline.exportValues(exports),
    });
  }

  private textOf(file: string): string | undefined {
    return this.pipeline.analysedText(file) ?? this.options.tree.read(file);
  }

  private configOf(path: string): Config {
    const { tree, settings } = this.options;
    const folder = path === tree.root ? path : dirname(path);
    const known = this.configByFolder.get(folder);
    if (known) return known;
    const key = nearestConfigFile(tree, folder) ?? '';
    const found = this.configs.get(key) ?? configFor(tree, folder, settings);
    this.configs.set(key, found);
    this.configByFolder.set(folder, found.config);
    return found.config;
  }

  private configProblems(): string[] {
    return [...this.configs.values()].flatMap((found) => found.problems.map((problem) => problem.message));
  }

  private toRows(result: PipelineResult, compared: Compared): ToolRow[] {
    const zods = new Map<string, string | undefined>();
    const zodOf = (file: string): string | undefined => {
      if (!zods.has(file)) zods.set(file, this.pipeline.packages.installed('zod', dirname(file))?.version);
      return zods.get(file);
    };
    const kept = (key: object, zod: string | undefined, make: () => ToolRow): ToolRow => {
      const before = this.rows.get(key);
      if (before && before.zod === zod) return before;
      const row = { ...make(), ...(zod !== undefined && { zod }) };
      this.rows.set(key, row);
      return row;
    };
    return [
      ...compared.subjects.map((subject) => {
        const { contract, offers, previous } = subject;
        return kept(subject, zodOf(contract.candidate.file), () => ({
          contract,
          offers,
          ...(previous && { previous }),
        }));
      }),
      ...result.unevaluated.map((unevaluated) =>
        kept(unevaluated, zodOf(unevaluated.candidate.file), () => ({ unevaluated, offers: [] })),
      ),
    ];
  }
}

/** Tells what was built from every other build. */
function buildOf(file: string): unknown {
  const { size, mtimeMs } = statSync(file);
  return [version, size, mtimeMs];
}

/** Rules that compare with the last release. */
const COMPARING = ['undocumented-input-removal', 'breaking-input-change'];

/** Whether any rule asks what tools were: else no baseline is looked for. */
function comparesReleases({ rules }: Config): boolean {
  return COMPARING.some((code) => rules[code] !== 'off');
}
