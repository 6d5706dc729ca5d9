import type { Json, Outcome, SurfaceId, Witness } from '../../../../shared/src/model.ts';
import type { SampleRequest } from '../../evaluation/sandbox/messages.ts';
import { nodeOf } from '../graph.ts';
import { damage, isObject, partAt, sameJson } from '../values.ts';
import { actualFrom, argumentsWith, askAll, type Case, expectedFrom, type Lane } from '../witness.ts';
import type { Site } from './sites.ts';

/** A call made for one variant that the union answers otherwise than that variant alone. */
export interface Trouble {
  /** The value at the union. */
  readonly value: Json;
  readonly kind: 'rejected' | 'lost';
  /** The call was made for the variant that has the default. */
  readonly forOwnVariant: boolean;
  /** Dotted paths of what is lost. */
  readonly lost: readonly string[];
  readonly witness: Witness;
  readonly surfaces: readonly SurfaceId[];
}

/** What running calls said about a default in a variant. */
export interface Evidence {
  /** A call that `.optional()` in place of the default would mend. */
  readonly mended?: Trouble;
  /** A call that it would not mend. */
  readonly unmended?: Trouble;
  /** A call in which the value is filled in, or the tag is guessed. */
  readonly filled?: { readonly witness: Witness; readonly surfaces: readonly SurfaceId[] };
}

/** A value made for one option, with what the option alone and the union answer. */
interface Tried {
  readonly option: number;
  readonly value: Json;
  readonly alone: Outcome;
  readonly together: Outcome;
}

/** More options than this are not sampled: a union of hundreds would cost thousands of parses. */
const MAX_OPTIONS = 16;
const MODES = ['min', 'max'] as const;

/** Asks the unions of one tool, each only once however many defaults are in it. */
export class UnionProofs {
  private readonly tried = new Map<number, Promise<readonly Tried[]>>();

  constructor(
    private readonly about: Case,
    private readonly lanes: readonly Lane[],
  ) {}

  async evidence(site: Site): Promise<Evidence> {
    const own = await this.ownCalls(site);
    const troubled = [...own, ...(await this.calls(site))].filter((tried) => troubleOf(tried) !== undefined);
    const filled = await this.filled(site, own);
    let mended: Trouble | undefined;
    let unmended: Trouble | undefined;
    for (const tried of troubled) {
      // Only a field of the variant itself can be tried with `.optional()`.
      if (site.direct && (await this.isMended(site, tried))) mended = await this.onSurfaces(site, tried);
      else if (!unmended && (await this.isTaken(site, tried))) unmended = await this.onSurfaces(site, tried);
      if (mended) break;
    }
    return { ...(mended && { mended }), ...(unmended && { unmended }), ...(filled && { filled }) };
  }

  private calls({ union, option: own }: Site): Promise<readonly Tried[]> {
    const known = this.tried.get(union.node.id);
    if (known) return known;
    const options = [...(union.node.options ?? []).keys()].slice(0, Math.max(MAX_OPTIONS, own + 1));
    const made = Promise.all(
      options.flatMap((option) => MODES.map((mode) => this.tryOne(union.node.id, option, { mode }))),
    ).then((tried) => tried.filter((one) => one !== undefined));
    this.tried.set(union.node.id, made);
    return made;
  }

  /** Calls made for the variant that leave the field out. */
  private async ownCalls({ union, option, field, within }: Site): Promise<readonly Tried[]> {
    const tried = await Promise.all(
      MODES.map((mode) => this.tryOne(union.node.id, option, { mode, through: within, without: [field] })),
    );
    return tried.filter((one) => one !== undefined);
  }

  private async tryOne(
    union: number,
    option: number,
    how: Omit<SampleRequest, 'contract' | 'node'>,
  ): Promise<Tried | undefined> {
    const { contract, graph, probe } = this.about;
    const node = nodeOf(graph, union)?.options?.[option];
    if (node === undefined) return undefined;
    const sample = await probe.sample({ contract: contract.id, node, ...how });
    if (!sample.found || !isObject(sample.value)) return undefined;
    const { value } = sample;
    const [alone, together] = await Promise.all([
      probe.parse(contract.id, node, value),
      probe.parse(contract.id, union, value),
    ]);
    return alone.accepts ? { option, value, alone, together } : undefined;
  }

  private async isMended({ union, option, field }: Site, tried: Tried): Promise<boolean> {
    const { contract, probe } = this.about;
    const outcome = await probe.parse(contract.id, union.node.id, tried.value, {
      union: union.node.id,
      option,
      field,
      change: 'optional',
    });
    return outcome.accepts && tried.alone.accepts && damage(tried.value, tried.alone.value, outcome.value).length === 0;
  }

  /** Whether it is the variant with the default that takes a call made for another one, or loses its own. */
  private async isTaken({ union, option }: Site, { value, together, option: madeFor }: Tried): Promise<boolean> {
    const node = union.node.options?.[option];
    if (madeFor === option || node === undefined) return madeFor === option;
    const mine = await this.about.probe.parse(this.about.contract.id, node, value);
    return mine.accepts && together.accepts && sameJson(mine.value, together.value);
  }

  private async onSurfaces(site: Site, tried: Tried): Promise<Trouble | undefined> {
    const made = await argumentsWith(this.about, site.union.path, tried.value);
    const trouble = troubleOf(tried);
    if (!made || !trouble) return undefined;
    const { args, steps } = made;
    const answers = await askAll(this.lanes, args);
    const hit = answers.filter(({ outcome }) => {
      if (!outcome.accepts || trouble.kind === 'rejected') return !outcome.accepts && trouble.kind === 'rejected';
      return tried.alone.accepts && damage(tried.value, tried.alone.value, partAt(outcome.value, steps)).length > 0;
    });
    const [first] = hit;
    if (!first) return undefined;
    const forOwnVariant = tried.option === site.option;
    const name = forOwnVariant ? 'the variant alone' : `variant ${tried.option + 1} alone`;
    return {
      ...trouble,
      value: tried.value,
      forOwnVariant,
      witness: {
        arguments: args,
        expected: expectedFrom('contract', name, tried.alone),
        actual: actualFrom(first.lane.surface, first.outcome),
      },
      surfaces: hit.map(({ lane }) => lane.surface),
    };
  }

  private async filled(site: Site, own: readonly Tried[]): Promise<Evidence['filled']> {
    const [tried] = own;
    const made = tried && (await argumentsWith(this.about, site.union.path, tried.value));
    if (!tried || !made) return undefined;
    const { args } = made;
    const answers = await askAll(this.lanes, args);
    const [first] = answers;
    if (!first) return undefined;
    return {
      witness: {
        arguments: args,
        expected: expectedFrom('contract', 'the variant alone', tried.alone),
        actual: actualFrom(first.lane.surface, first.outcome),
      },
      surfaces: answers.map(({ lane }) => lane.surface),
    };
  }
}

function troubleOf({ value, alone, together }: Tried): { kind: 'rejected' | 'lost'; lost: string[] } | undefined {
  if (!alone.accepts) return undefined;
  if (!together.accepts) return { kind: 'rejected', lost: [] };
  const lost = damage(value, alone.value, together.value);
  return lost.length > 0 ? { kind: 'lost', lost } : undefined;
}
