import type { LanguageClient, Publication } from '../lsp/harness/index.ts';
import { type Problems, pathIn, publishedLines } from './truth.ts';

/** Compares what a server has published with what is true, without reading a publication twice. */
export class PublishedProblems {
  readonly #client: LanguageClient;
  readonly #root: string;
  readonly #lines = new WeakMap<Publication, string>();

  constructor(client: LanguageClient, root: string) {
    this.#client = client;
    this.#root = root;
  }

  /** The latest problems of every file that has any. */
  now(): Problems {
    const files = [...this.#client.problems()];
    return new Map(files.map(([file, diagnostics]) => [pathIn(this.#root, file), publishedLines(diagnostics)]));
  }

  /** Whether a publication says exactly these problems. */
  says(publication: Publication | undefined, lines: readonly string[]): boolean {
    if (!publication) return lines.length === 0;
    let said = this.#lines.get(publication);
    if (said === undefined) {
      said = publishedLines(publication.diagnostics).join('\n');
      this.#lines.set(publication, said);
    }
    return said === lines.join('\n');
  }

  /**
   * Waits until the latest publication of each file says what is true.
   *
   * @param files absolute path and expected lines of each
   * @returns when the last of them was received, by `performance.now()`; `since` when all said so before
   */
  async until(
    what: string,
    files: readonly (readonly [file: string, lines: readonly string[]])[],
    since: number,
    deadlineMs: number,
  ): Promise<number> {
    // Files that were right are looked at again only when all others are: most messages settle one file.
    const waiting = new Set(files);
    const right = (entry: (typeof files)[number]) => this.says(this.#client.publications(entry[0]).at(-1), entry[1]);
    const probe = () => {
      for (const entry of waiting) {
        if (right(entry)) waiting.delete(entry);
        else return undefined;
      }
      const wrong = files.filter((entry) => !right(entry));
      for (const entry of wrong) waiting.add(entry);
      if (wrong.length > 0) return undefined;
      const times = files.map(([file]) => this.#client.publications(file).at(-1)?.receivedAt ?? since);
      return Math.max(since, ...times);
    };
    try {
      return await this.#client.until(what, probe, deadlineMs);
    } catch (error) {
      const wrong = files.filter((entry) => !right(entry));
      const [first] = wrong;
      if (!(error instanceof Error) || !first) throw error;
      const said = publishedLines(this.#client.publications(first[0]).at(-1)?.diagnostics ?? []);
      const example = `${first[0]}\nexpected ${JSON.stringify(first[1])}\nbut ${JSON.stringify(said)}`;
      throw new Error(`Not right in ${wrong.length} files, such as ${example}\n${error.message}`);
    }
  }
}
