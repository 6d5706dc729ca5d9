/** The source text of an input schema with one known fault. */
export interface Fault {
  readonly rule: 'dropped-catchall' | 'default-in-union-variant' | 'intersection-policy' | 'not-evaluated';
  /** It can only stand in a call: a raw shape, or an await. */
  readonly onlyInCalls?: true;
  /** The input schema, over the shared module of a prefix. */
  readonly input: (prefix: string) => string;
  /** The expression that the finding is to be reported at. */
  readonly at: (prefix: string) => string;
}

/** A finding that the workspace is known to have. */
export interface Planted {
  readonly rule: string;
  /** Path in the workspace. */
  readonly file: string;
  /** The tool's name. */
  readonly tool: string;
  /** Text of the reported range; it is in the file exactly once. */
  readonly at: string;
}

const shape = (P: string) => `${P}Strict.shape`;
const spread = (P: string) => `z.object({ ...${P}Strict.shape, planted: z.string() })`;
const inner = (P: string) => `z.object(${P}Strict.shape)`;
const merged = (P: string) => `${P}Loose.merge(z.object({ planted: z.string() }))`;
const both = (P: string) => `${P}Strict.and(z.object({ planted: z.string() }))`;

/** The faults that are planted, and how many of each per 1,000 tools. */
export const FAULTS: readonly { readonly fault: Fault; readonly perThousand: number }[] = [
  { perThousand: 3, fault: { rule: 'dropped-catchall', input: shape, at: shape, onlyInCalls: true } },
  { perThousand: 3, fault: { rule: 'dropped-catchall', input: spread, at: spread } },
  {
    perThousand: 3,
    fault: { rule: 'dropped-catchall', input: (P) => `z.object({ inner: ${inner(P)} })`, at: inner },
  },
  { perThousand: 3, fault: { rule: 'dropped-catchall', input: merged, at: merged } },
  {
    perThousand: 3,
    fault: {
      rule: 'dropped-catchall',
      input: (P) => `z.object({ ...${P}Tagged.shape, planted: z.string() })`,
      at: (P) => `z.object({ ...${P}Tagged.shape, planted: z.string() })`,
    },
  },
  {
    perThousand: 6,
    fault: {
      rule: 'default-in-union-variant',
      input: (P) =>
        `z.object({ of: ${P}.optional(), page: z.union([z.strictObject({ limit: z.number().default(61) }), z.object({ cursor: z.string() })]) })`,
      at: () => 'z.number().default(61)',
    },
  },
  {
    perThousand: 6,
    fault: { rule: 'intersection-policy', input: (P) => `z.object({ both: ${both(P)} })`, at: both },
  },
  {
    perThousand: 3,
    fault: {
      rule: 'not-evaluated',
      onlyInCalls: true,
      input: () => 'z.object({ count: z.number().max((await readLimits()).count) })',
      at: () => 'await readLimits()',
    },
  },
];
