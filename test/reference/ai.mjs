// What the AI SDK makes of schemas: what a provider is sent and what a tool's `execute` gets, with a model written here.
// One call of generateText for each question. Knows nothing of the product.
import { message, plain, print } from './answers.mjs';

/**
 * @param sdk exports of the SDK: tool, generateText
 * @param specification what the SDK's major version calls its models' specification: v2, v3, v4
 * @param tools `{ id, schema, calls }`; a tool without `schema` takes no input
 */
export async function drive(sdk, specification, tools) {
  const answers = {};
  for (const tool of tools) answers[tool.id] = await driveOne(sdk, specification, tool);
  print(answers);
}

async function driveOne(sdk, specification, { id, schema, calls }) {
  const answer = { calls: [] };
  try {
    const { sent } = await ask(sdk, specification, { id, schema }, { type: 'text', text: 'Nothing to call.' });
    answer.advertised = JSON.parse(JSON.stringify(sent[0].inputSchema));
  } catch (error) {
    answer.listError = message(error);
  }
  for (const args of calls) {
    const call = { type: 'tool-call', toolCallId: 'call-1', toolName: id, input: JSON.stringify(args) };
    try {
      const { received, result } = await ask(sdk, specification, { id, schema }, call);
      const failure = result.content.find(({ type }) => type === 'tool-error')?.error;
      answer.calls.push(
        received.length > 0
          ? { accepts: true, value: plain(received[0]) }
          : { accepts: false, error: message(failure ?? 'not executed') },
      );
    } catch (error) {
      answer.calls.push({ accepts: false, error: message(error) });
    }
  }
  return answer;
}

async function ask({ tool, generateText }, specification, { id, schema }, content) {
  const received = [];
  let sent = [];
  const model = {
    specificationVersion: specification,
    provider: 'reference',
    modelId: 'reference',
    supportedUrls: {},
    doGenerate: async (options) => {
      sent = options.tools;
      return { content: [content], warnings: [], ...ending(specification, content.type) };
    },
    doStream: async () => {
      throw new Error('the reference does not stream');
    },
  };
  const options = {
    description: 'A tool',
    ...(schema !== undefined && { inputSchema: schema }),
    execute: async (args) => {
      received.push(args);
      return 'done';
    },
  };
  const result = await generateText({ model, prompt: 'Go.', tools: { [id]: tool(options) }, maxRetries: 0 });
  return { sent, received, result };
}

function ending(specification, type) {
  const reason = type === 'text' ? 'stop' : 'tool-calls';
  if (specification === 'v2') {
    return { finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  }
  return {
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
}
