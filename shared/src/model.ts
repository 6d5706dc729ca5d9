/**
 * The few types that every room shares. Plain data only: it crosses the process border between the server and the
 * sandbox as JSON, and a Zod object never leaves the sandbox.
 */

/** Half-open range of UTF-16 offsets in a file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span in a file. `file` is an absolute path in the operating system's own form. */
export interface Place {
  readonly file: string;
  readonly span: Span;
}

/** Any value that survives `JSON.stringify` and back. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** How the source offers a tool. One file of the discovery room per group of ways. */
export type Way =
  | 'registerTool'
  | 'registerAppTool'
  | 'server.tool'
  | 'addTool'
  | 'tool'
  | 'definition'
  | 'positional'
  | 'class'
  | 'module';

/** Where a tool's name comes from. `text` is set when the syntax alone says what it is. */
export interface NameSource {
  readonly from: 'argument' | 'property' | 'key' | 'variable' | 'class' | 'file';
  readonly span: Span;
  readonly text?: string;
}

/** Where a tool's input schema comes from. */
export interface SchemaSource {
  /** The expression, without casts and parentheses around it. */
  readonly span: Span;
  /** The whole property (`inputSchema: X`), when there is one: root faults are reported there. */
  readonly property?: Span;
  /** The property's key, such as `inputSchema` or `parameters`. */
  readonly key?: string;
}

/** A place in the source where a tool may be offered. Whether it is a tool is decided by evaluating it. */
export interface Candidate {
  /** `file#index`, unique while the file's text stays the same. */
  readonly id: string;
  readonly file: string;
  readonly way: Way;
  /** The syntax alone makes it a tool: a call of a known SDK, or a name with a description and a handler. */
  readonly certain: boolean;
  /** The SDK that the syntax claims the tool for, found from the imports of the file. */
  readonly claim?: SurfaceId;
  /** The call or the definition object. */
  readonly span: Span;
  readonly name?: NameSource;
  /** Absent: the tool takes no input. */
  readonly schema?: SchemaSource;
  /** The expression of the output schema, when the definition has one. */
  readonly output?: Span;
  /**
   * The candidate is no tool of its own: it gives a name to the tool that a variable, or a function of that name, holds.
   * `module` is the specifier that the variable is imported from; `default` is a module's default export.
   */
  readonly names?: { readonly variable: string; readonly module?: string };
  /** The candidate could be found but not turned into code; the reason is a sentence, `at` the expression. */
  readonly unevaluable?: {
    readonly reason: string;
    readonly at: Span;
    /** Of a registering call that makes its schema of something. */
    readonly alters?: Alteration;
  };
}

/** What a registering call makes its schema of. */
export interface Alteration {
  /** The names that it reads for that. */
  readonly names: readonly string[];
  /** It registers the shape of what it reads, and does nothing else to it. */
  readonly isShape: boolean;
}

/** Ids of surfaces, used in settings, JSON output, `--surface` and document names. */
export type SurfaceId = 'mcp-v1' | 'mcp-v2' | 'ai-sdk' | 'contract';

/** What an object does with a key that it does not declare. */
export type KeyPolicy = 'strip' | 'strict' | 'loose' | 'catchall';

/** The kinds of schema nodes, the same words for zod 3 and zod 4 (zod 4's `def.type` where it has one). */
export type SchemaKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'date'
  | 'symbol'
  | 'undefined'
  | 'null'
  | 'void'
  | 'any'
  | 'unknown'
  | 'never'
  | 'nan'
  | 'literal'
  | 'enum'
  | 'file'
  | 'function'
  | 'custom'
  | 'template_literal'
  | 'object'
  | 'array'
  | 'tuple'
  | 'record'
  | 'map'
  | 'set'
  | 'union'
  | 'intersection'
  | 'optional'
  | 'nullable'
  | 'nonoptional'
  | 'default'
  | 'prefault'
  | 'catch'
  | 'readonly'
  | 'success'
  | 'promise'
  | 'lazy'
  | 'pipe'
  | 'transform'
  /**
   * zod 3's ZodEffects with a refinement: a wrapper in zod 3, a check on the node itself in zod 4. Its transform keeps
   * its schema as `in`, its preprocess is a `pipe` that has only `out`.
   */
  | 'refinement'
  | 'branded'
  | 'unsupported';

