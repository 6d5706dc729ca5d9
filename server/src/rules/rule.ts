import type {
  Contract,
  Finding,
  Fix,
  Json,
  JsonObject,
  Offer,
  Outcome,
  Severity,
  TextEdit,
  Unevaluated,
} from '../../../shared/src/model.ts';
import type { RuleCode } from '../../../shared/src/rules.ts';
import type { ChangeFile } from '../baseline/changeFiles.ts';
import type { Previous } from '../baseline/previous.ts';
import type { Sample, SampleRequest, WhatIf } from '../evaluation/sandbox/messages.ts';

/** Questions a rule may ask of the schemas and surfaces that live in the sandbox. Concurrent questions share a message. */
export interface Probe {
  /** A value for a node, found and verified by running; or why none was found. */
  sample(request: SampleRequest): Promise<Sample>;
  /** Parses a value with one node of a contract, or with a changed copy of it. */
  parse(contract: string, node: number, value: Json, whatIf?: WhatIf): Promise<Outcome>;
  /** Calls the tool on the surface of an offer. `value` is what the handler received. */
  call(offer: Offer, args: JsonObject): Promise<Outcome>;
  /** JSON Schema of one node by its own zod, input side. */
  jsonSchema(contract: string, node: number): Promise<{ readonly schema: Json } | { readonly error: string }>;
}

/** A tool as rules see it. */
export interface Subject {
  readonly contract: Contract;
  /** The surfaces that judge the tool. Empty when none could be driven. */
  readonly offers: readonly Offer[];
  /** What the tool was in the last release, when that is known and may be something else than now. */
  readonly previous?: Previous;
}

/** A finding of one tool, before findings of several tools at one place are merged. */
export type ToolFinding = Omit<Finding, 'tools' | 'surfaces' | 'rule' | 'fixes'> & {
  readonly surfaces: Finding['surfaces'];
  readonly fixes: readonly Fix[];
};

/** Source text for a rule that writes the words of the source into a message. */
export interface SourceText {
  /** Text of a place, or undefined when the file is gone. An end beyond the file's end means that end. */
  text(place: {
    readonly file: string;
    readonly span: { readonly start: number; readonly end: number };
  }): string | undefined;
}

/** A rule about evaluated tools. */
export interface Rule {
  readonly code: RuleCode;
  /** What it says is about calls of the tool, so that nothing holds where the tool cannot be registered. */
  readonly judgesCalls?: true;
  /** Looks at one tool. Never throws for anything the user wrote: silence is the answer to what cannot be judged. */
  check(subject: Subject, probe: Probe, source: SourceText): Promise<readonly ToolFinding[]>;
  /**
   * The edits of one of a finding's fixes.
   *
   * @param read the current text of a file
   * @param context what else is known of the workspace
   * @returns undefined when the text is no longer what the finding was about
   */
  resolve(
    finding: Finding,
    fixId: string,
    read: (file: string) => string | undefined,
    context: FixContext,
  ): readonly TextEdit[] | undefined;
}

/** What a fix may look at beside its finding. */
export interface FixContext {
  /** All findings of the last check. */
  readonly findings: readonly Finding[];
  /** The contract changes of the package in a folder; undefined when there is no such package. */
  changesOf(folder: string): PackageChanges | undefined;
}

/** For those who have no contract changes. */
export const NO_CONTEXT: FixContext = { findings: [], changesOf: () => undefined };

/** The contract changes of one package, and where new ones may go. */
export interface PackageChanges {
  /** Name of the export. */
  readonly name: string;
  /** Files that export contract changes for the package. */
  readonly files: readonly ChangeFile[];
  /** Files that the package's tools are written in. */
  readonly toolFiles: readonly string[];
}

/** A rule about candidates that could not be evaluated. */
export interface UnevaluatedRule {
  readonly code: RuleCode;
  check(unevaluated: Unevaluated): readonly ToolFinding[];
}

export type { Severity };
