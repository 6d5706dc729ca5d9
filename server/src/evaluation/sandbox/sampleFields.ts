import type { Json, JsonObject } from '../../../../shared/src/model.ts';
import type { Candidate, Part } from './samplePart.ts';

/** A field of an object that is being made. */
export interface FieldChoice {
  readonly name: string;
  /** The field's own schema wants a value. */
  readonly required: boolean;
  readonly onPath: boolean;
  readonly part: Part;
}

/** Field name → which of its candidates, or absent. */
type Choice = ReadonlyMap<string, number>;
const ABSENT = -1;
/** Objects made of one schema. Checks over several fields are met by turning one field or two. */
const MAX_CHOICES = 160;
const MAX_FIELDS_FOR_PAIRS = 8;

/**
 * Makes objects of their fields' values, likely ones first: what the mode asks for, then with single fields left out,
 * added or changed, then pairs of them.
 *
 * @returns the reason when a field that must be there has no value
 * @param alternatives values of one field to try
 * @param accepts whether the object's schema takes a value; what is left out of a `min` object is found by asking it
 */
export function* chooseFields(
  fields: readonly FieldChoice[],
  mode: 'min' | 'max',
  alternatives: number,
  accepts: (value: JsonObject) => boolean,
): Generator<{ readonly value: JsonObject; readonly end?: Candidate['end'] }, string | undefined> {
  const missing = fields.find((field) => field.required && !present(field, 0));
  if (missing) return missing.part.reason;
  let left = MAX_CHOICES;
  let isLeast = mode === 'max';
  for (const choice of choices(fields, mode, alternatives)) {
    if (left-- === 0) return undefined;
    const built = build(fields, choice);
    if (!built) continue;
    // Only the first: the others are for those who ask for more than the least, such as a check around the object.
    if (!isLeast && accepts(built.value)) {
      // Fields whose own schema wants a value were asked already.
      const names = fields.filter((field) => !field.onPath && !field.required).map(({ name }) => name);
      leaveOut(
        built.value,
        names.filter((name) => Object.hasOwn(built.value, name)),
        accepts,
      );
      isLeast = true;
    }
    yield built;
  }
  return undefined;
}

function present(field: FieldChoice, index: number): boolean {
  return field.part.get(index)?.value !== undefined;
}

function* choices(fields: readonly FieldChoice[], mode: 'min' | 'max', alternatives: number): Generator<Choice> {
  const min = basis(fields, (field) => field.required);
  if (mode === 'min') yield min;
  // Made when it is asked for: each value of a field costs a try.
  const max = basis(fields, () => true);
  yield max;
  if (mode === 'max') yield min;
  const bases = mode === 'min' ? [min, max] : [max, min];
  for (const base of bases) {
    for (const field of fields) for (const turn of turns(field, base, alternatives)) yield new Map([...base, turn]);
  }
  if (fields.length > MAX_FIELDS_FOR_PAIRS) return;
  for (const [index, field] of fields.entries()) {
    for (const turn of turns(field, min, 2)) {
      for (const other of fields.slice(index + 1)) {
        for (const second of turns(other, min, 2)) yield new Map([...min, turn, second]);
      }
    }
  }
}

function basis(fields: readonly FieldChoice[], isWanted: (field: FieldChoice) => boolean): Choice {
  return new Map(fields.map((field) => [field.name, isWanted(field) && present(field, 0) ? 0 : ABSENT]));
}

/** The other choices for a field. */
function* turns(field: FieldChoice, base: Choice, alternatives: number): Generator<[string, number]> {
  const now = base.get(field.name);
  if (!field.required && now !== ABSENT) yield [field.name, ABSENT];
  for (let index = 0; index < alternatives; index++) {
    if (index !== now && present(field, index)) yield [field.name, index];
  }
}

function build(
  fields: readonly FieldChoice[],
  choice: Choice,
): { value: JsonObject; end?: Candidate['end'] } | undefined {
  const entries: [string, Json][] = [];
  let end: Candidate['end'];
  for (const { name, onPath, part } of fields) {
    const index = choice.get(name) ?? ABSENT;
    const candidate = index === ABSENT ? undefined : part.get(index);
    if (onPath && candidate?.end) end = [name, ...candidate.end];
    if (candidate?.value !== undefined) entries.push([name, candidate.value]);
    else if (onPath) return undefined;
  }
  const value = Object.fromEntries(entries);
  return end ? { value, end } : { value };
}

/** Leaves out what can be, many fields at once where that is accepted: few of hundreds are ever needed. */
function leaveOut(value: JsonObject, names: readonly string[], accepts: (value: JsonObject) => boolean): void {
  if (names.length === 0) return;
  const left = new Set(names);
  if (accepts(Object.fromEntries(Object.entries(value).filter(([name]) => !left.has(name))))) {
    for (const name of names) delete value[name];
    return;
  }
  if (names.length === 1) return;
  const half = Math.ceil(names.length / 2);
  leaveOut(value, names.slice(0, half), accepts);
  leaveOut(value, names.slice(half), accepts);
}
