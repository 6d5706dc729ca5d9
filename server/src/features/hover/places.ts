import type { Candidate, Span } from '../../../../shared/src/model.ts';
import { definitionOf, type Tool } from '../tool.ts';

/** The tools that an offset is about, and the text that it stands in. */
export interface Pointed {
  readonly tools: readonly Tool[];
  readonly span: Span;
}

/**
 * The tools whose name or schema expression stands at an offset. Of a schema its key counts, and what is not inside
 * brackets: what stands in them says things of its own.
 *
 * @param candidates what the file offers as its syntax has it
 */
export function pointedAt(
  file: string,
  offset: number,
  text: string,
  candidates: readonly Candidate[],
  tools: readonly Tool[],
): Pointed | undefined {
  for (const candidate of candidates) {
    const span = regionAt(candidate, offset, text);
    if (!span) continue;
    const own = tools.filter((tool) => isOf(tool, candidate, file));
    if (own.length > 0) return { tools: own, span };
  }
  return undefined;
}

function regionAt({ name, schema }: Candidate, offset: number, text: string): Span | undefined {
  if (name && name.from !== 'file' && holds(name.span, offset)) return name.span;
  if (!schema) return undefined;
  const { span, property } = schema;
  if (property && offset >= property.start && offset < span.start) return { start: property.start, end: span.start };
  return holds(span, offset) && isOutsideBrackets(text.slice(span.start, offset)) ? span : undefined;
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

function isOutsideBrackets(before: string): boolean {
  let depth = 0;
  for (const character of before) {
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
  }
  return depth === 0;
}

/** Whether a tool is what a candidate became, is defined there, or is registered there. */
function isOf(tool: Tool, { id, span }: Candidate, file: string): boolean {
  const { contract, unevaluated } = tool;
  if ((contract ?? unevaluated)?.candidate.id === id) return true;
  return [definitionOf(tool), contract?.registeredAt].some(
    (place) => place && place.file === file && place.span.start === span.start && place.span.end === span.end,
  );
}
