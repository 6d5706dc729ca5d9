import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a suite can ask of its host. An answer of false: this host cannot. */
export interface HostRequests {
  /** Shows a line to the person at the terminal: what VS Code itself prints goes to a log. */
  say(line: string): void;
  /** Photographs VS Code into a file of this name. */
  screenshot(name: string): Promise<boolean>;
  /** Does what a person does to trust the open workspace, on the page that manages trust. */
  trust(): Promise<boolean>;
}

/** Variable that tells the suite where its host listens. */
export const HOST_VARIABLE = 'TOOL_CONTRACTS_TEST_HOST';

/**
 * Serves a suite's requests on 127.0.0.1: `POST /say`, `/screenshot` and `/trust`, with the line or name as the body;
 * the answer's body is `true` or `false`.
 *
 * @returns the address to put into {@link HOST_VARIABLE}
 */
export async function serveRequests(requests: HostRequests): Promise<{ address: string; close(): void }> {
  const server = createServer((request, response) => {
    answer(requests, request).then(
      (able) => response.end(String(able)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function answer(requests: HostRequests, request: IncomingMessage): Promise<boolean> {
  const body = await text(request);
  switch (request.url) {
    case '/say':
      requests.say(body);
      return true;
    case '/screenshot':
      return requests.screenshot(body.replace(/[^\w.-]+/g, '-'));
    case '/trust':
      return requests.trust();
    default:
      throw new Error(`This host knows no ${request.url}.`);
  }
}
