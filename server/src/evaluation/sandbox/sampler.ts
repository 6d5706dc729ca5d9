import type { Json, JsonObject, Outcome } from '../../../../shared/src/model.ts';
import { parseNow, THROWS } from './parse.ts';
import { kindOf, partsOf } from './read.ts';
import { arrays, intersections, records, tuples } from './sampleComposites.ts';
import { chooseFields, type FieldChoice } from './sampleFields.ts';
import { leafCandidates, leafReason } from './sampleLeaves.ts';
import {
  ALTERNATIVES,
  type At,
  type Candidate,
  type Candidates,
  named,
  offPath,
  Part,
  type Untried,
} from './samplePart.ts';
import { FieldError, messageOf, type Parts } from './schema.ts';

/** Parses for one sample. A schema whose checks nothing passes must not hold up the others. */
const MAX_PARSES = 600;
/** What an object may take besides for each of its fields: asked whether it may be absent, tried, and left out. */
const PARSES_PER_FIELD = 4;
/** An end for schemas that make fresh objects without an end. */
const MOST_PARSES = 200_000;
/** From here on only what must be there, so that a schema that refers to itself ends. */
const DEEP = 6;
const TOO_DEEP = 24;

/** Searches for values that schemas accept. One instance makes one sample. */
export class Sampler {
  private parses = 0;
  private maxParses = MAX_PARSES;
  private readonly met = new WeakSet<object>();
  private readonly building: object[] = [];

  /**
   * @param path the schemas that the value must go through, below the one that it is made for
   * @param without fields that must be absent from the object at the path's end
   */
  constructor(
    private readonly path: readonly object[],
    readonly without: ReadonlySet<string>,
  ) {}

  /** Values that the schema accepts, likely ones first. Lazy: the search goes on as far as the caller asks. */
  *values(schema: object, at: At): Candidates {
    const again = this.building.filter((other) => other === schema).length;
    if (at.depth > TOO_DEEP || again > 2) return named(at, 'the schema contains itself without an end');
    const inside: At = again > 0 || at.depth > DEEP ? { ...at, mode: 'min' } : at;
    let parts: Parts;
    try {
      parts = partsOf(schema);
    } catch (error) {
      return named(at, messageOf(error));
    }
    const candidates = this.candidates(schema, parts, inside);
    const tried = new Set<string>();
    let found = false;
    let thrown: string | undefined;
    for (;;) {
      this.building.push(schema);
      const next = candidates.next();
      this.building.pop();
      if (next.done) {
        if (found) return '';
        if (this.parses > this.maxParses) return `no value was found in ${this.maxParses} tries`;
        return next.value || named(at, thrown ?? leafReason(schema, parts));
      }
      const key = JSON.stringify(next.value.value) ?? '';
      if (tried.has(key)) continue;
      tried.add(key);
      const outcome = this.parse(schema, next.value.value);
      if (outcome.accepts) {
        found = true;
        yield next.value;
      } else if (outcome.error.startsWith(THROWS)) thrown = outcome.error;
    }
  }

