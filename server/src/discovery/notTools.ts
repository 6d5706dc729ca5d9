import type { Standing } from './standing.ts';
import { calleeName, isText, isValueProperty, keyText, propertyValue, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** A word that says tool in a name, but not `toolbar`. */
const TOOL_WORD = /tool(?!tip|bar|box|kit)|mcp/i;

/**
 * Functions whose options object is no tool although it carries a schema: prompts and resources, requests and
 * notifications, routes, commands, jobs and flows, structured output.
 */
const OTHER_CALLS =
  /(?:prompt|resource|resourceTemplate|route|router|endpoint|workflow|flow|step|job|cron|command|query|mutation|procedure|subscription|collection|notification|middleware|event|channel|form|page|layout|env|config|model|agent)s?$/i;
const OTHER_EXACT: ReadonlySet<string> = new Set([
  'setRequestHandler',
  'setNotificationHandler',
  'registerPath',
  'createFunction',
  'task',
  'schemaTask',
  'defineAction',
  'action',
  'internalAction',
  'generateObject',
  'streamObject',
  'generateText',
  'streamText',
  'withStructuredOutput',
  'object',
  'array',
  'choice',
  'json',
  'zodResponseFormat',
  'zodTextFormat',
  'useForm',
  'useChat',
  'useObject',
  'validate',
  'validator',
  'describe',
  'it',
  'test',
  'expect',
  'field',
  'prismaField',
  'fetch',
  'request',
]);
const HTTP_METHODS: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'head',
  'options',
  'all',
  'use',
  'route',
]);

/** Names of records, lists and types that hold other things than tools. */
const OTHER_CONTAINERS =
  /(?:prompt|resource|resourceTemplate|route|router|endpoint|workflow|flow|step|job|cron|command|queries|query|mutation|procedure|event|notification|middleware|collection|responseFormat|response_format|output|form|page|column|migration|model)s?$/i;

/** Whether a word around the object says that it is a tool: its call, its type, its variable or what holds it. */
export function saysTool(standing: Standing): boolean {
  return (
    standing.calls.some((call) => TOOL_WORD.test(calleeName(call))) ||
    standing.types.some((type) => TOOL_WORD.test(type)) ||
    standing.containers.some((name) => TOOL_WORD.test(name)) ||
    (standing.variable !== undefined && TOOL_WORD.test(standing.variable.text)) ||
    (standing.key !== undefined && TOOL_WORD.test(keyText(standing.key) ?? ''))
  );
}

/** Whether the object is handed to, typed as or listed among something that is no tool. The innermost word counts. */
export function isDeniedAsTool(standing: Standing): boolean {
  for (const call of standing.calls) {
    const callee = calleeName(call);
    if (TOOL_WORD.test(callee)) return false;
    if (OTHER_EXACT.has(callee) || OTHER_CALLS.test(callee)) return true;
    if (HTTP_METHODS.has(callee) && isPath(call.arguments?.[0])) return true;
  }
  for (const word of [...standing.types, ...standing.containers]) {
    if (TOOL_WORD.test(word)) return false;
    if (OTHER_CONTAINERS.test(word)) return true;
  }
  return (
    standing.key !== undefined &&
    /^(?:responseFormat|response_format|output|experimental_output)$/.test(keyText(standing.key) ?? '')
  );
}

function isPath(argument: ts.Expression | undefined): boolean {
  const value = argument && unwrap(argument);
  return value !== undefined && ts.isStringLiteralLike(value) && value.text.startsWith('/');
}

/**
 * Whether an object with a weak key describes a parameter or route of HTTP, or an argument of a prompt: it says where
 * the value travels, or that it must be there.
 */
export function isHttpLike(properties: ReadonlyMap<string, ts.ObjectLiteralElementLike>, standing: Standing): boolean {
  if (properties.has('in') || properties.has('required')) return true;
  if (properties.has('method') && (properties.has('path') || properties.has('url'))) return true;
  const type = properties.get('type');
  if (standing.array && type && isValueProperty(type)) {
    const value = unwrap(propertyValue(type));
    // OpenAI lists `{ type: 'function', function: {…} }`; that is a tool.
    return !(isText(value) && ts.isStringLiteralLike(value) && value.text === 'function');
  }
  return false;
}
