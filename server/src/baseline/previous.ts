import type { Contract, Json } from '../../../shared/src/model.ts';
import type { Probes } from '../pipeline/probes.ts';
import type { Entry } from './contractChanges.ts';
import type { InputChange } from './inputChange.ts';
import type { InputModel } from './inputModel.ts';

/** The release that tools are compared with. */
export interface Release {
  readonly kind: 'tag' | 'file';
  /** Its version: `1.6.5`. What is no version stands for itself. */
  readonly release: string;
  /** How people find it: the tag, or the recorded file's path from the root. */
  readonly name: string;
}

/** A tool as a release offered it. */
export interface PreviousTool {
  readonly name: string;
  /** The file that it was written in, as far as it is known. */
  readonly file: string | undefined;
  readonly inputs: InputModel;
  readonly source: PreviousSource;
}

/** Whom to ask what a release did with a call. */
export type PreviousSource =
  /** The contract of then, evaluated with the packages of today. */
  | {
      readonly by: 'evaluation';
      readonly contract: Contract;
      /**
       * Asks the schemas of then. What was answered to a key is kept: it never changes.
       *
       * @returns undefined when the questions end the process that the schemas are in
       */
      ask<Answer>(key: string, work: (probe: Probes) => Promise<Answer>): Promise<Answer | undefined>;
    }
  /** The schema that was recorded. */
  | { readonly by: 'schema'; readonly schema: Json };

/** What a tool's inputs were in the last release, for the rules. */
export interface Previous {
  readonly release: Release;
  /** Folder of the tool's package. */
  readonly folder: string;
  readonly tool: PreviousTool;
  readonly changes: readonly InputChange[];
  /** What callers of the tool are told. */
  readonly entries: readonly Entry[];
}
