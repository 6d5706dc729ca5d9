import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's root: the nearest `package.json` above, from the source and from where a script bundles it to. */
export const PROJECT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}
