import type { Severity } from './model.ts';

/** The row of a rule in the one table of rules. */
export interface RuleRow {
  /** Stable, kebab-case: the diagnostic's code, the setting's key, the docs page's name. */
  readonly code: string;
  readonly title: string;
  /** The severity when neither a setting nor the rule's own grading says otherwise. */
  readonly severity: Severity | 'off';
  /** One sentence for the settings page and the README. */
  readonly description: string;
}

/**
 * The one table of rules. The manifest's settings, the README's table and the index of `docs/rules` are generated from
 * it and checked against it.
 */
export const RULES = [
  {
    code: 'dropped-catchall',
    title: 'Key policy lost when an object is rebuilt',
    severity: 'warning',
    description:
      "An object built from another object's shape treats undeclared keys otherwise than its source does, or loses its refinements.",
  },
  {
    code: 'default-in-union-variant',
    title: 'Default inside a union variant',
    severity: 'information',
    description:
      'A default, prefault or catch on a field of a union variant can take or change calls meant for another variant.',
  },
  {
    code: 'intersection-policy',
    title: 'Intersection changes the key policy',
    severity: 'warning',
    description:
      'The two sides of an intersection answer undeclared keys differently from the intersection, or nothing satisfies it.',
  },
  {
    code: 'undocumented-input-removal',
    title: 'Input removed without a note',
    severity: 'error',
    description:
      'An input that the last release accepted is no longer declared, and no contract change tells its callers.',
  },
  {
    code: 'breaking-input-change',
    title: 'Input narrowed since the last release',
    severity: 'warning',
    description:
      'A call that the last release accepted is rejected, or loses data: an input is newly required, takes another type, or its object closes.',
  },
  {
    code: 'not-evaluated',
    title: 'Tool contract could not be evaluated',
    severity: 'information',
    description: "A tool's schema could not be evaluated, with the reason at the expression that failed.",
  },
  {
    code: 'unused-suppression',
    title: 'Suppression that silences nothing',
    severity: 'hint',
    description: 'A suppression comment that no finding needs.',
  },
] as const satisfies readonly RuleRow[];

export type RuleCode = (typeof RULES)[number]['code'];

/** The row of a code, or undefined when there is no such rule. */
export function ruleRow(code: string): RuleRow | undefined {
  return RULES.find((row) => row.code === code);
}

/** Address of a rule's documentation page. */
export function rulePage(code: string): string {
  return `https://github.com/tool-contracts/tool-contracts/blob/main/docs/rules/${code}.md`;
}
