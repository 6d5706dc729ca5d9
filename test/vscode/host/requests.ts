import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a suite can ask of its host, by name. An answer of false: this host cannot. */
export interface HostRequests {
  /** Photographs VS Code into a file of this name. */
  screenshot(name: string): Promise<boolean>;
  /** Does what a person does to trust the open workspace. */
  trust(): Promise<boolean>;
}

/** Variable that tells the suite where its host listens. */
export const HOST_VARIABLE = 'TOOL_CONTRACTS_TEST_HOST';

/**
 * Serves a suite's requests on 127.0.0.1: `POST /screenshot?NAME` and `POST /trust`; the answer's body is `true` or
 * `false`.
 *
 * @returns the address to put into {@link HOST_VARIABLE}
 */
export async function serveRequests(requests: HostRequests): Promise<{ address: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const name = decodeURIComponent(search.slice(1)).replace(/[^\w.-]+/g, '-');
    const done = pathname === '/screenshot' ? requests.screenshot(name) : requests.trust();
    done.then(
      (able) => response.end(String(able)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
