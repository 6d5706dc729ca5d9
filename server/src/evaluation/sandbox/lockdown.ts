import module from 'node:module';
import { channelDescriptor, closeChannel, openChannel } from './channel.ts';
import { closeNetwork } from './closedNetwork.ts';
import { guardDescriptors } from './descriptors.ts';
import { recordEnvironment } from './environment.ts';
import type { FromSandbox, ToSandbox } from './messages.ts';
import { capturePrinting } from './printing.ts';
import { fixSilently, refusal, refuseMembers } from './refuse.ts';

/** What is left of the way to the server once the process is locked down. */
export interface LockedDown {
  readonly send: (message: FromSandbox) => void;
  readonly onMessage: (listener: (message: ToSandbox) => void) => void;
  /** Whether Node's permission flag is on. */
  readonly permission: boolean;
  /** Names of the environment variables that were read since the last question. */
  readonly environmentReads: () => readonly string[];
}

/** Members of `process` that end it, signal others, load native code, or hand out its inside. */
const PROCESS = [
  'kill',
  '_kill',
  'reallyExit',
  'abort',
  'dlopen',
  'execve',
  'binding',
  '_linkedBinding',
  '_debugProcess',
  '_debugEnd',
  '_getActiveHandles',
  '_getActiveRequests',
  '_rawDebug',
  'openStdin',
];

/**
 * Modules that run programs, threads or debuggers, or that write files past Node's permission flag. Their functions
 * throw; loading them does not, since packages that are only imported for a schema load them too.
 */
const MODULES: { readonly [name: string]: readonly string[] | undefined } = {
  child_process: undefined,
  cluster: undefined,
  inspector: undefined,
  'inspector/promises': undefined,
  sqlite: undefined,
  trace_events: undefined,
  wasi: undefined,
  worker_threads: ['Worker'],
  v8: ['setFlagsFromString', 'writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'startCpuProfile', 'takeCoverage'],
  module: ['register', 'registerHooks'],
};

/**
 * Takes everything from the process that evaluating a schema does not need, before any user code runs: the channel to
 * the server, signals, exit, other programs and threads, native code, the network, its streams. Workspace trust is the
 * boundary; this is the seat belt under it, and Node's permission flag the other one.
 */
export function lockDown(): LockedDown {
  const channel = openChannel();
  const environmentReads = recordEnvironment();
  const print = capturePrinting((printed) => channel.send({ printed }));
  guardDescriptors(channelDescriptor(), print);
  closeNetwork();
  for (const name of PROCESS) {
    if (name in process) fixSilently(process, name, refusal(`process.${name}`));
  }
  fixSilently(process, 'exit', (code?: unknown) => {
    throw new Error(`process.exit(${code === undefined ? '' : String(code)}) was called`);
  });
  if (process.report) refuseMembers(process.report, 'process.report', ['writeReport']);
  // All are loaded first: they are made of each other's members.
  const builtins = Object.entries(MODULES).map(([name, members]) => ({ name, members, builtin: builtinModule(name) }));
  for (const { name, members, builtin } of builtins) if (builtin) refuseMembers(builtin, name, members);
  closeChannel();
  module.syncBuiltinESMExports();
  const permission = (process as { permission?: { has(scope: string): boolean } }).permission;
  return { ...channel, environmentReads, permission: permission !== undefined && !permission.has('fs.write') };
}

/** A module of the runtime, or undefined where it has none of the name. */
function builtinModule(name: string): object | undefined {
  try {
    return module.createRequire(`${process.cwd()}/sandbox.js`)(`node:${name}`) as object;
  } catch {
    return undefined;
  }
}
