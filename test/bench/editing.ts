import type { LanguageClient } from '../lsp/harness/index.ts';
import { median } from './statistics.ts';
import { type Checked, differences, type Problems, pathIn } from './truth.ts';
import { PublishedProblems } from './watch.ts';

/** How many edits to type, and which of them count. */
export interface EditPlan {
  readonly untimed: number;
  readonly timed: number;
  /** More edits afterwards, for the memory. */
  readonly more?: number;
  /** After how long an edit counts as unanswered. */
  readonly deadlineMs: number;
}

/** What came of a series of edits. */
export interface EditMeasure {
  /** Milliseconds from handing over the change to the diagnostics, of each timed edit that was answered. */
  readonly times: readonly number[];
  readonly timed: number;
  /** Edits, timed or not, that were not answered within the deadline. */
  readonly unanswered: number;
  /** Edits, timed or not, whose diagnostics are not those of a fresh check of the same text. */
  readonly wrong: number;
  /** Publications that came for a version which was no longer the latest. */
  readonly stale: number;
  /** What the first edit that went wrong was answered with, for the reader. */
  readonly firstFault: string | undefined;
  /** Bytes after the edits, and how much of it grew after the hundredth. */
  readonly memory?: { readonly total: number; readonly server: number; readonly growth: number };
}

/** A text to type: in which state the workspace is then, and the problems that a fresh check finds in that state. */
export interface State {
  text(counter: number): string;
  readonly problems: Problems;
  /** By tool what is advertised of it when the counter is 0. */
  readonly advertised: Checked['advertised'];
}

/** After so many unanswered edits nothing is to be learnt from more. */
const GIVE_UP = 5;

/**
 * Types into one tool file, one edit after the other, each in the next state, and waits for the diagnostics of each
 * version. The file is opened; the workspace must not change besides.
 *
 * @param root of the workspace
 */
export async function measureToolEdits(
  client: LanguageClient,
  root: string,
  file: string,
  states: readonly State[],
  plan: EditPlan,
): Promise<EditMeasure> {
  const published = new PublishedProblems(client, root);
  const result = new Tally(plan);
  const path = pathIn(root, file);
  const memory = new MemorySamples(client, plan);
  let { at: lastAt, version: lastVersion } = await open(client, file);
  for (let edit = 0; edit < result.total; edit++) {
    const state = states[(edit + 1) % states.length] as State;
    const text = state.text(edit + 1);
    const sent = performance.now();
    const { version } = client.documents.change(file, text);
    const sentAt = client.at;
    const expected = state.problems.get(path) ?? [];
    try {
      const publication = await client.publicationOf(file, { version, deadlineMs: plan.deadlineMs });
      const between = client.publications(file).filter(({ at }) => at > lastAt && at < publication.at);
      const latest = (at: number) => (at > sentAt ? version : lastVersion);
      result.stale += between.filter((one) => one.version !== undefined && one.version < latest(one.at)).length;
      lastAt = publication.at;
      lastVersion = version;
      result.answered(edit, publication.receivedAt - sent);
      if (!published.says(publication, expected)) {
        result.wrong(`Version ${version} should have:\n${expected.join('\n')}\nbut: ${JSON.stringify(publication)}`);
      }
    } catch (error) {
      if (result.unanswered(error)) break;
    }
    memory.sample(edit);
  }
  const last = states[result.total % states.length]?.problems ?? new Map();
  result.compare(published.now(), new Map([...last, [path, published.now().get(path) ?? []]]));
  return { ...result.measure(), ...memory.measure() };
}

/**
 * Types into a module that others depend on. An edit is answered when the module's own diagnostics have come for the
 * version, and those of every file are what a fresh check finds: as the states differ in files that depend on it, an
 * answer from before the edit does not pass for one.
 */
