import {
  type CodeAction,
  CodeActionKind,
  commands,
  type Diagnostic,
  type Event,
  extensions,
  languages,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { ToolContractsApi } from '../../../client/src/extension.ts';
import type { StatusParams } from '../../../shared/src/protocol.ts';

/** Name of the extension in VS Code. */
const EXTENSION = 'tool-contracts.tool-contracts';
/** After this the wait has failed, and says what it saw. */
const DEADLINE_MS = 45_000;

/**
 * Waits until something is true, looking again at each event.
 *
 * @param look what is waited for, or undefined while it is not there
 * @param seen what to tell when it never came
 */
export async function until<T>(event: Event<unknown>, look: () => T | undefined, seen: () => unknown): Promise<T> {
  return new Promise<T>((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      listener.dispose();
    };
    const again = () => {
      const found = look();
      if (found === undefined) return;
      end();
      done(found);
    };
    const timer = setTimeout(() => {
      end();
      fail(new Error(`Not within ${DEADLINE_MS / 1000} s. Last seen: ${JSON.stringify(seen(), undefined, 1)}`));
    }, DEADLINE_MS);
    const listener = event(again);
    again();
  });
}

/** The extension under test, active. */
export async function extension(): Promise<ToolContractsApi> {
  const found = extensions.getExtension<ToolContractsApi>(EXTENSION);
  if (!found) throw new Error(`${EXTENSION} is not installed here.`);
  return found.activate();
}

/** Waits until the status item shows this. */
export async function statusWhere(is: (status: StatusParams) => boolean): Promise<StatusParams> {
  const api = await extension();
  return until(
    api.onDidChangeStatus,
    () => (api.status && is(api.status) ? api.status : undefined),
    () => api.status,
  );
}

/** A file of the open workspace. */
export function fileUri(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  if (!folder) throw new Error('No folder is open.');
  return Uri.joinPath(folder.uri, path);
}

/** Opens a file of the workspace in an editor. */
export async function open(path: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(fileUri(path));
  await window.showTextDocument(document, { preview: false });
  return document;
}

/** Types a text in place of another, which must stand in the document once. */
export async function replace(document: TextDocument, text: string, by: string): Promise<void> {
  const all = document.getText();
  const at = all.indexOf(text);
  if (at === -1 || all.includes(text, at + 1)) throw new Error(`${document.fileName} must have this once: ${text}`);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(at), document.positionAt(at + text.length)), by);
  if (!(await workspace.applyEdit(edit))) throw new Error(`${document.fileName} could not be edited.`);
}

/** One of our findings, by its rule and the first line of the text that it is about. */
export interface Found {
  readonly rule: string;
  readonly text: string;
  readonly diagnostic: Diagnostic;
}

/** Waits until our findings in a file, as the Problems panel has them, are such. The file need not be open. */
export async function findingsWhere(path: string, are: (found: Found[]) => boolean): Promise<Found[]> {
  const lines = new TextDecoder().decode(await workspace.fs.readFile(fileUri(path))).split(/\r?\n/);
  const uri = fileUri(path);
  const look = () => {
    const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    return languages.getDiagnostics(uri).flatMap((diagnostic): Found[] => {
      if (diagnostic.source !== 'Tool Contracts') return [];
      const { code, range } = diagnostic;
      const line = document ? document.lineAt(range.start).text : (lines[range.start.line] ?? '');
      const text = line.slice(range.start.character, range.isSingleLine ? range.end.character : undefined);
      return [{ rule: String(typeof code === 'object' ? code.value : code), text, diagnostic }];
    });
  };
  return until(
    languages.onDidChangeDiagnostics,
    () => {
      const found = look();
      return are(found) ? found : undefined;
    },
    () => look().map(({ rule, text }) => `${rule}: ${text}`),
  );
}

/** True when a finding of this rule is about this text. */
export function has(found: readonly Found[], rule: string, text: string): boolean {
  return found.some((one) => one.rule === rule && one.text === text);
}

/** The quick fixes that the light bulb offers at a finding, with their edits. */
export async function quickFixes(path: string, { diagnostic }: Found): Promise<CodeAction[]> {
  return commands.executeCommand<CodeAction[]>(
    'vscode.executeCodeActionProvider',
    fileUri(path),
    diagnostic.range,
    CodeActionKind.QuickFix.value,
    20,
  );
}

/**
 * The preferred fixes of the finding of a rule about a text. A check that ends between the finding and its fixes makes
 * another finding of it: then they are asked for again, as the light bulb does.
 */
export async function preferredFixes(path: string, rule: string, text: string): Promise<CodeAction[]> {
  for (;;) {
    const published: Uri[] = [];
    const listener = languages.onDidChangeDiagnostics(({ uris }) => published.push(...uris));
    try {
      const found = await findingsWhere(path, (all) => has(all, rule, text));
      const finding = found.find((one) => one.rule === rule && one.text === text);
      const fixes = finding ? (await quickFixes(path, finding)).filter(({ isPreferred }) => isPreferred) : [];
      if (fixes[0]?.edit) return fixes;
      await until(
        languages.onDidChangeDiagnostics,
        () => (published.length > 0 ? published : undefined),
        () => fixes.map(({ title }) => title),
      );
    } finally {
      listener.dispose();
    }
  }
}
