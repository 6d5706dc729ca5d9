import type { Finding, Fix, TextEdit } from '../../../../shared/src/model.ts';
import { documentInputs } from '../contractChanges/document.ts';
import type { Undocumented } from '../contractChanges/newFile.ts';
import type { FixContext, PackageChanges } from '../rule.ts';

/** Documents everything that went from the tools of a finding. */
export const FOR_TOOL: Fix = { id: 'entry', title: 'Add a CONTRACT_CHANGES entry', preferred: true };
/** The same for all tools of the workspace. */
export const FOR_ALL: Fix = {
  id: 'entries',
  title: 'Add CONTRACT_CHANGES entries for all tools in the workspace',
  preferred: false,
};

const CODE = 'undocumented-input-removal';

/** What a finding says of one tool: its `data.each`. */
interface Gone extends Undocumented {
  readonly folder: string;
}

/** The tools that a finding is about. */
export function toolsOf(finding: Finding): Pick<Gone, 'tool' | 'folder'>[] {
  return goneIn(finding);
}

/**
 * Edits that document everything that went from some tools, whichever finding it is in.
 *
 * @param wanted the tools; undefined: all that something went from
 * @returns undefined when something of it cannot be written down
 */
export function documentTools(
  wanted: readonly Pick<Gone, 'tool' | 'folder'>[] | undefined,
  read: (file: string) => string | undefined,
  { findings, changesOf }: FixContext,
): TextEdit[] | undefined {
  const gone = findings
    .filter(({ rule }) => rule === CODE)
    .flatMap(goneIn)
    .filter(({ tool, folder }) => !wanted || wanted.some((one) => one.tool === tool && one.folder === folder));
  // Packages that share their contract changes are written to together.
  const groups = new Map<string, { readonly changes: PackageChanges; readonly gone: Gone[] }>();
  for (const one of gone) {
    const changes = changesOf(one.folder);
    if (!changes) return undefined;
    const key = changes.files.length > 0 ? changes.files.map(({ file }) => file).join('\0') : one.folder;
    const group = groups.get(key) ?? { changes, gone: [] };
    group.gone.push(one);
    groups.set(key, group);
  }
  const edits: TextEdit[] = [];
  for (const group of groups.values()) {
    const made = documentInputs(byTool(group.gone), group.changes, read);
    if (!made) return undefined;
    edits.push(...made);
  }
  return edits;
}

/** One row for each tool, sorted by name; an input that is gone in two places of one path is named once. */
function byTool(gone: readonly Gone[]): Undocumented[] {
  const tools = new Map<string, Undocumented>();
  for (const { tool, release, gone: inputs } of gone) {
    const known = tools.get(tool)?.gone ?? [];
    const added = inputs.filter(({ path }) => !known.some((one) => one.path === path));
    tools.set(tool, { tool, release, gone: [...known, ...added] });
  }
  return [...tools.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

function goneIn({ data }: Finding): Gone[] {
  const { each } = (data ?? {}) as { readonly each?: readonly Gone[] };
  return [...(each ?? [])];
}
