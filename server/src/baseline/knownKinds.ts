import { Intersections, intersect, type Kind } from './inputModel.ts';

/** Looks up one node. @param open nodes that are being looked up: a union that holds itself adds nothing */
export type ReadKinds = (id: number, open: ReadonlySet<number>) => readonly Kind[];

/** The alternatives of a model's nodes, each found out once, and of the intersections that are made of them. */
export class KnownKinds {
  readonly both: Intersections;
  private readonly known = new Map<number, readonly Kind[]>();

  /**
   * @param next the first id that no node of the model has
   * @param read finds out a node of the model itself; asks `of` about the nodes inside
   */
  constructor(
    next: number,
    private readonly read: ReadKinds,
  ) {
    this.both = new Intersections(next);
  }

  of(id: number, open: ReadonlySet<number> = new Set()): readonly Kind[] {
    const known = this.known.get(id);
    if (known) return known;
    if (open.has(id)) return [];
    const inside = new Set(open).add(id);
    const parts = this.both.partsOf(id);
    const kinds = parts
      ? intersect(this.of(parts[0], inside), this.of(parts[1], inside), this.both)
      : this.read(id, inside);
    // Found in the middle of a circle, the answer may lack what the circle adds.
    if (open.size === 0) this.known.set(id, kinds);
    return kinds;
  }
}
