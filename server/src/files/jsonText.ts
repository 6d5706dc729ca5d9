import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../../../shared/src/model.ts';
import { LineMap } from './lines.ts';

/** What could be read of a JSON text, and where it is broken. */
export interface JsonText {
  /** Undefined when nothing could be read. */
  readonly value: Json | undefined;
  /** `3:5: comma expected`, 1-based line and column, for the first thing that is wrong. */
  readonly broken?: string;
}

/**
 * Reads JSON leniently: comments and trailing commas are fine, and of a broken text what stands before and around the
 * damage is kept.
 */
export function readJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return readLeniently(text);
  }
}

/** The lenient parser takes a key called `__proto__` for the prototype: what is proper JSON does not come here. */
function readLeniently(text: string): JsonText {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: false }) as Json | undefined;
  const first = errors[0];
  if (!first) return { value };
  const { line, character } = new LineMap(text).position(first.offset);
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return { value, broken: `${line + 1}:${character + 1}: ${what}` };
}

/** Whether a value is a JSON object (no array, no null). */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
