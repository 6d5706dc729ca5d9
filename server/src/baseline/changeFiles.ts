import type { Place } from '../../../shared/src/model.ts';
import { parse } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import type { FileTree } from '../files/tree.ts';
import type { ExportValue } from '../pipeline/exports.ts';
import { type Entry, readEntries, readNames } from './contractChanges.ts';
import { NamedExports } from './namedExports.ts';

export interface ChangeFilesOptions {
  readonly tree: FileTree;
  /** Names of the exports that hold contract changes and retired tools. */
  readonly names: { readonly contractChanges: string; readonly retiredTools: string };
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly valuesOf: (exports: readonly { file: string; name: string }[]) => Promise<readonly ExportValue[]>;
}

/** The contract changes that one file exports. */
export interface ChangeFile {
  readonly file: string;
  readonly entries: readonly Entry[];
}

/** Something of the contract changes that could not be read, and so documents nothing. */
export interface Unread {
  /** One sentence. */
  readonly message: string;
  readonly at: Place;
}

/** What a workspace says about its changes. */
export interface Changes {
  readonly files: readonly ChangeFile[];
  readonly retired: readonly { readonly file: string; readonly tools: readonly string[] }[];
  readonly unread: readonly Unread[];
}

/** Finds and evaluates the contract changes of a workspace. */
export class ChangeFiles {
  private readonly exports: NamedExports;

  constructor(private readonly options: ChangeFilesOptions) {
    const { tree, names, include, exclude } = options;
    this.exports = new NamedExports(tree, [names.contractChanges, names.retiredTools], include, exclude);
  }

  /** @param changed files whose text may be another one than at the last time */
  async update(changed: readonly string[]): Promise<Changes> {
    const found = this.exports.update(changed);
    const values = found.length === 0 ? [] : await this.options.valuesOf(found);
    const files: ChangeFile[] = [];
    const retired: { file: string; tools: readonly string[] }[] = [];
    const unread: Unread[] = [];
    const { contractChanges } = this.options.names;
    for (const value of values) {
      const { file, name } = value;
      const declared = { file, span: this.declaration(file, name) };
      if ('reason' in value) {
        const reason = value.reason.replace(/[.\s]+$/, '');
        const message = `${name} could not be evaluated, so nothing in it documents a change: ${reason}.`;
        unread.push({ message, at: value.at ?? declared });
      } else if ('data' in value) {
        if (name !== contractChanges) {
          retired.push({ file, tools: readNames(value.data) });
          continue;
        }
        const read = readEntries(value.data);
        files.push({ file, entries: read.entries });
        for (const { message, at } of read.problems) {
          unread.push({ message: `${name} documents nothing here: ${message}.`, at: at ?? declared });
        }
      }
    }
    return { files, retired, unread };
  }

  /** Where a file declares an export: its name there. */
  private declaration(file: string, name: string): Place['span'] {
    const source = parse(file, this.options.tree.read(file) ?? '');
    let span: Place['span'] | undefined;
    const visit = (node: ts.Node): void => {
      if (span) return;
      if (ts.isIdentifier(node) && node.text === name) span = { start: node.getStart(source), end: node.end };
      else ts.forEachChild(node, visit);
    };
    visit(source);
    return span ?? { start: 0, end: 0 };
  }
}
