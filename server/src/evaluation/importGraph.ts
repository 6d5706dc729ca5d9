import type { Compiled } from './compile.ts';
import type { Resolved } from './sandbox/messages.ts';

/** What a module is linked to, as far as it matters for what an edit reaches. */
export interface Links {
  /** Workspace files that it imports. */
  readonly imports: readonly string[];
  /** Workspace files whose values its kept top-level statements change. */
  readonly writes: readonly string[];
  /** Workspace files that it re-exports something of. */
  readonly reexports: readonly string[];
}

/** Who imports whom, as far as modules are compiled. */
export class ImportGraph {
  private readonly links = new Map<string, Links>();
  private readonly importers = new Map<string, Set<string>>();

  set(file: string, links: Links): void {
    this.delete(file);
    this.links.set(file, links);
    for (const target of links.imports) {
      const importers = this.importers.get(target);
      if (importers) importers.add(file);
      else this.importers.set(target, new Set([file]));
    }
  }

  delete(file: string): void {
    for (const target of this.links.get(file)?.imports ?? []) this.importers.get(target)?.delete(file);
    this.links.delete(file);
  }

  clear(): void {
    this.links.clear();
    this.importers.clear();
  }

  /**
   * Files that have to be evaluated anew beside the changed ones: those that (transitively) import them, and those whose
   * values are changed by what runs anew (a registry that tools are added to), with theirs.
   *
   * @param before links of the changed files before the change
   */
  affectedBy(changed: readonly string[], before: readonly Links[]): string[] {
    const affected = new Set<string>();
    const open = [...changed];
    for (const links of before) for (const file of links.writes) this.addWritten(file, open);
    const met = new Set<string>();
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (met.has(file)) continue;
      met.add(file);
      affected.add(file);
      open.push(...(this.importers.get(file) ?? []));
      for (const written of this.links.get(file)?.writes ?? []) this.addWritten(written, open);
    }
    for (const file of changed) affected.delete(file);
    return [...affected];
  }

  /** A value that is imported from a barrel lives in one of the files that the barrel re-exports. */
  private addWritten(file: string, open: string[], seen = new Set<string>()): void {
    if (seen.has(file)) return;
    seen.add(file);
    open.push(file);
    for (const target of this.links.get(file)?.reexports ?? []) this.addWritten(target, open, seen);
  }
}

/** The links of a module, by where its specifiers lead. */
export function linksOf({ resolved, compiled }: { resolved: readonly Resolved[]; compiled: Compiled }): Links {
  const files = (specifiers: readonly string[]) =>
    specifiers.flatMap((specifier) => {
      const target = resolved[compiled.specifiers.indexOf(specifier)];
      return target && 'file' in target ? [target.file] : [];
    });
  return {
    imports: files(compiled.specifiers),
    writes: files(compiled.writes),
    reexports: files(compiled.reexports),
  };
}
