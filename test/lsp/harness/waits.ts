interface Wait {
  readonly check: () => boolean;
  readonly fail: (error: Error) => void;
}

/**
 * Promises that wait for something to have been received. What is waited for is looked at when the wait begins and
 * after every message, never by the clock; the deadline only turns a hang into a sentence.
 */
export class Waits {
  readonly #waits = new Set<Wait>();
  readonly #story: () => string;
  #failure: Error | undefined;

  /** @param story what happened so far, for the error of a wait that was in vain */
  constructor(story: () => string) {
    this.#story = story;
  }

  /**
   * Waits until `probe` returns something.
   *
   * @param what completes the sentence "Waited 30 s for …"
   * @param probe looks at what was received; undefined means not yet. What it throws ends the wait.
   * @throws when the deadline passes, and when the conversation ends first
   */
  until<T>(what: string, deadlineMs: number, probe: () => T | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#waits.delete(wait);
      };
      const wait: Wait = {
        check: () => {
          try {
            const value = probe();
            if (value === undefined) return false;
            settle();
            resolve(value);
          } catch (error) {
            settle();
            reject(error);
          }
          return true;
        },
        fail: (error) => {
          settle();
          reject(new Error(`${error.message} That was while waiting for ${what}.\n${this.#story()}`));
        },
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Error(`Waited ${deadlineMs / 1000} s for ${what}.\n${this.#story()}`));
      }, deadlineMs);
      if (wait.check()) return;
      if (this.#failure) wait.fail(this.#failure);
      else this.#waits.add(wait);
    });
  }

  /** Something was received. */
  check(): void {
    for (const wait of [...this.#waits]) wait.check();
  }

  /** Nothing more will be received. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.check();
    for (const wait of [...this.#waits]) wait.fail(error);
  }
}
