import type { Driver } from '../../evaluation/sandbox/driver.ts';
import { contract } from './contract.ts';
import { mcpV1 } from './mcpV1.ts';

/** Every surface that can be driven, by its id. */
export const DRIVERS: ReadonlyMap<Driver['id'], Driver> = new Map(
  [mcpV1, contract].map((driver) => [driver.id, driver]),
);
