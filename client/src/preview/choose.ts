import { type QuickPickItem, QuickPickItemKind, type Uri, window } from 'vscode';
import type { PreviewTarget, SurfaceItem, ToolItem, ToolsResult } from '../../../shared/src/protocol.ts';
import type { Server } from '../server.ts';

/** What a command cannot go on with: one sentence, which is shown. */
export class CannotRun extends Error {}

/** A target, and the document whose button the command was chosen by, where it was. */
export type Given = PreviewTarget & { readonly document?: Uri };

/**
 * The tool that a command is about: the target's, else the one at the cursor or of the preview at hand, else the one that
 * the person chooses.
 *
 * @returns undefined when the person chose none
 * @throws CannotRun when there is none
 */
export async function chooseTool(server: Server, target: Given): Promise<ToolItem | undefined> {
  const editor = window.activeTextEditor;
  const uri = (target.document ?? editor?.document.uri)?.toString();
  const { line, character } = editor?.document.uri.toString() === uri ? (editor?.selection.active ?? {}) : {};
  const answer = await server.tools({
    ...(uri !== undefined && { uri }),
    ...(line !== undefined && character !== undefined && { position: { line, character } }),
  });
  if (!answer) throw new CannotRun('The language server is not running. Restart it, or see the log.');
  const { tools, current, reason } = answer;
  if (tools.length === 0) throw new CannotRun(reason ?? 'No tools were found in this workspace.');
  if (target.tool !== undefined) return named(answer, target);
  const there = current === undefined ? undefined : tools[current];
  return there ?? pickTool(tools);
}

function named({ tools }: ToolsResult, { tool: name, file }: PreviewTarget): ToolItem | Promise<ToolItem | undefined> {
  const found = tools.filter((tool) => tool.name === name && (file === undefined || tool.file === file));
  const [first, another] = found;
  if (!first) throw new CannotRun(`There is no tool ${name} any more.`);
  return another ? pickTool(found) : first;
}

const GROUPS: { readonly [nearness in ToolItem['nearness']]: string } = {
  here: 'in this file',
  uses: 'made from this file',
  elsewhere: 'in the workspace',
};

type ToolPick = QuickPickItem & { readonly tool?: ToolItem };

async function pickTool(tools: readonly ToolItem[]): Promise<ToolItem | undefined> {
  const isMixed = new Set(tools.map(({ nearness }) => nearness)).size > 1;
  const picks = tools.flatMap((tool, index): ToolPick[] => {
    const pick: ToolPick = {
      label: tool.name,
      description: tool.place,
      detail: tool.surfaces.map(({ title }) => title).join(' · '),
      tool,
    };
    if (!isMixed || tools[index - 1]?.nearness === tool.nearness) return [pick];
    return [{ label: GROUPS[tool.nearness], kind: QuickPickItemKind.Separator }, pick];
  });
  const options = { placeHolder: 'A tool', matchOnDescription: true, matchOnDetail: true };
  return (await window.showQuickPick(picks, options))?.tool;
}

/**
 * The surface that a command is about: the given one, the only one, else the one that the person chooses.
 *
 * @returns undefined when the person chose none
 * @throws CannotRun when the tool is not on the given surface
 */
export async function chooseSurface(
  { name, surfaces }: ToolItem,
  wanted: string | undefined,
  placeHolder: string,
): Promise<SurfaceItem | undefined> {
  const found = wanted === undefined ? surfaces : surfaces.filter(({ surface }) => surface === wanted);
  const [first, another] = found;
  if (!first) {
    throw new CannotRun(
      `${name} is not offered on ${wanted}; it is on ${surfaces.map(({ title }) => title).join(', ')}.`,
    );
  }
  if (!another) return first;
  const picks = found.map((surface) => ({ label: surface.title, surface }));
  return (await window.showQuickPick(picks, { placeHolder }))?.surface;
}
