import type { ToolsResult } from '../../../shared/src/protocol.ts';
import type { Position } from '../files/lines.ts';
import { parsePreviewUri } from './preview/address.ts';
import { page, previewDocument } from './preview/document.ts';
import type { CheckedSource } from './preview/source.ts';
import { toolsToChoose } from './preview/tools.ts';
import { WatchedPreviews } from './preview/watched.ts';
import { definingFiles } from './tool.ts';

/** What is another one in the editor's eyes since the last time it was told. */
export interface ViewChanges {
  /** URIs of preview documents with another text. */
  readonly previews: readonly string[];
  /** The files in which tools are defined, where they are others than before. */
  readonly toolFiles?: readonly string[];
}

/** What an editor asks about the last check of a folder, beside findings. */
export class FolderView {
  /** Why nothing is known, as a sentence, where there is no check. */
  private checked: CheckedSource | string = '';
  private readonly previews = new WatchedPreviews((address, lastPlace) =>
    typeof this.checked === 'string'
      ? Promise.resolve({ text: page([this.checked]) })
      : previewDocument(address, this.checked, lastPlace),
  );
  private toolFiles = '';

  /** Takes over a check, or why there is none. */
  show(checked: CheckedSource | string): void {
    this.checked = checked;
  }

  async changes(): Promise<ViewChanges> {
    const previews = await this.previews.changed();
    const files = typeof this.checked === 'string' ? [] : definingFiles(this.checked.tools);
    if (files.join('\n') === this.toolFiles) return { previews };
    this.toolFiles = files.join('\n');
    return { previews, toolFiles: files };
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
    if (typeof checked === 'string') return { tools: [], reason: checked };
    if (!atHand) return toolsToChoose(checked, undefined);
    const { uri, file, position } = atHand;
    const preview = parsePreviewUri(uri);
    const offset = position && checked.linesOf(file)?.offset(position);
    return toolsToChoose(checked, { file, ...(preview && { preview }), ...(offset !== undefined && { offset }) });
  }
}
