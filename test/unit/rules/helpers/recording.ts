import { isSchema, type Recorder } from '../../../../server/src/evaluation/sandbox/describe.ts';
import type { Place } from '../../../../shared/src/model.ts';

interface Flow {
  readonly owner: object;
  readonly read: number;
}

/** What instrumented code tells: origins, receivers and flows of shapes. Sites are indices into `sites`. */
export class Recording implements Recorder {
  readonly sites: { readonly place: Place; readonly method: string }[] = [];
  private readonly origins = new Map<object, number>();
  private readonly receivers = new Map<object, object>();
  private readonly flowsInto = new Map<object, readonly Flow[]>();
  private readonly shapes = new Map<object, readonly Flow[]>();
  private readonly uids = new Map<object, number>();
  private readonly literals: Flow[][] = [];
  private lastWhole: readonly Flow[] = [];
  /** The span of the innermost call that is running. */
  current: { start: number; end: number } = { start: 0, end: 0 };

  constructor(private readonly file: string) {}

  uid(schema: object): number {
    const uid = this.uids.get(schema) ?? this.uids.size + 1;
    this.uids.set(schema, uid);
    return uid;
  }
  origin = (schema: object): number | undefined => this.origins.get(schema);
  uses = (): undefined => undefined;
  from = (schema: object): object | undefined => this.receivers.get(schema);
  flows = (schema: object): readonly Flow[] | undefined => this.flowsInto.get(schema);
  flowsOf = (shape: object): readonly Flow[] => this.shapes.get(shape) ?? [];

  method(
    start: number,
    end: number,
    name: string,
    receiver: Record<string, (...args: unknown[]) => unknown>,
    args: () => unknown[],
  ): unknown {
    const given = args();
    this.current = { start, end };
    return this.made(start, end, name, receiver[name]?.(...given), given, receiver);
  }

  call(
    start: number,
    end: number,
    name: string,
    callee: (...args: unknown[]) => unknown,
    args: () => unknown[],
  ): unknown {
    const given = args();
    this.current = { start, end };
    return this.made(start, end, name, callee(...given), given, undefined);
  }

  shape(start: number, end: number, holder: { shape: object }): object {
    const owner: object = holder;
    if (!isSchema(owner)) return holder.shape;
    // A copy of its own for each read: schemas that were derived from each other may share one shape object.
    const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(holder.shape));
    this.lastWhole = [{ owner, read: this.site(start, end, 'shape') }];
    this.shapes.set(copy, this.lastWhole);
    return copy;
  }

  literal(make: () => object): object {
    this.literals.push([]);
    const made = make();
    const flows = this.literals.pop() ?? [];
    if (flows.length > 0) this.shapes.set(made, flows);
    return made;
  }

  spread(value: object): object {
    this.literals.at(-1)?.push(...this.flowsOf(value));
    return value;
  }

  rest(value: object): void {
    this.shapes.set(value, this.lastWhole);
  }

  site(start: number, end: number, method: string): number {
    this.sites.push({ place: { file: this.file, span: { start, end } }, method });
    return this.sites.length - 1;
  }

  private made(start: number, end: number, name: string, value: unknown, args: unknown[], receiver: unknown): unknown {
    if (!isSchema(value) || this.origins.has(value)) return value;
    this.origins.set(value, this.site(start, end, name));
    if (isSchema(receiver) && receiver !== value) this.receivers.set(value, receiver);
    const flows = args.flatMap((arg) => (typeof arg === 'object' && arg !== null ? this.flowsOf(arg) : []));
    if (flows.length > 0) this.flowsInto.set(value, flows);
    return value;
  }
}
