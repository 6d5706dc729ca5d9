import { Script } from 'node:vm';
import type { Candidate, Span, Way } from '../../../shared/src/model.ts';
import { alterationOf } from '../discovery/alterations.ts';
import type { Found } from '../discovery/found.ts';
import { ts } from '../discovery/typescript.ts';
import { callTimeBodies } from './callTime.ts';
import { type Compiled, compile } from './compile.ts';
import type { ThunkWriter } from './moduleWriter.ts';
import { LEAD, TRAIL } from './recorders.ts';
import { writeThunk } from './thunk.ts';

/** Calls that register what a definition elsewhere may say. */
const REGISTERING: ReadonlySet<Way> = new Set(['registerTool', 'registerAppTool', 'server.tool']);
/** The newest syntax that Node 20 knows. */
const OLDEST_TARGET = ts.ScriptTarget.ES2022;

/** A module's code with thunks for what discovery found in it. */
export interface CompiledFound {
  readonly compiled: Compiled;
  readonly candidates: readonly Candidate[];
}

export interface CompileFoundOptions {
  /** With what only runs when a tool is called or registered: see callTime.ts. */
  readonly isWhole: boolean;
  /** See `CompileOptions.target`. */
  readonly target?: ts.ScriptTarget;
  /** Candidates that get no code. */
  readonly refused?: ReadonlySet<Found>;
}

/** Compiles a module and writes a thunk for each candidate; one that cannot be turned into code says why. */
export function compileFound(
  source: ts.SourceFile,
  number: number,
  found: readonly Found[],
  { isWhole, target, refused = new Set() }: CompileFoundOptions,
): CompiledFound {
  const candidates: Candidate[] = [];
  const thunkCode = (one: Found, writer: ThunkWriter): string | undefined => {
    const thunk = refused.has(one) ? cannotStandAlone(one) : writeThunk(one, writer);
    if ('code' in thunk) {
      candidates.push(one.candidate);
      return thunk.code;
    }
    const alters = REGISTERING.has(one.candidate.way) && one.schema ? alterationOf(one.schema) : undefined;
    const { reason, at } = thunk;
    candidates.push({ ...one.candidate, unevaluable: { reason, at, ...(alters && { alters }) } });
    return undefined;
  };
  const thunks = (writer: ThunkWriter) => found.map((one) => thunkCode(one, writer));
  const callTime = { ...callTimeBodies(found), isWhole };
  const compiled = compile(source, number, thunks, { callTime, ...(target !== undefined && { target }) });
  return { compiled, candidates };
}

/** As `compileFound`, in syntax that every Node knows; a tool whose code still is none does not take the others along. */
export function compileLowered(
  source: ts.SourceFile,
  number: number,
  found: readonly Found[],
  isWhole: boolean,
): CompiledFound {
  const options = { isWhole, target: OLDEST_TARGET };
  const all = compileFound(source, number, found, options);
  if (isJavaScript(all.compiled.code)) return all;
  const refused = new Set(
    found.filter((one) => {
      const others = new Set(found.filter((other) => other !== one));
      return !isJavaScript(compileFound(source, number, found, { ...options, refused: others }).compiled.code);
    }),
  );
  return compileFound(source, number, found, { ...options, refused });
}

function cannotStandAlone({ candidate }: Found): { reason: string; at: Span } {
  return { reason: 'it stands where it cannot be evaluated by itself', at: candidate.schema?.span ?? candidate.span };
}

function isJavaScript(code: string): boolean {
  try {
    new Script(`(function($m){${LEAD}${code}${TRAIL}})`);
    return true;
  } catch {
    return false;
  }
}
