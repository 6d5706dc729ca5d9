/** How much a property's name says by itself about its object being a tool. */
export type KeyStrength = 'strong' | 'common' | 'weak';

/**
 * Keys of definition objects whose value may be the input schema, best first. Surveyed over public code bases:
 * `inputSchema` 56% of tools. `parameters` also holds settings of other things, and the weak ones hold nearly anything.
 */
const BUILT_IN: readonly (readonly [key: string, strength: KeyStrength])[] = [
  ['inputSchema', 'strong'],
  ['input_schema', 'strong'],
  ['inputParams', 'strong'],
  ['argsShape', 'strong'],
  ['paramsSchema', 'strong'],
  ['paramSchema', 'strong'],
  ['parametersSchema', 'strong'],
  ['inputShape', 'strong'],
  ['zodSchema', 'strong'],
  ['parameters', 'common'],
  ['argsSchema', 'weak'],
  ['schema', 'weak'],
  ['args', 'weak'],
  ['input', 'weak'],
];

/** The keys that a workspace uses. */
export interface SchemaKeys {
  /** Best first. */
  readonly ordered: readonly (readonly [key: string, strength: KeyStrength])[];
  readonly all: ReadonlySet<string>;
}

/** The built-in keys, after those of the configuration, which count as strong. */
export function schemaKeys(configured: readonly string[]): SchemaKeys {
  const ordered = [...configured.map((key) => [key, 'strong'] as const), ...BUILT_IN];
  return { ordered, all: new Set(ordered.map(([key]) => key)) };
}

/** Keys of definition objects under which the output schema stands. */
export const OUTPUT_KEYS: readonly string[] = ['outputSchema', 'outputShape', 'output_schema'];

/** Keys that hold what runs a tool. */
export const HANDLER_KEYS: ReadonlySet<string> = new Set([
  'handler',
  'execute',
  'callback',
  'cb',
  'run',
  'func',
  'fn',
  'function',
  'invoke',
  'call',
  '_call',
  'handle',
  'handleRequest',
  'action',
  'exec',
  'implementation',
  'toolCallback',
  'toolHandler',
]);

/** Methods that run a tool of a class, in the many names that base classes give them: `executeWithClient`. */
export const HANDLER_METHOD = /^_?(?:execute|handle|run|invoke|call|perform)(?:[A-Z]\w*)?$/;

/** Keys that hold what the model is told. A title is for people. */
export const DESCRIPTION_KEYS: ReadonlySet<string> = new Set(['description', 'desc', 'summary', 'toolDescription']);

const CHEAP =
  /[tT]ool(?!tip|bar|box|kit)|TOOL|inputSchema|input_schema|inputParams|argsShape|paramsSchema|paramSchema|parametersSchema|inputShape|zodSchema/;
const WEAK = /\b(?:schema|args|argsSchema|input|parameters)\b\s*(?:[:,=}(\n]|\?\s*:)/;
const EVIDENCE =
  /\b(?:description|desc|summary|handler|execute|callback|cb|run|func|fn|invoke|_call|handle|action|exec|implementation)\b/;

/**
 * Whether a file may offer tools, judged from its text: whether it is worth parsing. Does not ask for the word zod, as
 * definitions often import only schemas.
 *
 * @param configured further schema keys of the workspace
 */
export function mayOffer(text: string, configured: readonly string[]): boolean {
  if (CHEAP.test(text)) return true;
  if (configured.some((key) => text.includes(key))) return true;
  return WEAK.test(text) && EVIDENCE.test(text);
}
