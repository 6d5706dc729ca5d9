import { z } from 'zod';
import { closest } from './closest.ts';
import type { Severity, SurfaceId } from './model.ts';
import { RULES, ruleRow } from './rules.ts';

/** A severity as people set it: `default` keeps the rule's own grading. */
export const severitySetting = z.enum(['default', 'error', 'warning', 'information', 'hint', 'off']);
export type SeveritySetting = z.infer<typeof severitySetting>;

export const SURFACE_IDS = ['mcp-v1', 'mcp-v2', 'ai-sdk', 'contract'] as const satisfies readonly SurfaceId[];

const globs = z.array(z.string().min(1));
const surfaces = z.union([z.literal('auto'), z.array(z.enum(SURFACE_IDS))], {
  error: `expected "auto" or a list of ${SURFACE_IDS.map((id) => `"${id}"`).join(', ')}`,
});
const ruleCode = z
  .string()
  .refine((code) => ruleRow(code) !== undefined, { error: ({ input }) => noSuchRule(`${input}`) });

/** An export that is found by its name, wherever it is. */
function named(fallback: string, description: string) {
  return z
    .strictObject({
      name: z
        .string()
        .regex(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, { error: 'expected the name of an export' })
        .optional()
        .describe(`Name of the export, instead of ${fallback}.`),
    })
    .optional()
    .describe(description);
}

const severities = z.record(ruleCode, severitySetting);

/** What to tell somebody who named a rule that does not exist. No sentence, for it follows one's own words. */
export function noSuchRule(code: string): string {
  const codes = RULES.map((row) => row.code);
  const near = closest(code, codes);
  return `there is no rule "${code}"${near ? `, did you mean "${near}"?` : `; the rules are ${codes.join(', ')}.`}`;
}

/** `tool-contracts.json` in a package or at the root of a workspace, read by the editor and the command line alike. */
export const configFileSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON Schema that editors check this file with.'),
  rules: severities
    .optional()
    .describe('Severity of rules by their code. "default" keeps the grading of the rule itself.'),
  surfaces: surfaces
    .optional()
    .describe('Which SDKs judge the tools. "auto" takes the one that a tool is registered with, as it is installed.'),
  baseline: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The release that tools are compared with: a git tag, a recorded file (its path from the package or the workspace), or "auto" for the recorded file of the package, else the newest tag that is a version.',
    ),
  contractChanges: named(
    'CONTRACT_CHANGES',
    'Contract changes: what callers of a previous release are told about inputs that went or changed.',
  ),
  retiredTools: named('RETIRED_TOOLS', 'Tools that are no longer offered, on purpose.'),
  include: globs.optional().describe('Globs, relative to the workspace, of the files to look for tools in.'),
  exclude: globs
    .optional()
    .describe(
      'Globs of files to leave out, instead of the built-in ones for tests, mocks, build output and minified files.',
    ),
  discovery: z
    .strictObject({
      schemaKeys: z
        .array(z.string().min(1))
        .optional()
        .describe("Property names, beside the built-in ones, whose value may be a tool's input schema."),
    })
    .optional()
    .describe('How tools are found.'),
});
export type ConfigFile = z.infer<typeof configFileSchema>;

/** The editor's settings under `toolContracts`, or what the command line was given. They override the file. */
export const settingsSchema = z.looseObject({
  enable: z.boolean().optional(),
  rules: severities.optional(),
  surfaces: surfaces.optional(),
  baseline: z.string().min(1).optional(),
  contractChanges: z.looseObject({ name: z.string().min(1).optional() }).optional(),
  retiredTools: z.looseObject({ name: z.string().min(1).optional() }).optional(),
  include: globs.optional(),
  exclude: globs.optional(),
  discovery: z.looseObject({ schemaKeys: z.array(z.string().min(1)).optional() }).optional(),
  codeLens: z.looseObject({ enabled: z.boolean().optional() }).optional(),
  evaluation: z
    .looseObject({
      /** Milliseconds that evaluating one tool may take. */
      timeout: z.number().int().min(100).max(600_000).optional(),
      /** Megabytes that the sandbox process may use. */
      memory: z.number().int().min(64).max(16_384).optional(),
    })
    .optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Everything configurable, with every default filled in. */
export interface Config {
  readonly enable: boolean;
  readonly rules: { readonly [code: string]: Severity | 'off' };
  readonly surfaces: 'auto' | readonly SurfaceId[];
  /** `auto`, a git tag or the path of a recorded file. */
  readonly baseline: string;
  /** Name of the export that holds the contract changes. */
  readonly contractChanges: string;
  /** Name of the export that holds the retired tools. */
  readonly retiredTools: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Property names, beside the built-in ones, whose value may be a tool's schema. */
  readonly schemaKeys: readonly string[];
  /** Whether a line above each tool says what it is. */
  readonly codeLens: boolean;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** Folders and files that are no tools of the workspace: tests, mocks, build output, minified files. */
export const DEFAULT_EXCLUDE: readonly string[] = [
  '**/node_modules/**',
  '**/.*/**',
  '**/{dist,build,out,coverage,vendor}/**',
  '**/{test,tests,__tests__,__mocks__,fixtures}/**',
  '**/*.{test,spec,d}.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
  '**/*.min.{js,mjs,cjs}',
];
export const DEFAULT_INCLUDE: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];

export const DEFAULT_CONFIG: Config = {
  enable: true,
  rules: {},
  surfaces: 'auto',
  baseline: 'auto',
  contractChanges: 'CONTRACT_CHANGES',
  retiredTools: 'RETIRED_TOOLS',
  include: DEFAULT_INCLUDE,
  exclude: DEFAULT_EXCLUDE,
  schemaKeys: [],
  codeLens: true,
  timeoutMs: 5_000,
  memoryMb: 512,
};

/** A setting that could not be used, as a sentence for people. */
export interface ConfigProblem {
  readonly message: string;
}

/**
 * Reads settings of unknown origin. A part that is wrong is left out, never the whole: each wrong part gives one
 * sentence that names it and says what it takes.
 *
 * @param value what the editor answered; null or undefined count as no settings
 * @param where how to name the origin in a sentence: `Settings toolContracts` or a file's path
 */
export function readParts<T extends z.ZodObject>(
  schema: T,
  value: unknown,
  where: string,
): { value: Partial<z.infer<T>>; problems: ConfigProblem[] } {
  if (value === null || value === undefined) return { value: {}, problems: [] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { value: {}, problems: [{ message: `${where}: expected an object, so the defaults are used.` }] };
  }
  const kept: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part === null || part === undefined) continue;
    const field = schema.shape[key] as z.ZodType | undefined;
    if (!field) {
      if (schema.def.catchall && schema.def.catchall._zod.def.type === 'never') {
        problems.push({ message: `${where}: "${key}" is not a known option and is ignored.` });
      }
      continue;
    }
    const read = readPart(field, key, part);
    if (read.value !== undefined) kept[key] = read.value;
    problems.push(...read.faults.map((fault) => ({ message: `${where}: ${fault}` })));
  }
  return { value: kept as Partial<z.infer<T>>, problems };
}

