import { basename } from 'node:path';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { DEFAULT_CONFIG, readParts, type Settings, settingsSchema } from '../../shared/src/config.ts';
import type { Finding } from '../../shared/src/model.ts';
import type { PreviewsChangedParams, StatusParams } from '../../shared/src/protocol.ts';
import { startAhead } from './ahead.ts';
import type { Analysis, Snapshot } from './analysis.ts';
import { SandboxNotStarted } from './evaluation/process.ts';
import { codeActions, resolveCodeAction } from './features/codeActions.ts';
import { diagnosticsByFile } from './features/diagnostics.ts';
import type { CheckedSource } from './features/preview/source.ts';
import { restrictedStatus, statusOf } from './features/status.ts';
import { FolderView, type Unchecked, type ViewChanges, type ViewOptions } from './features/view.ts';
import { configFor } from './files/config.ts';
import { DiskTree } from './files/disk.ts';
import { isInside } from './files/paths.ts';
import { collectSooner } from './startup/heap.ts';

/** What a folder asks of the editor. */
export interface FolderHost {
  publish(file: string, diagnostics: Diagnostic[], version: number | undefined): void;
  status(root: string, params: StatusParams): void;
  previewsChanged(previews: PreviewsChangedParams['previews']): void;
  /** What else than findings and previews is another one. */
  changed(root: string, changes: ViewChanges): void;
  /** The folder's settings as the editor answers them; null or undefined when it does not. */
  settings(root: string): Promise<unknown>;
  log(line: string): void;
  readonly view: ViewOptions;
  /** Whether an edit may make a file. */
  readonly canCreateFiles: boolean;
}

/** Files whose change can change what everything else resolves to. */
const RESOLUTION_FILES =
  /^(package\.json|(ts|js)config.*\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|tool-contracts\.json|npm-shrinkwrap\.json)$/;
const SWITCHED_OFF = {
  state: 'ready',
  tools: 0,
  problems: 0,
  message: 'Switched off by the setting toolContracts.enable.',
} as const satisfies StatusParams;
const RESTRICTED =
  'Nothing is known of the tools: a schema is evaluated by running code of the workspace, which happens only in a trusted one.';
const FAILED = 'The check failed. See the log, and please report it. Restart to try again.';
/** Between two progress messages, in milliseconds. */
const PROGRESS_MS = 100;

/**
 * One workspace folder in the editor: collects changes, checks one set of them at a time, and publishes what is about
 * the texts that the editor shows.
 */
export class Folder {
  private readonly tree: DiskTree;
  private analysis: Analysis | undefined;
  private snapshot: Snapshot | undefined;
  private readonly versions = new Map<string, number>();
  private readonly changed = new Set<string>();
  private readonly published = new Set<string>();
  private settingProblems: string[] = [];
  private isRunning = false;
  private isAnew = true;
  private isDisposed = false;
  private readonly view: FolderView;
  private questions: (() => Promise<void>)[] = [];

  constructor(
    readonly root: string,
    private readonly host: FolderHost,
    private isTrusted: boolean,
  ) {
    this.tree = new DiskTree(root);
    this.view = new FolderView(host.view);
  }

  holds(file: string): boolean {
    return isInside(this.root, file);
  }

  /** An editor's document was opened or has a new text. */
  documentChanged(file: string, text: string, version: number): void {
    this.tree.open(file, text);
    this.versions.set(file, version);
    this.fileChanged(file);
  }

  /** An editor's document was closed: what is on the disk counts. */
  documentClosed(file: string): void {
    this.tree.close(file);
    this.versions.delete(file);
    this.view.closed(file);
    this.fileChanged(file);
  }

  /** A file changed, came or went. */
  fileChanged(file: string): void {
    if (RESOLUTION_FILES.test(basename(file))) this.isAnew = true;
    this.changed.add(file);
    void this.run();
  }

  /** Checks everything anew, with fresh settings and a fresh sandbox. */
  restart(): void {
    this.isAnew = true;
    void this.run();
  }

  trust(): void {
    this.isTrusted = true;
    this.restart();
  }

  dispose(): void {
    this.isDisposed = true;
    this.view.show({ reason: 'The folder is no longer open.' });
    void this.answerQuestions();
    this.analysis?.dispose();
    for (const file of this.published) this.host.publish(file, [], undefined);
  }

  codeActions(file: string, diagnostics: readonly Diagnostic[]): CodeAction[] {
    return codeActions(file, this.findingsOf(file), diagnostics);
  }

  resolveCodeAction(action: CodeAction): CodeAction {
    const { analysis } = this;
    if (!analysis) return action;
    return resolveCodeAction(
      action,
      (file) => this.findingsOf(file),
      (finding, fix) => analysis.resolveFix(finding, fix),
      (file) => analysis.linesOf(file),
      this.host.canCreateFiles,
    );
  }

