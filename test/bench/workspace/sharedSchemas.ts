import { fields } from './fields.ts';
import type { Random } from './random.ts';

const NOUNS = ['Berth', 'Vessel', 'Crew', 'Cargo', 'Pilot', 'Tide', 'Fee', 'Chart', 'Crane', 'Permit'] as const;

/** A module of schemas that tools share. What it exports is named after its prefix. */
export interface SharedModule {
  readonly index: number;
  /** `Berth000`: its objects are `Berth000`, `Berth000Strict`, `Berth000Loose`, … */
  readonly prefix: string;
  /** Folder of ten modules with a barrel: `area00`. */
  readonly area: string;
  /** File name without extension. */
  readonly name: string;
}

/** The shared module of a number. */
export function sharedModule(index: number): SharedModule {
  const number = String(index).padStart(3, '0');
  const prefix = `${NOUNS[index % NOUNS.length]}${number}`;
  return { index, prefix, area: `area${String(Math.floor(index / 10)).padStart(2, '0')}`, name: prefix.toLowerCase() };
}

/** Path of a shared module's file in the workspace. */
export function sharedPath({ area, name }: SharedModule): string {
  return `src/schemas/${area}/${name}.ts`;
}

/**
 * Source text of a shared module: an object of every key policy, and objects made from them in every way that keeps
 * what the author wrote.
 */
export function sharedText(module: SharedModule, random: Random): string {
  const { prefix: P, index, name } = module;
  const earlier = index % 10 === 0 ? undefined : sharedModule(index - 1);
  const lines = ["import { z } from 'zod';"];
  if (earlier) lines.push(`import { ${earlier.prefix} } from './${earlier.name}${random.pick(['.js', ''])}';`);
  const own = (count: number, suffix: string) => fields(random, count, suffix, '  ').trimEnd();
  lines.push(
    '',
    `/** What is known of a ${name}. */`,
    `export const ${P} = z.object({`,
    own(4, 'A'),
    ...(earlier ? [`  before: ${earlier.prefix}.optional(),`] : []),
    '});',
    `export const ${P}Strict = z.strictObject({`,
    own(3, 'B'),
    '});',
    `export const ${P}Loose = z.looseObject({`,
    own(2, 'C'),
    '});',
    `export const ${P}Tagged = z.object({`,
    own(2, 'D'),
    '}).catchall(z.string());',
    `export const ${name}Shape = {`,
    own(3, 'E'),
    '};',
    `export const ${P}Paged = z.object({ ...${name}Shape, page: z.number().int().default(1) });`,
    `export const ${P}Merged = ${P}.merge(z.object({ merged: z.boolean() }));`,
    `export const ${P}Both = ${P}.and(z.object({ both: z.string().optional() }));`,
    `export const ${P}Filter = z`,
    "  .discriminatedUnion('by', [",
    `    z.object({ by: z.literal('name'), name: z.string() }),`,
    `    z.strictObject({ by: z.literal('range'), from: z.number(), to: z.number().optional() }),`,
    '  ])',
    "  .default({ by: 'name', name: '' });",
    '',
  );
  return lines.join('\n');
}

/** Input schemas over a shared module that no rule has anything to say about, as source text of an object. */
export const QUIET_INPUTS: readonly [InputText, ...InputText[]] = [
  (P) => `${P}Strict`,
  (P) => `${P}Loose`,
  (P) => `${P}Tagged`,
  (P) => `${P}Paged`,
  (P) => `${P}Merged`,
  (P, own) => `${P}Strict.extend({\n${own}})`,
  (P, own) => `z.object({\n${own}  filter: ${P}Filter,\n})`,
  (P, own) => `z.object({\n${own}  both: ${P}Both,\n})`,
  (P, own) => `z.object({ ...${P.toLowerCase()}Shape,\n${own}})`,
  (P, own) => `z.object({ ...${P}.shape,\n${own}})`,
  (P, own) => `z.strictObject({\n${own}  of: ${P}.array().max(5),\n})`,
  (P, own) => `z.looseObject({\n${own}  of: ${P}Strict.optional(),\n})`,
  (P, own) => `z.object({\n${own}}).catchall(z.unknown()).describe('more of ${P}')`,
  (P) => `${P}Tagged.partial()`,
  (P, own) => `${P}.partial().extend({\n${own}})`,
];

/** The same as raw shapes, which only calls take. */
export const QUIET_SHAPES: readonly [InputText, ...InputText[]] = [
  (_, own) => `{\n${own}}`,
  (P, own) => `{\n${own}  of: ${P}.optional(),\n}`,
  (P) => `${P}.shape`,
  (P, own) => `{ ...${P}Paged.shape,\n${own}}`,
  (P, own) => `{ ...${P.toLowerCase()}Shape,\n${own}}`,
];

/** @param own source text of fields, each on its line with its comma */
export type InputText = (prefix: string, own: string) => string;
