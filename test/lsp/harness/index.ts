/** A client for a language server over stdio, and what tests of one need: workspaces and positions found by text. */
export { BARE_CAPABILITIES, EDITOR_CAPABILITIES } from './capabilities.ts';
export { LanguageClient, type Publication, startServer, type WantedPublication } from './client.ts';
export type { ClientOptions, Wanted } from './conversation.ts';
export type { OpenDocument } from './documents.ts';
export { applyEdits, changeBetween, uriOf } from './edits.ts';
export { offsetAt, offsetOf, position, positionAt, range, textAt } from './position.ts';
export { ResponseError } from './rpc.ts';
export { BUILT_SERVER, PROJECT } from './serverProcess.ts';
export { type Workspace, workspace } from './workspace.ts';
