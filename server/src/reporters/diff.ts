import { plain } from '../../../shared/src/plain.ts';
import { type InputChange, pathText } from '../baseline/inputChange.ts';
import type { BaselineReport, Report } from './report.ts';

type Tool = BaselineReport['tools'][number];

/** What `diff --format json` prints, version 1. */
export interface JsonDiff {
  readonly version: 1;
  readonly packages: readonly {
    readonly package: string;
    readonly baseline: BaselineReport['release'];
    /** Why there is no baseline. */
    readonly reason?: string;
    readonly tools: readonly JsonToolDiff[];
  }[];
}

export type JsonToolDiff =
  | { readonly name: string; readonly status: 'added' }
  | { readonly name: string; readonly status: 'removed'; readonly retired: boolean }
  | { readonly name: string; readonly status: 'changed'; readonly inputs: readonly JsonInputDiff[] };

export interface JsonInputDiff {
  readonly path: string;
  readonly change: InputChange['kind'];
  readonly required?: boolean;
  readonly renamedTo?: string;
  readonly renamedFrom?: string;
  /** Types that are no longer taken, and those that are; policies then and now. */
  readonly before?: string;
  readonly now?: string;
  /** Null where there is nothing to document. */
  readonly documented: boolean | null;
}

/** What changed since the last release, as JSON. Two runs over the same files are equal byte for byte. */
export function jsonDiff(report: Report): string {
  const document: JsonDiff = {
    version: 1,
    packages: report.baselines.map(({ package: folder, release, reason, tools }) => ({
      package: folder,
      baseline: release,
      ...(reason === undefined ? {} : { reason }),
      tools: tools.map(jsonTool),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function jsonTool(tool: Tool): JsonToolDiff {
  if (tool.status === 'added') return { name: tool.name, status: 'added' };
  if (tool.status === 'removed') return { name: tool.name, status: 'removed', retired: tool.isRetired };
  const inputs = tool.inputs.map(
    ({ change, isDocumented }): JsonInputDiff => ({
      path: pathText(change.path),
      change: change.kind,
      ...factsOf(change),
      documented: isDocumented,
    }),
  );
  return { name: tool.name, status: 'changed', inputs };
}

function factsOf(change: InputChange): Omit<JsonInputDiff, 'path' | 'change' | 'documented'> {
  switch (change.kind) {
    case 'removed': {
      const { required, renamedTo } = change;
      return { required, ...(renamedTo === undefined ? {} : { renamedTo }) };
    }
    case 'added': {
      const { required, renamedFrom } = change;
      return { required, ...(renamedFrom === undefined ? {} : { renamedFrom }) };
    }
    case 'type':
      return { before: change.lost, now: change.takes };
    case 'policy':
      return { before: change.was, now: change.is };
    default:
      return {};
  }
}

/** What changed since the last release, as a section of a changelog in Markdown. */
export function markdownDiff(report: Report): string {
  const compared = report.baselines.filter(({ release }) => release !== null);
  const isSeveral = compared.length > 1;
  const sections = compared.map((baseline) => {
    const where = isSeveral ? ` of ${code(baseline.package)}` : '';
    const title = `## Tool contracts${where} since ${baseline.release?.release}`;
    return [title, '', ...packageLines(baseline.tools)].join('\n');
  });
  return sections.length === 0 ? '' : `${sections.join('\n')}`;
}

function packageLines(tools: readonly Tool[]): string[] {
  if (tools.length === 0) return ['Nothing changed.', ''];
  const lines: string[] = [];
  for (const tool of tools) {
    if (tool.status !== 'changed') continue;
    lines.push(`### ${code(tool.name)}`, '');
    for (const { change, isDocumented } of tool.inputs) lines.push(`- ${words(change)}${note(isDocumented)}`);
    lines.push('');
  }
  lines.push(...listed('New tools', tools, 'added'), ...listed('Removed tools', tools, 'removed'));
  return lines;
}

function listed(title: string, tools: readonly Tool[], status: 'added' | 'removed'): string[] {
  const own = tools.filter((tool) => tool.status === status);
  if (own.length === 0) return [];
  const rows = own.map(
    (tool) => `- ${code(tool.name)}${tool.status === 'removed' && tool.isRetired ? ' (retired)' : ''}`,
  );
  return [`### ${title}`, '', ...rows, ''];
}

function note(isDocumented: boolean | null): string {
  return isDocumented === null ? '' : isDocumented ? ' (documented)' : ' (**not documented**)';
}

function words(change: InputChange): string {
  const name = pathText(change.path) === '' ? 'the inputs' : code(pathText(change.path));
  switch (change.kind) {
    case 'removed':
      return `${name} removed${change.renamedTo === undefined ? '' : `, probably renamed to ${code(change.renamedTo)}`}`;
    case 'added':
      return `${name} added, ${change.required ? 'required' : 'optional'}`;
    case 'required':
      return `${name} is required now`;
    case 'type':
      return `${name} no longer takes ${change.lost}, but ${change.takes === '' ? 'nothing' : change.takes}`;
    case 'reshaped':
      return `${name} was a string and is a list now`;
    case 'policy':
      return `undeclared keys of ${name} are ${change.is === 'strict' ? 'rejected' : 'deleted'} now`;
  }
}

function code(text: string): string {
  const safe = plain(text);
  return safe.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
}
