// Writes what is generated from the table of rules: the index of docs/rules.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load, root } from './lib/load.mjs';

const { rulesIndex } = await load('scripts/lib/rulesIndex.ts');
await writeFile(join(root, 'docs', 'rules', 'README.md'), rulesIndex());
