/** Generated code names itself with this prefix in stack frames. */
export const FRAME_PREFIX = 'tool-contracts:';

/** Stack frames that are looked at: getters of schemas nest, but not without end. */
const FRAMES = 100;
const OWN_FILE = import.meta.url;
const LOCATION = /(?:\(|at (?:async )?)([^()\s][^()]*):\d+:\d+\)?$/;

/**
 * Whether a package's code is being run right now, so that what is thrown passes through it. The workspace's code, ours
 * and Node's do not count.
 */
export function isInsidePackage(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES;
  // Code of the workspace may have set one of its own.
  Error.prepareStackTrace = undefined as never;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  if (prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
  return stack.split('\n').some((line) => isPackageFile(LOCATION.exec(line)?.[1]));
}

function isPackageFile(location: string | undefined): boolean {
  if (location === undefined || location === OWN_FILE || location.startsWith(FRAME_PREFIX)) return false;
  return /^(?:file:|\/|[A-Za-z]:[\\/])/.test(location);
}
