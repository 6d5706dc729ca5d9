/** A word that says tool in a name, but not `toolbar`. */
const TOOL_WORD = /tool(?!tip|bar|box|kit)/i;

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
  /(?:prompt|resource|resourceTemplate|route|router|endpoint|workflow|flow|step|job|cron|command|queries|query|mutation|procedure|event|notification|middleware|collection|responseFormat|response_format|output|form|page|column|migration|model)s?(?:Def|Definition|Config|Options|Spec|Entry|Handler|List|Map|Registry)?s?$/i;

/** Whether a name says that something is a tool. MCP has prompts and resources as well. */
export function isToolWord(name: string): boolean {
  return TOOL_WORD.test(name) || (/mcp/i.test(name) && !OTHER_CALLS.test(name) && !OTHER_CONTAINERS.test(name));
}

/** Whether a function of that name takes options of something that is no tool. */
export function isOtherCall(callee: string): boolean {
  return OTHER_EXACT.has(callee) || OTHER_CALLS.test(callee) || HTTP_METHODS.has(callee);
}

/** Whether a function of that name takes a path and what answers there. */
export function isHttpMethod(callee: string): boolean {
  return HTTP_METHODS.has(callee);
}

/** Whether a record, list, type or class of that name holds or is something that is no tool. */
export function isOtherContainer(name: string): boolean {
  return OTHER_CONTAINERS.test(name);
}
