import { type ConfigurationScope, type Extension, Uri, workspace } from 'vscode';

const SECTION = 'toolContracts';

/**
 * The settings that somebody has set, as the object under `toolContracts`. The defaults of the manifest are left out:
 * the server has them too, and sent from here they would override a `tool-contracts.json`.
 *
 * @param scope the folder or file to read them for; undefined: the window's
 */
export function settingsThatWereSet(extension: Extension<unknown>, scope: ConfigurationScope | undefined): object {
  const settings: Record<string, unknown> = {};
  const configuration = workspace.getConfiguration(SECTION, scope ?? null);
  for (const key of knownKeys(extension)) {
    const levels = configuration.inspect(key);
    const values = [levels?.globalValue, levels?.workspaceValue, levels?.workspaceFolderValue];
    if (values.every((value) => value === undefined)) continue;
    put(settings, key.split('.'), configuration.get(key));
  }
  return settings;
}

/** What a server that asks for a section gets, or undefined when the section is none of ours. */
export function answerConfiguration(
  extension: Extension<unknown>,
  item: { readonly scopeUri?: string | undefined; readonly section?: string | undefined },
): object | undefined {
  if (item.section !== SECTION) return undefined;
  return settingsThatWereSet(extension, item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri));
}

/** Names of the settings without `toolContracts.`, as the manifest has them. */
function knownKeys(extension: Extension<unknown>): string[] {
  const { contributes } = extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, unknown> } };
  };
  return Object.keys(contributes.configuration.properties).map((key) => key.slice(SECTION.length + 1));
}

function put(into: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = (into[first] ?? {}) as Record<string, unknown>;
  into[first] = inner;
  put(inner, rest, value);
}
