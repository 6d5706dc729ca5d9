import type { Evaluator, EvaluatorHost, Missed } from './evaluate.ts';
import { MAX_WAVES } from './evaluate.ts';
import type { ExportRequest, ExportResult, WireData } from './messages.ts';
import { Attempt, type Need } from './needs.ts';
import type { Provenance } from './provenance.ts';
import type { Registry } from './registry.ts';

/** How deep data is followed: what is nested deeper, or holds itself, is no data. */
const MAX_DEPTH = 12;
/** Parts of a value: more is no list of contract changes, or a circle that branches. */
const MAX_PARTS = 50_000;

/** How an export is named as what is being evaluated. */
export function exportId({ file, name }: ExportRequest): string {
  return `${file}#${name}`;
}

/** Evaluates exports of workspace modules to plain data, as tools are evaluated: lazily, and anew when something is missed. */
export class ExportValues {
  private parts = 0;

  constructor(
    private readonly registry: Registry,
    private readonly provenance: Provenance,
    private readonly evaluator: Evaluator,
    private readonly host: EvaluatorHost,
  ) {}

  async evaluate(requests: readonly ExportRequest[]): Promise<ExportResult[]> {
    const results: ExportResult[] = [];
    for (const request of requests) results.push(await this.one(request));
    return results;
  }

  private async one(request: ExportRequest): Promise<ExportResult> {
    for (let wave = 0; wave < MAX_WAVES; wave++) {
      const result = this.attempt(request);
      if (!Array.isArray(result)) return result as ExportResult;
      const candidate = exportId(request);
      await this.evaluator.bring(result.map(({ what, id }): Missed => ({ what, id, candidate })));
    }
    const failure = { reason: 'it keeps asking for modules without an end', trail: [] };
    return { files: [request.file], failure };
  }

  private attempt(request: ExportRequest): ExportResult | Need[] {
    const attempt = new Attempt(() => this.host.environmentReads());
    this.registry.attempt = attempt;
    this.provenance.begin();
    this.host.begun(exportId(request));
    this.parts = 0;
    let result:
      | Pick<Extract<ExportResult, { data: unknown }>, 'data'>
      | { failure: ReturnType<Evaluator['failureOf']> }
      | { missing: true };
    try {
      const module = this.registry.module(request.file);
      result = module.has(request.name) ? { data: this.toData(module.get(request.name), 0) } : { missing: true };
    } catch (error) {
      result = { failure: this.evaluator.failureOf(error, attempt) };
    }
    if (attempt.needs.length > 0) {
      if (attempt.isTorn || attempt.isPackageTorn) this.registry.forget();
      else attempt.giveUp();
      return [...attempt.needs];
    }
    return { files: [...attempt.everything().files], ...result };
  }

  /** @throws what a getter throws */
  private toData(value: unknown, depth: number): WireData {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return { is: 'value', value };
    if (typeof value === 'number') return { is: 'value', value: Number.isFinite(value) ? value : String(value) };
    if (typeof value !== 'object')
      return { is: 'other', what: value === undefined ? 'undefined' : `a ${typeof value}` };
    if (depth > MAX_DEPTH || this.parts++ > MAX_PARTS) return { is: 'other', what: 'nested too deep' };
    const inner = (part: unknown): WireData => this.toData(part, depth + 1);
    if (Array.isArray(value) || value instanceof Set) return { is: 'list', items: [...value].map(inner) };
    if (value instanceof Map) return { is: 'map', pairs: [...value].map(([key, part]) => [inner(key), inner(part)]) };
    const site = this.provenance.dataSite(value);
    const entries = Object.entries(value).map(([key, part]) => [key, inner(part)] as const);
    return { is: 'object', entries, ...(site !== undefined && { site }) };
  }
}
