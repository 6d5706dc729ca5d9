import { Need } from './needs.ts';

interface Effect {
  /** Bindings that the statement reads at once. */
  readonly names: readonly string[];
  readonly run: () => void;
}

/** The kept top-level statements of a module: they run once, in order, before anything of it is read. */
export class ModuleEffects {
  private bareImports: number[] = [];
  private readonly statements: Effect[] = [];
  private isRunning = false;

  addImport(index: number): void {
    this.bareImports.push(index);
  }

  add(names: readonly string[], run: () => void): void {
    this.statements.push({ names, run });
  }

  /**
   * Runs what has not run yet. What throws in a statement is no reason for anything else to fail.
   *
   * @param read reads a binding, so that what is missing is missed before a statement has changed anything
   * @param runImport runs the statements of a module that is imported for what it does
   * @param torn called when a statement was given up half-way
   * @throws Need
   */
  run(read: (name: string) => unknown, runImport: (index: number) => void, torn: () => void): void {
    if (this.isRunning || (this.statements.length === 0 && this.bareImports.length === 0)) return;
    this.isRunning = true;
    try {
      for (const index of this.bareImports) ignoringFailure(() => runImport(index));
      this.bareImports = [];
      for (let statement = this.statements[0]; statement; statement = this.statements[0]) {
        for (const name of statement.names) ignoringFailure(() => read(name));
        try {
          ignoringFailure(statement.run);
        } catch (missing) {
          torn();
          throw missing;
        }
        this.statements.shift();
      }
    } finally {
      this.isRunning = false;
    }
  }
}

/** Runs something whose failure is nobody's reason. @throws Need */
export function ignoringFailure(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof Need) throw error;
  }
}