  /**
   * Answers a question about the last check when no other is under way: what has changed by now is checked before, and
   * nothing moves under the answer.
   */
  ask<Answer>(question: (view: FolderView) => Answer | Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.questions.push(async () => {
        try {
          resolve(await question(this.view));
        } catch (error) {
          reject(error);
        }
      });
      void (this.isDisposed ? this.answerQuestions() : this.run());
    });
  }

  private async answerQuestions(): Promise<void> {
    for (let answer = this.questions.shift(); answer; answer = this.questions.shift()) await answer();
  }

  /** Checks until nothing has changed any more. Changes that come meanwhile are collected. */
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (!this.isDisposed && (this.isAnew || this.changed.size > 0 || this.questions.length > 0)) {
        if (this.isAnew || this.changed.size > 0) await this.check();
        if (!this.isAnew) await this.answerQuestions();
      }
    } catch (error) {
      this.host.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const message = error instanceof SandboxNotStarted ? error.message : FAILED;
      this.view.show({ reason: message });
      this.host.status(this.root, { state: 'failed', tools: 0, problems: 0, message });
      await this.answerQuestions();
    } finally {
      this.isRunning = false;
    }
  }

  private async check(): Promise<void> {
    if (this.isAnew) await this.begin();
    const files = [...this.changed];
    this.changed.clear();
    const { analysis } = this;
    if (analysis) {
      const snapshot = await analysis.check(files, this.progress(), (source) => this.tellPreviews(source));
      if (this.isDisposed || this.isAnew) return;
      if (!this.snapshot) collectSooner();
      this.snapshot = snapshot;
      this.view.show(analysis.sourceOf(snapshot));
      this.publish(files, analysis, snapshot);
      this.host.status(this.root, statusOf({ ...snapshot, notes: [...this.settingProblems, ...snapshot.notes] }));
    }
    this.host.changed(this.root, this.view.changes());
  }

  /** Previews are to follow the typing: they do not wait for the findings. */
  private async tellPreviews(known: CheckedSource | Unchecked): Promise<void> {
    this.view.show(known);
    const previews = await this.view.changedPreviews();
    if (previews.length > 0 && !this.isDisposed) this.host.previewsChanged(previews);
  }

  /** A new analysis with the settings of now; in Restricted Mode and when switched off, none. */
  private async begin(): Promise<void> {
    this.isAnew = false;
    this.changed.clear();
    const { value: settings, problems } = readParts(
      settingsSchema,
      await this.host.settings(this.root),
      'Settings toolContracts',
    );
    this.analysis?.dispose();
    this.analysis = undefined;
    const isEnabled = settings.enable ?? true;
    this.view.showLenses(settings.codeLens?.enabled ?? DEFAULT_CONFIG.codeLens);
    if (!this.isTrusted || !isEnabled) {
      this.clearPublished();
      await this.tellPreviews(isEnabled ? await this.restricted(settings) : { reason: SWITCHED_OFF.message });
      this.host.status(this.root, isEnabled ? restrictedStatus(await this.namesByParsing(settings)) : SWITCHED_OFF);
      return;
    }
    this.settingProblems = problems.map((problem) => problem.message);
    this.host.status(this.root, { state: 'scanning', tools: 0, problems: 0 });
    const log = (line: string) => this.host.log(line);
    const prepared = startAhead(this.tree, settings, log);
    const { Analysis } = await import('./analysis.ts');
    if (this.isDisposed) {
      prepared.sandbox.dispose();
      return;
    }
    this.analysis = new Analysis({ tree: this.tree, settings, log, prepared });
    // The first check of a new analysis is of everything, so something has to stand for "everything".
    for (const file of this.versions.keys()) this.changed.add(file);
    if (this.changed.size === 0) this.changed.add(this.root);
  }

  /** What may be shown before the workspace is trusted: files are only parsed. */
  private async restricted(settings: Partial<Settings>): Promise<Unchecked> {
    const { namedTools } = await import('./discovery/toolNames.ts');
    return {
      reason: RESTRICTED,
      namedIn: (file) => {
        const text = this.tree.read(file);
        const { schemaKeys } = configFor(this.tree, file, settings).config;
        return text === undefined ? undefined : { tools: namedTools(file, text, schemaKeys), text };
      },
    };
  }

  private async namesByParsing(settings: Partial<Settings>): Promise<string[]> {
    const { toolNames } = await import('./discovery/toolNames.ts');
    return toolNames(this.tree, configFor(this.tree, this.root, settings).config);
  }

  private progress(): (done: number, total: number) => void {
    let last = performance.now();
    return (done, total) => {
      if (performance.now() - last < PROGRESS_MS) return;
      last = performance.now();
      this.host.status(this.root, { state: 'scanning', progress: { done, total }, tools: done, problems: 0 });
    };
  }

  private publish(changed: readonly string[], analysis: Analysis, snapshot: Snapshot): void {
    const byFile = diagnosticsByFile(snapshot.findings, (file) => analysis.linesOf(file));
    const open = changed.filter((file) => this.versions.has(file));
    for (const file of new Set([...byFile.keys(), ...this.published, ...open])) {
      // A newer text is waiting, or the text does not parse: what the editor shows moves with the text until then.
      if (this.changed.has(file) || snapshot.stale.has(file)) continue;
      const diagnostics = byFile.get(file) ?? [];
      if (diagnostics.length > 0) this.published.add(file);
      else this.published.delete(file);
      this.host.publish(file, diagnostics, this.versions.get(file));
    }
  }

  private clearPublished(): void {
    for (const file of this.published) this.host.publish(file, [], this.versions.get(file));
    this.published.clear();
    this.snapshot = undefined;
  }

  private findingsOf(file: string): readonly Finding[] {
    return this.snapshot?.findings.filter((finding) => finding.at.file === file) ?? [];
  }
}
