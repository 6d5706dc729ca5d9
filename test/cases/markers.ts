import { conditional, type Expected, type Range } from './manifest.ts';

/**
 * `// ^^^ rule` below what is reported, `//vvv rule` above it, followed by the severity where it matters, and by `begins`
 * and `ends` for what takes several lines. `// ^^^ rule missed` is wrong but not found yet: when it is found, the mark
 * has to go.
 */
const MARKER =
  /^\s*\/\/\s*(\^+|v+) ([a-z][a-z-]*(?:@zod(?:<|>=)[\d.]+)?)(?: (error|warning|information|hint))?(?: (begins|ends|missed))?\s*$/;

/**
 * The findings that the markers of a text announce.
 *
 * @throws when a marker has nothing to point at, or a `begins` has no `ends`
 */
export function markedIn(file: string, text: string): Expected[] {
  const lines = text.split(/\r\n|\n|\r/);
  const isMarker = (line: number): boolean => MARKER.test(lines[line] ?? '');
  const found: Expected[] = [];
  const open = new Map<string, Range['start']>();
  for (const [at, line] of lines.entries()) {
    const [, arrows = '', rule = '', severity, part] = MARKER.exec(line) ?? [];
    if (arrows === '' || part === 'missed') continue;
    const step = arrows.startsWith('v') ? 1 : -1;
    let target = at + step;
    while (isMarker(target)) target += step;
    if (lines[target] === undefined) throw new Error(`${file}:${at + 1}: the marker points at nothing.`);
    const column = line.indexOf(arrows);
    const start = { line: target, character: column };
    const end = { line: target, character: column + arrows.length };
    if (part === 'begins') open.set(rule, start);
    else if (part === 'ends') {
      const begun = open.get(rule);
      if (!begun) throw new Error(`${file}:${at + 1}: ${rule} ends but has not begun.`);
      open.delete(rule);
      found.push({ ...expected(rule, severity), file, range: { start: begun, end } });
    } else found.push({ ...expected(rule, severity), file, range: { start, end } });
  }
  if (open.size > 0) throw new Error(`${file}: ${[...open.keys()].join(', ')} begins but does not end.`);
  return found;
}

function expected(rule: string, severity: string | undefined): Omit<Expected, 'file' | 'range'> {
  return { ...conditional(rule), ...(severity !== undefined && { severity }) };
}
