/** Node's permission flag by its names, newest first: `--permission` since 23.5 and 22.13, experimental before. */
const FLAGS = ['--permission', '--experimental-permission'];

/**
 * Arguments for Node that take file writes, child processes, workers and addons away from a process, and let it read
 * only some folders. A forked process runs on this process's runtime, so its flags are asked of this one.
 *
 * @param allowRead absolute paths of the files and folders (with all that is in them) that may be read
 * @returns no arguments where the runtime has no such flag; the sandbox reports whether it is on
 */
export function permissionArguments(allowRead: readonly string[]): string[] {
  const flag = FLAGS.find((name) => process.allowedNodeEnvironmentFlags.has(name));
  return flag === undefined ? [] : [flag, ...allowRead.map((path) => `--allow-fs-read=${path}`)];
}