/** The expression that first produced a schema object. */
export interface Origin {
  readonly place: Place;
  /** Name of the called method or function: `object`, `strict`, `describe`, `merge`, … */
  readonly method: string;
}

/** An object whose shape, read as a whole, flowed into the call that made another object. */
export interface ShapeFlow {
  /** Node id of the object whose shape was read. */
  readonly owner: number;
  /** The expression of the read, such as `ListBoats.shape`. */
  readonly read: Place;
}

/**
 * One schema object of a contract. Ids are indices into `SchemaGraph.nodes`. The graph also holds nodes that are not
 * part of the schema's own structure but of its history: the receiver that a method was called on (`from`) and the
 * objects whose shape flowed in (`rebuiltFrom`).
 */
export interface SchemaNode {
  readonly id: number;
  /** Identity of the schema object in the sandbox: equal uid, same object, also across contracts. */
  readonly uid: number;
  readonly kind: SchemaKind;
  readonly zod: 3 | 4;
  /** Absent for nodes that zod or a library made itself. */
  readonly origin?: Origin;
  /** The receiver of the method call that made this node (`X` in `X.strict()`). */
  readonly from?: number;
  /** Objects whose whole shape flowed into the call that made this node. Objects only. */
  readonly rebuiltFrom?: readonly ShapeFlow[];
  readonly description?: string;
  /** Names of the checks (`min_length`, `regex`, …); `custom` for refinements. */
  readonly checks?: readonly string[];

  readonly policy?: KeyPolicy;
  /** Objects: node id of a typed catchall. */
  readonly catchall?: number;
  /** Objects: field name → node id, in declaration order. */
  readonly fields?: { readonly [name: string]: number };
  readonly element?: number;
  readonly items?: readonly number[];
  readonly rest?: number;
  readonly options?: readonly number[];
  readonly discriminator?: string;
  readonly left?: number;
  readonly right?: number;
  readonly key?: number;
  readonly value?: number;
  /** The wrapped node of optional, nullable, default, prefault, catch, readonly, lazy, refinement, branded, promise. */
  readonly inner?: number;
  readonly in?: number;
  readonly out?: number;
  readonly defaultValue?: Json;
  readonly literals?: readonly Json[];
  readonly format?: string;
  readonly coerce?: boolean;
  /** Reading the node failed (a lazy getter that throws): the message. The node has no children then. */
  readonly broken?: string;
}

export interface SchemaGraph {
  readonly nodes: readonly SchemaNode[];
  readonly root: number;
  /** More nodes than the limit: what is here is a part, and rules that need the whole stay silent. The user is told. */
  readonly truncated?: boolean;
}

/** What was found where a schema was expected. */
export type RegisteredForm =
  /** A Zod schema. */
  | 'schema'
  /** A plain record of Zod schemas, which SDKs wrap in a plain object. The graph's root is the wrapped object. */
  | 'raw-shape'
  /** Nothing: the tool takes no input. */
  | 'none'
  /** A schema of another library, or plain JSON Schema. It has no graph. */
  | 'other';

