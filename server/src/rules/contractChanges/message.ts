/** An input that went, and the name that it probably has now. */
export interface GoneInput {
  readonly path: string;
  readonly renamedTo?: string;
}

/** Stands for what only the author knows. */
export const AUTHORS_WORDS = '[Say why, and what to send instead.]';

/**
 * What a caller is told about inputs of a tool that went: it names the tool and every input, and the new name of one that
 * was probably renamed.
 */
export function entryMessage(tool: string, gone: readonly GoneInput[]): string {
  return `\`${tool}\` no longer takes ${listed(gone)}. ${AUTHORS_WORDS}`;
}

function listed(gone: readonly GoneInput[]): string {
  const parts = gone.map(({ path, renamedTo }) =>
    renamedTo === undefined ? `\`${path}\`` : `\`${path}\` (send \`${renamedTo}\` instead)`,
  );
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
