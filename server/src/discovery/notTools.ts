import { HANDLER_KEYS } from './keys.ts';
import type { Standing } from './standing.ts';
import { calleeName, isText, isValueProperty, keyText, propertyValue, unwrap, wrapped } from './syntax.ts';
import { ts } from './typescript.ts';
import { isHttpMethod, isOtherCall, isOtherContainer, isToolWord } from './words.ts';

/** Whether a word around the object says that it is a tool: its call, its type, its variable or what holds it. */
export function saysTool(standing: Standing): boolean {
  return (
    standing.calls.some((call) => isToolWord(calleeName(call))) ||
    standing.types.some((type) => isToolWord(type)) ||
    standing.containers.some((name) => isToolWord(name)) ||
    (standing.owner?.name !== undefined && isToolWord(standing.owner.name.text)) ||
    (standing.variable !== undefined && isToolWord(standing.variable.text)) ||
    (standing.key !== undefined && isToolWord(keyText(standing.key) ?? ''))
  );
}

/** Whether the object is handed to, typed as or listed among something that is no tool. The innermost word counts. */
export function isDeniedAsTool(standing: Standing): boolean {
  for (const call of standing.calls) {
    const callee = calleeName(call);
    if (isToolWord(callee)) return false;
    if (isHttpMethod(callee) ? isPath(call.arguments?.[0]) : isOtherCall(callee)) return true;
  }
  for (const word of [...standing.types, ...standing.containers]) {
    if (isToolWord(word)) return false;
    if (isOtherContainer(word)) return true;
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

/**
 * Whether an object with a weak key is a prompt, which has a name, a description, arguments and a function as well: its
 * variable says so, or its function answers messages.
 */
export function isPromptLike(
  properties: ReadonlyMap<string, ts.ObjectLiteralElementLike>,
  standing: Standing,
): boolean {
  if (standing.variable !== undefined && /prompts?$/i.test(standing.variable.text)) return true;
  return [...properties].some(([key, property]) => HANDLER_KEYS.has(key) && answersMessages(property));
}

function answersMessages(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) && keyText(node.name) === 'messages') return isAnswer(node.parent);
  if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'messages') return isAnswer(node.parent);
  return ts.forEachChild(node, answersMessages) ?? false;
}

/** Whether an object literal is what a function answers. */
function isAnswer(literal: ts.Node): boolean {
  const { parent } = wrapped(literal as ts.Expression);
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
}