export async function measureSharedEdits(
  client: LanguageClient,
  root: string,
  file: string,
  states: readonly State[],
  plan: EditPlan,
): Promise<EditMeasure> {
  const published = new PublishedProblems(client, root);
  const result = new Tally(plan);
  const paths = new Set(states.flatMap(({ problems }) => [...problems.keys()]));
  const folder = file.slice(0, file.length - pathIn(root, file).length);
  const truths = states.map(({ problems }) =>
    [...paths].map((path) => [folder + path, problems.get(path) ?? []] as const),
  );
  await open(client, file);
  for (let edit = 0; edit < result.total; edit++) {
    const at = (edit + 1) % states.length;
    const text = states[at]?.text(edit + 1) ?? '';
    const sent = performance.now();
    const { version } = client.documents.change(file, text);
    try {
      const own = await client.publicationOf(file, { version, deadlineMs: plan.deadlineMs });
      const done = await published.until(
        `the problems of every file after version ${version}`,
        truths[at] ?? [],
        own.receivedAt,
        plan.deadlineMs,
      );
      result.answered(edit, done - sent);
    } catch (error) {
      if (result.unanswered(error)) break;
    }
  }
  result.compare(published.now(), states[result.total % states.length]?.problems ?? new Map());
  return result.measure();
}

/** Opens a file and waits for its diagnostics, so that they are not taken for those of an edit. */
async function open(client: LanguageClient, file: string): Promise<{ at: number; version: number }> {
  const { version } = client.documents.open(file);
  const { at } = await client.publicationOf(file, { version });
  return { at, version };
}

/** What has come of the edits of a series so far. */
export class Tally {
  readonly total: number;
  stale = 0;
  readonly #plan: EditPlan;
  readonly #times: number[] = [];
  #unanswered = 0;
  #wrong = 0;
  #firstFault: string | undefined;

  constructor(plan: EditPlan) {
    this.#plan = plan;
    this.total = plan.untimed + plan.timed + (plan.more ?? 0);
  }

  answered(edit: number, milliseconds: number): void {
    const { untimed, timed } = this.#plan;
    if (edit >= untimed && edit < untimed + timed) this.#times.push(milliseconds);
  }

  wrong(fault: string): void {
    this.#wrong++;
    this.#firstFault ??= fault;
  }

  /** Looks at all files when the last edit was answered; each that differs is a wrong answer. */
  compare(found: Problems, truth: Problems): void {
    for (const path of this.#unanswered > 0 ? [] : differences(found, truth)) {
      this.wrong(`After the edits the problems of ${path} are not those of a fresh check.`);
    }
  }

  /** @returns whether to give up */
  unanswered(error: unknown): boolean {
    this.#unanswered++;
    this.#firstFault ??= error instanceof Error ? error.message : String(error);
    return this.#unanswered >= GIVE_UP;
  }

  measure(): EditMeasure {
    return {
      times: this.#times,
      timed: this.#plan.timed,
      unanswered: this.#unanswered,
      wrong: this.#wrong,
      stale: this.stale,
      firstFault: this.#firstFault,
    };
  }
}

/** Resident memory around the hundredth and the last edit, the median of ten each: one reading says little. */
class MemorySamples {
  readonly #client: LanguageClient;
  readonly #total: number;
  readonly #early: number[] = [];
  readonly #late: number[] = [];
  #server = 0;

  constructor(client: LanguageClient, { untimed, timed, more = 0 }: EditPlan) {
    this.#client = client;
    this.#total = untimed + timed + more;
  }

  sample(edit: number): void {
    if (this.#total < 200) return;
    const early = edit >= 95 && edit < 105;
    if (!early && edit < this.#total - 10) return;
    const memory = this.#client.memory();
    if (!memory) return;
    (early ? this.#early : this.#late).push(memory.total);
    this.#server = memory.server;
  }

  measure(): Pick<EditMeasure, 'memory'> {
    if (this.#early.length === 0 || this.#late.length === 0) return {};
    const total = median(this.#late);
    return { memory: { total, server: this.#server, growth: total - median(this.#early) } };
  }
}
