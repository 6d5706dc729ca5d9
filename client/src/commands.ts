import { commands, type Disposable, type LogOutputChannel, window, workspace } from 'vscode';
import { COMMANDS, MANAGE_TRUST } from './commandNames.ts';
import type { Server } from './server.ts';

/** Registers the commands. One that cannot run says why. */
export function registerCommands(server: Server, log: LogOutputChannel): Disposable[] {
  return [
    commands.registerCommand(COMMANDS.restart, () => server.restart()),
    commands.registerCommand(COMMANDS.showLog, () => log.show()),
    commands.registerCommand(COMMANDS.checkWorkspace, () => checkWorkspace(server)),
  ];
}

async function checkWorkspace(server: Server): Promise<void> {
  if (!workspace.workspaceFolders?.length) {
    await offer('Open a folder first: tool contracts are checked in the folders of a workspace.');
    return;
  }
  if (!workspace.isTrusted) {
    const action = 'Manage Workspace Trust';
    const sentence =
      'Checking runs code of the workspace, which happens only in a trusted one. Nothing of this workspace has run.';
    if ((await offer(sentence, action)) === action) await commands.executeCommand(MANAGE_TRUST);
    return;
  }
  if (!server.isRunning) {
    const action = 'Restart';
    if ((await offer('The language server is not running. Restart it, or see the log.', action)) === action) {
      await server.restart();
    }
    return;
  }
  await server.check();
}

async function offer(sentence: string, ...actions: string[]): Promise<string | undefined> {
  return window.showWarningMessage(`Tool Contracts: ${sentence}`, ...actions);
}
