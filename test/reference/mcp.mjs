// What an MCP SDK makes of schemas, asked by its own client, one server for each tool. Knows nothing of the product.
import { message, plain, print } from './answers.mjs';

/**
 * @param sdk exports of the SDK: McpServer, Client, InMemoryTransport
 * @param tools `{ id, schema, calls }`; a tool without `schema` takes no input
 */
export async function drive({ McpServer, Client, InMemoryTransport }, tools) {
  const answers = {};
  for (const tool of tools) answers[tool.id] = await driveOne({ McpServer, Client, InMemoryTransport }, tool);
  print(answers);
}

async function driveOne({ McpServer, Client, InMemoryTransport }, { id, schema, calls }) {
  const server = new McpServer({ name: 'reference', version: '1.0.0' });
  const received = [];
  const handler = (args) => {
    received.push(schema === undefined ? {} : args);
    return { content: [] };
  };
  try {
    server.registerTool(id, schema === undefined ? {} : { inputSchema: schema }, handler);
  } catch (error) {
    return { mountError: message(error), calls: [] };
  }
  const client = new Client({ name: 'reference', version: '1.0.0' });
  const [mine, its] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(its), client.connect(mine)]);
  const answer = { calls: [] };
  try {
    const { tools } = await client.listTools();
    answer.advertised = JSON.parse(JSON.stringify(tools[0].inputSchema));
  } catch (error) {
    answer.listError = message(error);
  }
  for (const args of calls) {
    received.length = 0;
    try {
      const result = await client.callTool({ name: id, arguments: args });
      answer.calls.push(
        received.length > 0 ? { accepts: true, value: plain(received[0]) } : { accepts: false, error: textOf(result) },
      );
    } catch (error) {
      answer.calls.push({ accepts: false, error: message(error) });
    }
  }
  await client.close();
  return answer;
}

function textOf({ content }) {
  return content.map(({ text }) => text).join(' ');
}
