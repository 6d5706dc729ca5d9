import type { Json, JsonObject, Outcome, SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';
import { declaredNames, nodeOf, unwrap } from '../graph.ts';
import { jsonSchemaCheck } from '../jsonSchemaCheck.ts';
import { isObject, mergeDeep, only, sameJson } from '../values.ts';
import { type Case, sampleOf } from '../witness.ts';
import { cannotMeet, isRefinedSide, type Sides } from './sides.ts';

/** What an intersection, or a side of it, does with a key that it does not declare. */
export type Answer = 'rejects' | 'deletes' | 'keeps';

/** A call that each side takes alone and both together do not. */
export interface Rejected {
  readonly value: JsonObject;
  readonly error: string;
  /** It is the least that the two sides need, so that nothing passes. */
  readonly always: boolean;
}

/** A value with a key that neither side declares, and what each says to it. */
export interface Undeclared {
  readonly key: string;
  readonly value: JsonObject;
  /** The value without the key, which passes. */
  readonly control: JsonObject;
  readonly sides: readonly [Answered, Answered];
}
export interface Answered {
  readonly side: SchemaNode;
  readonly answer: Answer;
  readonly outcome: Outcome;
}

/** A value on which parse and zod's own JSON Schema disagree although they agree on each side. */
export interface Misstated {
  readonly value: JsonObject;
  readonly parse: Outcome;
  /** The validator's words; null where the JSON Schema accepts what parse rejects. */
  readonly refusal: string | null;
  /** Even the least that the two sides need is refused. */
  readonly always: boolean;
}

export interface Evidence {
  readonly rejected?: Rejected;
  readonly undeclared: readonly Undeclared[];
  readonly misstated?: Misstated;
}

type Mode = 'min' | 'max';

/** Asks an intersection and its two sides, each on its own, about sampled values. */
export async function gather(about: Case, sides: Sides): Promise<Evidence> {
  const [min, max] = await Promise.all([samples(about, sides, 'min'), samples(about, sides, 'max')]);
  const rejected = await findRejected(about, sides, min, max);
  const undeclared = min.accepted && min.left && min.right ? await askUndeclared(about, sides, min) : [];
  const misstated = await findMisstated(about, sides, min, max, undeclared);
  return { ...(rejected && { rejected }), undeclared, ...(misstated && { misstated }) };
}

interface Samples {
  readonly left: JsonObject | undefined;
  readonly right: JsonObject | undefined;
  /** What both samples say together. */
  readonly both: JsonObject | undefined;
  readonly isTaken: boolean;
  readonly accepted: JsonObject | undefined;
  readonly error: string;
}

async function samples(about: Case, { node, left, right }: Sides, mode: Mode): Promise<Samples> {
  const [l, r] = await Promise.all([left, right].map(({ id }) => sampleOf(about, id, mode)));
  const both = isObject(l) && isObject(r) ? mergeDeep(l, r) : undefined;
  const tried = both && (await parse(about, node, both));
  return {
    left: isObject(l) ? l : undefined,
    right: isObject(r) ? r : undefined,
    both,
    isTaken: tried?.accepts ?? false,
    accepted: tried?.accepts ? both : await otherwiseAccepted(about, node, l, r, mode),
    error: tried && !tried.accepts ? tried.error : '',
  };
}

/** Looked for only when what the two samples say together is rejected: a search in vain takes hundreds of parses. */
async function otherwiseAccepted(
  about: Case,
  node: SchemaNode,
  left: Json | undefined,
  right: Json | undefined,
  mode: Mode,
): Promise<JsonObject | undefined> {
  const reverse = isObject(left) && isObject(right) ? mergeDeep(right, left) : undefined;
  if (reverse && (await parse(about, node, reverse)).accepts) return reverse;
  const own = await sampleOf(about, node.id, mode);
  return isObject(own) && (await parse(about, node, own)).accepts ? own : undefined;
}

async function findRejected(about: Case, sides: Sides, min: Samples, max: Samples): Promise<Rejected | undefined> {
  const { graph } = about;
  const refined = isRefinedSide(graph, sides.left) || isRefinedSide(graph, sides.right);
  for (const [tried, always] of [
    [min, true],
    [min, false],
    [max, false],
  ] as const) {
    const { both, left, right } = tried;
    if ((always ? tried.accepted : tried.isTaken) || !both || !left || !right) continue;
    const alone = await Promise.all([parse(about, sides.left, both), parse(about, sides.right, both)]);
    const takenAlone = alone.every(({ accepts }) => accepts);
    if (takenAlone || (!refined && (await isToBlame(about, sides, { left, right, both }, always)))) {
      return { value: both, error: tried.error, always };
    }
  }
  return undefined;
}

/**
 * Whether only the intersection can be to blame for rejecting what two samples say together: the samples have no key in
 * common, each side takes what it declares of both, or no value at all satisfies both.
 */
async function isToBlame(
  about: Case,
  sides: Sides,
  { left, right, both }: { readonly left: JsonObject; readonly right: JsonObject; readonly both: JsonObject },
  always: boolean,
): Promise<boolean> {
  const { graph } = about;
  if ([sides.left, sides.right].some((side) => unwrap(graph, side).kind !== 'object')) {
    return Object.keys(left).every((key) => !Object.hasOwn(right, key));
  }
  if (always && cannotMeet(graph, sides.left, sides.right)) return true;
  const own = [sides.left, sides.right].map((side) => parse(about, side, declaredPart(graph, side, both)));
  return (await Promise.all(own)).every(({ accepts }) => accepts);
}

/** The part of a value that the objects of a schema declare, at every depth of objects in objects. */
function declaredPart(graph: SchemaGraph, side: SchemaNode, value: JsonObject): JsonObject {
  const { kind, fields = {} } = unwrap(graph, side);
  if (kind !== 'object') return value;
  const part = only(value, Object.keys(fields));
  for (const [name, child] of Object.entries(part)) {
    const field = nodeOf(graph, fields[name]);
    if (field && isObject(child)) part[name] = declaredPart(graph, field, child);
  }
  return part;
}

async function askUndeclared(about: Case, sides: Sides, min: Samples): Promise<Undeclared[]> {
  const { accepted, left, right } = min;
  if (!accepted || !left || !right) return [];
  const key = undeclaredKey(about);
  const asked = await Promise.all(
    (await valuesFor(about, sides)).map(async (value): Promise<Undeclared | undefined> => {
      const [l, r] = await Promise.all([
        answerOf(about, sides.left, left, key, value),
        answerOf(about, sides.right, right, key, value),
      ]);
      // To a record a key is declared when its value fits.
      if ([l, r].some(({ side, answer }) => answer === 'rejects' && unwrap(about.graph, side).kind === 'record'))
        return undefined;
      return { key, value: { ...accepted, [key]: value }, control: accepted, sides: [l, r] };
    }),
  );
  return asked.filter((one) => one !== undefined);
}

/** Values of an undeclared key: any, and one that each typed catchall or record takes. */
async function valuesFor(about: Case, sides: Sides): Promise<Json[]> {
  const typed = await Promise.all(
    [sides.left, sides.right].map((side) => {
      const { catchall, kind, value } = unwrap(about.graph, side);
      const judge = catchall ?? (kind === 'record' ? value : undefined);
      return judge === undefined ? undefined : sampleOf(about, judge, 'min');
    }),
  );
  const values = ['x', ...typed.filter((value) => value !== undefined)];
  return values.filter((value, index) => values.findIndex((other) => sameJson(other, value)) === index);
}

async function answerOf(about: Case, side: SchemaNode, base: JsonObject, key: string, value: Json): Promise<Answered> {
  const outcome = await parse(about, side, { ...base, [key]: value });
  return { side, outcome, answer: answerIn(outcome, key) };
}

/** What happened to a key, read from an outcome. */
export function answerIn(outcome: Outcome, key: string): Answer {
  if (!outcome.accepts) return 'rejects';
  return isObject(outcome.value) && Object.hasOwn(outcome.value, key) ? 'keeps' : 'deletes';
}

async function findMisstated(
  about: Case,
  sides: Sides,
  min: Samples,
  max: Samples,
  undeclared: readonly Undeclared[],
): Promise<Misstated | undefined> {
  const schemas = await Promise.all([sides.node, sides.left, sides.right].map((node) => schemaOf(about, node)));
  const [schema] = schemas;
  // Nearly every intersection is of plain objects, and compiling a validator takes milliseconds.
  const mayDiffer =
    schemas.some((one) => one === undefined || closesAnything(one)) ||
    (await answersOtherwise(about, sides, undeclared));
  const whole = schema !== undefined && mayDiffer ? jsonSchemaCheck(schema) : undefined;
  if (!whole) return undefined;
  for (const [tried, always] of [
    [min, true],
    [max, false],
  ] as const) {
    if (!tried.left || !tried.right || !tried.accepted) continue;
    const refusal = whole(tried.accepted);
    if (refusal === null || !(await parse(about, sides.node, tried.accepted)).accepts) continue;
    const says = await statedOfSides(about, sides);
    if (says && says[0](tried.left) === null && says[1](tried.right) === null) {
      return { value: tried.accepted, parse: await parse(about, sides.node, tried.accepted), refusal, always };
    }
  }
  for (const { value, control, key, sides: answered } of undeclared) {
    const outcome = await parse(about, sides.node, value);
    const refusal = whole(value);
    if (whole(control) !== null || outcome.accepts === (refusal === null)) continue;
    const says = await statedOfSides(about, sides);
    const bases = [min.left, min.right];
    const agree = answered.every(({ answer }, index) => {
      const base = bases[index];
      const refused = base && says?.[index]?.({ ...base, [key]: value[key] ?? null });
      return refused !== undefined && (refused === null) === (answer !== 'rejects');
    });
    if (agree) return { value, parse: outcome, refusal, always: false };
  }
  return undefined;
}

/** Whether the whole rejects an undeclared key that both sides let pass, or takes one that a side rejects. */
async function answersOtherwise(about: Case, { node }: Sides, undeclared: readonly Undeclared[]): Promise<boolean> {
  const outcomes = await Promise.all(undeclared.map(({ value }) => parse(about, node, value)));
  return undeclared.some(
    ({ sides }, index) => outcomes[index]?.accepts !== sides.every(({ answer }) => answer !== 'rejects'),
  );
}

type Check = NonNullable<ReturnType<typeof jsonSchemaCheck>>;

/** Asked only when the whole disagrees with parse, which is rare: compiling a validator takes milliseconds. */
async function statedOfSides(about: Case, { left, right }: Sides): Promise<readonly [Check, Check] | undefined> {
  const [l, r] = await Promise.all([stated(about, left), stated(about, right)]);
  return l && r ? [l, r] : undefined;
}

async function stated(about: Case, node: SchemaNode): Promise<Check | undefined> {
  const schema = await schemaOf(about, node);
  return schema === undefined ? undefined : jsonSchemaCheck(schema);
}

async function schemaOf({ contract, probe }: Case, node: SchemaNode): Promise<Json | undefined> {
  const answer = await probe.jsonSchema(contract.id, node.id);
  return 'schema' in answer ? answer.schema : undefined;
}

/**
 * Whether a JSON Schema says anything about keys that it does not list. `allOf` two schemas that do not is just both of
 * them, which is what parsing does, too.
 */
function closesAnything(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(closesAnything);
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(
    ([key, value]) => (CLOSING.has(key) && !isOpen(value)) || closesAnything(value ?? null),
  );
}

const CLOSING = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'maxProperties', 'not']);

function isOpen(schema: Json | undefined): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function undeclaredKey({ graph }: Case): string {
  const declared = declaredNames(graph);
  let key = 'extra';
  for (let number = 2; declared.has(key); number++) key = `extra${number}`;
  return key;
}

function parse({ contract, probe }: Case, node: SchemaNode, value: Json): Promise<Outcome> {
  return probe.parse(contract.id, node.id, value);
}
