/** Entry point of the sandbox process: locks the process down, then serves the server's requests. */
import { lockDown } from './evaluation/sandbox/lockdown.ts';
import { startSandbox } from './evaluation/sandbox/main.ts';
import { DRIVERS } from './surfaces/drivers/index.ts';

// The second parameter is there with --experimental-import-meta-resolve; the types know only the first.
const resolve = import.meta.resolve as (specifier: string, parent: string) => string;

startSandbox({ ...lockDown(), drivers: DRIVERS, resolve, importModule: (url) => import(url) });
