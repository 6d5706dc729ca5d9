import type { SchemaKind } from '../../../../shared/src/model.ts';
import { majorOf, type Parts } from './schema.ts';
import { kindOfZod3, readZod3 } from './zod3.ts';
import { kindOfZod4, readZod4 } from './zod4.ts';

/**
 * Reads what a schema consists of. Calls the getter of a lazy schema and the getters of a shape.
 *
 * @throws what a getter of a lazy schema or of a shape throws
 */
export function partsOf(schema: object): Parts {
  return majorOf(schema) === 4 ? readZod4(schema) : readZod3(schema);
}

/** The kind of a schema, without calling any getter. */
export function kindOf(schema: object): SchemaKind {
  return majorOf(schema) === 4 ? kindOfZod4(schema) : kindOfZod3(schema);
}
