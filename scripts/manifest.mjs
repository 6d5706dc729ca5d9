// Writes what is generated from the tables in shared/src: the manifest's settings and README's tables.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load, root } from './lib/load.mjs';

const { configuration, rulesTable, settingsTable, withTable } = await load('scripts/lib/manifest.ts');
const manifestFile = join(root, 'package.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
manifest.contributes.configuration = configuration();
await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);

const readmeFile = join(root, 'README.md');
const readme = await readFile(readmeFile, 'utf8');
await writeFile(readmeFile, withTable(withTable(readme, 'rules', rulesTable()), 'settings', settingsTable()));
