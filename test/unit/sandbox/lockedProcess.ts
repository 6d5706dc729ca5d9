/** A process that is locked down as the sandbox is, and then runs what it is sent as user code would run. */
import { lockDown } from '../../../server/src/evaluation/sandbox/lockdown.ts';
import type { FromSandbox } from '../../../server/src/evaluation/sandbox/messages.ts';

const { send, onMessage, permission, environmentReads } = lockDown();

onMessage(async (message) => {
  const { id, params } = message as { id: number; params: { code: string } };
  try {
    const run = new Function('require', 'load', 'environmentReads', `return (async () => { ${params.code} })()`);
    const result = (await run(require, (specifier: string) => import(specifier), environmentReads)) as unknown;
    send({ id, result: result === undefined ? null : result });
  } catch (error) {
    send({ id, error: String(error) });
  }
});
send({ ready: { node: process.version, permission } } satisfies FromSandbox);
