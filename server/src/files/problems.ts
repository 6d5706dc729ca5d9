/** Sentences for people about files that could not be used as they are. The same sentence is kept once. */
export class Problems {
  readonly #sentences = new Map<string, Set<string>>();

  /** @param file the file that the sentence is about */
  add(file: string, sentence: string): void {
    const known = this.#sentences.get(file);
    if (known) known.add(sentence);
    else this.#sentences.set(file, new Set([sentence]));
  }

  /** All sentences, sorted by file, so that two runs read the same. */
  list(): string[] {
    return [...this.#sentences.entries()]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .flatMap(([, all]) => [...all]);
  }

  /** Forgets what was said about one file. */
  delete(file: string): void {
    this.#sentences.delete(file);
  }

  clear(): void {
    this.#sentences.clear();
  }
}
