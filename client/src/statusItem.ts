import { type Disposable, LanguageStatusSeverity, languages, ProgressLocation, window } from 'vscode';
import type { StatusParams } from '../../shared/src/protocol.ts';
import { COMMANDS, MANAGE_TRUST } from './commandNames.ts';
import { DOCUMENTS } from './documents.ts';
import { type StatusText, statusText } from './statusText.ts';

const SEVERITIES = {
  information: LanguageStatusSeverity.Information,
  warning: LanguageStatusSeverity.Warning,
  error: LanguageStatusSeverity.Error,
};

/**
 * Shows the status in VS Code's language status: a line for tools and problems that offers the log, and a line for the
 * SDKs that offers a restart. The first scan shows its progress in the status bar itself.
 */
export class StatusItem implements Disposable {
  private readonly tools = languages.createLanguageStatusItem('toolContracts.tools', [...DOCUMENTS]);
  private readonly surfaces = languages.createLanguageStatusItem('toolContracts.surfaces', [...DOCUMENTS]);
  private scan: { report(text: string): void; end(): void } | undefined;

  constructor() {
    this.tools.name = 'Tool Contracts';
    this.surfaces.name = 'Tool Contracts: SDKs';
    this.surfaces.command = { title: 'Restart', command: COMMANDS.restart };
    this.show({ state: 'scanning', tools: 0, problems: 0 });
  }

  show(params: StatusParams): void {
    const shown = statusText(params);
    this.tools.text = shown.text;
    this.tools.detail = shown.detail;
    this.tools.severity = SEVERITIES[shown.severity];
    this.tools.busy = shown.isBusy;
    this.tools.command =
      params.state === 'restricted'
        ? { title: 'Manage Trust', command: MANAGE_TRUST }
        : { title: 'Open Log', command: COMMANDS.showLog };
    this.surfaces.text = shown.surfaces || 'Tool Contracts';
    this.showProgress(shown);
  }

  dispose(): void {
    this.scan?.end();
    this.tools.dispose();
    this.surfaces.dispose();
  }

  private showProgress({ progress }: StatusText): void {
    if (progress === undefined) {
      this.scan?.end();
      this.scan = undefined;
    } else {
      this.scan ??= beginProgress();
      this.scan.report(progress);
    }
  }
}

function beginProgress(): { report(text: string): void; end(): void } {
  let report: (text: string) => void = () => {};
  let end: () => void = () => {};
  void window.withProgress({ location: ProgressLocation.Window, title: 'Tool contracts' }, (progress) => {
    report = (message) => progress.report({ message });
    return new Promise<void>((done) => {
      end = done;
    });
  });
  return { report: (text) => report(text), end: () => end() };
}
