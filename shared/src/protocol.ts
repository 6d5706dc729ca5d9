import type { SurfaceId } from './model.ts';

/**
 * Every custom message between client and server. A client that knows none of them still gets diagnostics and code
 * actions: they are optional extras.
 */

/** What the client tells the server in `initializationOptions`. All fields are optional. */
export interface InitializationOptions {
  /** False: the workspace is not trusted and nothing of it may run. Clients without trust leave it out: trusted. */
  readonly trusted?: boolean;
  /**
   * Commands of this protocol that the client has. A CodeLens that needs a command is left out for a client that does not
   * have it.
   */
  readonly commands?: readonly string[];
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

/**
 * Command of the client, in CodeLenses: opens the advertised schema of a tool. Its argument is a `PreviewTarget`.
 */
export const COMMAND_PREVIEW = 'toolContracts.preview';
/** Command of the client, in CodeLenses: compares the schema of a tool with the last release. As `COMMAND_PREVIEW`. */
export const COMMAND_COMPARE_BASELINE = 'toolContracts.compareWithBaseline';

/** What a command about previews is about; what is left out is asked for. */
export interface PreviewTarget {
  /** URI of the file that the tool is defined in. */
  readonly file?: string;
  readonly tool?: string;
  readonly surface?: SurfaceId;
}

/** Scheme of preview documents. Their URIs are made and understood by the server alone. */
export const PREVIEW_SCHEME = 'tool-contract';

/**
 * Client → server, request: the text of a preview document. From then on the server says when the text is another one,
 * until the document is closed.
 */
export const PREVIEW = 'toolContracts/preview';
export interface PreviewParams {
  readonly uri: string;
}
export interface PreviewResult {
  /**
   * JSON, verbatim as the SDK lists it. Lines that begin with `//` stand before it when there is something to say: it is
   * stale, the list fails, the tool is gone.
   */
  readonly text: string;
}

/** Client → server, when a preview document was closed: its changes are no longer told. `PreviewParams`. */
export const PREVIEW_CLOSED = 'toolContracts/previewClosed';

/**
 * Server → client, as soon as it is known: open preview documents whose text is another one than the server last gave.
 * The texts come along, since the server answers no request while it judges the same edit.
 */
export const PREVIEWS_CHANGED = 'toolContracts/previewsChanged';
export interface PreviewsChangedParams {
  readonly previews: readonly { readonly uri: string; readonly text: string }[];
}

/**
 * Client → server, request: the tools of all folders, to choose from. Those that belong most to the given document come
 * first.
 */
export const TOOLS = 'toolContracts/tools';
export interface ToolsParams {
  /** The document at hand, which may be a preview. */
  readonly uri?: string;
  /** The cursor in it. */
  readonly position?: { readonly line: number; readonly character: number };
}
export interface ToolsResult {
  readonly tools: readonly ToolItem[];
  /** Index of the tool that the cursor is in, or that the preview is of. */
  readonly current?: number;
  /** Why there is none, as a sentence. */
  readonly reason?: string;
}
/** A tool to choose. */
export interface ToolItem {
  readonly name: string;
  /** URI of the file that it is defined in, and for people its path in the workspace with the line. */
  readonly file: string;
  readonly place: string;
  /** How it belongs to the document: it is defined there, or its schema is made from it. */
  readonly nearness: 'here' | 'uses' | 'elsewhere';
  /** The documents on what surfaces advertise. Of a tool that could not be evaluated there is one that says why. */
  readonly surfaces: readonly SurfaceItem[];
  /** The document on the author's own schema, or why there is none. */
  readonly contract: PreviewItem | Absent;
}
export interface PreviewItem {
  readonly uri: string;
  /** How people read it: `MCP SDK 1.32.2`, `v1.6.5`. */
  readonly title: string;
}
export interface SurfaceItem extends PreviewItem {
  readonly surface: SurfaceId;
  /** The document on what the last release advertised on the surface, or why there is none. */
  readonly baseline: PreviewItem | Absent;
}
export interface Absent {
  /** One sentence. */
  readonly reason: string;
}

/** Server → client, whenever it is another list: URIs of the files in which tools are defined. */
export const TOOL_FILES = 'toolContracts/toolFiles';
export interface ToolFilesParams {
  readonly uris: readonly string[];
}
