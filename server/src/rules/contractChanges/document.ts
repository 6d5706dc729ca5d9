import type { TextEdit } from '../../../../shared/src/model.ts';
import type { ChangeFile } from '../../baseline/changeFiles.ts';
import type { Entry } from '../../baseline/contractChanges.ts';
import { parse } from '../../discovery/syntax.ts';
import type { PackageChanges } from '../rule.ts';

import { codeStyleOf } from './codeStyle.ts';
import { type Container, containerOf, elementFor, exportedContainer, literalAt } from './container.ts';
import { entryStyleOf, entryText, key } from './entryStyle.ts';
import { extendEntry } from './extend.ts';
import { type Edit, elementIndent, type Insertion, insertInto } from './literals.ts';
import { declarationText, newFileFor, type Undocumented } from './newFile.ts';

/** An entry that is written as a literal in some file. */
type Written = Entry & { readonly at: NonNullable<Entry['at']> };

/**
 * Edits that document inputs which went from tools of one package: an entry for the tool is extended, else one is added in
 * the form of those that are there, else the file is made.
 *
 * @param read the current text of a file
 * @returns undefined when there is no place to write to
 */
export function documentInputs(
  tools: readonly Undocumented[],
  { name, files, toolFiles }: PackageChanges,
  read: (file: string) => string | undefined,
): TextEdit[] | undefined {
  const written = files.flatMap(({ entries }) => entries.filter((entry): entry is Written => entry.at !== undefined));
  const edits: TextEdit[] = [];
  const rest: Undocumented[] = [];
  for (const one of tools) {
    const entry = written.find(({ tool }) => tool === one.tool);
    const extended = entry && extend(entry, one, read);
    if (extended) edits.push(...extended);
    else rest.push(one);
  }
  if (rest.length === 0) return edits;
  const added = files.length > 0 ? addTo(rest, name, files, written, read) : create(rest, name, toolFiles, read);
  return added && [...edits, ...added];
}

function extend(entry: Written, { release, gone }: Undocumented, read: (file: string) => string | undefined) {
  const { file } = entry.at;
  const text = read(file);
  const literal = text === undefined ? undefined : literalAt(entry.at, text);
  if (!literal) return undefined;
  const style = entryStyleOf(literal, codeStyleOf(literal.getSourceFile()));
  return inFile(file, extendEntry(literal, entry, release, gone, style));
}

/** New entries go where the last entry stands, else into the literal that is exported. */
function addTo(
  tools: readonly Undocumented[],
  name: string,
  files: readonly ChangeFile[],
  written: readonly Written[],
  read: (file: string) => string | undefined,
): TextEdit[] | undefined {
  const places: (() => { file: string; container: Container } | undefined)[] = [
    ...written.toReversed().map(({ at }) => () => {
      const text = read(at.file);
      const literal = text === undefined ? undefined : literalAt(at, text);
      const container = literal && containerOf(literal);
      return container && { file: at.file, container };
    }),
    ...files.map(({ file }) => () => {
      const text = read(file);
      const container = text === undefined ? undefined : exportedContainer(parse(file, text), name);
      return container && { file, container };
    }),
  ];
  for (const place of places) {
    const found = place();
    if (found) return inFile(found.file, addEntries(tools, found.container));
  }
  return undefined;
}

function addEntries(tools: readonly Undocumented[], container: Container): Edit[] {
  const code = codeStyleOf(container.literal.getSourceFile());
  const style = entryStyleOf(container.model, code);
  const indent = elementIndent(container.literal, code);
  const insertions = tools.map(({ tool, release, gone }): Insertion => {
    const isInside = container.form === 'list';
    const entry = entryText({ name: tool, isInside }, release, gone, style, indent);
    // A key of a Map is a string in any case.
    const named = key(tool, { ...style, quotesKeys: style.quotesKeys || container.form === 'map' });
    return elementFor(container, tool, named, entry);
  });
  return insertInto(container.literal, insertions, code);
}

function create(
  tools: readonly Undocumented[],
  name: string,
  toolFiles: readonly string[],
  read: (file: string) => string | undefined,
): TextEdit[] | undefined {
  const [like] = toolFiles;
  const likeText = like === undefined ? undefined : read(like);
  if (like === undefined || likeText === undefined) return undefined;
  const file = newFileFor(toolFiles);
  const text = declarationText(name, tools, { file: like, text: likeText });
  const there = read(file);
  if (there === undefined) return [{ file, span: { start: 0, end: 0 }, text }];
  const gap = there.trim() === '' ? '' : there.endsWith('\n') ? '\n' : '\n\n';
  return [{ file, span: { start: there.length, end: there.length }, text: gap + text }];
}

function inFile(file: string, edits: readonly Edit[] | undefined): TextEdit[] | undefined {
  return edits?.map((edit) => ({ file, ...edit }));
}
