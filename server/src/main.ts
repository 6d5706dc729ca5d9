/** What the built core offers its two entry points. Each loads its own part only: an editor waits for `initialize`. */

/** Runs the command line and ends the process with its exit code. */
export async function cli(): Promise<void> {
  const { main } = await import('./cli.ts');
  await main();
}

/** Runs the language server on the transport that the arguments name. */
export async function server(): Promise<void> {
  const { startServer } = await import('./server.ts');
  startServer();
}
