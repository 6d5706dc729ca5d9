import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { range } from '../lsp/harness/index.ts';
import { type CommandLine, measureCold, measureInitialize, withOpenWorkspace } from './cold.ts';
import { type EditMeasure, type EditPlan, measureSharedEdits, measureToolEdits, type State } from './editing.ts';
import { measurePreviewEdits } from './previews.ts';
import type { Row } from './report.ts';
import {
  coldRows,
  type EditLimits,
  editRow,
  initializeRow,
  MEASURED_SIZE,
  memoryRow,
  plantedRow,
  tagRows,
} from './rows.ts';
import { measureTag } from './tag.ts';
import { checkAfresh, type Problems } from './truth.ts';
import { SHARED_STATES, SHARED_STATES_OF_ALL, type SharedState, sessionText, TOOL_STATES } from './workspace/edits.ts';
import { type Generated, generateWorkspace, type HotFile, writeWorkspace } from './workspace/generate.ts';

export interface Commands {
  readonly server: CommandLine;
  readonly cli: CommandLine;
  readonly tsc: CommandLine;
}

export interface Amounts {
  /** Timed edits of a series. */
  readonly edits: number;
  /** Cold starts of each kind. */
  readonly runs: number;
}

/** Edits before the timed ones. */
const UNTIMED = 20;
/** Edits after which memory is read. */
const MEMORY_EDITS = 500;
/** Above this size the compiler takes minutes, and only growth is looked at. */
const COMPILED_SIZE = 1000;

/**
 * Measures one size of workspace.
 *
 * @param folder where the workspace is written, inside the project
 * @param say tells a person what is going on
 * @returns its rows, and whether every answer was right
 * @throws when something cannot run at all
 */
export async function benchSize(
  tools: number,
  folder: string,
  commands: Commands,
  { edits, runs }: Amounts,
  say: (line: string) => void,
): Promise<{ readonly rows: readonly Row[]; readonly right: boolean }> {
  const generated = generateWorkspace(tools);
  writeWorkspace(folder, generated);
  say(`${tools} tools in ${generated.files.size} files: checking afresh`);
  const { problems: truth } = await checkAfresh(commands.cli, folder);
  const rows: Row[] = [];
  const add = (...more: Row[]) => {
    rows.push(...more);
    for (const { what, measured, met } of more) say(`  ${what}: ${measured}${met === false ? ' ✗' : ''}`);
  };
  add(planted(generated, truth));

  say('initialize');
  add(initializeRow(tools, await measureInitialize(folder, commands.server, 5 * runs)));
  say('cold starts');
  const compiled = tools <= COMPILED_SIZE ? commands.tsc : undefined;
  add(...coldRows(tools, await measureCold(folder, truth, { ...commands, tsc: compiled }, runs)));

  if (tools <= COMPILED_SIZE) {
    say('comparing with a tag');
    const tag = (differs: (index: number) => boolean) =>
      measureTag(generated, `${folder}-tagged`, commands.cli, runs, differs);
    add(
      ...tagRows(
        tools,
        'cold, compared with a tag, a tenth of the files differs',
        await tag((index) => index % 10 === 0),
      ),
    );
    add(...tagRows(tools, 'cold, compared with a tag, every file differs', await tag(() => true)));
  }

  const limited = tools === MEASURED_SIZE;
  const plan: EditPlan = { untimed: UNTIMED, timed: edits, deadlineMs: 10_000 };
  const series = async (what: string, path: string, states: readonly State[], limits: EditLimits, shared: boolean) => {
    say(what);
    const measure = shared ? measureSharedEdits : measureToolEdits;
    const file = join(folder, path);
    const more = shared ? 0 : Math.max(0, MEMORY_EDITS - UNTIMED - edits);
    const measured = await withOpenWorkspace(folder, truth, commands.server, (client) =>
      measure(client, folder, file, states, { ...plan, more }),
    );
    add(editRow(tools, what, measured, limited ? limits : undefined));
    return measured;
  };
  const fresh = (path: string, texts: readonly ((counter: number) => string)[]) =>
    statesOf(commands.cli, folder, path, texts);
  const tool = async (what: string, hot: HotFile): Promise<{ measured: EditMeasure; states: State[] }> => {
    say(`${TOOL_STATES.length} fresh checks of ${hot.path}`);
    const texts = TOOL_STATES.map((_, state) => (counter: number) => hot.text(state, counter));
    const states = await fresh(hot.path, texts);
    return { measured: await series(what, hot.path, states, { median: 30, p95: 60 }, false), states };
  };
  const { measured, states } = await tool('edit → diagnostics, a tool file', generated.hotCalls);
  const total = Math.max(MEMORY_EDITS, UNTIMED + edits);
  add(...memoryRow(tools, total, measured));
  say('edit → preview document');
  const previews = await withOpenWorkspace(folder, truth, commands.server, (client) =>
    measurePreviewEdits(client, join(folder, generated.hotCalls.path), states, plan),
  );
  add(editRow(tools, 'edit → preview document', previews, limited ? { p95: 100 } : undefined));
  await tool('edit → diagnostics, a file of definitions registered elsewhere', generated.hotDefinitions);

  const shared = async (states: readonly SharedState[], what: string, limits: EditLimits) => {
    say(`${states.length} fresh checks of ${generated.session}`);
    const texts = states.map((state) => (counter: number) => sessionText(state, counter));
    await series(what, generated.session, await fresh(generated.session, texts), limits, true);
  };
  const dependents = generated.dependents.length;
  await shared(SHARED_STATES, `edit → diagnostics, a shared module with ${dependents} dependents`, { p95: 250 });
  await shared(SHARED_STATES_OF_ALL, `the same, each edit changing the findings of all ${dependents}`, {});
  const right = rows.every(({ figures: { unanswered, wrong, stale, missing, extra } }) =>
    [unanswered, wrong, stale, missing, extra].every((count) => !count),
  );
  return { rows, right };
}

/** Checks each text of a file afresh, on disk, and puts the file back. The counter does not change what is found. */
async function statesOf(
  cli: CommandLine,
  folder: string,
  path: string,
  texts: readonly ((counter: number) => string)[],
): Promise<State[]> {
  const file = join(folder, path);
  const before = readFileSync(file, 'utf8');
  try {
    const states: State[] = [];
    for (const text of texts) {
      writeFileSync(file, text(0));
      const { problems, advertised } = await checkAfresh(cli, folder);
      states.push({ text, problems, advertised });
    }
    return states;
  } finally {
    writeFileSync(file, before);
  }
}

/** Compares what was found with what was planted, by rule and place. */
function planted({ tools, planted, files }: Generated, truth: Problems): Row {
  const expected = planted.map(({ rule, file, at }) => {
    const { start, end } = range(files.get(file) ?? '', at);
    return `${file}:${start.line}:${start.character}-${end.line}:${end.character} ${rule}`;
  });
  const found = [...truth].flatMap(([file, lines]) =>
    lines.map((line) => {
      const [place, , rule] = line.split(' ');
      return `${file}:${place} ${rule}`;
    }),
  );
  return plantedRow(
    tools,
    planted.length,
    expected.filter((one) => !found.includes(one)),
    found.filter((one) => !expected.includes(one)),
  );
}
