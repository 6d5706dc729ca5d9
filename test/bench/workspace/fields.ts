import type { Random } from './random.ts';

const NAMES = [
  'harbour',
  'vessel',
  'length',
  'draught',
  'arrival',
  'departure',
  'captain',
  'cargo',
  'weight',
  'flag',
  'berth',
  'tide',
  'remark',
  'contact',
  'priority',
  'quay',
] as const;

/** Values that schemas are made of, as they are written in source text. */
const VALUES: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  () => 'z.string()',
  () => 'z.string()',
  () => 'z.string().min(1)',
  (random) => `z.string().max(${20 + random.below(200)}).describe('as written on the papers')`,
  () => 'z.string().optional()',
  () => 'z.string().nullable()',
  () => 'z.string().regex(/^[A-Z]{2}[0-9]+$/)',
  () => 'z.number()',
  (random) => `z.number().int().min(0).max(${100 + random.below(900)})`,
  (random) => `z.number().default(${random.below(50)})`,
  () => 'z.boolean()',
  () => 'z.boolean().default(false)',
  () => "z.enum(['planned', 'moored', 'left'])",
  () => 'z.array(z.string()).max(10)',
  () => 'z.array(z.object({ code: z.string(), count: z.number() })).optional()',
  () => 'z.object({ lat: z.number(), lon: z.number() }).optional()',
  () => 'z.strictObject({ from: z.number(), to: z.number() }).optional()',
  () => 'z.looseObject({ label: z.string() })',
  () => 'z.record(z.string(), z.number())',
  () => 'z.union([z.string(), z.number()])',
  () => 'z.tuple([z.number(), z.number()])',
];

/** The source text of a schema's value. */
export function value(random: Random): string {
  return random.pick(VALUES)(random);
}

/**
 * Source text of an object's fields, each with its comma, one a line.
 *
 * @param suffix ends every field's name, so that two objects never declare the same one
 */
export function fields(random: Random, count: number, suffix: string, indent: string): string {
  const first = random.below(NAMES.length);
  const lines = Array.from({ length: count }, (_, index) => {
    const name = NAMES[(first + index) % NAMES.length];
    return `${indent}${name}${suffix}: ${value(random)},\n`;
  });
  return lines.join('');
}
