import { type PreviewAddress, parsePreviewUri, previewUri } from './address.ts';
import type { PreviewDocument } from './document.ts';

interface Watched {
  readonly uri: string;
  readonly address: PreviewAddress;
  text: string;
  place: string | undefined;
}

/** The preview documents that an editor has open, with the texts that it was given. */
export class WatchedPreviews {
  private readonly watched = new Map<string, Watched>();

  /** @param write makes a document; `lastPlace` is where its tool was */
  constructor(
    private readonly write: (address: PreviewAddress, lastPlace: string | undefined) => Promise<PreviewDocument>,
  ) {}

  /** The present text of a document, which is watched from now on. Undefined: the URI is none of a preview. */
  async open(uri: string): Promise<string | undefined> {
    const address = parsePreviewUri(uri);
    if (!address) return undefined;
    const key = previewUri(address);
    const known = this.watched.get(key);
    const { text, place } = await this.write(address, known?.place);
    this.watched.set(key, { uri, address, text, place: place ?? known?.place });
    return text;
  }

  close(uri: string): void {
    const address = parsePreviewUri(uri);
    if (address) this.watched.delete(previewUri(address));
  }

  /** Looks at all documents again. @returns those with another text, their URIs as the editor spells them */
  async changed(): Promise<{ readonly uri: string; readonly text: string }[]> {
    const changed: { uri: string; text: string }[] = [];
    for (const watched of this.watched.values()) {
      const { text, place } = await this.write(watched.address, watched.place);
      watched.place = place ?? watched.place;
      if (text === watched.text) continue;
      watched.text = text;
      changed.push({ uri: watched.uri, text });
    }
    return changed;
  }
}
