import type { MarkupContent } from 'vscode-languageserver';

/** A run of text: as it is, emphasized, as code, or as a link. */
export type Inline =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  | { readonly text: string; readonly href: string };
export type Line = readonly Inline[];

/** A part of a hover. */
export type Block =
  | { readonly is: 'title' | 'paragraph'; readonly line: Line }
  | { readonly is: 'list'; readonly items: readonly Line[] }
  | { readonly is: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string };

/** A hover's contents, in Markdown or, for an editor that does not take it, as plain text. */
export function render(blocks: readonly Block[], kind: MarkupContent['kind']): MarkupContent {
  const parts = blocks.map(kind === 'markdown' ? markdown : plain);
  return { kind, value: parts.join('\n\n') };
}

/** VS Code draws the columns of a hover's table side by side without a gap. */
const GAP = '&nbsp;&nbsp;';

function markdown(block: Block): string {
  switch (block.is) {
    case 'title':
      return `**${block.line.map(inlineMarkdown).join('')}**`;
    case 'paragraph':
      return block.line.map(inlineMarkdown).join('');
    case 'list':
      return block.items.map((line) => `- ${line.map(inlineMarkdown).join('')}`).join('\n');
    case 'table': {
      const row = (cells: readonly string[]) => `| ${cells.join(`${GAP} | `)} |`;
      const body = block.rows.map((cells) => row(cells.map((line) => line.map(cellMarkdown).join(''))));
      const rule = `|${' :-- |'.repeat(block.head.length)}`;
      return [row(block.head.map(escaped)), rule, ...body].join('\n');
    }
    case 'code':
      return `${fence(block.text)}${block.language}\n${block.text}\n${fence(block.text)}`;
  }
}

function inlineMarkdown(inline: Inline): string {
  if (typeof inline === 'string') return escaped(inline);
  if ('strong' in inline) return `**${escaped(inline.strong)}**`;
  return 'code' in inline ? codeSpan(inline.code) : `[${escaped(inline.text)}](${inline.href})`;
}

/** A cell ends at a bar, also inside code. */
function cellMarkdown(inline: Inline): string {
  return inlineMarkdown(inline)
    .replace(/(?<!\\)\|/g, '\\|')
    .replace(/\s*\n\s*/g, ' ');
}

/** What user code says is shown as it is: no markup, no HTML, no link of its own. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>&~$]/g, '\\$&').replace(/^(\s*)([-=])/, '$1\\$2');
}

function codeSpan(code: string): string {
  const text = code.replace(/\s*\n\s*/g, ' ');
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`;
}

function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}

function plain(block: Block): string {
  switch (block.is) {
    case 'title':
    case 'paragraph':
      return block.line.map(inlinePlain).join('');
    case 'list':
      return block.items.map((line) => `- ${line.map(inlinePlain).join('')}`).join('\n');
    case 'table': {
      const rows = [block.head, ...block.rows.map((cells) => cells.map((line) => line.map(inlinePlain).join('')))];
      const widths = block.head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
      return rows
        .map((cells) =>
          cells
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
        )
        .join('\n');
    }
    case 'code':
      return block.text;
  }
}

function inlinePlain(inline: Inline): string {
  if (typeof inline === 'string') return inline;
  if ('strong' in inline) return inline.strong;
  return 'code' in inline ? inline.code : inline.text;
}
