/**
 * The texts that the benchmark types. A state decides which findings there are; the counter, of six digits, makes every
 * text a new one without moving anything.
 */

const text = (counter: number) => `text: z.string().describe('words, ${digits(counter)}')`;

/**
 * Source text of the input schema that is edited in a tool file, state by state, over the shared module of a prefix.
 * They go through the key policies and through faults and back.
 */
export const TOOL_STATES: readonly ((prefix: string, counter: number) => string)[] = [
  (_, n) => `z.object({ ${text(n)} })`,
  (P, n) => `z.object({ ...${P}Strict.shape, ${text(n)} })`,
  (_, n) => `z.strictObject({ ${text(n)} })`,
  (P, n) => `z.object({ inner: z.object(${P}Strict.shape), ${text(n)} })`,
  (P, n) => `${P}Strict.extend({ ${text(n)} })`,
  (_, n) =>
    `z.object({ page: z.union([z.strictObject({ limit: z.number().default(20) }), z.object({ cursor: z.string() })]), ${text(n)} })`,
  (_, n) => `z.looseObject({ ${text(n)} })`,
  (P, n) => `z.object({ both: ${P}Strict.and(z.object({ other: z.string() })), ${text(n)} })`,
  (_, n) => `z.object({ ${text(n)} }).catchall(z.string())`,
  (P, n) => `${P}Loose.merge(z.object({ ${text(n)} }))`,
];

/** Which of the hot shared module's objects are strict. */
export interface SharedState {
  /** Every dependent rebuilds this one. */
  readonly session: 'object' | 'strictObject';
  /** A few dependents rebuild this one, too. */
  readonly guard: 'object' | 'strictObject';
}

/** Findings of a few dependents come and go with every edit. */
export const SHARED_STATES: readonly SharedState[] = [
  { session: 'object', guard: 'object' },
  { session: 'object', guard: 'strictObject' },
];

/** Findings of every dependent come and go with every edit. */
export const SHARED_STATES_OF_ALL: readonly SharedState[] = [
  { session: 'object', guard: 'object' },
  { session: 'strictObject', guard: 'object' },
];

/** Source text of the shared module that many tools depend on. */
export function sessionText({ session, guard }: SharedState, counter: number): string {
  return [
    "import { z } from 'zod';",
    '',
    '/** Who calls, and for which harbour: part of many tools. */',
    `export const Session = z.${session}({`,
    `  office: z.string().describe('code, ${digits(counter)}'),`,
    "  locale: z.enum(['en', 'fi']).default('en'),",
    '  trace: z.string().optional(),',
    '});',
    `export const SessionGuard = z.${guard}({ token: z.string() });`,
    '',
  ].join('\n');
}

/** Input schemas of tools that depend on the hot shared module; a few guard their session. */
export function dependentInput(own: string, guarded: boolean): string {
  const guard = guarded ? '  guard: z.object(SessionGuard.shape),\n' : '';
  return `z.object({ ...Session.shape,\n${own}${guard}})`;
}

function digits(counter: number): string {
  return String(counter).padStart(6, '0');
}
