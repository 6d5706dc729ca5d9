import type { Json, JsonObject, Outcome, SurfaceId } from '../../../../shared/src/model.ts';
import type { WireOffer } from './messages.ts';

/** What the sandbox lends a driver. */
export interface DriverHost {
  /**
   * Imports a package as a workspace file would.
   *
   * @throws when it is not installed or throws itself
   */
  load(specifier: string, from: string): Promise<Record<string, unknown>>;
  /** The version in the `package.json` of an installed package as seen from a file, or undefined. */
  version(packageName: string, from: string): string | undefined;
}

/** A tool as a driver mounts it. */
export interface Mounted {
  readonly contract: string;
  readonly name: string;
  /** The value that the author registers: a Zod schema, a raw shape, or undefined for no input. */
  readonly schema: unknown;
  readonly output: unknown;
  /** See `OfferRequest.isPositional`. */
  readonly isPositional?: true;
}

/** An SDK as loaded for one workspace file. */
export interface DriverSession {
  readonly sdk?: string;
  readonly version?: string;
  /** Mounts tools and lists them. One tool's failure must not take the others down: find out which one it is. */
  offer(tools: readonly Mounted[]): Promise<readonly WireOffer[]>;
  /** Sends a call to a tool that was offered. The value is what the handler received. */
  call(contract: string, args: JsonObject): Promise<Outcome>;
  /** Forgets tools. */
  release(contracts: readonly string[]): void;
}

/** The part of a surface that runs inside the sandbox: drives the workspace's own copy of an SDK. */
export interface Driver {
  readonly id: SurfaceId;
  /**
   * Loads the SDK as seen from a workspace file.
   *
   * @throws NotInstalled when it cannot be found
   */
  open(host: DriverHost, from: string): Promise<DriverSession>;
}

export class NotInstalled extends Error {}

/** Makes plain JSON of a value, as sending it through a transport would. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return text === undefined ? null : (JSON.parse(text) as Json);
}
