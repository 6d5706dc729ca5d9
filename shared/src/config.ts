import { z } from 'zod';
import type { Severity, SurfaceId } from './model.ts';

/** A severity as people set it: `default` keeps the rule's own grading. */
export const severitySetting = z.enum(['default', 'error', 'warning', 'information', 'hint', 'off']);
export type SeveritySetting = z.infer<typeof severitySetting>;

const globs = z.array(z.string().min(1));
const surfaces = z.union([z.literal('auto'), z.array(z.enum(['mcp-v1', 'mcp-v2', 'ai-sdk', 'contract']))]);

/** `tool-contracts.json` in a package or at the root of a workspace, read by the editor and the command line alike. */
export const configFileSchema = z.strictObject({
  $schema: z.string().optional(),
  rules: z.record(z.string(), severitySetting).optional(),
  surfaces: surfaces.optional(),
  include: globs.optional(),
  exclude: globs.optional(),
  discovery: z.strictObject({ schemaKeys: z.array(z.string().min(1)).optional() }).optional(),
});
export type ConfigFile = z.infer<typeof configFileSchema>;

/** The editor's settings under `toolContracts`, or what the command line was given. They override the file. */
export const settingsSchema = z.looseObject({
  enable: z.boolean().optional(),
  rules: z.record(z.string(), severitySetting).optional(),
  surfaces: surfaces.optional(),
  include: globs.optional(),
  exclude: globs.optional(),
  discovery: z.looseObject({ schemaKeys: z.array(z.string().min(1)).optional() }).optional(),
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
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Property names, beside the built-in ones, whose value may be a tool's schema. */
  readonly schemaKeys: readonly string[];
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
  include: DEFAULT_INCLUDE,
  exclude: DEFAULT_EXCLUDE,
  schemaKeys: [],
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
    const read = field.safeParse(part);
    if (read.success) kept[key] = read.data;
    else {
      const issue = read.error.issues[0];
      const path = [key, ...(issue?.path ?? [])].join('.');
      problems.push({ message: `${where}: "${path}" is ignored: ${issue?.message ?? 'not valid'}.` });
    }
  }
  return { value: kept as Partial<z.infer<T>>, problems };
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
    include: settings.include ?? file.include ?? DEFAULT_CONFIG.include,
    exclude: settings.exclude ?? file.exclude ?? DEFAULT_CONFIG.exclude,
    schemaKeys: [...(file.discovery?.schemaKeys ?? []), ...(settings.discovery?.schemaKeys ?? [])],
    timeoutMs: settings.evaluation?.timeout ?? DEFAULT_CONFIG.timeoutMs,
    memoryMb: settings.evaluation?.memory ?? DEFAULT_CONFIG.memoryMb,
  };
}
