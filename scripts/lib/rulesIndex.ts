import { RULES } from '../../shared/src/rules.ts';

/** The index of the rules' pages, `docs/rules/README.md`, as Markdown. */
export function rulesIndex(): string {
  const rows = RULES.map(
    ({ code, title, severity, description }) =>
      `| [\`${code}\`](${code}.md) | ${title} | ${severity} | ${description} |`,
  );
  return `# Rules

Every rule has a page: what is wrong, a proof that you can run, how to fix it, how to silence it. A finding's code in the
editor links to it.

| code | title | default | reports |
| --- | --- | --- | --- |
${rows.join('\n')}

**Severities** are set by code, in \`tool-contracts.json\` or in the editor's \`toolContracts.rules\`: \`default\`, \`error\`,
\`warning\`, \`information\`, \`hint\` or \`off\`. Any value but \`default\` replaces every grade of the rule.

\`\`\`json
{ "rules": { "dropped-catchall": "error", "not-evaluated": "off" } }
\`\`\`

**One place** is silenced by a comment that says why; [unused-suppression](unused-suppression.md) has its forms:

\`\`\`ts
// tool-contracts-ignore-next-line dropped-catchall: clients of ours add keys
\`\`\`

**A proof** stands behind every finding about behaviour: arguments that were built from the schema, sent through the SDK that
is installed in your workspace, and compared with what the source schema says to them.
`;
}
