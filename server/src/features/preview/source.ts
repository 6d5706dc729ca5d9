import type { Candidate, Contract, Finding, Json, Place, SurfaceId } from '../../../../shared/src/model.ts';
import type { Baselines } from '../../baseline/baselines.ts';
import type { ChangeFile } from '../../baseline/changeFiles.ts';
import type { PreviousTool, Release } from '../../baseline/previous.ts';
import { parse } from '../../discovery/syntax.ts';
import { firstSyntaxError } from '../../evaluation/syntaxFault.ts';
import { LineMap } from '../../files/lines.ts';
import { relativePath } from '../../files/paths.ts';
import type { FileTree } from '../../files/tree.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { LinesOf } from '../diagnostics.ts';
import type { HoverSource } from '../hover/hover.ts';
import { Positions } from '../positions.ts';
import type { Tool } from '../tool.ts';
import type { PreviewSource, SchemaAnswer } from './document.ts';
import type { Past } from './past.ts';
import type { ToolsSource } from './tools.ts';

/** What previews are made from. */
export interface SourceParts {
  readonly tree: FileTree;
  readonly pipeline: Pipeline;
  readonly baselines: Baselines;
  readonly linesOf: LinesOf;
  /** The text that a file's results are about. */
  readonly textOf: (file: string) => string | undefined;
  readonly changeFiles: readonly ChangeFile[];
  readonly findings: readonly Finding[];
}

/**
 * Answers what previews ask about one check. What is asked of schemas is asked of the process that they live in, so no
 * other check may run meanwhile.
 */
export class CheckedSource implements PreviewSource, ToolsSource, HoverSource {
  constructor(
    readonly tools: readonly Tool[],
    private readonly parts: SourceParts,
  ) {}

  get findings(): readonly Finding[] {
    return this.parts.findings;
  }

  get changeFiles(): readonly ChangeFile[] {
    return this.parts.changeFiles;
  }

  linesOf(file: string): LineMap | undefined {
    return this.parts.linesOf(file);
  }

  textOf(file: string): string | undefined {
    return this.parts.textOf(file);
  }

  candidatesIn(file: string): readonly Candidate[] {
    return this.parts.pipeline.candidatesIn(file);
  }

  releaseFor(file: string): Release | { reason: string } {
    return this.parts.baselines.releaseFor(file);
  }

  /** Positions in a file as the editor shows it; undefined when it is gone. */
  positionsIn(file: string): Positions | undefined {
    const [checked, shown] = [this.textOf(file), this.parts.tree.read(file)];
    return checked === undefined || shown === undefined ? undefined : new Positions(checked, shown);
  }

  packageOf(file: string): string {
    return this.parts.pipeline.packages.nearest(file)?.folder ?? this.parts.tree.root;
  }

  show({ file, span }: Place): string {
    const line = (this.parts.linesOf(file)?.position(span.start).line ?? 0) + 1;
    return `${relativePath(this.parts.tree.root, file)}:${line}`;
  }

  unparsable(files: readonly string[]): { file: string; line: number } | undefined {
    const { pipeline, tree } = this.parts;
    const file = files.find((each) => pipeline.isStale(each));
    if (file === undefined) return undefined;
    const text = tree.read(file) ?? '';
    const fault = firstSyntaxError(parse(file, text));
    return { file, line: new LineMap(text).position(fault?.span.start ?? 0).line + 1 };
  }

  async contractSchema(contract: Contract): Promise<SchemaAnswer> {
    const node = authorsNode(contract);
    if (node === undefined) return { error: 'the tool has no Zod schema' };
    let answer: SchemaAnswer | undefined;
    const offers = this.tools.find((tool) => tool.contract === contract)?.offers ?? [];
    // In the words of the surfaces, so that a comparison shows what differs and not how it is said.
    const dialect = offers.some(({ advertised }) => isDraft7(advertised)) ? 'draft-7' : undefined;
    await this.parts.pipeline.survive(
      [{ contract, offers }],
      async () => {
        answer = await this.parts.pipeline.probes.jsonSchema(contract.id, node, dialect);
      },
      (_, reason) => {
        answer = { error: reason };
      },
    );
    return answer ?? { error: 'the schema is gone' };
  }

  async past(contract: Contract, surface: SurfaceId): Promise<Past> {
    const past = this.parts.baselines.pastOf(contract);
    if ('reason' in past) return past;
    const { release } = past;
    if ('tool' in past) return { release, ...(await advertisedThen(past.tool, surface)) };
    const offers = this.tools.find((tool) => tool.contract === contract)?.offers ?? [];
    const now = offers.find((offer) => offer.surface.id === surface);
    return now?.advertised
      ? { release, schema: now.advertised }
      : { release, error: now?.listError ?? 'it is not offered' };
  }

  release(tool: Tool): Release | { reason: string } {
    if (!tool.contract) return { reason: 'The tool could not be evaluated, so there is nothing to compare.' };
    const past = this.parts.baselines.pastOf(tool.contract);
    return 'reason' in past ? past : past.release;
  }
}

function isDraft7(schema: Json): boolean {
  return (
    typeof schema === 'object' && schema !== null && !Array.isArray(schema) && /draft-0?7\b/.test(`${schema.$schema}`)
  );
}

async function advertisedThen(
  { source }: PreviousTool,
  surface: SurfaceId,
): Promise<{ schema: Json } | { error: string }> {
  if (source.by === 'schema') return { schema: source.schema };
  const { contract } = source;
  const answer = await source.ask(`offer ${surface}`, (probe) => probe.offer(contract, surface));
  if (!answer) return { error: 'its evaluation ended the process.' };
  if (!answer.installed) return { error: answer.reason };
  const [offer] = answer.offers;
  if (offer?.advertised) return { schema: offer.advertised };
  return { error: offer?.mountError ?? offer?.listError ?? 'it is not listed.' };
}

/**
 * The node that the author wrote as the schema: of a raw shape that is the shape of one object as a whole (`S.shape`)
 * that object, else what is registered.
 */
function authorsNode({ graph, form, rebuiltFrom }: Contract): number | undefined {
  if (!graph) return undefined;
  const [flow, another] = rebuiltFrom;
  const owner = flow && !another ? graph.nodes[flow.owner] : undefined;
  if (form !== 'raw-shape' || !owner) return graph.root;
  const registered = Object.keys(graph.nodes[graph.root]?.fields ?? {});
  const own = Object.keys(owner.fields ?? {});
  const isWhole = registered.length === own.length && registered.every((name) => own.includes(name));
  return isWhole ? owner.id : graph.root;
}
