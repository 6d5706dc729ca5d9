// Runs the cases against the built command line: node scripts/cases.mjs [ID …]
import { load } from './lib/load.mjs';

const { printCases } = await load('test/cases/table.ts');
process.exitCode = await printCases(process.argv.slice(2));
