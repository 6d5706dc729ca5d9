import type { CodeLens, Hover, MarkupContent } from 'vscode-languageserver';
import type { PreviewsChangedParams, ToolsResult } from '../../../shared/src/protocol.ts';
import type { Named } from '../discovery/toolNames.ts';
import type { Position } from '../files/lines.ts';
import { codeLenses, restrictedLenses } from './codeLens.ts';
import { Positions } from './positions.ts';
import { parsePreviewUri } from './preview/address.ts';
import { page, previewDocument } from './preview/document.ts';
import type { CheckedSource } from './preview/source.ts';
import { toolsToChoose } from './preview/tools.ts';
import { WatchedPreviews } from './preview/watched.ts';
import { definingFiles, toolsIn } from './tool.ts';

/** What is another one in the editor's eyes since the last time it was told. */
export interface ViewChanges {
  /** The files in which tools are defined, where they are others than before. */
  readonly toolFiles?: readonly string[];
  /** CodeLenses that an editor was given would be others now. */
  readonly lenses: boolean;
}

/** What the editor can do and wants. */
export interface ViewOptions {
  /** Commands that it has, and a CodeLens may call. */
  readonly commands: ReadonlySet<string>;
  readonly hoverKind: MarkupContent['kind'];
}

/** What may be shown of a folder whose code must not run. */
export interface Unchecked {
  /** One sentence. */
  readonly reason: string;
  /** The tools of a file, found by parsing alone, with the text that they stand in. */
  namedIn?(file: string): { readonly tools: readonly Named[]; readonly text: string } | undefined;
}

/** What an editor asks about the last check of a folder, beside findings. */
export class FolderView {
  private checked: CheckedSource | Unchecked = { reason: '' };
  private hasLenses = true;
  private readonly previews = new WatchedPreviews((address, lastPlace) =>
    'reason' in this.checked
      ? Promise.resolve({ text: page([this.checked.reason]) })
      : previewDocument(address, this.checked, lastPlace),
  );
  private toolFiles = '';
  /** By file what the CodeLenses say that the editor was given last. */
  private readonly lenses = new Map<string, string>();

  constructor(private readonly options: ViewOptions) {}

  /** Takes over a check, or why there is none. */
  show(checked: CheckedSource | Unchecked): void {
    this.checked = checked;
  }

  /** Switches CodeLenses on and off. */
  showLenses(hasLenses: boolean): void {
    this.hasLenses = hasLenses;
  }

  /** The preview documents with another text than the editor was given. */
  changedPreviews(): Promise<PreviewsChangedParams['previews']> {
    return this.previews.changed();
  }

  /** What else the editor does not know yet. */
  changes(): ViewChanges {
    const lenses = [...this.lenses].some(([file, said]) => said !== this.saying(file));
    if (lenses) this.lenses.clear();
    const files = 'reason' in this.checked ? [] : definingFiles(this.checked.tools);
    if (files.join('\n') === this.toolFiles) return { lenses };
    this.toolFiles = files.join('\n');
    return { lenses, toolFiles: files };
  }

  codeLenses(file: string): CodeLens[] {
    this.lenses.set(file, this.saying(file));
    return this.lensesOf(file);
  }

  /** A file is not shown any more. */
  closed(file: string): void {
    this.lenses.delete(file);
  }

  async hover(file: string, position: Position): Promise<Hover | null> {
    const { checked } = this;
    if ('reason' in checked) return null;
    // It parses, and what parses is loaded while the sandbox starts: see ahead.ts.
    const { hoverAt } = await import('./hover/hover.ts');
    const positions = checked.positionsIn(file);
    return (positions && hoverAt(file, position, checked, positions, this.options.hoverKind)) ?? null;
  }

  /** The text of a preview document, which is watched from then on; undefined when the URI is none of a preview. */
  preview(uri: string): Promise<string | undefined> {
    return this.previews.open(uri);
  }

  closePreview(uri: string): void {
    this.previews.close(uri);
  }

  /** The tools to choose from at a document: a file with the cursor in it, or a preview. */
  tools(atHand?: { uri: string; file: string; position: Position | undefined }): ToolsResult {
    const { checked } = this;
    if ('reason' in checked) return { tools: [], reason: checked.reason };
    if (!atHand) return toolsToChoose(checked, undefined);
    const { uri, file, position } = atHand;
    const preview = parsePreviewUri(uri);
    const offset = position && checked.positionsIn(file)?.offset(position);
    return toolsToChoose(checked, { file, ...(preview && { preview }), ...(offset !== undefined && { offset }) });
  }

  private lensesOf(file: string): CodeLens[] {
    const { checked } = this;
    if ('reason' in checked) {
      const named = this.hasLenses ? checked.namedIn?.(file) : undefined;
      return named ? restrictedLenses(named.tools, new Positions(named.text, named.text)) : [];
    }
    const positions = this.hasLenses ? checked.positionsIn(file) : undefined;
    return positions ? codeLenses(toolsIn(file, checked.tools), positions, this.options.commands) : [];
  }

  /** What CodeLenses say, wherever they stand: an editor moves them with the text. */
  private saying(file: string): string {
    const { checked } = this;
    const isKnown = this.hasLenses && !('reason' in checked);
    const lenses = isKnown
      ? codeLenses(toolsIn(file, checked.tools), NOWHERE, this.options.commands)
      : this.lensesOf(file);
    return JSON.stringify(lenses.map(({ command }) => command));
  }
}

const START = { line: 0, character: 0 };
/** For who asks what is said and not where: positions cost reading the text. */
const NOWHERE: Pick<Positions, 'range'> = { range: () => ({ start: START, end: START }) };
