import { commands, type Disposable, Uri, ViewColumn, window, workspace } from 'vscode';
import { type Absent, PREVIEW_SCHEME, type PreviewItem } from '../../../shared/src/protocol.ts';
import { COMMANDS } from '../commandNames.ts';
import type { Server } from '../server.ts';
import { CannotRun, chooseSurface, chooseTool, type Given } from './choose.ts';

/** Registers the commands about previews. One that cannot run says why in one sentence. */
export function registerPreviewCommands(server: Server): Disposable[] {
  const register = (command: string, run: (server: Server, target: Given) => Promise<void>) =>
    commands.registerCommand(command, async (given?: unknown) => {
      try {
        await run(server, targetOf(given));
      } catch (error) {
        if (!(error instanceof CannotRun)) throw error;
        void window.showInformationMessage(`Tool Contracts: ${error.message}`);
      }
    });
  return [
    register(COMMANDS.preview, preview),
    register(COMMANDS.compareWithContract, compareWithContract),
    register(COMMANDS.compareWithBaseline, compareWithBaseline),
    register(COMMANDS.compareSurfaces, compareSurfaces),
  ];
}

/** What a command was given: a CodeLens and a key binding give a target, a menu the URI of its editor. */
function targetOf(given: unknown): Given {
  if (given instanceof Uri) return { document: given };
  return typeof given === 'object' && given !== null ? given : {};
}

async function preview(server: Server, target: Given): Promise<void> {
  const tool = await chooseTool(server, target);
  const surface = tool && (await chooseSurface(tool, target.surface, `Preview ${tool.name} as advertised by`));
  if (!surface) return;
  const document = await workspace.openTextDocument(Uri.parse(surface.uri));
  const isBeside = window.activeTextEditor?.document.uri.scheme !== PREVIEW_SCHEME;
  await window.showTextDocument(document, {
    viewColumn: isBeside ? ViewColumn.Beside : ViewColumn.Active,
    preserveFocus: true,
  });
}

async function compareWithContract(server: Server, target: Given): Promise<void> {
  const tool = await chooseTool(server, target);
  if (!tool) return;
  const contract = present(tool.contract);
  const surface = await chooseSurface(tool, surfaceAtHand(target), `Compare ${tool.name} with its contract on`);
  if (surface) await diff(contract, surface, `${tool.name}: contract ↔ ${surface.title}`);
}

async function compareWithBaseline(server: Server, target: Given): Promise<void> {
  const tool = await chooseTool(server, target);
  const surface =
    tool && (await chooseSurface(tool, surfaceAtHand(target), `Compare ${tool.name} with the last release on`));
  if (!surface) return;
  const baseline = present(surface.baseline);
  await diff(baseline, surface, `${tool.name}: ${baseline.title} ↔ now (${surface.title})`);
}

async function compareSurfaces(server: Server, target: Given): Promise<void> {
  const tool = await chooseTool(server, target);
  if (!tool) return;
  const [first, second, third] = tool.surfaces;
  if (!first || !second) throw new CannotRun(`${tool.name} is offered on one surface only: ${first?.title ?? 'none'}.`);
  if (!third) return diff(first, second, `${tool.name}: ${first.title} ↔ ${second.title}`);
  const left = await chooseSurface(tool, undefined, `Compare ${tool.name} as advertised by`);
  if (!left) return;
  const others = { ...tool, surfaces: tool.surfaces.filter((surface) => surface !== left) };
  const right = await chooseSurface(others, undefined, `Compare ${left.title} with`);
  if (right) await diff(left, right, `${tool.name}: ${left.title} ↔ ${right.title}`);
}

/** The surface of the target, else of the preview in the editor at hand. */
function surfaceAtHand({ surface, document }: Given): string | undefined {
  const uri = document ?? window.activeTextEditor?.document.uri;
  if (surface !== undefined || uri?.scheme !== PREVIEW_SCHEME) return surface;
  return /\.(mcp-v1|mcp-v2|ai-sdk)(?:\.baseline)?\.json$/.exec(uri.path)?.[1];
}

function present(item: PreviewItem | Absent): PreviewItem {
  if ('reason' in item) throw new CannotRun(item.reason);
  return item;
}

async function diff(left: PreviewItem, right: PreviewItem, title: string): Promise<void> {
  await commands.executeCommand('vscode.diff', Uri.parse(left.uri), Uri.parse(right.uri), title);
}
