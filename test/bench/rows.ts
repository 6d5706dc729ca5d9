import type { ColdMeasure } from './cold.ts';
import type { EditMeasure } from './editing.ts';
import { duration, megabytes, type Row, spread } from './report.ts';
import { median, percentile } from './statistics.ts';
import type { TagMeasure } from './tag.ts';

/** The size that the targets are set for. */
export const MEASURED_SIZE = 1000;

/** Milliseconds that an edit may take; a figure left out has no target. */
export interface EditLimits {
  readonly median?: number;
  readonly p95?: number;
}

/** A row on edits. Missing, wrong and stale answers fail it whatever the time, in every size. */
export function editRow(tools: number, what: string, measure: EditMeasure, limits: EditLimits | undefined): Row {
  const { times, timed, unanswered, wrong, stale, firstFault } = measure;
  const right = times.length === timed && unanswered + wrong + stale === 0;
  const goals = [
    limits?.median === undefined ? [] : [`median ≤ ${limits.median} ms`],
    limits?.p95 === undefined ? [] : [`p95 ≤ ${limits.p95} ms`],
    ['all answered, none wrong or stale'],
  ].flat();
  const fast = within(median(times), limits?.median) && within(percentile(times, 0.95), limits?.p95);
  const faults = [
    [unanswered, 'unanswered'],
    [wrong, 'wrong'],
    [stale, 'stale'],
  ].flatMap(([count, name]) => (count ? [`${count} ${name}`] : []));
  return {
    tools,
    what,
    reach: goals.join(', '),
    measured: [spread(times), `${times.length} of ${timed} answered`, ...faults].join('; '),
    met: right && fast,
    figures: {
      median: median(times),
      p95: percentile(times, 0.95),
      slowest: Math.max(...times),
      timed,
      unanswered,
      wrong,
      stale,
      firstFault: firstFault ?? null,
      times,
    },
  };
}

/** Rows on starting from nothing. Without the compiler's times there is nothing to compare with. */
export function coldRows(tools: number, { tsc, server, cli }: ColdMeasure): Row[] {
  const compiler = median(tsc);
  const row = (what: string, times: readonly number[]): Row => {
    const figures = { median: median(times), times, tsc: compiler, tscTimes: tsc };
    if (tsc.length === 0) return { tools, what, measured: duration(median(times)), figures };
    const ratio = median(times) / compiler;
    return {
      tools,
      what,
      reach: '≤ 1/4 of tsc --noEmit',
      measured: `${duration(median(times))}, tsc ${duration(compiler)}: 1/${(1 / ratio).toFixed(1)}`,
      met: ratio <= 1 / 4,
      figures: { ...figures, ratio },
    };
  };
  return [
    row('cold: language server, spawn → all findings', server),
    row('cold: tool-contracts check, spawn → exit', cli),
  ];
}

/** The row on comparing with a tag: what a fresh check takes longer with it than without it. */
export function tagRows(tools: number, what: string, { tagged, cached, alone }: TagMeasure): Row[] {
  return [
    tagRow(tools, what, 1.5, tagged, alone),
    tagRow(tools, `${what}; the tag from the cache`, 0.3, cached, alone),
  ];
}

function tagRow(tools: number, what: string, most: number, tagged: readonly number[], alone: readonly number[]): Row {
  const ratio = (median(tagged) - median(alone)) / median(alone);
  return {
    tools,
    what,
    reach: `the tag costs ≤ ${most} × the check without it`,
    measured: `${duration(median(tagged))}, without ${duration(median(alone))}: the tag costs ${ratio.toFixed(2)} ×`,
    met: ratio <= most,
    figures: { ratio, tagged, alone },
  };
}

/** The row on the answer to `initialize`. */
export function initializeRow(tools: number, times: readonly number[]): Row {
  return {
    tools,
    what: 'spawn → initialize answered',
    reach: 'median ≤ 200 ms',
    measured: spread(times),
    met: median(times) <= 200,
    figures: { median: median(times), p95: percentile(times, 0.95), times },
  };
}

/** The row on resident memory, or none where it could not be read. */
export function memoryRow(tools: number, edits: number, { memory }: EditMeasure): Row[] {
  if (!memory) return [];
  const { total, server, growth } = memory;
  const targeted = tools === MEASURED_SIZE && edits >= 500;
  const parts = `${megabytes(server)} + ${megabytes(total - server)}`;
  return [
    {
      tools,
      what: `memory of server + sandbox after ${edits} edits`,
      ...(targeted ? { reach: '≤ 600 MB together, growth over the last 400 edits ≤ 10 MB' } : {}),
      measured: `${megabytes(total)} (${parts}), growth ${megabytes(growth)}`,
      ...(targeted ? { met: total <= 600 * 2 ** 20 && growth <= 10 * 2 ** 20 } : {}),
      figures: { total, server, growth },
    },
  ];
}

/** The row on whether the findings are those that the generator has put in. */
export function plantedRow(tools: number, planted: number, missing: readonly string[], extra: readonly string[]): Row {
  const faults = [
    ...(missing.length > 0 ? [`missing: ${missing.slice(0, 3).join('; ')}`] : []),
    ...(extra.length > 0 ? [`not planted: ${extra.slice(0, 3).join('; ')}`] : []),
  ];
  return {
    tools,
    what: 'findings of a fresh check',
    reach: `the ${planted} planted ones, no other`,
    measured: [`${planted - missing.length} of ${planted}, ${extra.length} other`, ...faults].join('; '),
    met: missing.length + extra.length === 0,
    figures: { planted, missing: missing.length, extra: extra.length },
  };
}

/** Rows on how cost grows with the workspace, from the rows of 1,000 and of 10,000 tools. */
export function growthRows(rows: readonly Row[]): Row[] {
  const figure = (tools: number, start: string) => {
    const row = rows.find((one) => one.tools === tools && one.what.startsWith(start));
    return typeof row?.figures.median === 'number' ? row.figures.median : undefined;
  };
  const ratio = (what: string, start: string, limit: number): Row[] => {
    const [small, large] = [figure(1000, start), figure(10_000, start)];
    if (small === undefined || large === undefined) return [];
    return [
      {
        tools: 10_000,
        what,
        reach: `≤ ${limit} × that of 1,000 tools`,
        measured: `${(large / small).toFixed(1)} ×`,
        met: large / small <= limit,
        figures: { ratio: large / small },
      },
    ];
  };
  return [
    ...ratio('growth: cold, language server', 'cold: language server', 11),
    ...ratio('growth: edit, median', 'edit → diagnostics, a tool file', 2),
  ];
}

function within(value: number, limit: number | undefined): boolean {
  return limit === undefined || value <= limit;
}
