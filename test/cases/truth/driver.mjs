// Runs the servers of the modules beside it, with the SDK and the zod that they find, and prints what calls of their
// tools do. It is what the checker is held to, so nothing of the checker is in it. Reads on stdin what to call.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** @type {{ [module: string]: { tool: string, arguments: Record<string, unknown> }[] }} */
const asked = JSON.parse(readFileSync(0, 'utf8'));
const answers = {};
for (const [name, calls] of Object.entries(asked)) {
  const { server } = await import(`./${name}.mjs`);
  const client = new Client({ name: 'truth', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  // Raw requests: the client's own methods refuse some lists and results.
  // One tool with a date makes the list fail; the calls work.
  const { tools } = await client.request({ method: 'tools/list' }, ResultSchema).catch(() => ({ tools: [] }));
  const outcomes = [];
  for (const { tool, arguments: args } of calls) {
    const { content, isError } = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: args } },
      ResultSchema,
    );
    const text = content.map((part) => part.text).join('\n');
    outcomes.push(isError ? { rejected: text } : { received: JSON.parse(text) });
  }
  answers[name] = { tools, calls: outcomes };
  await client.close();
}
process.stdout.write(JSON.stringify(answers));
