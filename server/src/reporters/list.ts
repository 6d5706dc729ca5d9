import { plain } from '../../../shared/src/plain.ts';
import { header, type Look, link, notes, surfaceName, tell } from './look.ts';
import { countTools, type Report, type ToolReport } from './report.ts';
import { columns, count, pad } from './text.ts';

const POLICIES = { strip: 'strips', strict: 'strict', loose: 'loose', catchall: 'catchall' };

/** The tools of a report for a person at a terminal: where each is, what it does with undeclared keys, on which surface. */
export function list(report: Report, look: Look): string {
  const lines = ['', ...header(report, look), ''];
  const positions = report.tools.map(positionOf);
  const widths = {
    position: Math.max(0, ...positions.map((position) => position.length)),
    name: Math.max(0, ...report.tools.map((tool) => columns(nameOf(tool)))),
    policy: Math.max(0, ...report.tools.map((tool) => policyOf(tool).length)),
    inputs: Math.max(0, ...report.tools.map((tool) => inputsOf(tool).length)),
  };
  let file: string | undefined;
  for (const [index, tool] of report.tools.entries()) {
    if (tool.at.file !== file) {
      if (file !== undefined) lines.push('');
      file = tool.at.file;
      lines.push(`  ${link(look.colors.underline(plain(look.path(file))), file, undefined, look)}`);
    }
    lines.push(...toolLines(tool, positions[index] ?? '', widths, look));
  }
  if (report.tools.length > 0) lines.push('');
  const { all, evaluated } = countTools(report);
  const missing = all - evaluated > 0 ? `, ${all - evaluated} not evaluated` : '';
  const total =
    all === 0 ? `${look.colors.yellow('No tools found.')} ${look.searched}` : `${count(all, 'tool')}${missing}`;
  return `${[...lines, ...notes(report, look), `  ${total}`, ''].join('\n')}\n`;
}

function toolLines(
  tool: ToolReport,
  position: string,
  widths: { readonly position: number; readonly name: number; readonly policy: number; readonly inputs: number },
  look: Look,
): string[] {
  const { colors } = look;
  const at = link(colors.dim(position), tool.at.file, tool.at.range.start, look);
  const lead = `${' '.repeat(4 + widths.position - position.length)}${at}  ${pad(colors.bold(nameOf(tool)), widths.name)}  `;
  const indent = ' '.repeat(4 + widths.position + 2 + widths.name + 2);
  const behind = (text: string) =>
    tell(look, indent, '', [text]).map((line, index) => (index === 0 ? lead + line.trimStart() : line));
  if (tool.failure) return behind(`${colors.yellow('not evaluated:')} ${plain(tool.failure.reason)}`);
  if (tool.listError !== undefined) return behind(`${colors.red('cannot be listed:')} ${plain(tool.listError)}`);
  const surface = tool.surface ? surfaceName(tool.surface) : 'no surface';
  return [
    `${lead}${pad(policyOf(tool), widths.policy)}  ${pad(inputsOf(tool), widths.inputs)}  ${colors.dim(surface)}`,
  ];
}

function positionOf({ at }: ToolReport): string {
  return `${at.range.start.line + 1}:${at.range.start.character + 1}`;
}

function nameOf(tool: ToolReport): string {
  return plain(tool.name ?? '(no name)');
}

function policyOf(tool: ToolReport): string {
  return tool.policy ? POLICIES[tool.policy] : '';
}

function inputsOf({ advertised }: ToolReport): string {
  if (typeof advertised !== 'object' || advertised === null || Array.isArray(advertised)) return '';
  const { properties } = advertised;
  return count(typeof properties === 'object' && properties !== null ? Object.keys(properties).length : 0, 'input');
}
