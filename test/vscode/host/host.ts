/** One suite to run in a VS Code. All paths are absolute. */
export interface SuiteRun {
  /** Name of the suite, in log lines and in the names of screenshots. */
  readonly name: string;
  /** Folder of the extension under test; with `vsix`, of one that does nothing: VS Code wants one to run a suite. */
  readonly extension: string;
  /** A package to install: the extension under test. */
  readonly vsix?: string;
  /** The built suite: a CommonJS module that exports `run(): Promise<void>`. */
  readonly suite: string;
  /** The folder to open. */
  readonly folder: string;
  /** False opens it in Restricted Mode. */
  readonly trusted: boolean;
}

/** A real VS Code that can run suites. */
export interface Host {
  /** For people: which VS Code this is. */
  readonly name: string;
  /**
   * Opens the folder with the extension and runs the suite in the extension host.
   *
   * @returns the exit code: 0 when every test passed
   */
  run(run: SuiteRun): Promise<number>;
}

/** Where hosts put what they leave behind, as absolute paths. */
export interface HostFolders {
  readonly logs: string;
  readonly screenshots: string;
  /** What VS Code keeps of the person at it; removed after each suite. */
  readonly data: string;
}

/** How long one suite may take, from the start of VS Code. */
export const SUITE_MS = 240_000;

/** Why a host cannot be had, as one sentence that says what is missing and what to do. */
export class MissingHost extends Error {}
