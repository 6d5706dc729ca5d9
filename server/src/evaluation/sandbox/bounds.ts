import { majorOf } from './schema.ts';
import { type Zod3Check, zod3Def } from './zod3.ts';
import { type Zod4CheckDef, type Zod4Schema, zod4Def } from './zod4.ts';

/** What the checks of a schema say of its value, as far as they say it in data. */
export interface Bounds {
  /** Of a number: the smallest allowed, or the one that it must exceed. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  /** Of a string or an array. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns: readonly RegExp[];
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes: readonly string[];
}
type Draft = { -readonly [key in keyof Bounds]: Bounds[key] } & { patterns: RegExp[]; includes: string[] };

/** Reads the bounds of a string, a number, an array or a template literal. */
export function boundsOf(schema: object): Bounds {
  const bounds: Draft = { patterns: [], includes: [] };
  if (majorOf(schema) === 4) readChecks4(schema, bounds);
  else readChecks3(schema, bounds);
  return bounds;
}

function readChecks4(schema: object, bounds: Draft): void {
  const def = zod4Def(schema);
  const checks: readonly (Zod4CheckDef | undefined)[] = [
    def as Zod4CheckDef,
    ...(def.checks ?? []).map((check) => check._zod?.def),
  ];
  for (const check of checks) {
    const number = typeof check?.value === 'number' ? check.value : undefined;
    if (check?.check === 'min_length') bounds.minLength = check.minimum ?? 0;
    else if (check?.check === 'max_length') bounds.maxLength = check.maximum ?? 0;
    else if (check?.check === 'length_equals') exactly(bounds, check.length);
    else if (check?.check === 'greater_than' && number !== undefined) bounds.minimum = number;
    else if (check?.check === 'less_than' && number !== undefined) bounds.maximum = number;
    else if (check?.check === 'multiple_of' && number !== undefined) bounds.multipleOf = number;
    else if (check?.check === 'string_format') {
      if (check.prefix !== undefined) bounds.prefix = check.prefix;
      else if (check.suffix !== undefined) bounds.suffix = check.suffix;
      else if (check.includes !== undefined) bounds.includes.push(check.includes);
      else if (check.pattern) bounds.patterns.push(check.pattern);
    }
  }
  const { pattern } = (schema as Zod4Schema)._zod;
  if (def.type === 'template_literal' && pattern) bounds.patterns.push(pattern);
}

function readChecks3(schema: object, bounds: Draft): void {
  const def = zod3Def(schema);
  const isNumber = def.typeName === 'ZodNumber';
  for (const check of def.checks ?? []) readCheck3(check, isNumber, bounds);
  if (def.minLength) bounds.minLength = def.minLength.value;
  if (def.maxLength) bounds.maxLength = def.maxLength.value;
  if (def.exactLength) exactly(bounds, def.exactLength.value);
}

function readCheck3({ kind, value, regex }: Zod3Check, isNumber: boolean, bounds: Draft): void {
  if (regex) bounds.patterns.push(regex);
  if (typeof value === 'number') {
    if (kind === 'length') exactly(bounds, value);
    else if (kind === 'min') bounds[isNumber ? 'minimum' : 'minLength'] = value;
    else if (kind === 'max') bounds[isNumber ? 'maximum' : 'maxLength'] = value;
    else if (kind === 'multipleOf') bounds.multipleOf = value;
  } else if (typeof value === 'string') {
    if (kind === 'startsWith') bounds.prefix = value;
    else if (kind === 'endsWith') bounds.suffix = value;
    else if (kind === 'includes') bounds.includes.push(value);
  }
}

function exactly(bounds: Draft, length = 0): void {
  bounds.minLength = length;
  bounds.maxLength = length;
}
