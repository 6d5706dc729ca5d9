/** The commands of the extension, as the manifest names them. */
export const COMMANDS = {
  restart: 'toolContracts.restart',
  showLog: 'toolContracts.showLog',
  checkWorkspace: 'toolContracts.checkWorkspace',
} as const;

/** VS Code's own command that opens the page on which a workspace is trusted. */
export const MANAGE_TRUST = 'workbench.trust.manage';
