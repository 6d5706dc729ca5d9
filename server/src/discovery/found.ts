import type { Candidate, NameSource, SchemaSource, SurfaceId, Way } from '../../../shared/src/model.ts';
import { span, unwrap } from './syntax.ts';
import type { ts } from './typescript.ts';

/** A candidate with the syntax nodes that evaluating it needs. The nodes live as long as the file's tree. */
export interface Found {
  readonly candidate: Candidate;
  /** The call or the definition: an object literal, a class, or a module's variable declaration. */
  readonly anchor: ts.Node;
  /** Absent: nothing names it. */
  readonly name?: ts.Expression | { readonly literal: string };
  /**
   * The expression to evaluate, unwrapped; null: the tool takes no input. It stands inside `anchor`, but for a
   * `converted` schema of a module-level const, and for `schema` and `output` of a class's getters.
   */
  readonly schema: ts.Expression | null;
  /** Expressions any of which may be the schema, in order: the first that evaluates to a non-null object is it. */
  readonly alternatives?: readonly ts.Expression[];
  /** Read this property of the evaluated `schema`; undefined there means: the tool takes no input. */
  readonly property?: string;
  readonly output: ts.Expression | null;
  /** Read this property of the evaluated `output`. */
  readonly outputProperty?: string;
  /**
   * The schema stands inside a conversion to JSON Schema (`toJSONSchema(X)`, `zodToJsonSchema(X)`): `schema` is X, what
   * parses; this is the whole conversion, what is advertised.
   */
  readonly converted?: ts.Expression;
}

/** What a way of offering a tool finds, before candidates are numbered. */
export interface Draft extends Omit<Found, 'candidate'> {
  readonly way: Way;
  readonly certain: boolean;
  readonly claim?: SurfaceId;
  readonly nameSource?: NameSource;
  readonly schemaSource?: SchemaSource;
  readonly names?: Candidate['names'];
}

/** A name with where it comes from. */
export interface Named {
  readonly name: ts.Expression | { readonly literal: string };
  readonly nameSource: NameSource;
}

/** Numbers drafts in source order and makes them candidates of a file. */
export function toFound(file: string, drafts: readonly Draft[]): Found[] {
  const spans = drafts.map((draft) => ({ draft, span: span(draft.anchor) }));
  spans.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  return spans.map(({ draft, span: range }, index) => {
    const { way, certain, claim, nameSource, schemaSource, names, ...rest } = draft;
    const candidate: Candidate = {
      id: `${file}#${index}`,
      file,
      way,
      certain,
      ...(claim && { claim }),
      span: range,
      ...(nameSource && { name: nameSource }),
      ...(schemaSource && { schema: schemaSource }),
      ...(names && { names }),
      ...(draft.output && { output: span(unwrap(draft.output)) }),
    };
    return { candidate, ...rest };
  });
}
