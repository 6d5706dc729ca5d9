import type { Contract, Json, JsonObject, Outcome, SchemaNode, SurfaceId } from '../../../../shared/src/model.ts';

/**
 * What the server and the sandbox process say to each other: JSON over the IPC channel, an id each. In the sandbox,
 * places are sites (`file number * SITES + site number`); the tables that turn a site into a place stay in the server.
 */

/** Sites per file; a site's global number is `fileNumber * SITES + site`. Fits a double for 2^33 files. */
export const SITES = 1 << 20;

/** Where an import specifier of a workspace module leads. */
export type Resolved =
  /** A file of the workspace, evaluated with lazy bindings. */
  | { readonly file: string }
  /** A package or builtin: the sandbox resolves it with Node's own rules from the importing file. */
  | { readonly bare: string }
  | { readonly missing: string };

/** A workspace module as the sandbox runs it. */
export interface ModuleSource {
  readonly file: string;
  /** The module's number, part of its sites. */
  readonly number: number;
  /** Instrumented code: a function body over `$m`. See evaluation/instrument.ts. */
  readonly code: string;
  readonly specifiers: readonly string[];
  /** Parallel to `specifiers`. */
  readonly resolved: readonly Resolved[];
  /** The code was lowered already to syntax that every supported Node knows. */
  readonly isLowered?: boolean;
}

/**
 * How a module's code is wanted. `lowered`: the process does not know its syntax. `whole`: with the functions that only
 * run when a tool is called or registered, since one of them was called all the same.
 */
export type ModuleForm = 'plain' | 'lowered' | 'whole';

/** A tool of a module to evaluate: the `index`-th thunk of its code. */
export interface Job {
  readonly candidate: string;
  readonly file: string;
  readonly index: number;
  /** The server holds what came of it before: of contracts that are still the same it need not be told again. */
  readonly isHeld?: true;
}

/**
 * What there is to say of a schema object, the same for every tool that holds it: other objects are named by their uid,
 * and places are sites.
 */
export type WireObject = Omit<SchemaNode, 'id' | 'origin' | 'rebuiltFrom'> & {
  readonly origin?: number;
  readonly rebuiltFrom?: readonly WireFlow[];
};
/** A whole shape that flowed on: the uid of its owner, and the site of the read. */
export interface WireFlow {
  readonly owner: number;
  readonly read: number;
}
/** A schema's graph; its root is the first node. */
export interface WireGraph {
  /** By node id, which of the message's objects it is. */
  readonly objects: readonly number[];
  /** Objects that are not described, since a node stands for them: uid and node id. */
  readonly standIns?: readonly (readonly [uid: number, node: number])[];
  /** See `SchemaGraph.truncated`. */
  readonly truncated?: true;
}

/** One row of an evaluated candidate. */
export interface WireContract {
  readonly id: string;
  readonly name: string | null;
  readonly form: Contract['form'];
  readonly graph: WireGraph | null;
  readonly output: WireGraph | null;
  /** Its schemas are the very objects that they were before: the graphs are left out. */
  readonly unchanged?: true;
  /** The call site in the same file that reached a wrapper, as a span. */
  readonly callSite?: readonly [start: number, end: number];
  /** See `Contract.unchosen`. */
  readonly unchosen?: true;
  /** The schema is in a form that no surface takes: what it is, for people (`an array`, `a Valibot schema`). */
  readonly otherForm?: string;
}

/** Where evaluation failed, innermost first. */
export interface WireFailure {
  readonly reason: string;
  /** Site of the failing expression, when the code knew it (an await). */
  readonly site?: number;
  /** The innermost frame in instrumented code: module file, 1-based line and column of the generated code. */
  readonly frame?: { readonly file: string; readonly line: number; readonly column: number };
  readonly trail: readonly { readonly file: string; readonly position: number; readonly name: string }[];
}

export type JobResult = {
  readonly candidate: string;
  readonly files: readonly string[];
  readonly environment: readonly string[];
} & (
  | {
      readonly contracts: readonly WireContract[];
      /** Why other rows of the candidate could not be evaluated: the first of them. */
      readonly partly?: WireFailure;
    }
  | { readonly failure: WireFailure }
);

/** An export of a workspace module whose value is wanted as data. */
export interface ExportRequest {
  readonly file: string;
  readonly name: string;
}

/** A value as data, with the sites of the literals that its objects were written as. */
export type WireData =
  | { readonly is: 'value'; readonly value: null | boolean | number | string }
  | {
      readonly is: 'object';
      readonly entries: readonly (readonly [key: string, value: WireData])[];
      readonly site?: number;
    }
  | { readonly is: 'list'; readonly items: readonly WireData[] }
  | { readonly is: 'map'; readonly pairs: readonly (readonly [key: WireData, value: WireData])[] }
  /** What it is instead, for people: `a function`. */
  | { readonly is: 'other'; readonly what: string };

export type ExportResult = { readonly files: readonly string[] } & (
  | { readonly data: WireData }
  | { readonly failure: WireFailure }
  /** The module has no such export. */
  | { readonly missing: true }
);