/** Reads one part, leaving out what is wrong inside it (one rule of many, one glob of a list) as long as the rest stands. */
function readPart(field: z.ZodType, key: string, part: unknown): { value: unknown; faults: string[] } {
  const faults: string[] = [];
  const rest: unknown = withoutNulls(part);
  for (;;) {
    const read = field.safeParse(rest);
    if (read.success) return { value: read.data, faults };
    // Backwards, so that leaving out an item of a list does not move the ones before it.
    for (const issue of read.error.issues.toReversed()) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
      for (const name of unknown) {
        const path = name === undefined ? issue.path : [...issue.path, name];
        const shown = [key, ...path].join('.');
        faults.unshift(
          name === undefined
            ? `"${shown}" is ignored: ${reasonOf(issue)}`
            : `"${shown}" is not a known option and is ignored.`,
        );
        if (!remove(rest, path)) return { value: undefined, faults };
      }
    }
  }
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : issue;
  const reason = (inner?.message ?? 'not valid').replace(/^Invalid (?:input|option): /, '');
  return /[.?]$/.test(reason) ? reason : `${reason}.`;
}

/** Editors answer null for what is not set, at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === null ? [] : [[key, withoutNulls(part)]])),
  );
}

/** @returns false when the path leads to nothing that can be left out: the value itself is wrong */
function remove(value: unknown, path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  const holder = path.slice(0, -1).reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
  if (Array.isArray(holder)) return holder.splice(Number(last), 1).length === 1;
  return (
    typeof holder === 'object' && holder !== null && Reflect.has(holder, last) && Reflect.deleteProperty(holder, last)
  );
}

/**
 * Merges defaults, configuration file and settings, later ones first.
 *
 * @returns a complete Config; a rule whose setting is `default` is absent from `rules`
 */
export function mergeConfig(file: Partial<ConfigFile>, settings: Partial<Settings>): Config {
  const rules: Record<string, Severity | 'off'> = {};
  for (const [code, severity] of Object.entries({ ...file.rules, ...settings.rules })) {
    if (severity !== 'default') rules[code] = severity;
  }
  return {
    enable: settings.enable ?? DEFAULT_CONFIG.enable,
    rules,
    surfaces: settings.surfaces ?? file.surfaces ?? DEFAULT_CONFIG.surfaces,
    contractChanges: settings.contractChanges?.name ?? file.contractChanges?.name ?? DEFAULT_CONFIG.contractChanges,
    retiredTools: settings.retiredTools?.name ?? file.retiredTools?.name ?? DEFAULT_CONFIG.retiredTools,
    baseline: settings.baseline ?? file.baseline ?? DEFAULT_CONFIG.baseline,
    include: settings.include ?? file.include ?? DEFAULT_CONFIG.include,
    exclude: settings.exclude ?? file.exclude ?? DEFAULT_CONFIG.exclude,
    schemaKeys: [...(file.discovery?.schemaKeys ?? []), ...(settings.discovery?.schemaKeys ?? [])],
    codeLens: settings.codeLens?.enabled ?? DEFAULT_CONFIG.codeLens,
    timeoutMs: settings.evaluation?.timeout ?? DEFAULT_CONFIG.timeoutMs,
    memoryMb: settings.evaluation?.memory ?? DEFAULT_CONFIG.memoryMb,
  };
}
