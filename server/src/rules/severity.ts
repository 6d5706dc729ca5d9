import type { Severity } from '../../../shared/src/model.ts';

const ORDER: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** The worse of two severities. */
export function worst(a: Severity, b: Severity): Severity {
  return rank(a) <= rank(b) ? a : b;
}

/** Position of a severity, 0 for the worst: sorts findings from worst to mildest. */
export function rank(severity: Severity): number {
  return ORDER.indexOf(severity);
}

/** One severity less, for a finding without a witness. `hint` stays. */
export function lowered(severity: Severity): Severity {
  return ORDER[rank(severity) + 1] ?? 'hint';
}

/**
 * Applies what people set. A severity that is set replaces every grade of the rule.
 *
 * @param rulesOf `Config.rules` as it holds for a file: codes whose setting is not `default`
 * @returns the findings that are left, those of a rule that is off gone
 */
export function applySeverities<
  T extends { readonly rule: string; readonly severity: Severity; readonly at: { readonly file: string } },
>(findings: readonly T[], rulesOf: (file: string) => { readonly [code: string]: Severity | 'off' }): T[] {
  return findings.flatMap((finding) => {
    const rules = rulesOf(finding.at.file);
    const set = Object.hasOwn(rules, finding.rule) ? rules[finding.rule] : undefined;
    if (set === 'off') return [];
    return set === undefined || set === finding.severity ? [finding] : [{ ...finding, severity: set }];
  });
}
