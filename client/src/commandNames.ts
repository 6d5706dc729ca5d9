import { COMMAND_COMPARE_BASELINE, COMMAND_PREVIEW } from '../../shared/src/protocol.ts';

/** The commands of the extension, as the manifest names them. */
export const COMMANDS = {
  preview: COMMAND_PREVIEW,
  compareWithContract: 'toolContracts.compareWithContract',
  compareWithBaseline: COMMAND_COMPARE_BASELINE,
  compareSurfaces: 'toolContracts.compareSurfaces',
  restart: 'toolContracts.restart',
  showLog: 'toolContracts.showLog',
  checkWorkspace: 'toolContracts.checkWorkspace',
} as const;

/** VS Code's own command that opens the page on which a workspace is trusted. */
export const MANAGE_TRUST = 'workbench.trust.manage';
