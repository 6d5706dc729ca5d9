import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  ConfigurationItem,
  ConfigurationParams,
  LogMessageParams,
  Registration,
  RegistrationParams,
  ShowMessageParams,
  UnregistrationParams,
  WorkspaceEdit,
  WorkspaceFolder,
} from 'vscode-languageserver-protocol/node';
import { MethodNotFound } from './rpc.ts';

/** The user's settings. An object holds sections by dotted names; a function answers each question itself. */
export type Settings = null | { readonly [section: string]: unknown } | ((item: ConfigurationItem) => unknown);

/** What the user side of a client knows and does when the server asks. */
export class ClientAnswers {
  settings: Settings;
  /** What the server has registered for, by its id. */
  readonly registrations = new Map<string, Registration>();
  /** Messages that the user was shown, in order. */
  readonly shown: ShowMessageParams[] = [];
  /** What the server wrote to the output channel, in order. */
  readonly log: LogMessageParams[] = [];
  /** How often the server has asked to look at CodeLenses again. */
  lensRefreshes = 0;
  readonly #capabilities: ClientCapabilities;
  readonly #folders: readonly WorkspaceFolder[];
  readonly #apply: (edit: WorkspaceEdit) => void;

  constructor(
    settings: Settings,
    capabilities: ClientCapabilities,
    folders: readonly WorkspaceFolder[],
    apply: (edit: WorkspaceEdit) => void,
  ) {
    this.settings = settings;
    this.#capabilities = capabilities;
    this.#folders = folders;
    this.#apply = apply;
  }

  /** Answers a request of the server; one for which no capability was declared is not found. */
  request(method: string, params: unknown): unknown {
    const { workspace, window } = this.#capabilities;
    switch (method) {
      case 'workspace/configuration':
        if (!workspace?.configuration) break;
        return (params as ConfigurationParams).items.map((item) => this.#setting(item));
      case 'workspace/workspaceFolders':
        if (!workspace?.workspaceFolders) break;
        return this.#folders;
      case 'workspace/applyEdit':
        if (!workspace?.applyEdit) break;
        this.#apply((params as ApplyWorkspaceEditParams).edit);
        return { applied: true };
      case 'client/registerCapability':
        for (const registration of (params as RegistrationParams).registrations) {
          this.registrations.set(registration.id, registration);
        }
        return null;
      case 'client/unregisterCapability':
        for (const { id } of (params as UnregistrationParams).unregisterations) this.registrations.delete(id);
        return null;
      case 'window/workDoneProgress/create':
        if (!window?.workDoneProgress) break;
        return null;
      case 'window/showDocument':
        if (!window?.showDocument?.support) break;
        return { success: true };
      case 'window/showMessageRequest':
        this.shown.push(params as ShowMessageParams);
        return null;
      case 'workspace/codeLens/refresh':
        this.lensRefreshes++;
        return null;
      case 'workspace/diagnostic/refresh':
      case 'workspace/inlayHint/refresh':
        return null;
    }
    throw new MethodNotFound(`This client does not know ${method}.`);
  }

  /** Takes note of the notifications that the user sees. */
  notification(method: string, params: unknown): void {
    if (method === 'window/showMessage') this.shown.push(params as ShowMessageParams);
    if (method === 'window/logMessage') this.log.push(params as LogMessageParams);
  }

  #setting(item: ConfigurationItem): unknown {
    if (typeof this.settings === 'function') return this.settings(item) ?? null;
    if (this.settings === null || item.section === undefined) return this.settings;
    const whole = this.settings[item.section];
    if (whole !== undefined) return whole;
    let part: unknown = this.settings;
    for (const name of item.section.split('.')) {
      part = typeof part === 'object' && part !== null ? (part as { [name: string]: unknown })[name] : undefined;
    }
    return part ?? null;
  }
}
