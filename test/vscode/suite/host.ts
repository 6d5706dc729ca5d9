import { HOST_VARIABLE } from '../host/requests.ts';

/** Shows a line at the terminal that runs the suite. */
export function say(line: string): Promise<boolean> {
  return ask('say', line);
}

/** Photographs VS Code. False where the host cannot. */
export function screenshot(name: string): Promise<boolean> {
  return ask('screenshot', name);
}

/** Presses the button that trusts the workspace; the page that manages trust must be open. False where the host cannot. */
export function pressTrust(): Promise<boolean> {
  return ask('trust', '');
}

async function ask(request: string, body: string): Promise<boolean> {
  const address = process.env[HOST_VARIABLE];
  if (address === undefined) throw new Error(`${HOST_VARIABLE} is not set: start the suite with npm run test:vscode.`);
  const response = await fetch(`${address}/${request}`, { method: 'POST', body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The host could not answer ${request}: ${answer}`);
  return answer === 'true';
}
