import nodePath from 'node:path';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../shared/src/model.ts';
import { readJson } from '../files/jsonText.ts';
import { isInside, relativePath } from '../files/paths.ts';
import type { FileTree } from '../files/tree.ts';

/** The recorded contracts of a package's tools, beside its `package.json`. */
export const LOCK_FILE = 'tool-contracts.lock.json';

const anyJson = z.json();
const jsonSchema = z.record(z.string(), anyJson).describe('A JSON Schema, as clients get it in tools/list.');

/** `tool-contracts.lock.json`, version 1. */
export const lockFileSchema = z
  .looseObject({
    $schema: z.string().optional().describe('Address of the JSON Schema that editors check this file with.'),
    version: z.literal(1).describe('Version of this form.'),
    release: z.string().min(1).describe('The release whose contracts these are, such as "1.6.11".'),
    recordedWith: z
      .record(z.string(), anyJson)
      .optional()
      .describe('Packages, and their versions, that the schemas were made with.'),
    tools: z
      .record(
        z.string(),
        z.looseObject({
          inputSchema: jsonSchema,
          outputSchema: jsonSchema.optional(),
          annotations: z.record(z.string(), anyJson).optional().describe('What clients ask their user about.'),
        }),
      )
      .describe('The tools by name, or by file#name where several tools have the name.'),
  })
  .meta({ title: 'Recorded tool contracts' });

export type LockFile = z.infer<typeof lockFileSchema>;

/** The JSON Schema that ships as `schemas/tool-contracts.lock.schema.json`. */
export function lockFileJsonSchema(): JsonObject {
  return z.toJSONSchema(lockFileSchema, { target: 'draft-7', io: 'input' }) as JsonObject;
}

/**
 * Reads a recorded file.
 *
 * @returns the file, or one sentence: which file, what is wrong with it, what to do
 */
export function readLockFile(tree: FileTree, file: string): { lock: LockFile } | { problem: string } {
  const shown = isInside(tree.root, file) ? relativePath(tree.root, file) : file;
  const unusable = (what: string, todo: string) => ({
    problem: `${shown} ${what}, so no tool is compared with it; ${todo}`,
  });
  const again = 'record it again with "tool-contracts record".';
  const text = tree.read(file);
  if (text === undefined) return unusable('cannot be read', 'see that it is there and may be read.');
  const { value, broken } = readJson(text);
  if (broken !== undefined) return unusable(`is no JSON (${broken})`, `restore it from version control, or ${again}`);
  const version = (value as { version?: Json } | null)?.version;
  if (version !== undefined && version !== 1) {
    const written = JSON.stringify(version);
    return unusable(
      `is of version ${written}, and this program knows version 1`,
      typeof version === 'number' && version > 1 ? 'use a newer tool-contracts.' : again,
    );
  }
  const read = lockFileSchema.safeParse(value);
  // The value itself: it is only looked at, and zod leaves out keys called `__proto__`.
  if (read.success) return { lock: value as LockFile };
  const [issue] = read.error.issues;
  const at = issue && issue.path.length > 0 ? `"${issue.path.join('.')}": ` : '';
  const reason = `${at}${(issue?.message ?? 'not valid').replace(/^Invalid input: /, '')}`;
  return unusable(`is not valid (${reason})`, `restore it from version control, or ${again}`);
}

/** A recorded tool by what it is asked for. Of two tools with one name the file tells. */
export function recordedTool(lock: LockFile, name: string, file: string): LockFile['tools'][string] | undefined {
  const exact = `${file}#${name}`;
  if (Object.hasOwn(lock.tools, exact)) return lock.tools[exact];
  return Object.hasOwn(lock.tools, name) ? lock.tools[name] : undefined;
}

/** The names of recorded tools, without their files. */
export function recordedNames(
  lock: LockFile,
): { readonly key: string; readonly name: string; readonly file?: string }[] {
  return Object.keys(lock.tools).map((key) => {
    const hash = /^(.*\.[cm]?[jt]sx?)#(.*)$/s.exec(key);
    return hash ? { key, file: hash[1] ?? '', name: hash[2] ?? '' } : { key, name: key };
  });
}

/** Where a package's recorded file is. */
export function lockFileOf(folder: string): string {
  return nodePath.join(folder, LOCK_FILE);
}

/** The text of a recorded file: tools sorted by name, everything else as it is. */
export function lockFileText(lock: LockFile): string {
  const { $schema, version, release, recordedWith, tools, ...rest } = lock;
  const sorted = Object.fromEntries(
    Object.entries(tools)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, { inputSchema, outputSchema, annotations, ...more }]) => [
        name,
        {
          inputSchema,
          ...(outputSchema && { outputSchema }),
          ...(annotations && { annotations }),
          ...more,
        },
      ]),
  );
  const ordered = {
    ...($schema !== undefined && { $schema }),
    version,
    release,
    ...(recordedWith && { recordedWith }),
    ...rest,
    tools: sorted,
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}
