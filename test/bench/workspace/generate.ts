import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependentInput, sessionText, TOOL_STATES } from './edits.ts';
import { fields } from './fields.ts';
import { areaIndexText, assistantText, barrelText, FRAME, serverText } from './frame.ts';
import { FAULTS, type Fault, type Planted } from './planted.ts';
import { Random } from './random.ts';
import { type SharedModule, sharedModule, sharedPath, sharedText } from './sharedSchemas.ts';
import {
  areaOf,
  fileName,
  importLine,
  quietSlot,
  type Slot,
  styleOf,
  TOOLS_PER_FILE,
  toolFileText,
  toolName,
} from './toolFiles.ts';

/** A file whose text the benchmark edits. */
export interface HotFile {
  /** Path in the workspace. */
  readonly path: string;
  /** The text in one of the states of TOOL_STATES. */
  text(state: number, counter: number): string;
}

/** A generated workspace. Paths are relative, with slashes. */
export interface Generated {
  readonly tools: number;
  readonly files: ReadonlyMap<string, string>;
  readonly planted: readonly Planted[];
  /** A tool file that registers by calls, and one whose definitions a loop in another file registers. */
  readonly hotCalls: HotFile;
  readonly hotDefinitions: HotFile;
  /** Path of the shared module that many tools depend on, each in its own file. */
  readonly session: string;
  readonly dependents: readonly string[];
}

const HOT_CALLS = 1;
const HOT_DEFINITIONS = 4;
const SESSION = 'src/schemas/core/session.ts';
/** Of the files in so many, one has a dependent that guards its session. */
const GUARDED = 50;

/**
 * Writes down a workspace of an MCP server and an AI SDK assistant: `tools` tools, five a file, over a twentieth as many shared modules.
 *
 * @param tools a multiple of 100
 * @param seed the same one gives the same text
 */
export function generateWorkspace(tools: number, seed = 1): Generated {
  if (tools < 100 || tools % 100 !== 0) throw new Error(`A workspace has a multiple of 100 tools, not ${tools}.`);
  const random = new Random(seed);
  const files = new Map<string, string>(Object.entries(FRAME));
  const shared = addSharedModules(files, tools / 20, random);
  const count = tools / TOOLS_PER_FILE;
  const faults = plantFaults(count, tools);
  const made: MadeFile[] = [];
  for (let index = 0; index < count; index++) {
    const module = shared[random.below(shared.length)];
    if (module) made.push(makeToolFile(index, module, faults.get(index), random));
  }
  for (const { path, text } of made) files.set(path, text(0, 0));
  const areas = [...new Set(made.map(({ area }) => area))];
  for (const area of areas) {
    const members = made.filter((one) => one.area === area).map(({ index }) => index);
    files.set(`src/tools/${area}/index.ts`, areaIndexText(area, members));
  }
  files.set('src/server.ts', serverText(areas));
  files.set('src/assistant.ts', assistantText(areas));
  const [hotCalls, hotDefinitions] = [made[HOT_CALLS], made[HOT_DEFINITIONS]];
  if (!hotCalls || !hotDefinitions) throw new Error('A workspace has at least five files of tools.');
  return {
    tools,
    files,
    planted: made.flatMap(({ planted }) => planted ?? []),
    hotCalls,
    hotDefinitions,
    session: SESSION,
    dependents: made.filter(({ dependent }) => dependent).map(({ path }) => path),
  };
}

/** A tool file and what there is to know about it. */
interface MadeFile extends HotFile {
  readonly index: number;
  readonly area: string;
  readonly dependent: boolean;
  readonly planted?: Planted;
}

/** Adds the shared modules and their barrels; the hot module is one of the `count`, and not returned. */
function addSharedModules(files: Map<string, string>, count: number, random: Random): SharedModule[] {
  const shared = Array.from({ length: count - 1 }, (_, index) => sharedModule(index));
  for (const module of shared) files.set(sharedPath(module), sharedText(module, random));
  for (const area of new Set(shared.map((module) => module.area))) {
    const members = shared.filter((module) => module.area === area);
    files.set(`src/schemas/${area}/index.ts`, barrelText(members.map(({ name }) => name)));
  }
  files.set(SESSION, sessionText({ session: 'object', guard: 'object' }, 0));
  files.set('src/schemas/core/index.ts', barrelText(['session']));
  return shared;
}

/** Tool 1 of two files in five depends on the hot module, tool 2 is what is edited, tool 3 has the fault if any. */
function makeToolFile(index: number, module: SharedModule, fault: Fault | undefined, random: Random): MadeFile {
  const area = areaOf(index);
  const path = `src/tools/${area}/${fileName(index)}.ts`;
  const style = styleOf(index);
  const names = Array.from({ length: TOOLS_PER_FILE }, (_, slot) => toolName(index * TOOLS_PER_FILE + slot));
  const slots = names.map((name) => quietSlot(name, style, module, random));
  const imports: string[] = [];
  const dependent = (index * 2) % 5 < 2;
  if (dependent) {
    const guarded = index % GUARDED === 0;
    slots[1] = { name: names[1] ?? '', input: dependentInput(fields(random, 2, 'N', '  '), guarded) };
    const used = guarded ? 'Session, SessionGuard' : 'Session';
    imports.push(`import { ${used} } from '../../schemas/core/${random.pick(['session', 'index'])}.js';`);
  }
  let planted: Planted | undefined;
  if (fault) {
    slots[3] = { name: names[3] ?? '', input: fault.input(module.prefix) };
    planted = { rule: fault.rule, file: path, tool: names[3] ?? '', at: fault.at(module.prefix) };
  }
  const edited = (state: number, counter: number): Slot => {
    const input = TOOL_STATES[state % TOOL_STATES.length]?.(module.prefix, counter) ?? '';
    return { name: names[2] ?? '', input, variable: 'editedInput' };
  };
  const isHot = index === HOT_CALLS || index === HOT_DEFINITIONS;
  const states = isHot ? TOOL_STATES.map((_, state) => edited(state, 0)) : [];
  imports.push(...importLine(module, [...slots, ...states].map(({ input }) => input).join('\n'), random));
  const text = (state: number, counter: number) =>
    toolFileText({ style, imports, slots: isHot ? slots.with(2, edited(state, counter)) : slots });
  return { index, area, path, text, dependent, ...(planted ? { planted } : {}) };
}

/** Writes a workspace into a folder, which is emptied first. */
export function writeWorkspace(folder: string, { files }: Generated): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Chooses the files that get a fault, spread evenly, by number. Some faults need a file of calls. */
function plantFaults(count: number, tools: number): Map<number, Fault> {
  const faults = FAULTS.flatMap(({ fault, perThousand }) =>
    Array.from({ length: Math.max(1, Math.round((perThousand * tools) / 1000)) }, () => fault),
  );
  const chosen = new Map<number, Fault>();
  faults.forEach((fault, at) => {
    let index = Math.floor(((at + 0.5) * count) / faults.length);
    const unfit = () =>
      index === HOT_CALLS ||
      index === HOT_DEFINITIONS ||
      chosen.has(index) ||
      (fault.onlyInCalls && styleOf(index) !== 'calls');
    while (unfit()) index = (index + 1) % count;
    chosen.set(index, fault);
  });
  return chosen;
}
