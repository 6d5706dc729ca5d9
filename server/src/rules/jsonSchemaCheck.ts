import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../../shared/src/model.ts';
import { isObject } from './values.ts';

/** Says what is wrong with a value: the validator's words, or null when the schema accepts it. */
export type JsonSchemaCheck = (value: Json) => string | null;

/**
 * One validator of each draft for all schemas: making one compiles its meta-schema, measured 4 ms. What zod writes is
 * valid, so it is not validated; most schemas are used for a handful of values, so their code is not optimised.
 */
const OPTIONS = {
  strict: false,
  logger: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  code: { optimize: false },
} as const;
let draft7: Ajv | undefined;
let draft2020: Ajv2020 | undefined;
/** By the schema's text, the one that was asked for last at the end: most schemas of a file that is edited stay. */
const checks = new Map<string, JsonSchemaCheck>();
/** As many as a file and what it imports have intersections, several times over. */
const KEPT = 200;

/**
 * A validator for a JSON Schema, draft 7 or 2020-12 by its `$schema`. Formats are not looked at: what zod means by one
 * differs from what a validator does.
 *
 * @returns undefined when the schema itself is not valid
 */
export function jsonSchemaCheck(schema: Json): JsonSchemaCheck | undefined {
  if (typeof schema === 'boolean') return () => (schema ? null : 'input is not allowed');
  if (!isObject(schema)) return undefined;
  const text = JSON.stringify(schema);
  try {
    const check = checks.get(text) ?? compile(schema);
    checks.delete(text);
    checks.set(text, check);
    const [oldest] = checks.keys();
    if (checks.size > KEPT && oldest !== undefined) checks.delete(oldest);
    return check;
  } catch {
    return undefined;
  }
}

function compile(schema: { readonly [key: string]: Json }): JsonSchemaCheck {
  const is2020 = String(schema.$schema).includes('2020-12');
  if (is2020) draft2020 ??= new Ajv2020(OPTIONS);
  else draft7 ??= new Ajv(OPTIONS);
  const ajv = (is2020 ? draft2020 : draft7) as Ajv;
  // Without its address two schemas cannot be taken for one; references inside a schema start with `#`.
  const { $schema: _draft, $id: _address, ...anonymous } = schema;
  const validate = ajv.compile(anonymous);
  // It would keep every schema that was ever compiled.
  ajv.removeSchema(anonymous);
  return (value) => (validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'input' }));
}