/** How to make a sample. */
export interface SampleRequest {
  readonly contract: string;
  /** Node to make a value for. */
  readonly node: number;
  /** `min`: only what must be there. `max`: every field. */
  readonly mode: 'min' | 'max';
  /** Node ids from `node` (first) down to a node that must be present in the value (last). */
  readonly through?: readonly number[];
  /** Field names that must be absent from the object that `through` ends at (or from `node`'s own value). */
  readonly without?: readonly string[];
}
export type Sample =
  | {
      readonly found: true;
      readonly value: Json;
      /** With `through`: the steps to the value of the last of its nodes. */
      readonly end?: readonly (string | number)[];
    }
  | { readonly found: false; readonly reason: string };

/** A schema that differs from a contract's in one place, for "would it be mended?". */
export interface WhatIf {
  /** The union (node id) whose option number `option` is rebuilt with `field` changed. */
  readonly union: number;
  readonly option: number;
  readonly field: string;
  /** `optional`: the default, prefault or catch is replaced by `.optional()`. */
  readonly change: 'optional';
}

/** A tool to mount on a surface. The schema is the value that the author registers. */
export interface OfferRequest {
  /** `Contract.id`. */
  readonly contract: string;
  /** The tool's name, or a stand-in when it has none. */
  readonly name: string;
  /** Registered by `server.tool(name, description, schema, handler)`, which takes schemas otherwise than `registerTool`. */
  readonly isPositional?: true;
}
export interface WireOffer {
  readonly contract: string;
  readonly advertised: Json | null;
  readonly outputSchema: Json | null;
  readonly mountError?: string;
  readonly listError?: string;
}
export type SurfaceAnswer =
  | {
      readonly installed: true;
      readonly sdk?: string;
      readonly version?: string;
      readonly offers: readonly WireOffer[];
    }
  | { readonly installed: false; readonly reason: string };

/** A version of JSON Schema, as zod names it; where none is given, zod's own choice. */
export type Dialect = 'draft-7';

/** Server → sandbox. */
export interface Requests {
  evaluate: {
    params: {
      jobs: readonly Job[];
      /** Modules that the jobs will most likely ask for, and that the process does not have. */
      modules: readonly ModuleSource[];
      /** Milliseconds that importing a package may take. */
      importMs: number;
    };
    result: { results: readonly JobResult[]; objects: readonly WireObject[] };
  };
  /** Evaluate exports to data. */
  exports: { params: { exports: readonly ExportRequest[] }; result: { results: readonly ExportResult[] } };
  /** Mount contracts on a surface, with the SDK as seen from a file, and list them. */
  offer: {
    params: { surface: SurfaceId; from: string; tools: readonly OfferRequest[] };
    result: SurfaceAnswer;
  };
  /** Call tools that were offered. */
  call: {
    params: { calls: readonly { surface: SurfaceId; contract: string; arguments: JsonObject }[] };
    result: { outcomes: readonly Outcome[] };
  };
  /** Parse with one node of a contract. */
  parse: {
    params: { parses: readonly { contract: string; node: number; value: Json; whatIf?: WhatIf }[] };
    result: { outcomes: readonly Outcome[] };
  };
  sample: { params: { samples: readonly SampleRequest[] }; result: { samples: readonly Sample[] } };
  /** JSON Schema of one node, by its own zod: `toJSONSchema({ io: 'input' })`, or the error. */
  jsonSchema: {
    params: { nodes: readonly { contract: string; node: number; dialect?: Dialect }[] };
    result: { schemas: readonly ({ readonly schema: Json } | { readonly error: string })[] };
  };
}
export type Method = keyof Requests;

/** What the sandbox forgets before it answers a request. */
export interface Forget {
  /** Modules whose text is another one. */
  readonly changed: readonly string[];
  /** Modules that (transitively) import them: what was evaluated from these goes. */
  readonly affected: readonly string[];
  /** Their schema objects and offers may be collected. */
  readonly contracts: readonly string[];
}

export type ToSandbox =
  | { readonly id: number; readonly method: Method; readonly params: unknown; readonly forget?: Forget }
  /** The answer to a `supply`. */
  | { readonly supplied: number; readonly modules: readonly ModuleSource[] };

/**
 * How messages travel to the sandbox. The first one only tells the process its key, before any user code runs; the
 * others carry it, since user code may emit messages of its own on `process`.
 */
export interface Sealed {
  readonly key: string;
  readonly message?: ToSandbox;
}

export type FromSandbox =
  /** First message: the process is locked down and ready. */
  | { readonly ready: { readonly node: string; readonly permission: boolean } }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  /** Evaluation reached modules that the sandbox does not have in this form. */
  | { readonly supply: number; readonly files: readonly string[]; readonly form: ModuleForm }
  /** Schema objects were made of modules that have to be whole: only a new process can answer for them. */
  | { readonly outgrown: readonly string[] }
  /** A candidate's evaluation begins: should the process end, it was this one. Null: a long batch goes on. */
  | { readonly begun: string | null }
  /** What user code printed. */
  | { readonly printed: string };
