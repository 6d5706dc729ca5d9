import type { Outcome } from '../../../../shared/src/model.ts';
import { toJson } from './driver.ts';
import { messageOf } from './schema.ts';

interface Issue {
  readonly path?: readonly PropertyKey[];
  readonly message?: string;
}
type Result =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues?: readonly Issue[]; readonly message?: string } };
interface Parsing {
  safeParse?(value: unknown): Result;
  safeParseAsync?(value: unknown): Promise<Result>;
}

/** How the error of a parse that threw begins, instead of one that rejected. */
export const THROWS = 'parse throws: ';

/**
 * Parses a value with a schema, waiting for async refinements and transforms. Never throws: a parse that throws rejects,
 * with the thrown message.
 */
export async function parse(schema: object, value: unknown): Promise<Outcome> {
  try {
    const { safeParseAsync } = schema as Parsing;
    if (!safeParseAsync) return { accepts: false, error: 'The schema has no parse method.' };
    return outcomeOf(await safeParseAsync.call(schema, value));
  } catch (error) {
    return { accepts: false, error: `${THROWS}${messageOf(error)}` };
  }
}

/** As `parse`, at once: a schema with async parts rejects everything. */
export function parseNow(schema: object, value: unknown): Outcome {
  try {
    const { safeParse } = schema as Parsing;
    if (!safeParse) return { accepts: false, error: 'The schema has no parse method.' };
    return outcomeOf(safeParse.call(schema, value));
  } catch (error) {
    return { accepts: false, error: `${THROWS}${messageOf(error)}` };
  }
}

function outcomeOf(result: Result): Outcome {
  if (result.success) return { accepts: true, value: toJson(result.data) };
  const { issues, message } = result.error;
  const lines = issues?.map((issue) => {
    const path = issue.path?.map(String).join('.');
    return path ? `${path}: ${issue.message}` : String(issue.message);
  });
  return { accepts: false, error: lines?.join('; ') || message || 'rejected' };
}
