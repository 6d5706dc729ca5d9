/**
 * Every custom message between client and server. A client that knows none of them still gets diagnostics and code
 * actions: they are optional extras.
 */

/** What the client tells the server in `initializationOptions`. All fields are optional. */
export interface InitializationOptions {
  /** False: the workspace is not trusted and nothing of it may run. Clients without trust leave it out: trusted. */
  readonly trusted?: boolean;
}

/**
 * Client → server, once, when the user trusts a workspace that was opened in Restricted Mode: from now on its code may
 * be evaluated.
 */
export const TRUST_GRANTED = 'toolContracts/trustGranted';

/** Server → client, whenever what the status item shows has changed. */
export const STATUS = 'toolContracts/status';
export interface StatusParams {
  readonly state: 'scanning' | 'checking' | 'ready' | 'restricted' | 'failed';
  /** While scanning: how many tools have been evaluated, of how many candidates. */
  readonly progress?: { readonly done: number; readonly total: number };
  readonly tools: number;
  readonly problems: number;
  /** Duration of the last check in milliseconds. */
  readonly durationMs?: number;
  /** Names of the tools, found by parsing alone: what Restricted Mode shows. */
  readonly names?: readonly string[];
  /** For each surface in use, how a person reads it: `MCP SDK 1.32.2 · zod 4.6.7`. */
  readonly surfaces?: readonly string[];
  /** One sentence: why there are no findings, or what went wrong and what to do. */
  readonly message?: string;
}

/** Command, client → server through `workspace/executeCommand`: check everything anew with a fresh sandbox. */
export const COMMAND_CHECK = 'toolContracts.server.check';
