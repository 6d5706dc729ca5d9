import { createColors } from 'picocolors';
import { Packages } from '../../../server/src/files/packages.ts';
import { type Found, fromSnapshot } from '../../../server/src/reporters/fromSnapshot.ts';
import type { Look } from '../../../server/src/reporters/look.ts';
import type { Report } from '../../../server/src/reporters/report.ts';
import { found, tree } from './found.ts';

/** A report on what was found. */
export function report(changes: Partial<Found> = {}): Report {
  return fromSnapshot(found(changes), tree, new Packages(tree), '.');
}

/** A terminal without colour. */
export function look(changes: Partial<Look> = {}): Look {
  return {
    colors: createColors(false),
    width: 100,
    path: (file) => file,
    searched: 'Looked in src.',
    ...changes,
  };
}
