import type { Driver } from '../../evaluation/sandbox/driver.ts';
import { aiSdk } from './aiSdk.ts';
import { contract } from './contract.ts';
import { mcpV1 } from './mcpV1.ts';
import { mcpV2 } from './mcpV2.ts';

/** Every surface that can be driven, by its id. */
export const DRIVERS: ReadonlyMap<Driver['id'], Driver> = new Map(
  [mcpV1, mcpV2, aiSdk, contract].map((driver) => [driver.id, driver]),
);