/** A candidate that evaluated to a tool. One candidate makes several contracts when it stands in a loop. */
export interface Contract {
  /** `candidate.id:row`. Addresses the schema objects in the sandbox. */
  readonly id: string;
  readonly candidate: Candidate;
  /** Null: the name could not be evaluated. */
  readonly name: string | null;
  readonly form: RegisteredForm;
  readonly graph: SchemaGraph | null;
  /** The output schema's graph, for tools that have one. Input rules never look at it. */
  readonly output: SchemaGraph | null;
  /** Raw shapes: the objects whose shape this is, or was made from. */
  readonly rebuiltFrom: readonly ShapeFlow[];
  /** Where the tool is written down: the definition object, or the registration when there is none. */
  readonly definedAt: Place;
  /** Where it is registered, when that is another place than the definition. */
  readonly registeredAt: Place | null;
  /** Workspace files that the evaluation read. */
  readonly files: readonly string[];
  /** Variables of `process.env` that the evaluation read. */
  readonly environment: readonly string[];
  /**
   * The tool has another schema here and now: this is of a branch of its schema's expression that another environment
   * chooses. It is judged, and is no tool of its own.
   */
  readonly unchosen?: true;
  /** The tool's file does not parse now; this is its last good result. */
  readonly stale?: boolean;
}

/** Why a candidate has no contract. */
export interface Unevaluated {
  readonly candidate: Candidate;
  readonly name: string | null;
  /** One sentence: what happened. */
  readonly reason: string;
  /** The schema was evaluated, and trying a call ended the process: the reason is of that. */
  readonly whenCalled?: true;
  /** The first expression of the trail that failed. */
  readonly at: Place;
  /** From the failing expression outwards: names of the bindings that needed it (`KEY`, `NeedsKey`). */
  readonly trail: readonly string[];
  readonly files: readonly string[];
}

/** A surface as it is installed for one tool. */
export interface Surface {
  readonly id: SurfaceId;
  /** Package name, absent for `contract`. */
  readonly sdk?: string;
  readonly version?: string;
  /** What is uncertain about it, as a sentence: the version is newer than what is tested. */
  readonly note?: string;
}

/** What one surface makes of a contract. */
export interface Offer {
  readonly surface: Surface;
  /** `Contract.id`. */
  readonly contract: string;
  /** The tool's `inputSchema` as a client gets it, verbatim. Null: it could not be listed. */
  readonly advertised: Json | null;
  readonly outputSchema: Json | null;
  /** The SDK's own message, when it threw while the tool was registered. */
  readonly mountError?: string;
  /** The message of the failing list, when this tool alone makes the list fail. */
  readonly listError?: string;
}

/** The answer to a call, by a surface or by a schema. */
export type Outcome =
  | { readonly accepts: true; readonly value: Json }
  | { readonly accepts: false; readonly error: string };

/** A concrete call that shows a fault; both sides were run. */
export interface Witness {
  readonly arguments: Json;
  readonly expected: {
    readonly by: 'contract' | 'source' | 'baseline';
    /** The name a reader knows it by, such as `ListBoats`. */
    readonly name: string;
    readonly accepts: boolean;
    readonly value?: Json;
    readonly error?: string;
  };
  readonly actual: {
    readonly by: SurfaceId;
    readonly accepts: boolean;
    readonly received?: Json;
    readonly error?: string;
  };
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Related {
  readonly place: Place;
  readonly message: string;
}

export interface TextEdit {
  readonly file: string;
  readonly span: Span;
  readonly text: string;
}

/** A way to mend a finding. Its edits are computed when it is chosen, by the rule's `resolve`. */
export interface Fix {
  /** Stable within its rule: `extend`, `strict`, `loose`, `strip`, `optional`, … */
  readonly id: string;
  readonly title: string;
  readonly preferred: boolean;
}

/** Something that is wrong at a place. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly at: Place;
  /** What happens to a caller, in plain words, then why. One paragraph. */
  readonly message: string;
  /** Names of the tools it hits, sorted. */
  readonly tools: readonly string[];
  readonly surfaces: readonly SurfaceId[];
  readonly related: readonly Related[];
  readonly witness: Witness | null;
  readonly fixes: readonly Fix[];
  /** What the rule's `resolve` needs to compute a fix's edits. Plain data, opaque to others. */
  readonly data?: Json;
}
