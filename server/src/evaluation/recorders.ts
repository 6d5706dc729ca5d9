/**
 * Names of the recorders in generated code (`$$at`, …); evaluation/sandbox/provenance.ts gives them their meaning.
 *
 * `at` a call's result · `on` a method call's receiver · `shape` a read of `.shape` · `shapeOf` the same in an optional
 * chain · `open` what `shape` is destructured from · `argument` what an object factory is given · `hand` a variable or an
 * answer that another call is given · `spread`/`literal` an object literal with spreads · `whole`/`rest` a destructuring
 * with a rest · `each` what a loop goes through · `put` what is assigned to a computed key in a loop · `data` an object
 * literal that looks like a contract change.
 */
export const RECORDERS = [
  'at',
  'on',
  'shape',
  'shapeOf',
  'open',
  'argument',
  'hand',
  'spread',
  'literal',
  'whole',
  'rest',
  'each',
  'put',
  'data',
] as const;

/** How generated code calls a recorder. */
export function recorder(name: (typeof RECORDERS)[number]): string {
  return `$$${name}`;
}

/** What the sandbox puts before a module's code, on the same line: bindings come from the scope, and the code is strict. */
export const LEAD = 'with($m.scope){(function(){"use strict";';

/** What the sandbox puts after it. */
export const TRAIL = '\n}).call(undefined)}';
