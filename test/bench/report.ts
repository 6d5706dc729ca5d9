import { median, percentile } from './statistics.ts';

/** A row of the table. */
export interface Row {
  /** Size of the workspace. */
  readonly tools: number;
  readonly what: string;
  /** What is to be reached; absent for a figure that only informs. */
  readonly reach?: string;
  readonly measured: string;
  /** Whether it is reached; absent where nothing is to be reached. */
  readonly met?: boolean;
  /** The figures behind the row, unrounded: milliseconds, bytes, counts. */
  readonly figures: { readonly [name: string]: number | readonly number[] | string | null };
}

/** The machine and the versions that the figures are from. */
export interface Facts {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
}

/** The table in Markdown, with the facts above it. A row that falls short is marked ✗. */
export function markdown(facts: Facts, rows: readonly Row[]): string {
  const cells = rows.map(({ tools, what, reach, measured, met }) => [
    met === undefined ? '' : met ? '✓' : '✗',
    tools.toLocaleString('en-US'),
    what,
    reach ?? '',
    measured,
  ]);
  const table = [['', 'tools', 'what', 'to reach', 'measured'], ['-', '-', '-', '-', '-'], ...cells];
  const lines = table.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [`${facts.date} · ${facts.machine} · ${facts.versions}`, '', ...lines].join('\n');
}

const BEGIN = '<!-- bench:begin (written by `npm run bench -- --write`) -->';
const END = '<!-- bench:end -->';

/**
 * Puts a table between the markers of a document.
 *
 * @throws when the document has no such markers
 */
export function insert(document: string, table: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`The document needs the lines ${BEGIN} and ${END}.`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${document.slice(end)}`;
}

/** Milliseconds for people: two digits that matter, and seconds from one second on. */
export function duration(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return 'never';
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}

/** Bytes as megabytes (of 2^20 bytes). */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** Median and 95th percentile for people. */
export function spread(times: readonly number[]): string {
  return `median ${duration(median(times))}, p95 ${duration(percentile(times, 0.95))}`;
}
