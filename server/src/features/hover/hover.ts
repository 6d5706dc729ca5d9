import type { Hover, MarkupContent } from 'vscode-languageserver';
import type { Candidate, Contract, Finding, Place } from '../../../../shared/src/model.ts';
import type { ChangeFile } from '../../baseline/changeFiles.ts';
import type { Release } from '../../baseline/previous.ts';
import type { Position } from '../../files/lines.ts';
import { pathToUri } from '../../files/paths.ts';
import type { LinesOf } from '../diagnostics.ts';
import { render } from '../markup.ts';
import type { Positions } from '../positions.ts';
import type { Tool } from '../tool.ts';
import { changeHover, triggerAt } from './change.ts';
import { pointedAt } from './places.ts';
import type { Words } from './policies.ts';
import { toolHover } from './tool.ts';

/** What a hover may ask about the last check. */
export interface HoverSource {
  readonly tools: readonly Tool[];
  readonly findings: readonly Finding[];
  readonly changeFiles: readonly ChangeFile[];
  /** What a file offers as its syntax has it. */
  candidatesIn(file: string): readonly Candidate[];
  /** The text that the check is about. */
  textOf(file: string): string | undefined;
  readonly linesOf: LinesOf;
  /** A tool's files whose present text does not parse. */
  unparsable(files: Contract['files']): object | undefined;
  releaseFor(file: string): Release | { readonly reason: string };
}

/**
 * What an editor shows at a position: over a tool's name or schema how it treats what callers send, over the path of a
 * contract change what became of the input.
 *
 * @param positions of the text that the editor shows
 */
export function hoverAt(
  file: string,
  position: Position,
  source: HoverSource,
  positions: Positions,
  kind: MarkupContent['kind'],
): Hover | undefined {
  const text = source.textOf(file);
  if (text === undefined) return undefined;
  const offset = positions.offset(position);
  const pointed = pointedAt(file, offset, text, source.candidatesIn(file), source.tools);
  if (pointed) {
    const blocks = toolHover(
      pointed.tools,
      source.findings,
      wordsOf(source),
      ({ files }) => !!source.unparsable(files),
    );
    return { contents: render(blocks, kind), range: positions.range(pointed.span) };
  }
  const trigger = triggerAt(file, offset, text, source.changeFiles);
  if (!trigger) return undefined;
  const blocks = changeHover(trigger, source.tools, (of) => source.releaseFor(of));
  return { contents: render(blocks, kind), range: positions.range(trigger.span) };
}

function wordsOf(source: HoverSource): Words {
  return {
    text: ({ file, span }: Place) => source.textOf(file)?.slice(span.start, span.end),
    link(text, { file, span }, at) {
      // The end of a call is behind its bracket: one character back is still in its line.
      const target = source.linesOf(file)?.position(at === 'start' ? span.start : Math.max(span.start, span.end - 1));
      if (!target) return { code: text };
      return { text, href: `${pathToUri(file)}#L${target.line + 1},${target.character + 1}` };
    },
  };
}
