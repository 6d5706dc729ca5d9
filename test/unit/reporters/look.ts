import { createColors } from 'picocolors';
import { DiskTree } from '../../../server/src/files/disk.ts';
import { Packages } from '../../../server/src/files/packages.ts';
import { type Found, fromSnapshot } from '../../../server/src/reporters/fromSnapshot.ts';
import type { Look } from '../../../server/src/reporters/look.ts';
import type { Report } from '../../../server/src/reporters/report.ts';
import { found, sample } from './found.ts';

/** A report on the sample. */
export function report(changes: Partial<Found> = {}): Report {
  const tree = new DiskTree(sample);
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