  private parse(schema: object, value: Json | undefined): Outcome {
    if (++this.parses > this.maxParses) return { accepts: false, error: '' };
    // A copy: a check or a transform may change what it is given.
    return parseNow(schema, value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  }

  /** More tries for an object of many fields, once: what its checks reject is tried as often as with few. */
  private allow(object: object, fields: number): void {
    if (this.met.has(object)) return;
    this.met.add(object);
    this.maxParses = Math.min(this.maxParses + fields * PARSES_PER_FIELD, MOST_PARSES);
  }

  private *candidates(schema: object, parts: Parts, at: At): Untried {
    if (this.parses > this.maxParses) return undefined;
    switch (parts.kind) {
      case 'object':
        return yield* this.objects(schema, parts, at);
      case 'array':
        return yield* arrays(this, schema, parts, at);
      case 'tuple':
        return yield* tuples(this, parts, at);
      case 'record':
        return yield* records(this, parts, at);
      case 'union':
        return yield* this.unions(parts, at);
      case 'intersection':
        return yield* intersections(this, parts, at);
      case 'map':
      case 'set':
      case 'promise':
        return undefined;
    }
    return yield* this.wrappers(schema, parts, at);
  }

  private *wrappers(schema: object, parts: Parts, at: At): Untried {
    const inner = this.wrapped(parts, at);
    if (!inner && !this.ends(at)) return offPath(at);
    const reason = inner && (yield* this.inner(inner, at));
    if (!this.ends(at)) return reason;
    // What a pipe takes may be another thing than what its input schema says, when that is a transform.
    if (!inner || parts.kind === 'pipe') {
      for (const value of leafCandidates(schema, parts)) yield this.candidate(value, at);
    }
    if (parts.kind === 'nullable') yield this.candidate(null, at);
    if (['optional', 'default', 'prefault', 'catch'].includes(parts.kind)) yield this.candidate(undefined, at);
    return reason;
  }

  /** The schema below a wrapper that takes the caller's value. */
  private wrapped({ children }: Parts, at: At): object | undefined {
    const { inner, in: input, out } = children;
    const next = this.next(at);
    if (next) return [inner, input, out].find((child) => child === next);
    // A preprocess takes anything; what it makes of a value that is right already is the likeliest to pass.
    return input && kindOf(input) !== 'transform' ? input : (inner ?? out);
  }

  /** Candidates of a schema that takes the same value as the one around it. */
  inner(schema: object, at: At): Candidates {
    const path = schema === this.next(at) ? at.path + 1 : this.ends(at) ? at.path : -1;
    return this.values(schema, { ...at, path, depth: at.depth + 1 });
  }

  /** The schema that the path goes to from here. */
  next(at: At): object | undefined {
    return at.path < 0 ? undefined : this.path[at.path];
  }

  /** Whether the path ends here, or does not come by. */
  ends(at: At): boolean {
    return this.next(at) === undefined;
  }

  /** A value that is made at this place. */
  candidate(value: Json | undefined, at: At): Candidate {
    return at.path < 0 ? { value } : { value, end: [] };
  }

  /** The values of a part, made once and kept for the alternatives of its parent. */
  part(schema: object, at: At, step: string | number, mode = at.mode): Part {
    const name = typeof step === 'number' ? `${at.name}[${step}]` : at.name ? `${at.name}.${step}` : step;
    const path = schema === this.next(at) ? at.path + 1 : -1;
    return new Part(this.values(schema, { mode, path, depth: at.depth + 1, name }));
  }

  private *unions(parts: Parts, at: At): Untried {
    const options = parts.options ?? [];
    const chosen = this.ends(at) ? options : options.filter((option) => option === this.next(at));
    if (chosen.length === 0) return this.ends(at) ? undefined : offPath(at);
    const reasons: string[] = [];
    for (const option of chosen) reasons.push(yield* this.inner(option, at));
    return reasons.find((reason) => reason !== '');
  }

  private *objects(schema: object, parts: Parts, at: At): Untried {
    const next = this.next(at);
    this.allow(schema, parts.fields?.size ?? 0);
    const choices: FieldChoice[] = [];
    const add = (name: string, field: object, onPath: boolean): void => {
      const required = onPath || !this.parse(field, undefined).accepts;
      choices.push({ name, required, onPath, part: this.part(field, at, name) });
    };
    for (const [name, field] of parts.fields ?? []) {
      if (at.path >= 0 && !next && this.without.has(name)) continue;
      if (field instanceof FieldError) return named(at, field.message);
      add(name, field, field === next && !choices.some((choice) => choice.onPath));
    }
    if (next && next === parts.children.catchall && !choices.some((choice) => choice.onPath)) {
      add(parts.fields?.has('other') ? 'another' : 'other', next, true);
    }
    if (next && !choices.some((choice) => choice.onPath)) return offPath(at);
    const accepts = (value: JsonObject): boolean => this.parse(schema, value).accepts;
    const objects = chooseFields(choices, at.mode, ALTERNATIVES, accepts);
    for (;;) {
      const built = objects.next();
      if (built.done) return built.value;
      const { value, end } = built.value;
      yield end ? { value, end } : this.candidate(value, at);
    }
  }
}
