/** Entry point of the sandbox process: locks the process down, then serves the server's requests. */
import { lockDown } from './evaluation/sandbox/lockdown.ts';
import { startSandbox } from './evaluation/sandbox/main.ts';
import { DRIVERS } from './surfaces/drivers/index.ts';

const locked = lockDown();
startSandbox({ ...locked, drivers: DRIVERS });
